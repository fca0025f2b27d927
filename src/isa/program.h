// A loaded program: decoded code, the kernels in it, and where its variables are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "isa/instruction.h"
#include "ptx/module.h"

namespace raddle::memory {
class AddressSpace;
}

namespace raddle::isa {

struct Parameter {
  std::string name;
  std::uint32_t offset = 0, size = 0, alignment = 1;  // bytes
};

/// One .entry or .func.
struct Function {
  std::string name;
  bool entry = false;
  std::uint32_t first = 0, end = 0;  // its instructions: Program::code[first, end)
  std::uint32_t rows = 0;            // register rows of this frame alone
  std::uint32_t registers = 0;       // 32-bit registers a thread that they stand for on hardware
  std::uint32_t predicates = 0;      // with the two reserved ones
  std::vector<std::byte> constants;  // rows of broadcast immediates
  // Local memory of one frame: .local variables and call parameters; where the next begins, and
  // where its last variable ends.
  std::uint32_t frame_bytes = 0, frame_end = 0;
  // Where the shared memory begins that its blocks may access: an address. From there on: what the
  // system has reserved and the kernel uses nevertheless, then its own.
  std::uint32_t shared_begin = 0, system_shared_bytes = 0;
  // Static shared memory; where dynamic shared memory begins, and where the last variable ends:
  // both count from what the system has reserved.
  std::uint32_t static_shared_bytes = 0, static_shared_end = 0;
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  // Of an entry, over everything it can call (a recursive program: up to the first repetition).
  std::uint32_t registers_per_thread = 0;  // what allocation on an SM counts
  std::uint32_t local_bytes_per_thread = 0;
  std::uint32_t stack_bytes = 0;  // of them: for recursion and alloca, whose depth is not known
  bool recursive = false;
  bool uses_calls = false;
  bool uses_grid_sync = false;
  /// What it uses of the system: printf; malloc or free. Of an entry, over everything it can call.
  bool prints = false, uses_heap = false;
  /// Over everything it can call: it exchanges values of lanes that run together, whichever they are
  /// (shfl and vote without .sync), so that they have to.
  bool exchanges_lanes = false;
  std::uint32_t max_threads = 1024;             // .maxntid / .reqntid
  std::uint32_t required_block[3] = {0, 0, 0};  // .reqntid; 0: there is none
  std::uint32_t min_blocks = 0;                 // .minnctapersm
  bool bounded = false;              // what exceeds the registers that these leave has been spilled
  std::uint32_t cluster_blocks = 1;  // .reqnctapercluster
  std::uint32_t barriers = 1;        // highest barrier number used + 1
  /// Bytes of dynamic shared memory that the host has allowed (cudaFuncSetAttribute); 0: what every
  /// kernel may have.
  std::uint32_t max_dynamic_shared = 0;
  /// What it, or what it calls by name, calls to launch others when such launches are switched off;
  /// "": nothing. Launching an entry that comes to it is refused, and so is calling a function by its
  /// address; the program's other kernels run.
  std::string switched_off;
  /// The first instruction that PTX has and raddle does not: its place, itself and what it is; ""
  /// if there is none. Over everything that it calls by name: launching an entry is refused with this
  /// text, and so is calling a function by its address; the program's other kernels run.
  std::string unsupported;

  /// Shared memory that its blocks may access, launched with so many bytes of dynamic one.
  std::uint32_t shared_bytes(std::uint32_t dynamic) const {
    return system_shared_bytes + (dynamic == 0 ? static_shared_end : static_shared_bytes + dynamic);
  }
};

/// What debugging output and profiles want to know of an instruction; never read while running.
struct InstructionInfo {
  std::string text;  // as written, one line
  ptx::Position at;
  std::uint16_t module = 0;  // index into Program::module_names
};

struct Variable {
  std::string name;
  Address address = 0;  // 0 for shared variables
  std::uint64_t size = 0;
  ptx::Space space = ptx::Space::global;
  bool managed = false;
  ptx::Type type = ptx::Type::b8;  // texref, samplerref, surfref: a TextureDescriptor is there
};

/// A line of the source that a program was compiled from, or of its PTX.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
};

/// The "address" of a function, as mov of its name gives it: neither data nor a window.
inline constexpr Address kCodeWindow = 0x0000'8003'0000'0000;
inline constexpr Address kCodeStride = 16;
inline Address function_address(std::uint32_t function) {
  return kCodeWindow + kCodeStride * function;
}

/// Bytes that a call copies between the local memory of caller and callee: offsets in their frames.
struct CallCopy {
  std::uint32_t caller = 0, callee = 0, bytes = 0;
};
/// One call instruction (its Instruction::target is the index): arguments are copied when the
/// callee begins, results when it returns.
struct CallSite {
  std::vector<CallCopy> arguments, results;
  std::uint32_t function = 0;  // of a direct call
  bool indirect = false;       // the callee's address is in s[0]
};
struct BuiltinSite;  // isa/builtins.h

/// Of a branch: where its ways are likely to meet, before they certainly do (Instruction::reconverge).
struct LikelyPoint {
  std::uint32_t branch = 0, pc = 0;  // instruction indices
};

class Program {
 public:
  Program();
  ~Program();
  /// Another one for each program of the process, since addresses come again.
  const std::uint64_t id;
  Address code_base = 0;        // where the code lies, for caches of it: no data is near
  std::uint32_t alignment = 1;  // instructions at multiples of which functions begin
  std::vector<Instruction> code;
  /// [instruction], and behind the last: machine instructions of the code before it, if some stand for
  /// several (passes/sequences.cpp); empty: each is one.
  std::vector<std::uint32_t> words;
  std::vector<RegisterSet> hazards;      // [instruction]: all it reads or writes
  std::vector<RegisterSet> writes;       // [instruction]: what it writes
  std::vector<SourceRegisters> sources;  // [instruction]
  std::vector<InstructionInfo> info;     // [instruction]
  std::vector<Function> functions;
  std::vector<std::vector<std::uint32_t>> branch_tables;  // of brx: instruction indices
  std::vector<CallSite> calls;                            // of call
  std::vector<LikelyPoint> likely_points;                 // in the order of branches
  std::vector<std::unique_ptr<BuiltinSite>> builtin_calls;
  std::vector<Variable> variables;  // globals and constants with their addresses
  std::vector<std::string> module_names;
  std::vector<std::vector<std::string>> source_files;  // [module][file index]
  std::vector<std::vector<ptx::Inlining>> inlinings;   // [module]: of Position::inlined

  /// The likely convergence point of a branch; kNoReconvergence: it has none.
  std::uint32_t likely_point(std::uint32_t branch) const;
  const Function* find_kernel(std::string_view name) const;
  Function* find_kernel(std::string_view name);
  const Variable* find_variable(std::string_view name) const;
  /// Where an instruction came from: the source when the compiler told, else the PTX.
  SourceLine line_of(std::uint32_t instruction) const;
  /// The calls that inlining has replaced, from the innermost outwards.
  std::vector<SourceLine> inlined_at(std::uint32_t instruction) const;
  /// Both, as "file.h:12, inlined at file.cu:34".
  std::string source_of(std::uint32_t instruction) const;
};

/// A program of modules by what is built in alone: Loader::load (isa/loader.h).
std::unique_ptr<Program> load_program(std::span<const ptx::Module> modules,
                                      memory::AddressSpace& space);

}  // namespace raddle::isa
