// The syntax tree of one PTX translation unit, with names resolved and nothing lowered.
//
// Registers, labels and variables are numbered. Scopes `{}` do not appear: two registers with the
// same name in different scopes have different ids. Opcodes and modifiers stay text (views into the
// module's own copy of its source); the instruction table (isa/table.h) gives them meaning.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ptx/types.h"

namespace raddle::ptx {

inline constexpr std::uint32_t kNoId = ~std::uint32_t{0};

enum class Linkage : std::uint8_t { none, visible, external, weak, common };

/// Line and column in the PTX text and, where `.loc` gives it, the place in the original source.
struct Position {
  std::uint32_t line = 0, column = 0;
  std::uint32_t source_file = 0;  // index into Module::files; 0 = unknown
  std::uint32_t source_line = 0;  // 0 = unknown
  std::uint32_t inlined = 0;      // 1 + index into Module::inlinings; 0 = not inlined
};

/// A call that the compiler replaced by the body of the callee.
struct Inlining {
  std::uint32_t source_file = 0, source_line = 0;  // of the call
  std::uint32_t outer = 0;  // 1 + index of the inlining of the caller itself; 0 = not inlined
  friend auto operator<=>(const Inlining&, const Inlining&) = default;
};

/// A declared register; its id is its index in Function::registers.
struct Register {
  std::string name;
  Type type = Type::none;
};

struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,      // id
    special,  // name: "%tid.x", "%clock64", "WARP_SZ" ...
    integer,  // bits: two's complement
    real32,   // bits: IEEE single (0f...)
    real64,   // bits: IEEE double (0d... or decimal literal)
    symbol,   // id in what `scope` says; + offset
    address,  // [base + offset]: elements[0] is the base (reg, symbol, integer); further elements
              // are the coordinates of tex/surf operands
    label,    // id into Function::labels
    vector,   // {a, b, ...}: elements
    pair,     // p|q: elements[0], elements[1]
    list,     // ( a, b ) of call: elements
    sink,     // _
  };
  /// The list in which a symbol's id is an index: Function::variables, Module::variables,
  /// Module::functions, or the formal Function::parameters / Function::returns of the enclosing
  /// function.
  enum class Scope : std::uint8_t {
    function_variable,
    module_variable,
    function,
    parameter,
    return_value,
  };

  Kind kind = Kind::none;
  Scope scope = Scope::module_variable;
  bool negated = false;  // !p, or -r where the grammar allows it
  bool summed = false;   // a symbol: written as `symbol + constant`
  std::uint32_t id = kNoId;
  std::int64_t offset = 0;  // added to a symbol's address or to an address's base
  std::uint64_t bits = 0;
  std::string_view name;  // symbols, specials, labels: as written; reg: the part that a video
                          // instruction selects ("b0", "h1", "b7654"), else empty
  std::vector<Operand> elements;
};

struct Instruction {
  std::string_view opcode;  // "ld"
  std::vector<std::string_view>
      modifiers;                // {"global", "v4", "f32"}; "::" stays inside one modifier
  std::uint32_t guard = kNoId;  // register id of @p
  bool guard_negated = false;
  std::vector<Operand> operands;  // as written, left to right
  Position at;
};

/// One part of an initialiser: a value, or the (generic) address of a symbol, masked in 0xFF(sym).
struct Initializer {
  std::uint64_t bits = 0;        // value, already in the element type's encoding
  std::uint32_t symbol = kNoId;  // with `scope` as in Operand: address of it + addend
  Operand::Scope scope = Operand::Scope::module_variable;
  bool generic = false;  // generic(sym)
  std::int64_t addend = 0;
  std::uint8_t shift =
      0;  // byte select of 0xFF00(sym)-style masks: value = (address >> shift) & mask
  std::uint64_t mask = ~std::uint64_t{0};
};

