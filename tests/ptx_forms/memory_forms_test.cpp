// Loads, stores and atomics in every form, on bytes that differ from lane to lane.
#include "memory_forms.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "references.h"
#include "run_ptx.h"

namespace raddle::tests {
namespace {

std::vector<std::uint8_t> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

std::uint64_t little(const std::uint8_t* bytes, unsigned count) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, std::min(count, 8u));
  return value;
}

Address place(PtxMachine& machine, const std::vector<std::uint8_t>& bytes) {
  const Address at = machine.allocate(bytes.size());
  std::memcpy(machine.values<std::uint8_t>(at, bytes.size()), bytes.data(), bytes.size());
  return at;
}

std::vector<AccessForm> of_space(const std::vector<AccessForm>& all, const std::string& space) {
  std::vector<AccessForm> forms;
  for (const AccessForm& form : all) {
    if (form.space == space) forms.push_back(form);
  }
  return forms;
}

void check_load(const AccessForm& form, const std::uint8_t* memory, const std::uint8_t* found) {
  const unsigned bytes = form.bits / 8;
  for (unsigned e = 0; e < form.width; ++e) {
    if (form.bits == 128) {
      EXPECT_EQ(std::memcmp(memory, found, 16), 0) << form.text;
      return;
    }
    std::uint64_t expected = little(memory + e * bytes, bytes) & low_mask(form.bits);
    if (form.type[0] == 's') {
      expected =
          static_cast<std::uint64_t>(as_signed(expected, form.bits)) & low_mask(form.register_bits);
    }
    EXPECT_EQ(little(found + 8 * e, 8), expected) << form.text << ", element " << e;
  }
}

class Spaces : public testing::TestWithParam<const char*> {};

TEST_P(Spaces, LoadsGiveWhatMemoryHolds) {
  const std::string space = GetParam();
  const auto forms = of_space(load_forms(), space);
  for (const bool timed : {false, true}) {
    PtxMachine machine(timed);
    const auto bytes = random_bytes(kWarpSize * kLaneBytes, 5);
    const Address in = place(machine, bytes);
    const std::size_t size = forms.size() * kWarpSize * kResultBytes;
    const Address out = machine.allocate(size);
    std::vector<std::uint64_t> parameters = {in, out, 0, 0};  // then what stands at 32
    for (unsigned n = 0; n < 4; ++n) parameters.push_back(little(&bytes[8 * n], 8));
    ASSERT_EQ(machine.run(load_kernel(space, forms, bytes), parameters), "");
    const auto* found = machine.values<std::uint8_t>(out, size);
    for (std::size_t n = 0; n < forms.size(); ++n) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const std::size_t from = space == "param" ? 0 : lane * kLaneBytes;
        check_load(forms[n], &bytes[from], found + (n * kWarpSize + lane) * kResultBytes);
      }
    }
  }
}

