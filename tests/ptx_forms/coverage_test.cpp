// Every row of the instruction table, and every combination of its words, has a test that executes
// it and compares its results. Words without an effect on values (form_list.h: hints) are executed
// once each with the row.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "compute_forms.h"
#include "executed_forms.h"
#include "image_forms.h"
#include "matrix_forms.h"
#include "memory_forms.h"
#include "references.h"

namespace raddle::tests {
namespace {

/// Whether the words are PTX at all, as far as the table itself decides.
bool is_admitted(isa::Matcher& matcher, const isa::CompiledRow& row, const Words& words) {
  ptx::Instruction instruction;
  instruction.opcode = row.row->mnemonic;
  instruction.modifiers = words;
  instruction.operands.resize(row.operands.size());
  try {
    return matcher.match(instruction).row->row == row.row;
  } catch (const Error&) {
    return false;
  }
}

/// Forms that programs of tests/programs execute and nothing here does: queries of textures and
/// surfaces. Forms of clusters that name no space, with 32-bit addresses, are no PTX.
bool is_elsewhere(std::string_view op, const Words& words) {
  if (op == "txq" || op == "suq") return true;
  return (op == "mapa" || op == "getctarank") && (has(words, "u32") || has(words, "s32"));
}

/// What rows admit by their notation and PTX does not have: vectors that are too long, directions
/// into cubes that are whole numbers.
bool is_no_ptx(std::string_view op, const Words& words) {
  const Words types = types_of(words);
  if (types.empty()) return false;
  unsigned width = 1;
  for (const std::string_view word : words) {
    if (word == "v2" || word == "v4" || word == "v8") width = static_cast<unsigned>(word[1] - '0');
  }
  const unsigned bits = width_of(types[0]) * width;
  if (op == "ld" || op == "ldu" || op == "st") {
    const auto near = [](std::string_view word) {
      return word.starts_with("param") || word.starts_with("shared") || word == "local" ||
             word == "const";
    };
    const bool near_only = op == "ldu" || std::any_of(words.begin(), words.end(), near);
    // 256 bits are four doublewords or eight words of global memory (PTX 8.8).
    if (width > 1 && width_of(types[0]) == 128) return true;
    if (bits > 256 || (bits == 256 && width_of(types[0]) < 32)) return true;
    if (near_only && bits > 128) return true;
    if (op == "ldu" && width == 8) return true;
    return (has(words, "param") || has(words, "param::func")) && op == "st" && width == 8;
  }
  if (op == "suld" || op == "sust" || op == "atom" || op == "red") return bits > 128;
  return op == "tex" && types[1] == "s32" && (has(words, "cube") || has(words, "acube"));
}

void add_generated(isa::Matcher& matcher, ExecutedForms& executed) {
  std::map<std::string, std::vector<AccessForm>> loads, stores;
  for (const AccessForm& form : load_forms()) loads[form.space].push_back(form);
  for (const AccessForm& form : store_forms()) stores[form.space].push_back(form);
  for (const auto& [space, forms] : loads) executed.add_text("ld", load_kernel(space, forms, {0}));
  for (const auto& [space, forms] : stores) executed.add_text("st", store_kernel(space, forms));
  executed.add_text("atom", atomic_kernel(atomic_forms(matcher)));
  executed.add_text("suld", surface_kernel(surface_forms(matcher)));
  executed.add_text("tex", texture_kernel(texture_forms(matcher)));
  for (const MatrixProgram& program : wmma_programs(matcher))
    executed.add_text("wmma", program.text);
  for (const MatrixProgram& program : mma_programs(matcher)) executed.add_text("mma", program.text);
  for (const std::string& text : parameter_programs()) executed.add_text("call", text);
}

TEST(Coverage, EveryFormOfTheTableIsExecuted) {
  isa::Matcher matcher;
  ExecutedForms executed(matcher);
  executed.add_behaviour_files(RADDLE_BEHAVIOUR_DIR);
  add_generated(matcher, executed);
  std::size_t forms = 0, missing = 0;
  for (const isa::CompiledRow& row : matcher.rows()) {
    for (const ComputedForm& form : computed_forms(matcher, row)) executed.add(row.row, form.words);
    const Executed& done = executed.of(row.row);
    std::set<std::string> wanted;
    each_form(row, false, [&](const Words& words) {
      if (is_no_ptx(row.row->mnemonic, words) || is_elsewhere(row.row->mnemonic, words)) return;
      if (is_admitted(matcher, row, words)) wanted.insert(core(row.row->mnemonic, words));
    });
    std::string list;
    std::size_t absent = 0;
    for (const std::string& form : wanted) {
      if (done.cores.contains(form)) continue;
      ++absent;
      if (absent <= 40) list += fmt::format("  {}{}\n", row.row->mnemonic, form);
    }
    for (const auto& group : row.groups) {
      for (const std::string_view alternative : group.words) {
        Words words;
        append_words(words, alternative);
        for (const std::string_view word : words) {
          // .param::func is what .param means in a function: parameters_test.cpp.
          if (word == "param::func" || !is_hint(row.row->mnemonic, word) ||
              done.words.contains(std::string(word)))
            continue;
          ++absent;
          list += fmt::format("  {}: .{}\n", row.row->mnemonic, word);
        }
      }
    }
    forms += wanted.size();
    missing += absent;
    EXPECT_EQ(absent, 0u) << "of " << wanted.size() << " forms of " << row.row->mnemonic
                          << row.row->syntax << " no test executes\n"
                          << list;
  }
  EXPECT_GT(forms, 9500u);
  EXPECT_EQ(missing, 0u);
}

}  // namespace
}  // namespace raddle::tests
