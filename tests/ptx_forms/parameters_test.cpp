// Parameters and results of functions (PTX ISA 5.1.6, 7, 9.7.12.5): every type, as a scalar and as
// a vector, in registers and in .param space, called directly and through a pointer, with and
// without recursion. The function reverses its argument's elements (it inverts a scalar's bits)
// once, and once more in each recursive call, to a depth that differs between lanes.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstring>

#include "executed_forms.h"
#include "run_ptx.h"

namespace raddle::tests {
namespace {

struct Case {
  std::string type;
  unsigned bytes = 0;  // an element's; 0: a predicate
  unsigned width = 1;
  bool in_registers = false, indirect = false, recursive = false;

  std::string name() const {
    return fmt::format("{}_v{}_{}_{}{}", type, width, in_registers ? "reg" : "param",
                       indirect ? "indirect" : "direct", recursive ? "_recursive" : "");
  }
  bool predicate() const { return type == "pred"; }
  unsigned total() const { return predicate() ? 4 : bytes * width; }
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const std::pair<const char*, unsigned> types[] = {
      {"pred", 0}, {"b8", 1},  {"u8", 1},  {"s8", 1},   {"b16", 2}, {"u16", 2},
      {"s16", 2},  {"b32", 4}, {"u32", 4}, {"s32", 4},  {"f32", 4}, {"b64", 8},
      {"u64", 8},  {"s64", 8}, {"f64", 8}, {"b128", 16}};
  for (const auto& [type, bytes] : types) {
    for (const unsigned width : {1u, 2u, 4u}) {
      const bool is_predicate = bytes == 0;
      if (bytes * width > 16 || (is_predicate && width > 1)) continue;
      for (const bool in_registers : {false, true}) {
        // Predicates are in registers only; single bytes are no type of register that computes.
        if (is_predicate && !in_registers) continue;
        if (bytes == 1 && in_registers) continue;
        for (const bool indirect : {false, true}) {
          for (const bool recursive : {false, true}) {
            cases.push_back({type, bytes, width, in_registers, indirect, recursive});
          }
        }
      }
    }
  }
  return cases;
}

constexpr char kElements[] = "xyzw";

/// A set of registers `name` for the value: one, or a vector.
std::string declare(const Case& c, const std::string& name) {
  const std::string type = c.bytes == 1 ? "b16" : c.type;
  const std::string vector = c.width == 1 ? "" : fmt::format(".v{} ", c.width);
  return fmt::format("  .reg {}.{} {};\n", vector, type, name);
}
std::string element(const Case& c, const std::string& name, unsigned e) {
  return c.width == 1 ? name : fmt::format("{}.{}", name, kElements[e]);
}
std::string braced(const Case& c, const std::string& name) {
  if (c.width == 1) return name;
  std::string list;
  for (unsigned e = 0; e < c.width; ++e) list += (e ? ", " : "{") + element(c, name, e);
  return list + "}";
}
std::string access(const Case& c) {
  return c.width == 1 ? "." + c.type : fmt::format(".v{}.{}", c.width, c.type);
}

/// to = from turned round once.
std::string turn(const Case& c, const std::string& to, const std::string& from) {
  std::string text;
  if (c.predicate()) return fmt::format("  not.pred {}, {};\n", to, from);
  if (c.width == 1 && c.bytes == 16) {
    return fmt::format(
        "  mov.b128 {{low, high}}, {1};\n  not.b64 low, low;\n  not.b64 high, high;\n"
        "  mov.b128 {0}, {{low, high}};\n",
        to, from);
  }
  if (c.width == 1) return fmt::format("  not.b{} {}, {};\n", std::max(8 * c.bytes, 16u), to, from);
  for (unsigned e = 0; e < c.width; ++e) {
    text += fmt::format("  mov.b{} {}, {};\n", std::max(8 * c.bytes, 16u), element(c, to, e),
                        element(c, from, (e + 1) % c.width));
  }
  return text;
}

/// How the function's formals are declared: registers, scalars of .param space, or, as compilers
/// pass vectors there, arrays of bytes.
std::string formal(const Case& c, const std::string& name) {
  if (c.in_registers) {
    return fmt::format(".reg {}.{} {}", c.width == 1 ? "" : fmt::format(".v{} ", c.width), c.type,
                       name);
  }
  if (c.width == 1) return fmt::format(".param .{} {}", c.type, name);
  return fmt::format(".param .align {0} .b8 {1}[{0}]", c.total(), name);
}
std::string depth_formal(const Case& c, const std::string& name) {
  return fmt::format("{} .u32 {}", c.in_registers ? ".reg" : ".param", name);
}

std::string call(const Case& c, bool indirect, const std::string& result, const std::string& value,
                 const std::string& depth) {
  const std::string callee = indirect ? "pointer" : "turned";
  const std::string shape = indirect ? ", shape" : "";
  if (c.in_registers) {
    return fmt::format("  call ({}), {}, ({}, {}){};\n", result, callee, value, depth, shape);
  }
  return fmt::format(
      "  {{\n  {} ;\n  .param .u32 passed_depth;\n  {} ;\n  st.param{} [passed], {};\n"
      "  st.param.u32 [passed_depth], {};\n  call (returned), {}, (passed, passed_depth){};\n"
      "  ld.param{} {}, [returned];\n  }}\n",
      formal(c, "passed"), formal(c, "returned"), access(c), braced(c, value), depth, callee, shape,
      access(c), braced(c, result));
}

std::string indirection(const Case& c) {
  if (!c.indirect) return "";
  return fmt::format(
      "  .reg .b64 pointer;\n  mov.u64 pointer, turned;\n"
      "  shape: .callprototype ({}) _ ({}, {});\n",
      formal(c, "_"), formal(c, "_"), depth_formal(c, "_"));
}

std::string function_text(const Case& c) {
  const std::string head = fmt::format(".func ({}) turned({}, {})", formal(c, "result"),
                                       formal(c, "given"), depth_formal(c, "depth"));
  std::string body = "{\n  .reg .pred last;\n  .reg .b32 n;\n  .reg .b64 low, high;\n";
  body += declare(c, "value") + declare(c, "done") + indirection(c);
  if (c.in_registers) {
    for (unsigned e = 0; e < c.width; ++e) {
      body += fmt::format("  mov.{} {}, {};\n",
                          c.predicate() || c.bytes == 16 ? c.type : fmt::format("b{}", 8 * c.bytes),
                          element(c, "value", e), element(c, "given", e));
    }
    body += "  mov.u32 n, depth;\n";
  } else {
    body += fmt::format("  ld.param{} {}, [given];\n  ld.param.u32 n, [depth];\n", access(c),
                        braced(c, "value"));
  }
  body += turn(c, "done", "value");
  if (c.recursive) {
    body += "  setp.eq.u32 last, n, 0;\n  @last bra END;\n  sub.u32 n, n, 1;\n";
    body += call(c, c.indirect, "value", "done", "n");
    for (unsigned e = 0; e < c.width; ++e) {
      body += fmt::format(
          "  mov.{} {}, {};\n",
          c.predicate() || c.bytes == 16 ? c.type : fmt::format("b{}", std::max(8 * c.bytes, 16u)),
          element(c, "done", e), element(c, "value", e));
    }
    body += "END:\n";
  }
  if (c.in_registers) {
    for (unsigned e = 0; e < c.width; ++e) {
      body += fmt::format("  mov.{} {}, {};\n",
                          c.predicate() || c.bytes == 16 ? c.type : fmt::format("b{}", 8 * c.bytes),
                          element(c, "result", e), element(c, "done", e));
    }
  } else {
    body += fmt::format("  st.param{} [result], {};\n", access(c), braced(c, "done"));
  }
  return head + (c.recursive ? ";\n" + head : "") + "\n" + body + "  ret;\n}\n";
}

std::string program(const Case& c) {
  std::string text = ".version 8.3\n.target sm_90\n.address_size 64\n" + function_text(c);
  text +=
      ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n  .reg .b64 from, to, place;\n"
      "  .reg .b32 lane, deep, word;\n";
  text += declare(c, "value") + declare(c, "result") + indirection(c);
  text += fmt::format(
      "  mov.u32 lane, %laneid;\n  and.b32 deep, lane, 3;\n  ld.param.u64 from, [in];\n"
      "  ld.param.u64 to, [out];\n  mul.wide.u32 place, lane, {};\n  add.u64 from, from, place;\n"
      "  add.u64 to, to, place;\n",
      c.total());
  if (c.predicate()) {
    text += "  ld.global.u32 word, [from];\n  setp.ne.u32 value, word, 0;\n";
  } else {
    text += fmt::format("  ld.global{} {}, [from];\n", access(c), braced(c, "value"));
  }
  text += call(c, c.indirect, "result", "value", "deep");
  if (c.predicate()) {
    text += "  selp.u32 word, 1, 0, result;\n  st.global.u32 [to], word;\n";
  } else {
    text += fmt::format("  st.global{} [to], {};\n", access(c), braced(c, "result"));
  }
  return text + "  ret;\n}\n";
}

}  // namespace

std::vector<std::string> parameter_programs() {
  std::vector<std::string> programs;
  for (const Case& c : all_cases()) programs.push_back(program(c));
  return programs;
}

namespace {

void check(const Case& c) {
  const unsigned size = c.total(), all = size * kWarpSize;
  PtxMachine machine(false);
  const Address in = machine.allocate(all), out = machine.allocate(all, std::byte{0xee});
  std::vector<std::uint8_t> given(all);
  for (unsigned n = 0; n < all; ++n) given[n] = static_cast<std::uint8_t>(n * 37 + n / 256 + 5);
  if (c.predicate()) {
    for (unsigned n = 0; n < all; ++n) given[n] = n % 4 == 0 ? (n / 4 * 5 / 3) & 1 : 0;
  }
  std::memcpy(machine.values<std::uint8_t>(in, all), given.data(), all);
  const std::string text = program(c);
  ASSERT_EQ(machine.run(text, {in, out}), "") << text;
  const auto* found = machine.values<std::uint8_t>(out, all);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const unsigned turns = c.recursive ? lane % 4 + 1 : 1;
    for (unsigned byte = 0; byte < size; ++byte) {
      unsigned expected;
      if (c.predicate()) {
        expected = byte != 0 ? 0 : given[lane * size] ^ (turns & 1);
      } else if (c.width == 1) {
        expected = given[lane * size + byte] ^ (turns % 2 != 0 ? 0xff : 0);
      } else {
        expected = given[lane * size + (byte + turns * c.bytes) % size];
      }
      ASSERT_EQ(found[lane * size + byte], expected) << "lane " << lane << ", byte " << byte << "\n"
                                                     << text;
    }
  }
}

class Parameters : public testing::TestWithParam<const char*> {};

TEST_P(Parameters, ArriveAndReturn) {
  unsigned count = 0;
  for (const Case& c : all_cases()) {
    if (c.type != GetParam()) continue;
    SCOPED_TRACE(c.name());
    check(c);
    ++count;
  }
  EXPECT_GE(count, 4u);
}

INSTANTIATE_TEST_SUITE_P(Types, Parameters,
                         testing::Values("pred", "b8", "u8", "s8", "b16", "u16", "s16", "b32",
                                         "u32", "s32", "f32", "b64", "u64", "s64", "f64", "b128"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace raddle::tests