TEST_P(Spaces, StoresWriteTheirBytesAndNoOthers) {
  const std::string space = GetParam();
  const auto forms = of_space(store_forms(), space);
  for (const bool timed : {false, true}) {
    if (forms.empty()) return;  // read-only
    PtxMachine machine(timed);
    const auto bytes = random_bytes(kWarpSize * 8 * 16, 6);
    const Address in = place(machine, bytes);
    const std::size_t size = forms.size() * kWarpSize * kResultBytes;
    const Address out = machine.allocate(size);
    ASSERT_EQ(machine.run(store_kernel(space, forms), {in, out}), "");
    const auto* found = machine.values<std::uint8_t>(out, size);
    for (std::size_t n = 0; n < forms.size(); ++n) {
      const AccessForm& form = forms[n];
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        std::vector<std::uint8_t> expected(kLaneBytes, 0xaa);
        for (unsigned e = 0; e < form.width; ++e) {
          std::memcpy(&expected[e * form.bits / 8], &bytes[(lane * 8 + e) * 16], form.bits / 8);
        }
        const auto* actual = found + (n * kWarpSize + lane) * kResultBytes;
        EXPECT_EQ(std::memcmp(actual, expected.data(), kLaneBytes), 0)
            << form.text << ", lane " << lane;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Spaces,
                         testing::Values("", "global", "const", "local", "param", "shared"),
                         [](const auto& info) {
                           return *info.param == 0 ? "generic" : std::string(info.param);
                         });

/// What an atomic leaves in memory: old value a, operands b and c.
std::uint64_t combined(const AtomicForm& form, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const std::string& op = form.operation;
  const unsigned bits = width_of(form.type);
  if (op == "and") return a & b;
  if (op == "or") return a | b;
  if (op == "xor") return a ^ b;
  if (op == "exch") return b;
  if (op == "cas") return a == b ? c : a;
  if (op == "inc") return a >= b ? 0 : a + 1;
  if (op == "dec") return a == 0 || a > b ? b : a - 1;
  if (ptx::is_float(*ptx::type_from_name(form.type))) {
    Words words = {form.type};
    // Single-precision sums flush subnormal numbers in global memory, and there alone.
    if (form.type == "f32" && form.space != "shared") words.insert(words.begin(), "ftz");
    return float_reference(op, words)({.v = {a, b}, .count = 2}).value;
  }
  const Integer x = number(a, form.type), y = number(b, form.type);
  const Integer result = op == "add" ? x + y : op == "min" ? std::min(x, y) : std::max(x, y);
  return static_cast<std::uint64_t>(result) & low_mask(bits);
}

void check_atomic(const AtomicForm& form, const std::uint8_t* before, const std::uint8_t* operands,
                  const std::uint8_t* after, const std::uint8_t* old) {
  const unsigned bytes = width_of(form.type) / 8;
  const std::string name = written(form.row->row->mnemonic, form.words);
  std::vector<std::uint8_t> expected(before, before + kLaneBytes);
  if (bytes == 16) {
    const bool swaps = form.operation == "exch" || std::memcmp(before, operands, 16) == 0;
    if (swaps) std::memcpy(expected.data(), operands + (form.operation == "cas" ? 16 : 0), 16);
  }
  for (unsigned e = 0; bytes < 16 && e < form.width; ++e) {
    const std::uint64_t next =
        combined(form, little(before + e * bytes, bytes), little(operands + e * bytes, bytes),
                 little(operands + 16, bytes));
    std::memcpy(&expected[e * bytes], &next, bytes);
  }
  EXPECT_EQ(std::memcmp(after, expected.data(), kLaneBytes), 0) << name;
  if (!form.result) return;
  EXPECT_EQ(std::memcmp(old, before, bytes * form.width), 0) << name << ": old value";
}

TEST(Atomics, UpdateMemoryAndGiveItsOldValue) {
  isa::Matcher matcher;
  const auto forms = atomic_forms(matcher);
  EXPECT_GT(forms.size(), 300u);
  for (const bool timed : {false, true}) {
    PtxMachine machine(timed);
    const std::size_t size = forms.size() * kWarpSize * kLaneBytes;
    auto before = random_bytes(size, 7), operands = random_bytes(size, 8);
    for (std::size_t n = 0; n < forms.size(); ++n) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const std::size_t at = (n * kWarpSize + lane) * kLaneBytes;
        prepare_atomic(forms[n], lane, &before[at], &operands[at]);
      }
    }
    const Address memory = place(machine, before), with = place(machine, operands);
    const Address out = machine.allocate(size);
    ASSERT_EQ(machine.run(atomic_kernel(forms), {memory, with, out}), "");
    const auto* after = machine.values<std::uint8_t>(memory, size);
    const auto* old = machine.values<std::uint8_t>(out, size);
    for (std::size_t n = 0; n < forms.size(); ++n) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const std::size_t at = (n * kWarpSize + lane) * kLaneBytes;
        check_atomic(forms[n], &before[at], &operands[at], after + at, old + at);
      }
    }
  }
}

}  // namespace
}  // namespace raddle::tests
