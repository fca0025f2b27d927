#include "isa/syntax.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/error.h"
#include "isa/words.h"

namespace raddle::isa {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (end != 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Splits "{.rn|.rz}(.f32|.f64).x" into its groups. An alternative may be several words (".shared"
/// or ".xorsign.abs"): it stays one string, with dots between the words.
std::vector<CompiledRow::Group> compile_syntax(std::string_view syntax) {
  std::vector<CompiledRow::Group> groups;
  while (!syntax.empty()) {
    CompiledRow::Group group;
    const char first = syntax.front();
    std::string_view inside;
    if (first == '{' || first == '(' || first == '[') {
      const auto close = syntax.find(first == '{' ? '}' : first == '(' ? ')' : ']');
      inside = syntax.substr(1, close - 1);
      syntax.remove_prefix(close + 1);
      group.optional = first == '{';
      group.first = first == '[';
    } else {
      const auto end = std::min(syntax.find_first_of(".{([", 1), syntax.size());
      inside = syntax.substr(0, end);
      syntax.remove_prefix(end);
    }
    for (std::string_view word : split(inside, '|')) {
      if (word.starts_with('.')) word.remove_prefix(1);
      group.words.push_back(word);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

void set_type_key(OperandSpec& spec, std::string_view key) {
  using Key = OperandSpec::TypeKey;
  if (key == "t1") {
    spec.key = Key::t1;
  } else if (key == "t2") {
    spec.key = Key::t2;
  } else if (key == "t3") {
    spec.key = Key::t3;
  } else if (key == "w") {
    spec.key = Key::wide;
  } else {
    spec.key = Key::named;
    spec.named = ptx::type_from_name(key).value_or(Type::none);
  }
}

OperandSpec compile_operand(std::string_view text) {
  using Role = OperandSpec::Role;
  OperandSpec spec;
  if (text.ends_with('?')) {
    spec.optional = true;
    text.remove_suffix(1);
  }
  const auto colon = text.find(':');
  if (colon != std::string_view::npos) {
    set_type_key(spec, text.substr(colon + 1));
    text = text.substr(0, colon);
  }
  constexpr std::string_view kSources = "abce";
  const auto bar = text.find('|');
  spec.second = bar != std::string_view::npos;
  spec.needs_second = spec.second && text.ends_with('!');
  text = text.substr(0, bar);
  spec.may_be_sink = text == "d_";
  if (text == "d" || text == "d_") {
    spec.role = Role::destination;
  } else if (text == "p") {
    spec.role = Role::predicates;
  } else if (text.starts_with('!')) {
    spec.role = Role::source_predicate;
  } else if (text.starts_with('#')) {
    spec.role = Role::constant;
  } else if (text.starts_with('[')) {
    spec.role = Role::address;
  } else if (text.size() == 1 && kSources.find(text[0]) != std::string_view::npos) {
    spec.index = static_cast<unsigned>(kSources.find(text[0]));
  } else {
    fail("the instruction table has no operand role '{}'", text);
  }
  return spec;
}

bool take_word(const std::vector<std::string_view>& modifiers, std::size_t& at,
               std::string_view words) {
  std::size_t next = at;
  for (std::string_view word : split(words, '.')) {
    if (next == modifiers.size() || modifiers[next] != word) return false;
    ++next;
  }
  at = next;
  return true;
}

/// Matches modifiers[at..] against groups[group..]. `furthest` gets the longest match of any
/// attempt.
bool match_groups(const CompiledRow& row, std::size_t group,
                  const std::vector<std::string_view>& modifiers, std::size_t at,
                  std::size_t& furthest) {
  furthest = std::max(furthest, at);
  if (group == row.groups.size()) return at == modifiers.size();
  for (std::string_view words : row.groups[group].words) {
    std::size_t next = at;
    if (take_word(modifiers, next, words) &&
        match_groups(row, group + 1, modifiers, next, furthest)) {
      return true;
    }
  }
  return row.groups[group].optional && match_groups(row, group + 1, modifiers, at, furthest);
}

/// The order of types has a meaning (cvt.f32.s32), and so has that of state spaces.
bool keep_their_order(std::string_view a, std::string_view b) {
  const auto is_space = [](std::string_view word) {
    return ptx::space_from_name(word.substr(0, word.find("::"))).has_value();
  };
  if (ptx::type_from_name(a)) return ptx::type_from_name(b).has_value();
  return is_space(a) && is_space(b);
}

/// As match_groups, with the modifiers in any order, except those that come first or keep their
/// order. `unused` has a bit for each modifier that no group has taken yet.
bool match_in_any_order(const CompiledRow& row, std::size_t group,
                        const std::vector<std::string_view>& modifiers, std::uint32_t unused) {
  if (group == row.groups.size()) return unused == 0;
  const CompiledRow::Group& own = row.groups[group];
  for (std::string_view words : own.words) {
    for (std::size_t at = 0; at < modifiers.size(); ++at) {
      if ((unused >> at & 1) == 0) continue;
      std::size_t next = at;
      if (take_word(modifiers, next, words)) {
        const std::uint32_t taken = ((1u << (next - at)) - 1) << at;
        if ((unused & taken) == taken &&
            match_in_any_order(row, group + 1, modifiers, unused & ~taken)) {
          return true;
        }
      }
      if (own.first || keep_their_order(words, modifiers[at])) break;  // another comes first
    }
  }
  return row.groups[group].optional && match_in_any_order(row, group + 1, modifiers, unused);
}

bool admits(const CompiledRow& row, const std::vector<std::string_view>& modifiers,
            bool any_order) {
  std::size_t furthest = 0;
  if (!any_order) return match_groups(row, 0, modifiers, 0, furthest);
  constexpr std::size_t kMost = 16;  // no instruction has more
  return modifiers.size() <= kMost &&
         match_in_any_order(row, 0, modifiers, (1u << modifiers.size()) - 1);
}

/// Whether the row's operands can be this many. Rows without roles accept any number.
bool takes(const CompiledRow& row, std::size_t count) {
  const OperandForm& form = row.row->operands;
  if (form.roles.empty() && form.lower != nullptr) return true;
  return count >= row.required && count <= row.operands.size();
}

Form form_of(const Row& row, const std::vector<std::string_view>& modifiers) {
  Form form;
  const auto extra = split(row.extra, ' ');
  for (std::string_view word : modifiers) {
    const auto place = std::find(extra.begin(), extra.end(), word);
    if (place != extra.end()) form.extra |= 1u << (place - extra.begin());
    apply_word(row.mnemonic, word, form);
  }
  return form;
}

std::string dotted(const ptx::Instruction& instruction) {
  std::string text(instruction.opcode);
  for (std::string_view word : instruction.modifiers) text.append(".").append(word);
  return text;
}

/// Instructions that exist in PTX and are not supported. `word` is the start of the modifier that
/// makes an instruction unsupported, "" for a whole family.
struct UnsupportedWord {
  std::string_view opcode, word, what;
};
constexpr UnsupportedWord kUnsupported[] = {
    {"wgmma", "", "warpgroup matrix instructions"},
    {"tcgen05", "", "tensor memory instructions"},
    {"tensormap", "", "tensor map instructions"},
    {"multimem", "", "multicast memory instructions"},
    {"clusterlaunchcontrol", "", "cluster launch control instructions"},
    {"tex", "2dms", "lookups in textures of several samples"},
    {"tex", "a2dms", "lookups in textures of several samples"},
    {"prefetch", "tensormap", "tensor map instructions"},
    {"cp", "bulk", "bulk and tensor copies"},
    {"cp", "reduce", "bulk and tensor copies"},
    {"st", "bulk", "bulk stores"},
    {"st", "async", "asynchronous stores to distributed shared memory"},
    {"red", "async", "asynchronous reductions in distributed shared memory"},
    {"cvt", "rs", "conversions with stochastic rounding"},
    {"fence", "sync_restrict::", "fences with .sync_restrict"},
    {"fence", "async::generic", "fences with .sync_restrict"},
    {"fence", "tensormap::", "fences of tensor maps"},
    {"mma", "kind::", "matrix instructions with .kind"},
    {"fma", "oob", "instructions with .oob"},
    {"ldmatrix", "m16n16", "matrix fragments of 8 bits and fewer"},
    {"ldmatrix", "m8n16", "matrix fragments of 8 bits and fewer"},
    {"stmatrix", "m16n8", "matrix fragments of 8 bits and fewer"},
};

std::string_view unsupported(const ptx::Instruction& instruction) {
  for (const UnsupportedWord& entry : kUnsupported) {
    if (instruction.opcode != entry.opcode) continue;
    if (entry.word.empty()) return entry.what;
    for (const std::string_view word : instruction.modifiers) {
      if (word.starts_with(entry.word)) return entry.what;
    }
  }
  return {};
}

unsigned edit_distance(std::string_view a, std::string_view b) {
  std::vector<unsigned> row(b.size() + 1);
  for (unsigned j = 0; j <= b.size(); ++j) row[j] = j;
  for (unsigned i = 1; i <= a.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = i;
    for (unsigned j = 1; j <= b.size(); ++j) {
      const unsigned change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

}  // namespace

Type twice_as_wide(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::b16:
      return Type::b32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    case Type::b32:
      return Type::b64;
    default:
      return type;
  }
}

Type OperandSpec::type(const Form& form) const {
  switch (key) {
    case TypeKey::t1:
      return form.type;
    case TypeKey::t2:
      return form.type2;
    case TypeKey::t3:
      return form.type3;
    case TypeKey::wide:
      return twice_as_wide(form.type);
    case TypeKey::named:
      return named;
  }
  return form.type;
}

InstructionSet::InstructionSet() {
  for (const auto family : table()) add({family, Class::count_, 0, 0, {}}, false);
}

void InstructionSet::add(const Extension& extension) { add(extension, true); }

void InstructionSet::add(const Extension& extension, bool from_outside) {
  for (const Row& row : extension.rows) {
    CompiledRow compiled;
    compiled.row = &row;
    compiled.from_outside = from_outside;
    compiled.groups = compile_syntax(row.syntax);
    for (std::string_view operand : split(row.operands.roles, ' ')) {
      compiled.operands.push_back(compile_operand(operand));
      if (!compiled.operands.back().optional) ++compiled.required;
    }
    compiled.klass = row.klass;
    if (row.klass >= Class::count_) {
      const unsigned own = static_cast<unsigned>(row.klass) - static_cast<unsigned>(Class::count_);
      if (own >= extension.classes) fail("'{}' has a class that nobody has added", row.mnemonic);
      compiled.klass = static_cast<Class>(static_cast<unsigned>(extension.first_class) + own);
    }
    if (row.kind == Kind::unit) compiled.unit = extension.unit;
    compiled.refused = extension.refused;
    by_opcode_[row.mnemonic].push_back(rows_.size());
    rows_.push_back(std::move(compiled));
  }
}

std::string InstructionSet::unknown(std::string_view opcode) const {
  const bool unsupported =
      std::any_of(std::begin(kUnsupported), std::end(kUnsupported),
                  [&](const UnsupportedWord& one) { return one.opcode == opcode; });
  if (unsupported || !rows_of(opcode).empty()) return "";
  std::string_view best;
  unsigned best_distance = 3;
  for (const CompiledRow& row : rows_) {
    const unsigned distance = edit_distance(opcode, row.row->mnemonic);
    if (distance < best_distance && row.refused.empty()) {
      best_distance = distance;
      best = row.row->mnemonic;
    }
  }
  if (best.empty()) return fmt::format("'{}': unknown or unsupported instruction", opcode);
  return fmt::format("'{}': unknown instruction; did you mean '{}'?", opcode, best);
}

std::span<const std::size_t> InstructionSet::rows_of(std::string_view opcode) const {
  const auto found = by_opcode_.find(opcode);
  if (found == by_opcode_.end()) return {};
  return found->second;
}

std::uint8_t InstructionSet::effects(std::string_view opcode) const {
  std::uint8_t effects = 0;
  for (const std::size_t index : rows_of(opcode)) effects |= rows_[index].row->effects;
  return effects;
}

bool InstructionSet::is_call(std::string_view opcode) const {
  const auto rows = rows_of(opcode);
  return !rows.empty() && rows_[rows.front()].row->kind == Kind::call;
}

const InstructionSet& built_in_instructions() {
  static const auto* set = new InstructionSet;
  return *set;
}

const Match& Matcher::match(const ptx::Instruction& instruction) {
  const std::size_t count = instruction.operands.size();
  const auto [answer, is_new] =
      answers_.try_emplace(fmt::format("{} {}", dotted(instruction), count));
  if (!is_new && answer->second.row != nullptr) return answer->second;
  const auto rows = set_.rows_of(instruction.opcode);
  if (rows.empty()) explain(instruction);
  // Like ptxas, accept modifiers in another order than the manual's. A row with another number of
  // operands is the last resort: then lowering says how many it needs.
  for (const bool any_count : {false, true}) {
    for (const bool any_order : {false, true}) {
      for (const std::size_t index : rows) {
        const CompiledRow& row = set_.rows()[index];
        if (!row.refused.empty()) continue;
        if (!any_count && !takes(row, count)) continue;
        if (!admits(row, instruction.modifiers, any_order)) continue;
        const Form form = form_of(*row.row, instruction.modifiers);
        const Execute execute = row.row->select == nullptr ? nullptr : row.row->select(form);
        if (row.row->select != nullptr && execute == nullptr) continue;
        answer->second = {&row, form, execute, {}};
        if (!row.from_outside) answer->second.requirements = requirements_of(instruction);
        return answer->second;
      }
    }
  }
  explain(instruction);
}

void Matcher::explain(const ptx::Instruction& instruction) const {
  const std::string written = dotted(instruction);
  if (const auto what = unsupported(instruction); !what.empty()) {
    throw Unsupported(fmt::format("'{}': {} are not supported", written, what));
  }
  std::vector<const CompiledRow*> rows;
  const std::string* refused = nullptr;
  for (const std::size_t index : set_.rows_of(instruction.opcode)) {
    const CompiledRow& row = set_.rows()[index];
    if (row.refused.empty()) {
      rows.push_back(&row);
    } else if (admits(row, instruction.modifiers, true)) {
      throw Unsupported(fmt::format("'{}': {}", written, row.refused));
    } else {
      refused = &row.refused;
    }
  }
  // A mnemonic without other rows is unsupported in every form.
  if (refused != nullptr && rows.empty()) {
    throw Unsupported(fmt::format("'{}': {}", written, *refused));
  }
  if (rows.empty()) {
    const std::string unknown = set_.unknown(instruction.opcode);
    fail("{}", unknown.empty() ? fmt::format("'{}' is not supported", written) : unknown);
  }
  std::size_t furthest = 0;
  bool complete = false;
  for (const CompiledRow* row : rows) {
    complete |= match_groups(*row, 0, instruction.modifiers, 0, furthest);
  }
  if (complete) fail("'{}': these modifiers are not allowed together", written);
  if (furthest == instruction.modifiers.size()) fail("'{}': a modifier is missing", written);
  fail("'{}': '.{}' is not allowed here, or not supported", written,
       instruction.modifiers[furthest]);
}

}  // namespace raddle::isa
