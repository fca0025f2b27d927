#include "ptx/print.h"

#include <fmt/core.h>

#include <algorithm>

#include "ptx/print_names.h"
#include "ptx/print_operands.h"

namespace raddle::ptx {
namespace {

std::string print_linkage(Linkage linkage) {
  switch (linkage) {
    case Linkage::none:
      return "";
    case Linkage::visible:
      return ".visible ";
    case Linkage::external:
      return ".extern ";
    case Linkage::weak:
      return ".weak ";
    case Linkage::common:
      return ".common ";
  }
  return "";
}

/// Prints from the state space to the array sizes.
std::string print_declaration(const Variable& variable, const std::string& name) {
  std::string text = fmt::format(".{} ", ptx::name(variable.space));
  if (variable.managed) text += ".attribute(.managed) ";
  if (variable.space != Space::reg) text += fmt::format(".align {} ", variable.alignment);
  if (variable.vector != 1) text += fmt::format(".v{} ", variable.vector);
  text += fmt::format(".{} ", ptx::name(variable.type));
  if (variable.pointer) text += ".ptr ";
  text += name;
  for (const std::uint64_t extent : variable.dimensions) {
    text += extent == 0 ? "[]" : fmt::format("[{}]", extent);
  }
  return text;
}

std::string print_formals(const std::vector<Variable>& formals) {
  std::string text;
  for (const Variable& formal : formals) {
    text += (text.empty() ? "" : ", ") + print_declaration(formal, formal.name);
  }
  return "(" + text + ")";
}

std::string print_triple(const char* directive, const std::uint32_t (&values)[3]) {
  if (values[0] == 0) return "";
  return fmt::format(" .{} {}, {}, {}", directive, values[0], values[1], values[2]);
}

std::string print_number(const char* directive, std::uint32_t value) {
  return value == 0 ? "" : fmt::format(" .{} {}", directive, value);
}

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module) {}

  std::string print() {
    const char* mode = module_.independent_samplers ? ", texmode_independent" : "";
    text_ = fmt::format(".version {}.{}\n.target {}{}\n.address_size {}\n", module_.version_major,
                        module_.version_minor, module_.target, mode, module_.address_size);
    for (std::size_t i = 1; i < module_.files.size(); ++i) {
      text_ += fmt::format(".file {} \"{}\"\n", i, module_.files[i]);
    }
    // All declarations come first, because initial values may hold addresses of functions.
    for (const Function& function : module_.functions) {
      text_ += print_head(function) + ";\n";
    }
    const FunctionNames none;
    for (const Variable& variable : module_.variables) {
      print_variable({module_, {}, none}, variable, variable.name);
    }
    for (const Function& function : module_.functions) {
      if (function.defined) print_body(function);
    }
    for (const Function& function : module_.functions) {
      if (function.alias_of == kNoId) continue;
      text_ +=
          fmt::format(".alias {}, {};\n", function.name, module_.functions[function.alias_of].name);
    }
    return std::move(text_);
  }

 private:
  static std::string print_head(const Function& function) {
    std::string text = print_linkage(function.linkage);
    text += function.entry ? ".entry " : ".func ";
    if (!function.returns.empty()) text += print_formals(function.returns) + " ";
    text += function.name + print_formals(function.parameters);
    if (function.noreturn) text += " .noreturn";
    return text;
  }

  static std::string print_tuning(const Function& function) {
    std::string text;
    text += print_triple("maxntid", function.maxntid) + print_triple("reqntid", function.reqntid) +
            print_triple("reqnctapercluster", function.reqnctapercluster) +
            print_number("minnctapersm", function.minnctapersm) +
            print_number("maxnctapersm", function.maxnctapersm) +
            print_number("maxnreg", function.maxnreg) +
            print_number("maxclusterrank", function.maxclusterrank);
    if (function.explicitcluster) text += " .explicitcluster";
    if (function.blocksareclusters) text += " .blocksareclusters";
    if (function.nounroll_all) text += " .pragma \"nounroll\";";
    return text;
  }

  void print_variable(const PrintContext& context, const Variable& variable,
                      const std::string& name) {
    text_ += print_linkage(variable.linkage) + print_declaration(variable, name);
    if (!variable.initializer.empty()) {
      std::vector<std::uint64_t> extents = variable.dimensions;
      if (variable.vector != 1) extents.push_back(variable.vector);
      text_ += " = ";
      print_initializer(context, variable, extents, 0, 0);
    }
    text_ += ";\n";
  }

