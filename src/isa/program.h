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
  std::uint32_t rows = 0;            // register rows of the frame of this function alone
  std::uint32_t registers = 0;       // 32-bit registers a thread on hardware
  std::uint32_t predicates = 0;      // including the two reserved ones
  std::vector<std::byte> constants;  // rows of broadcast immediates
  // Local memory of one frame (.local variables and call parameters): where the next frame begins,
  // and where the last variable of this one ends.
  std::uint32_t frame_bytes = 0, frame_end = 0;
  // Address where the shared memory begins that the blocks may access. It starts with the part that
  // the system has reserved and the kernel uses nevertheless; the kernel's own part follows.
  std::uint32_t shared_begin = 0, system_shared_bytes = 0;
  // Static shared memory: where dynamic shared memory begins, and where the last variable ends.
  // Both count from the end of the part that the system has reserved.
  std::uint32_t static_shared_bytes = 0, static_shared_end = 0;
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  // For an entry: over every function that it can call (recursive programs: up to the first
  // repetition).
  std::uint32_t registers_per_thread = 0;  // the number that allocation on an SM uses
  std::uint32_t local_bytes_per_thread = 0;
  std::uint32_t stack_bytes = 0;  // part for recursion and alloca, whose depth is not known
  bool recursive = false;
  bool uses_calls = false;
  bool uses_grid_sync = false;
  /// Whether it uses printf, or malloc or free. For an entry: over every function that it can call.
  bool prints = false, uses_heap = false;
  /// Over every function that it can call: whether it exchanges values of any lanes that run
  /// together (shfl and vote without .sync), so that the lanes have to run together.
  bool exchanges_lanes = false;
  std::uint32_t max_threads = 1024;             // .maxntid / .reqntid
  std::uint32_t required_block[3] = {0, 0, 0};  // .reqntid; 0: none
  std::uint32_t min_blocks = 0;                 // .minnctapersm
  bool bounded = false;              // values beyond the registers under these limits are spilled
  std::uint32_t cluster_blocks = 1;  // .reqnctapercluster
  std::uint32_t barriers = 1;        // highest barrier number used + 1
  /// Bytes of dynamic shared memory that the host has allowed (cudaFuncSetAttribute); 0: the
  /// default of every kernel.
  std::uint32_t max_dynamic_shared = 0;
  /// The function for launching kernels that this one, or a function that it calls by name, calls
  /// while such launches are switched off; "": none. Launching an entry that reaches it is refused,
  /// and so is calling a function by its address. The other kernels of the program run.
  std::string switched_off;
  /// The first instruction that PTX has and raddle does not support: its place, its text and what
  /// it is; "" if there is none. Covers every function called by name. Launching an entry is
  /// refused with this text, and so is calling a function by its address. The other kernels of the
  /// program run.
  std::string unsupported;

  /// Shared memory that a block may access in a launch with `dynamic` bytes of dynamic shared
  /// memory.
  std::uint32_t shared_bytes(std::uint32_t dynamic) const {
    return system_shared_bytes + (dynamic == 0 ? static_shared_end : static_shared_bytes + dynamic);
  }
};

/// Facts about an instruction for debugging output and profiles; never read while running.
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
  ptx::Type type = ptx::Type::b8;  // texref, samplerref, surfref: a TextureDescriptor lies there
};

/// A line of the source from which a program was compiled, or of its PTX.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
};

/// The "address" of a function, as mov of its name gives it. It is neither data nor in a window.
inline constexpr Address kCodeWindow = 0x0000'8003'0000'0000;
inline constexpr Address kCodeStride = 16;
inline Address function_address(std::uint32_t function) {
  return kCodeWindow + kCodeStride * function;
}

/// Bytes that a call copies between the local memory of caller and callee: offsets in their frames.
struct CallCopy {
  std::uint32_t caller = 0, callee = 0, bytes = 0;
};
/// One call instruction (Instruction::target is its index). Arguments are copied when the callee
/// begins, results when it returns.
struct CallSite {
  std::vector<CallCopy> arguments, results;
  std::uint32_t function = 0;  // of a direct call
  bool indirect = false;       // the callee's address is in s[0]
};
struct BuiltinSite;  // isa/builtins.h

/// Where the paths of a branch probably reconverge, earlier than they certainly do
/// (Instruction::reconverge).
struct LikelyPoint {
  std::uint32_t branch = 0, pc = 0;  // instruction indices
};

class Program {
 public:
  Program();
  ~Program();
  /// Different for each program of the process, since addresses are reused.
  const std::uint64_t id;
  Address code_base = 0;        // where the code lies, for instruction caches: no data is near
  std::uint32_t alignment = 1;  // functions begin at multiples of this many instructions
  std::vector<Instruction> code;
  /// [instruction] and one entry after the last: machine instructions of the code before it, if an
  /// instruction can stand for several (passes/sequences.cpp). Empty: each is one.
  std::vector<std::uint32_t> words;
  std::vector<RegisterSet> hazards;      // [instruction]: registers that it reads or writes
  std::vector<RegisterSet> writes;       // [instruction]: registers that it writes
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

  /// The likely reconvergence point of a branch; kNoReconvergence: none.
  std::uint32_t likely_point(std::uint32_t branch) const;
  const Function* find_kernel(std::string_view name) const;
  Function* find_kernel(std::string_view name);
  const Variable* find_variable(std::string_view name) const;
  /// Where an instruction came from: the source if the compiler recorded it, else the PTX.
  SourceLine line_of(std::uint32_t instruction) const;
  /// The calls that inlining has replaced, from the innermost outwards.
  std::vector<SourceLine> inlined_at(std::uint32_t instruction) const;
  /// Both, as "file.h:12, inlined at file.cu:34".
  std::string source_of(std::uint32_t instruction) const;
};

/// Loads a program from modules with the built-in instructions and passes alone: Loader::load
/// (isa/loader.h).
std::unique_ptr<Program> load_program(std::span<const ptx::Module> modules,
                                      memory::AddressSpace& space);

}  // namespace raddle::isa
