// Every form that the instruction table admits: a row and one way through its groups of words.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "isa/lower/rows.h"
#include "isa/syntax.h"

namespace raddle::tests {

using Words = std::vector<std::string_view>;

/// "add.rn.f32"
std::string written(std::string_view mnemonic, const Words& words);

/// Words without a meaning for values on this machine: they order, scope, cache, or repeat what is
/// so anyway, or spell the same space otherwise. A row must be executed with each of them, and with
/// every combination of all its other words.
bool is_hint(std::string_view mnemonic, std::string_view word);

/// What tells forms of a row apart: its words but for hints, in the alphabet's order.
std::string core(std::string_view mnemonic, const Words& words);

/// Calls f(words) for each way through the row's groups. With `hints` false, groups of which a word
/// is a hint stand at their first choice that is none: left out if they may be.
template <class F>
void each_form(const isa::CompiledRow& row, bool hints, F f);

/// The words of the row's `.ptx` spelling, one a modifier: ".shared::cta" is one, ".xorsign.abs"
/// two.
void append_words(Words& words, std::string_view alternative);

/// Rows of single computing instructions, whose operands the row itself describes.
bool computes(const isa::CompiledRow& row);

// ---

template <class F>
void each_form_from(const isa::CompiledRow& row, std::size_t group, bool hints, Words& words,
                    F& f) {
  if (group == row.groups.size()) return f(words);
  const auto& choices = row.groups[group];
  if (choices.optional) each_form_from(row, group + 1, hints, words, f);
  bool any = choices.optional;
  for (const std::string_view alternative : choices.words) {
    Words added;
    append_words(added, alternative);
    bool hint = false;
    for (const std::string_view word : added) hint |= is_hint(row.row->mnemonic, word);
    if (hint && !hints && (any || alternative != choices.words.front())) continue;
    any = true;
    const std::size_t before = words.size();
    words.insert(words.end(), added.begin(), added.end());
    each_form_from(row, group + 1, hints, words, f);
    words.resize(before);
  }
}

template <class F>
void each_form(const isa::CompiledRow& row, bool hints, F f) {
  Words words;
  each_form_from(row, 0, hints, words, f);
}

}  // namespace raddle::tests