  void print_initializer(const PrintContext& context, const Variable& variable,
                         const std::vector<std::uint64_t>& extents, std::size_t level,
                         std::uint64_t first) {
    if (level == extents.size()) {
      print_element(context, variable.type, variable.initializer[first]);
      return;
    }
    std::uint64_t stride = 1;
    for (std::size_t i = level + 1; i < extents.size(); ++i) stride *= extents[i];
    text_ += '{';
    for (std::uint64_t i = 0; i < extents[level]; ++i) {
      if (first + i * stride >= variable.initializer.size()) break;
      if (i != 0) text_ += ", ";
      print_initializer(context, variable, extents, level + 1, first + i * stride);
    }
    text_ += '}';
  }

  void print_element(const PrintContext& context, Type type, const Initializer& part) {
    if (part.symbol == kNoId) {
      if (type == Type::f32) {
        text_ += fmt::format("0f{:08X}", part.bits);
      } else if (type == Type::f64) {
        text_ += fmt::format("0d{:016X}", part.bits);
      } else {
        text_ += fmt::format("{}", part.bits);
      }
      return;
    }
    Operand symbol;
    symbol.kind = Operand::Kind::symbol;
    symbol.scope = part.scope;
    symbol.id = part.symbol;
    std::string address = print_operand(context, symbol);
    if (part.generic) address = fmt::format("generic({})", address);
    address += print_offset(part.addend);
    const bool masked = part.mask != ~std::uint64_t{0};
    text_ += masked ? fmt::format("{:#x}({})", part.mask << part.shift, address) : address;
  }

  void print_body(const Function& function) {
    const FunctionNames names = distinct_names(module_, function);
    const PrintContext context{module_, function, names};
    text_ += print_head(function) + print_tuning(function) + "\n{\n";
    print_registers(function, names);
    for (std::size_t i = 0; i < function.variables.size(); ++i) {
      print_variable(context, function.variables[i], names.variables[i]);
    }
    std::size_t label = 0;
    Position last;
    const auto count = static_cast<std::uint32_t>(function.instructions.size());
    for (std::uint32_t i = 0; i <= count; ++i) {
      for (; label < function.labels.size() && function.labels[label].instruction <= i; ++label) {
        print_label(context, function.labels[label], names.labels[label]);
      }
      const auto& rolled = function.nounroll;
      if (std::find(rolled.begin(), rolled.end(), i) != rolled.end()) {
        text_ += "\t.pragma \"nounroll\";\n";
      }
      if (i == count) break;
      const Instruction& instruction = function.instructions[i];
      const Position& at = instruction.at;
      if (at.source_file != last.source_file || at.source_line != last.source_line) {
        text_ += fmt::format(".loc {} {} 0\n", at.source_file, at.source_line);
        last = at;
      }
      text_ += '\t';
      if (instruction.guard != kNoId) {
        text_ += fmt::format("@{}{} ", instruction.guard_negated ? "!" : "",
                             names.registers[instruction.guard]);
      }
      text_ += print_instruction(context, instruction) + ";\n";
    }
    text_ += "}\n";
  }

  /// The head of the function declares formal parameters in registers.
  void print_registers(const Function& function, const FunctionNames& names) {
    std::size_t first = 0;
    for (const auto* formals : {&function.returns, &function.parameters}) {
      for (const Variable& formal : *formals) {
        if (formal.register_id != kNoId) first = formal.register_id + formal.vector;
      }
    }
    for (std::size_t i = first; i < function.registers.size(); ++i) {
      const Type type = function.registers[i].type;
      const bool same = i != first && function.registers[i - 1].type == type;
      text_ += same ? ", " : fmt::format("{}\t.reg .{} ", i == first ? "" : ";\n", name(type));
      text_ += names.registers[i];
    }
    if (first != function.registers.size()) text_ += ";\n";
  }

  void print_label(const PrintContext& context, const Label& label, const std::string& name) {
    text_ += name + ":";
    if (label.kind == Label::Kind::prototype) {
      const Prototype& prototype = context.function.prototypes[label.index];
      text_ += " .callprototype ";
      if (!prototype.returns.empty()) text_ += print_formals(prototype.returns) + " ";
      text_ += "_ " + print_formals(prototype.parameters);
      text_ += prototype.noreturn ? " .noreturn;" : ";";
    } else if (label.kind == Label::Kind::targets) {
      const std::vector<Operand>& targets = context.function.target_lists[label.index];
      const bool labels = targets[0].kind == Operand::Kind::label;
      const char* separator = labels ? " .branchtargets " : " .calltargets ";
      for (const Operand& target : targets) {
        text_.append(separator).append(print_operand(context, target));
        separator = ", ";
      }
      text_ += ';';
    }
    text_ += '\n';
  }

  const Module& module_;
  std::string text_;
};

}  // namespace

std::string print(const Module& module) { return Printer(module).print(); }

std::string print(const Module& module, const Function& function, const Instruction& instruction) {
  return print_instruction({module, function, declared_names(function)}, instruction);
}

}  // namespace raddle::ptx