/// A variable in any state space except reg; also a parameter.
struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  unsigned vector = 1;                    // .v2, .v4
  std::vector<std::uint64_t> dimensions;  // empty for a scalar; a 0 first = extent unknown ([])
  std::uint64_t size = 0;                 // bytes in all; 0 for [] without initialiser
  unsigned alignment = 1;                 // bytes
  Linkage linkage = Linkage::none;
  bool managed = false;                  // .attribute(.managed)
  bool pointer = false;                  // .ptr on a kernel parameter
  std::uint32_t register_id = kNoId;     // formal parameter in .reg space: id of its register
  std::vector<Initializer> initializer;  // one per element, row major; the rest is zero
  struct Setting {
    std::string name, value;
  };
  std::vector<Setting> settings;  // for textures, samplers and surfaces: filter_mode = linear
  Position at;
};

/// Declarations of .callprototype, .calltargets and .branchtargets, which labels name.
struct Prototype {
  std::vector<Variable> returns, parameters;
  bool noreturn = false;
};

struct Label {
  std::string name;
  enum class Kind : std::uint8_t { code, prototype, targets } kind = Kind::code;
  std::uint32_t instruction = kNoId;  // code: index of the instruction that follows
  std::uint32_t index = kNoId;  // prototype, targets: index in Function::prototypes / target_lists
  Position at;
};

struct Function {
  std::string name;
  bool entry = false;    // .entry, else .func
  bool defined = false;  // has a body
  bool noreturn = false;
  bool preserves = false;  // .abi_preserve, .abi_preserve_control: it keeps registers
  Linkage linkage = Linkage::none;
  std::vector<Variable> returns, parameters;
  // Performance-tuning directives; 0 = not given.
  std::uint32_t maxntid[3] = {0, 0, 0}, reqntid[3] = {0, 0, 0};
  std::uint32_t minnctapersm = 0, maxnctapersm = 0, maxnreg = 0;
  std::uint32_t reqnctapercluster[3] = {0, 0, 0}, maxclusterrank = 0;
  bool explicitcluster = false, blocksareclusters = false;
  std::uint32_t alias_of = kNoId;  // .alias: the function for which this name stands

  std::vector<Register> registers;
  std::vector<Variable> variables;  // declared in the body, any scope
  std::vector<Label> labels;
  std::vector<Prototype> prototypes;
  std::vector<std::vector<Operand>> target_lists;
  std::vector<Instruction> instructions;
  // .pragma "nounroll": the instructions before which it stands, and whether it is for the whole
  // function.
  std::vector<std::uint32_t> nounroll;
  bool nounroll_all = false;
  Position at;
};

/// The beginning of a text that names a target only because a compiler must have one: the text is
/// meant for every GPU that has its instructions (raddle cc without -arch).
inline constexpr std::string_view kForAnyGpu = "// Compiled by raddle cc for any GPU.\n";

struct Module {
  std::string file;  // the name in error messages
  std::shared_ptr<const std::string> text;
  unsigned version_major = 0, version_minor = 0;
  std::string target;                 // "sm_70"
  unsigned sm = 0;                    // 70
  bool for_any_gpu = false;           // kForAnyGpu
  bool independent_samplers = false;  // texmode_independent: lookups name texture and sampler
  unsigned address_size = 64;
  std::vector<std::string> files;   // from .file; index 0 is ""
  std::vector<Inlining> inlinings;  // from .loc
  std::vector<Variable> variables;
  std::vector<Function> functions;  // a forward declaration and its definition are one entry

  SourcePosition position(const Position& at) const { return {file, at.line, at.column}; }
  /// "gemm.cu:12" from `.loc`; "" without one.
  std::string source_of(const Position& at) const;
};

/// The error text for an opcode that is no instruction; "" for an instruction (isa/loader.h).
using UnknownOpcode = std::function<std::string(std::string_view opcode)>;

/// Parses a whole translation unit. Throws InputError with file, line and column. If the operands
/// look wrong because the instruction is unknown, `unknown` gives the error text, if it is set.
Module parse(std::string file, std::string text, const UnknownOpcode& unknown = {});

}  // namespace raddle::ptx
