#include "ptx/print_operands.h"

#include <fmt/core.h>

namespace raddle::ptx {
namespace {

std::string print_group(const PrintContext& context, const Operand& group, char open, char close) {
  std::string text(1, open);
  for (const Operand& element : group.elements) {
    if (text.size() > 1) text += ", ";
    text += print_operand(context, element);
  }
  return text + close;
}

std::string print_symbol(const PrintContext& context, const Operand& operand) {
  std::string name;
  switch (operand.scope) {
    case Operand::Scope::function_variable:
      name = context.names.variables[operand.id];
      break;
    case Operand::Scope::module_variable:
      name = context.module.variables[operand.id].name;
      break;
    case Operand::Scope::function:
      name = context.module.functions[operand.id].name;
      break;
    case Operand::Scope::parameter:
      name = context.function.parameters[operand.id].name;
      break;
    case Operand::Scope::return_value:
      name = context.function.returns[operand.id].name;
      break;
  }
  return name + print_offset(operand.offset);
}

std::string print_address(const PrintContext& context, const Operand& operand) {
  std::string text = fmt::format("[{}{}", print_operand(context, operand.elements[0]),
                                 print_offset(operand.offset));
  for (std::size_t i = 1; i < operand.elements.size(); ++i) {
    text.append(", ").append(print_operand(context, operand.elements[i]));
  }
  return text + "]";
}

std::string print_register(const PrintContext& context, const Operand& operand) {
  const bool predicate = context.function.registers[operand.id].type == Type::pred;
  const char* const sign = operand.negated ? (predicate ? "!" : "-") : "";
  std::string text = sign + context.names.registers[operand.id];
  if (!operand.name.empty()) text.append(".").append(operand.name);
  return text;
}

}  // namespace

std::string print_offset(std::int64_t offset) {
  return offset == 0 ? std::string() : fmt::format("+{}", offset);
}

std::string print_operand(const PrintContext& context, const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::none:
      return "";
    case Operand::Kind::reg:
      return print_register(context, operand);
    case Operand::Kind::special:
      return std::string(operand.name);
    case Operand::Kind::integer:
      return fmt::format("{}", static_cast<std::int64_t>(operand.bits));
    case Operand::Kind::real32:
      return fmt::format("0f{:08X}", operand.bits);
    case Operand::Kind::real64:
      return fmt::format("0d{:016X}", operand.bits);
    case Operand::Kind::symbol:
      return print_symbol(context, operand);
    case Operand::Kind::address:
      return print_address(context, operand);
    case Operand::Kind::label:
      return context.names.labels[operand.id];
    case Operand::Kind::vector:
      return print_group(context, operand, '{', '}');
    case Operand::Kind::pair:
      return print_operand(context, operand.elements[0]) + "|" +
             print_operand(context, operand.elements[1]);
    case Operand::Kind::list:
      return print_group(context, operand, '(', ')');
    case Operand::Kind::sink:
      return "_";
  }
  return "";
}

std::string print_instruction(const PrintContext& context, const Instruction& instruction) {
  std::string text(instruction.opcode);
  for (const std::string_view modifier : instruction.modifiers) {
    text.append(".").append(modifier);
  }
  const char* separator = " ";
  for (const Operand& operand : instruction.operands) {
    text.append(separator).append(print_operand(context, operand));
    separator = ", ";
  }
  return text;
}

}  // namespace raddle::ptx
