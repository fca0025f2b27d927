#include "isa/introductions.h"

#include <fmt/core.h>

#include <algorithm>

namespace raddle::isa {
namespace {

/// Calls f for each part. Stops at the first part for which f returns false, and returns false
/// then.
template <class F>
constexpr bool all_parts(std::string_view text, char separator, F f) {
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (!f(text.substr(0, end))) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

bool has_space(std::string_view modifier) {
  const auto space = ptx::space_from_name(modifier.substr(0, modifier.find("::")));
  return space.has_value();
}

/// `written`: ".global.u32"
bool says(std::string_view word, const ptx::Instruction& instruction, std::string_view written) {
  if (word.starts_with('!')) return !says(word.substr(1), instruction, written);
  if (word.starts_with('/')) return fmt::format("/{}", instruction.operands.size()) == word;
  if (word == "_") {
    return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                       [](const auto& o) { return o.kind == ptx::Operand::Kind::sink; });
  }
  if (word == "generic") {
    return std::none_of(instruction.modifiers.begin(), instruction.modifiers.end(), has_space);
  }
  for (auto at = written.find(word); at != written.npos; at = written.find(word, at + 1)) {
    const auto end = at + word.size();
    if (written[at - 1] == '.' && (end == written.size() || written[end] == '.')) return true;
  }
  return false;
}

bool is_about(const Introduction& entry, const ptx::Instruction& instruction,
              std::string_view written) {
  const bool other = all_parts(entry.mnemonics, '|',
                               [&](std::string_view one) { return one != instruction.opcode; });
  if (other) return false;
  return all_parts(entry.words, ' ', [&](std::string_view either) {
    return !all_parts(either, '|',
                      [&](std::string_view word) { return !says(word, instruction, written); });
  });
}

Requirement requirement_of(const Introduction& entry) {
  Requirement read;
  read.before = entry.before;
  if (!entry.version.empty()) read.version = *ptx::version_from_name(entry.version);
  all_parts(entry.targets, ' ', [&](std::string_view target) {
    read.targets[read.count++] = *ptx::target_from_name(target);
    return true;
  });
  if (const auto space = entry.withdrawn.find(' '); space != entry.withdrawn.npos) {
    read.withdrawn = *ptx::version_from_name(entry.withdrawn.substr(0, space));
    read.withdrawn_sm = ptx::target_from_name(entry.withdrawn.substr(space + 1))->sm;
  }
  return read;
}

}  // namespace

bool Requirement::has_target(ptx::Target target) const {
  return count == 0 || std::any_of(targets.begin(), targets.begin() + count,
                                   [&](ptx::Target one) { return ptx::has(target, one); });
}

bool Requirement::has_gpu(unsigned sm) const {
  return count == 0 || std::any_of(targets.begin(), targets.begin() + count, [&](ptx::Target one) {
           return ptx::has({sm, one.suffix}, one);
         });
}

bool Requirement::is_withdrawn(ptx::Version version, ptx::Target target) const {
  return withdrawn != ptx::Version{} && version >= withdrawn && target.sm >= withdrawn_sm;
}

std::string Requirement::targets_text() const {
  std::string text = ptx::name(targets[0]);
  for (unsigned n = 1; n < count; ++n) {
    text += (n + 1 == count ? " or " : ", ") + ptx::name(targets[n]);
  }
  return text;
}

Requirements requirements_of(const ptx::Instruction& instruction) {
  std::string written;
  for (const std::string_view word : instruction.modifiers) written.append(".").append(word);
  Requirements all;
  for (const Introduction& entry : introductions()) {
    if (is_about(entry, instruction, written)) all.push_back(requirement_of(entry));
  }
  return all;
}

Requirements requirements_of_register(std::string_view name) {
  ptx::Instruction stand_in;
  const std::size_t dot = std::min(name.find('.'), name.size());
  stand_in.opcode = name.substr(0, dot);
  if (dot != name.size()) stand_in.modifiers.push_back(name.substr(dot + 1));
  return requirements_of(stand_in);
}

Requirements requirements_of_directive(std::string_view name) {
  ptx::Instruction stand_in;
  stand_in.opcode = name;
  return requirements_of(stand_in);
}

std::string unmet(const Requirements& requirements, ptx::Version version, ptx::Target target) {
  ptx::Version newest;
  const Requirement* lacking = nullptr;
  for (const Requirement& one : requirements) {
    if (!one.concerns(target)) continue;
    if (one.is_withdrawn(version, target)) {
      return fmt::format("is no longer there for sm_{} and later from '.version {}' on",
                         one.withdrawn_sm, ptx::name(one.withdrawn));
    }
    newest = std::max(newest, one.version);
    if (one.has_target(target)) continue;
    if (lacking == nullptr || one.targets[0].sm > lacking->targets[0].sm) lacking = &one;
  }
  std::string needed, said;
  const auto add = [](std::string& to, const std::string& what) {
    to.append(to.empty() ? "" : " and ").append(what);
  };
  if (lacking != nullptr) {
    const bool later = lacking->count == 1 && lacking->targets[0].suffix == 0;
    add(needed, fmt::format("'.target {}'{}", lacking->targets_text(), later ? " or later" : ""));
    add(said, fmt::format("'.target {}'", ptx::name(target)));
  }
  if (newest > version) {
    add(needed, fmt::format("'.version {}' or later", ptx::name(newest)));
    add(said, fmt::format("'.version {}'", ptx::name(version)));
  }
  return needed.empty() ? "" : fmt::format("needs {}, and the module says {}", needed, said);
}

}  // namespace raddle::isa
