// Loads, stores and atomics of every type, vector length and state space.
#pragma once

#include <string>
#include <vector>

#include "form_list.h"

namespace raddle::tests {

inline constexpr unsigned kLaneBytes = 32;    // that each lane has to itself
inline constexpr unsigned kResultBytes = 64;  // a form's, of each lane

/// One ld, ldu or st.
struct AccessForm {
  std::string text;   // "ld.global.v2.u16"
  std::string space;  // "" is generic
  std::string type;
  unsigned bits = 8, width = 1;
  unsigned register_bits = 16;
  bool policy = false;  // .L2::cache_hint: one more operand
};
std::vector<AccessForm> load_forms();  // ld and ldu
std::vector<AccessForm> store_forms();

/// Kernel `test(in, out, p0..p3)`. Each lane's 32 bytes at `in` are copied to where the forms of
/// this state space find them; a load's elements are stored as 8 doublewords, a store's memory as
/// 32 bytes, 64 bytes a form and lane.
std::string load_kernel(const std::string& space, const std::vector<AccessForm>& forms,
                        const std::vector<std::uint8_t>& constants);
std::string store_kernel(const std::string& space, const std::vector<AccessForm>& forms);

/// atom and red: chosen so that each combination and each hint of the rows is there.
struct AtomicForm {
  const isa::CompiledRow* row = nullptr;
  Words words;
  std::string space, type, operation;
  unsigned width = 1;
  bool result = false;
};
std::vector<AtomicForm> atomic_forms(isa::Matcher& matcher);
/// Kernel `test(memory, operands, out)`: 32 bytes a form and lane of each, those of `out` the old
/// values; `operands` has 16 bytes for b, 16 for c (of cas).
std::string atomic_kernel(const std::vector<AtomicForm>& forms);
/// Makes operands that meet of random bytes: every fourth lane compares equal, floats are of like
/// size, some subnormal.
void prepare_atomic(const AtomicForm& form, unsigned lane, std::uint8_t* memory,
                    std::uint8_t* operands);

/// The first form with each combination of words, and with each hint, that the row has.
std::vector<Words> covering_forms(isa::Matcher& matcher, const isa::CompiledRow& row);

}  // namespace raddle::tests
