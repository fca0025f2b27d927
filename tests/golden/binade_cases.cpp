// Approximations on every number of whole binades, which is enough to find out how the hardware
// interpolates. Results of neighbours are almost on a line, so only their distance from the line is
// stored. Also sums of results over all numbers, to verify that the interpolation is known
// completely.
#include <fmt/core.h>

#include "drafts.h"

namespace raddle::golden {
namespace {

struct Binades {
  const char* form;
  std::uint32_t first, count;  // bits of the first operand, and of how many
};

constexpr std::uint32_t kOne = 0x3f800000, kBinade = 1u << 23;

constexpr Binades kBinades[] = {
    {"rcp.approx.ftz.f32", kOne, kBinade},
    {"rsqrt.approx.ftz.f32", kOne, 2 * kBinade},
    {"sqrt.approx.ftz.f32", kOne, 2 * kBinade},
    {"lg2.approx.ftz.f32", kOne - kBinade, 2 * kBinade},
    {"ex2.approx.ftz.f32", kOne, kBinade},
    {"ex2.approx.ftz.f32", 0x80000000 | kOne, kBinade},
    {"sin.approx.ftz.f32", kOne, 2 * kBinade},
    {"cos.approx.ftz.f32", kOne, 2 * kBinade},
    {"tanh.approx.f32", kOne - kBinade, 2 * kBinade},
    {"tanh.approx.f32", kOne - 9 * kBinade, 8 * kBinade},
    {"tanh.approx.f32", kOne + kBinade, 2 * kBinade},
};

/// f(x) - 2 f(x-) + f(x--), of the numbers before x, as if they were whole; its sign at the end and
/// its four bytes apart, of which three are nearly always zero.
Case binade_case(const Binades& range) {
  Case c;
  c.name = fmt::format("binades/{}/{:x}", range.form, range.first);
  c.kernel = "test";
  c.ptx =
      ".version 8.8\n.target sm_90a\n.address_size 64\n"
      ".visible .entry test(.param .u64 results)\n{\n"
      "  .reg .b32 %i, %block, %x, %y<3>, %d, %sign;\n  .reg .b64 %out;\n"
      "  ld.param.u64 %out, [results];\n"
      "  mov.u32 %i, %tid.x;\n  mov.u32 %block, %ctaid.x;\n"
      "  mad.lo.u32 %i, %block, 256, %i;\n";
  for (unsigned n = 0; n < 3; ++n) {
    c.ptx += fmt::format("  add.u32 %x, %i, {};\n  {} %y{}, %x;\n", range.first - n, range.form, n);
  }
  c.ptx +=
      "  sub.u32 %d, %y0, %y1;\n  sub.u32 %d, %d, %y1;\n  add.u32 %d, %d, %y2;\n"
      "  shr.s32 %sign, %d, 31;\n  shl.b32 %d, %d, 1;\n  xor.b32 %d, %d, %sign;\n"
      "  cvt.u64.u32 %out_i, %i;\n  add.u64 %out, %out, %out_i;\n";
  c.ptx.insert(c.ptx.find("  .reg .b64"), "  .reg .b64 %out_i;\n");
  for (unsigned n = 0; n < 4; ++n) {
    c.ptx += fmt::format("  st.global.u8 [%out+{}], %d;\n  shr.u32 %d, %d, 8;\n", n * range.count);
  }
  // The two values from which sums begin.
  c.ptx += fmt::format(
      "  .reg .pred %first;\n  setp.eq.u32 %first, %i, 0;\n"
      "  @%first st.global.u32 [%out+{}], %y1;\n  @%first st.global.u32 [%out+{}], %y2;\n",
      4 * range.count, 4 * range.count + 4);
  c.ptx += "  ret;\n}\n";
  c.block[0] = 256;
  c.grid[0] = range.count / 256;
  c.arguments = {{Argument::out, std::string(4 * range.count + 8, '\0')}};
  c.fields = {{range.form, "binades", 0, 0, range.count, 1}};
  return c;
}

constexpr const char* kForms[] = {
    "rcp.approx.f32",       "rcp.approx.ftz.f32",  "rsqrt.approx.f32", "rsqrt.approx.ftz.f32",
    "sqrt.approx.f32",      "sqrt.approx.ftz.f32", "lg2.approx.f32",   "lg2.approx.ftz.f32",
    "ex2.approx.f32",       "ex2.approx.ftz.f32",  "sin.approx.f32",   "sin.approx.ftz.f32",
    "cos.approx.f32",       "cos.approx.ftz.f32",  "tanh.approx.f32",  "rcp.approx.ftz.f64",
    "rsqrt.approx.ftz.f64",
};

/// For each 2^16 operands x that follow one another the sum of f(x) * (2x + 1), modulo 2^64. Of
/// double precision x and f(x) are the upper halves.
Case sum_case(const std::string& form) {
  const bool wide = form.ends_with("f64");
  Case c;
  c.name = "sums/" + form;
  c.kernel = "test";
  c.ptx = fmt::format(
      ".version 8.8\n.target sm_90a\n.address_size 64\n"
      ".visible .entry test(.param .u64 results)\n{{\n"
      "  .reg .b32 %x, %y, %block, %factor;\n  .reg .b64 %out, %at, %product, %sum, %d;\n"
      "  .reg .pred %more;\n"
      "  ld.param.u64 %out, [results];\n  mov.u32 %block, %ctaid.x;\n"
      "  mul.wide.u32 %at, %block, 8;\n  add.u64 %out, %out, %at;\n"
      "  shl.b32 %block, %block, 16;\n  mov.u32 %x, %tid.x;\n  or.b32 %x, %x, %block;\n"
      "  mov.u64 %sum, 0;\nNEXT:\n{}"
      "  shl.b32 %factor, %x, 1;\n  or.b32 %factor, %factor, 1;\n"
      "  mul.wide.u32 %product, %y, %factor;\n  add.u64 %sum, %sum, %product;\n"
      "  add.u32 %x, %x, 256;\n  xor.b32 %factor, %x, %block;\n"
      "  setp.lt.u32 %more, %factor, 65536;\n  @%more bra NEXT;\n"
      "  red.global.add.u64 [%out], %sum;\n  ret;\n}}\n",
      wide ? fmt::format("  mov.b64 %d, {{0, %x}};\n  {} %d, %d;\n  mov.b64 {{_, %y}}, %d;\n", form)
           : fmt::format("  {} %y, %x;\n", form));
  c.block[0] = 256;
  c.grid[0] = 1u << 16;
  c.arguments = {{Argument::out, std::string(8u << 16, '\0')}};
  c.fields = {{form, "b64", 0, 0, 1u << 16, 8}};
  return c;
}

}  // namespace

Drafts binade_drafts() {
  Drafts drafts;
  for (const Binades& range : kBinades) {
    drafts.push_back({[&range](const Refused&) { return std::vector{binade_case(range)}; }});
  }
  for (const char* form : kForms) {
    drafts.push_back({[form](const Refused&) { return std::vector{sum_case(form)}; }});
  }
  return drafts;
}

}  // namespace raddle::golden
