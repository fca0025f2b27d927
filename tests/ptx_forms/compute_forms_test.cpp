// Every form of every computing row, through parser, decoder and semantics, compared with
// references.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "compute_forms.h"
#include "run_ptx.h"

namespace raddle::tests {
namespace {

struct Found {
  std::uint64_t value;
  std::uint32_t p, q;
};

bool within(const FloatFormat& f, std::uint64_t found, std::uint64_t expected,
            const Result& result) {
  if (found == expected || (is_nan(f, found) && is_nan(f, expected))) return true;
  const auto x = static_cast<double>(decode(f, found)),
             y = static_cast<double>(decode(f, expected));
  return std::abs(x - y) <= result.absolute || std::abs(x - y) <= result.relative * std::abs(y);
}

bool agrees(const Found& found, const Result& expected, unsigned bits) {
  if (found.p != expected.p || found.q != expected.q) return false;
  if (found.value == expected.value) return true;
  if (expected.nan == nullptr) return false;
  const unsigned width = expected.nan->bits();
  for (unsigned shift = 0; shift < bits; shift += width) {
    if (!within(*expected.nan, found.value >> shift & low_mask(width),
                expected.value >> shift & low_mask(width), expected)) {
      return false;
    }
  }
  return bits % width == 0;
}

unsigned destination_bits(const ComputedForm& form) {
  for (const isa::OperandSpec& spec : form.operands) {
    if (spec.role == isa::OperandSpec::Role::destination) return ptx::bits(spec.type(form.form));
  }
  return 64;
}

bool has_second_predicate(const ComputedForm& form) {
  return std::any_of(form.operands.begin(), form.operands.end(), [](const isa::OperandSpec& spec) {
    return spec.role == isa::OperandSpec::Role::predicates && spec.second;
  });
}

void check_form(const ComputedForm& form, std::size_t number, const Found* found) {
  unsigned wrong = 0;
  for (unsigned lane = 0; lane < kThreads && wrong < 2; ++lane) {
    Inputs in;
    in.p = source_predicate_value(lane);
    for (const isa::OperandSpec& spec : form.operands) {
      using Role = isa::OperandSpec::Role;
      if (spec.role == Role::source_predicate && negates(number)) in.p = !in.p;
      if (spec.role != Role::source || spec.optional) continue;
      in.v[spec.index] = operand_value(form, spec, lane);
      ++in.count;
    }
    Result expected = form.reference(in);
    expected.q = expected.q && has_second_predicate(form);
    if (agrees(found[lane], expected, destination_bits(form))) continue;
    ++wrong;
    ADD_FAILURE() << std::hex << form.name() << " of 0x" << in.v[0] << ", 0x" << in.v[1] << ", 0x"
                  << in.v[2] << ", predicate " << in.p << ": 0x" << found[lane].value << " "
                  << found[lane].p << found[lane].q << ", expected 0x" << expected.value << " "
                  << expected.p << expected.q;
  }
}

std::size_t check_rows(bool (*belongs)(std::string_view mnemonic)) {
  isa::Matcher matcher;
  std::size_t count = 0;
  for (const isa::CompiledRow& row : matcher.rows()) {
    if (!belongs(row.row->mnemonic)) continue;
    const std::vector<ComputedForm> forms = computed_forms(matcher, row);
    if (forms.empty()) continue;
    const ComputeKernel kernel = compute_kernel(forms);
    PtxMachine machine(false);
    const std::size_t bytes = kernel.columns.size() * 8;
    const Address in = machine.allocate(bytes);
    std::memcpy(machine.values<std::byte>(in, bytes), kernel.columns.data(), bytes);
    const Address out = machine.allocate(forms.size() * kThreads * sizeof(Found));
    const std::string fault = machine.run(kernel.text, {in, out}, kThreads);
    EXPECT_EQ(fault, "") << row.row->mnemonic << row.row->syntax;
    const auto* found = machine.values<Found>(out, forms.size() * kThreads);
    for (std::size_t n = 0; n < forms.size(); ++n) check_form(forms[n], n, found + n * kThreads);
    count += forms.size();
  }
  return count;
}

bool is_video(std::string_view op) { return op.size() > 3 && op[0] == 'v'; }

TEST(ComputedForms, Set) {
  EXPECT_GT(check_rows([](std::string_view op) { return op == "set"; }), 3000u);
}
TEST(ComputedForms, SetPredicateAndSelect) {
  EXPECT_GT(
      check_rows([](std::string_view op) { return op == "setp" || op == "selp" || op == "slct"; }),
      500u);
}
TEST(ComputedForms, Convert) {
  EXPECT_GT(check_rows([](std::string_view op) { return op == "cvt"; }), 1000u);
}
TEST(ComputedForms, Video) { EXPECT_GT(check_rows(is_video), 300u); }
TEST(ComputedForms, Arithmetic) {
  EXPECT_GT(check_rows([](std::string_view op) {
              return op != "set" && op != "setp" && op != "selp" && op != "slct" && op != "cvt" &&
                     !is_video(op);
            }),
            300u);
}

}  // namespace
}  // namespace raddle::tests
