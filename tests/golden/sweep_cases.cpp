// Instructions on thousands of operands: approximations inside and outside the range of documented
// errors, every number of 16 bits, logic with every table, and exchanges within warps.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <random>

#include "drafts.h"

namespace raddle::golden {
namespace {

constexpr std::uint32_t kBlock = 256;

using Values = std::vector<std::uint64_t>;

struct Column {
  std::string name;  // of the register
  unsigned bits = 32;
  Values values;
};

/// One instruction, which writes %d8 .. %d64, by the width of its type, or else %p.
struct Swept {
  std::string text, type;  // the type is "pred" for a predicate alone
  bool predicate = false;  // %p besides
  std::string form() const { return first_word(text); }
};

struct Sweep {
  std::string name;
  std::vector<Column> columns;
  std::vector<Swept> instructions;
  std::uint32_t lanes() const { return static_cast<std::uint32_t>(columns[0].values.size()); }
};

unsigned bits_of(const std::string& type) {
  if (type == "pred" || type.ends_with("x2") || type == "tf32") {  // no width in its name
    return type == "e4m3x2" || type == "e5m2x2" ? 16 : 32;
  }
  return static_cast<unsigned>(std::atoi(type.c_str() + type.find_first_of("0123456789")));
}

std::string head(const Sweep& sweep) {
  std::string text =
      ".version 8.8\n.target sm_90a\n.address_size 64\n"
      ".visible .entry test(.param .u64 values, .param .u64 results)\n{\n"
      "  .reg .pred %p;\n  .reg .b32 %i, %block, %word;\n  .reg .b64 %in, %out, %at, %to;\n"
      "  .reg .b16 %d16, %u16;\n  .reg .b32 %d32;\n  .reg .b64 %d64;\n"
      "  ld.param.u64 %in, [values];\n  ld.param.u64 %out, [results];\n"
      "  mov.u32 %i, %tid.x;\n  mov.u32 %block, %ctaid.x;\n";
  text += fmt::format("  mad.lo.u32 %i, %block, {}, %i;\n", kBlock);
  std::size_t from = 0;
  for (const Column& column : sweep.columns) {
    text += fmt::format(
        "  .reg .b{0} %{1};\n  mad.wide.u32 %at, %i, {2}, %in;\n  ld.global.b{0} %{1}, "
        "[%at+{3}];\n",
        column.bits, column.name, column.bits / 8, from);
    from += column.values.size() * column.bits / 8;
  }
  return text;
}

std::vector<Operand> operands(const Sweep& sweep) {
  std::vector<Operand> all;
  std::uint32_t from = 0;
  for (const Column& column : sweep.columns) {
    all.push_back({0, from, column.bits / 8, column.bits / 8});
    from += sweep.lanes() * column.bits / 8;
  }
  return all;
}

std::vector<Case> sweep_cases(const Sweep& sweep, const Refused& refused) {
  Case c;
  c.name = "sweep/" + sweep.name;
  c.kernel = "test";
  c.ptx = head(sweep);
  c.block[0] = std::min(kBlock, sweep.lanes());
  c.grid[0] = sweep.lanes() / c.block[0];
  std::uint32_t to = 0;
  const auto store = [&](const std::string& form, const std::string& type, unsigned bits,
                         const std::string& name) {
    c.ptx += fmt::format("  mad.wide.u32 %to, %i, {}, %out;\n  st.global.b{} [%to+{}], {};\n",
                         bits / 8, bits, to, name);
    c.fields.push_back({form, type, 1, to, sweep.lanes(), bits / 8, operands(sweep)});
    to += sweep.lanes() * bits / 8;
  };
  for (const Swept& swept : sweep.instructions) {
    if (refused.contains(swept.form())) continue;
    const unsigned bits = bits_of(swept.type);
    c.ptx += "  " + swept.text + ";\n";
    if (swept.type != "pred") store(swept.form(), swept.type, bits, fmt::format("%d{}", bits));
    if (swept.type != "pred" && !swept.predicate) continue;
    c.ptx += "  selp.u32 %word, 1, 0, %p;\n";
    store(swept.form(), "b32", 32, "%word");
  }
  if (c.fields.empty()) return {};
  c.ptx += "  ret;\n}\n";
  std::string values;
  for (const Column& column : sweep.columns) values += raw(column.values, column.bits / 8);
  c.arguments = {{Argument::in, values}, {Argument::out, std::string(to, '\0')}};
  return {c};
}

Values random_values(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  Values values(count);
  for (auto& value : values) value = random();
  return values;
}

std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

/// All exponents of both signs; then evenly in the ranges for which errors are documented.
Values dense_floats(std::size_t count, unsigned seed) {
  Values values = random_values(count, seed);
  const std::size_t half = count / 2, part = count / 8;
  for (std::size_t n = 0; n < half; ++n) {
    values[n] = (values[n] & 0x807fffff) | (n % 256) << 23;
    if (n < 1024) values[n] &= 0xff800000;               // powers of two, zeros, infinities
    if (n >= 1024 && n < 2048) values[n] |= 0x007fffff;  // the numbers before them
  }
  constexpr float kEnds[4][2] = {{-4, 4}, {-1, 1}, {0.5F, 2}, {-150, 150}};
  for (std::size_t n = half; n < count; ++n) {
    const auto& [low, high] = kEnds[(n - half) / part];
    const float place = static_cast<float>(values[n] >> 40) / 16777216.0F;
    values[n] = bits_of(low + (high - low) * place);
  }
  return values;
}

Values dense_doubles(std::size_t count, unsigned seed) {
  Values values = random_values(count, seed);
  for (std::size_t n = 0; n < count / 2; ++n) {
    values[n] = (values[n] & 0x800fffffffffffff) | (n % 2048) << 52;
    if (n < 4096) values[n] &= 0xfff0000000000000;
  }
  for (std::size_t n = count / 2; n < count; ++n) {
    values[n] = (values[n] & 0x000fffffffffffff) | (0x3feULL + n % 3) << 52;
  }
  return values;
}

/// Every number of 16 bits, and another in the upper half.
Values all_pairs() {
  Values values(65536);
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = n | ((n * 40503 + 1) & 0xffff) << 16;
  return values;
}

Sweep unary(const std::string& name, Column column, const std::string& type,
            const std::vector<std::string>& forms) {
  const unsigned bits = bits_of(type);
  const std::string source = column.name;
  Sweep sweep{name, {std::move(column)}, {}};
  for (const std::string& form : forms) {
    sweep.instructions.push_back({fmt::format("{} %d{}, %{}", form, bits, source), type});
  }
  return sweep;
}

std::vector<Sweep> approximations() {
  std::vector<std::string> single, halves, pairs, bfloats, bfloat_pairs;
  for (const char* op : {"ex2", "lg2", "sin", "cos", "rsqrt", "rcp", "sqrt"}) {
    single.push_back(fmt::format("{}.approx.f32", op));
    single.push_back(fmt::format("{}.approx.ftz.f32", op));
  }
  single.push_back("tanh.approx.f32");
  const Column floats{"a", 32, dense_floats(32768, 1)};
  std::vector<Sweep> sweeps = {
      unary("f32", floats, "f32", single),
      unary("f64", {"a", 64, dense_doubles(32768, 2)}, "f64",
            {"rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64"}),
      unary("f16", {"a", 16, all_pairs()}, "f16", {"ex2.approx.f16", "tanh.approx.f16"}),
      unary("f16x2", {"a", 32, all_pairs()}, "f16x2", {"ex2.approx.f16x2", "tanh.approx.f16x2"}),
      unary("bf16", {"a", 16, all_pairs()}, "bf16", {"ex2.approx.ftz.bf16", "tanh.approx.bf16"}),
      unary("bf16x2", {"a", 32, all_pairs()}, "bf16x2",
            {"ex2.approx.ftz.bf16x2", "tanh.approx.bf16x2"})};
  Sweep division{
      "division", {{"a", 32, dense_floats(32768, 3)}, {"b", 32, dense_floats(32768, 4)}}, {}};
  std::shuffle(division.columns[1].values.begin(), division.columns[1].values.end(),
               std::mt19937(5));
  for (const char* form :
       {"div.approx.f32", "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32"}) {
    division.instructions.push_back({fmt::format("{} %d32, %a, %b", form), "f32"});
  }
  sweeps.push_back(division);
  return sweeps;
}

std::vector<Sweep> conversions() {
  std::vector<Sweep> sweeps;
  for (const std::string from : {"f16", "bf16"}) {
    const Column all{"a", 16, all_pairs()};
    for (const std::string to : {"f32", "f64", "u32", "s32", "u64", "s64", "u16", "s16"}) {
      const bool real = to[0] == 'f';
      std::vector<std::string> forms;
      for (const std::string mode : {"", ".rni", ".rzi", ".rmi", ".rpi"}) {
        if (mode.empty() == real) forms.push_back(fmt::format("cvt{}.{}.{}", mode, to, from));
      }
      sweeps.push_back(unary(fmt::format("{}_to_{}", from, to), all, to, forms));
    }
  }
  const Column pairs{"a", 32, all_pairs()}, small{"a", 16, all_pairs()};
  for (const std::string to : {"e4m3x2", "e5m2x2"}) {
    sweeps.push_back(unary("f16x2_to_" + to, pairs, to,
                           {fmt::format("cvt.rn.satfinite.{}.f16x2", to),
                            fmt::format("cvt.rn.satfinite.relu.{}.f16x2", to)}));
    sweeps.push_back(
        unary(to + "_to_f16x2", small, "f16x2",
              {fmt::format("cvt.rn.f16x2.{}", to), fmt::format("cvt.rn.relu.f16x2.{}", to)}));
  }
  const Column floats{"a", 32, dense_floats(16384, 6)};
  for (const std::string to : {"f16", "bf16", "tf32"}) {
    std::vector<std::string> forms;
    for (const char* mode : {"rn", "rz", "rna", "rn.relu", "rz.relu", "rn.satfinite"}) {
      forms.push_back(fmt::format("cvt.{}.{}.f32", mode, to));
    }
    sweeps.push_back(unary("f32_to_" + to, floats, to, forms));
  }
  for (const std::string to : {"e4m3x2", "e5m2x2", "f16x2", "bf16x2"}) {
    Sweep sweep{"f32_to_" + to, {floats, {"b", 32, dense_floats(16384, 7)}}, {}};
    for (const char* mode :
         {"rn", "rz", "rn.relu", "rz.relu", "rn.satfinite", "rn.satfinite.relu"}) {
      sweep.instructions.push_back(
          {fmt::format("cvt.{}.{}.f32 %d{}, %a, %b", mode, to, bits_of(to)), to});
    }
    sweeps.push_back(sweep);
  }
  return sweeps;
}

Sweep logic() {
  Sweep sweep{"lop3", {}, {}};
  for (unsigned n = 0; n < 3; ++n) {
    sweep.columns.push_back({std::string(1, "abc"[n]), 32, random_values(256, 20 + n)});
  }
  for (unsigned table = 0; table < 256; ++table) {
    sweep.instructions.push_back({fmt::format("lop3.b32 %d32, %a, %b, %c, {}", table), "b32"});
  }
  return sweep;
}

/// Each warp's mask: all lanes, or lanes in two groups, each of which has its own.
Values masks(std::size_t count) {
  std::mt19937 random(30);
  Values values;
  while (values.size() < count) {
    const std::uint32_t group = values.size() % 128 == 0 ? ~0u : random();
    for (unsigned lane = 0; lane < 32; ++lane) {
      values.push_back((group >> lane & 1) ? group : static_cast<std::uint32_t>(~group));
    }
  }
  return values;
}

std::vector<Sweep> warps() {
  constexpr std::size_t kCount = 8192;
  Values few = random_values(kCount, 31), sizes = random_values(kCount, 32);
  for (std::size_t n = 0; n < kCount; ++n) {
    few[n] = few[n] % (n / 32 % 5 + 1);
    few[n] |= few[n] << 33;
    if (n / 32 % 3 == 0) sizes[n] &= 63;
  }
  Sweep exchange{
      "exchange", {{"a", 32, random_values(kCount, 33)}, {"b", 32, sizes}, {"c", 32, few}}, {}};
  for (std::size_t n = 0; n < kCount; ++n) {
    std::uint64_t& clamp = exchange.columns[2].values[n];
    const std::uint64_t width = std::uint64_t{1} << n / 32 % 6, any = random_values(1, 7 * n)[0];
    clamp = n / 32 % 4 == 3 ? any & 0x1f1f : (32 - width) << 8 | (n / 32 % 2 ? 31 : 0);
  }
  for (const char* mode : {"up", "down", "bfly", "idx"}) {
    exchange.instructions.push_back(
        {fmt::format("shfl.sync.{}.b32 %d32|%p, %a, %b, %c, -1", mode), "b32", true});
  }
  Sweep together{"together",
                 {{"a", 32, few},
                  {"b", 64, few},
                  {"m", 32, masks(kCount)},
                  {"w", 32, random_values(kCount, 34)}},
                 {}};
  auto& list = together.instructions;
  list.push_back({"match.any.sync.b32 %d32, %a, %m", "b32"});
  list.push_back({"match.any.sync.b64 %d32, %b, %m", "b32"});
  list.push_back({"match.all.sync.b32 %d32|%p, %a, %m", "b32", true});
  list.push_back({"match.all.sync.b64 %d32|%p, %b, %m", "b32", true});
  for (const char* form : {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32",
                           "and.b32", "or.b32", "xor.b32"}) {
    list.push_back({fmt::format("redux.sync.{} %d32, %w, %m", form), "b32"});
  }
  list.push_back({"elect.sync %d32|%p, -1", "b32", true});
  Sweep votes = together;
  votes.name = "votes";
  votes.instructions = {{"setp.eq.u32 %p, %a, 0", "pred"}};
  for (const char* mode : {"all", "any", "uni"}) {
    votes.instructions.push_back({fmt::format("vote.sync.{}.pred %p, %p, %m", mode), "pred"});
    votes.instructions.push_back({"setp.eq.u32 %p, %a, 0", "pred"});
  }
  votes.instructions.push_back({"vote.sync.ballot.b32 %d32, %p, %m", "b32"});
  return {exchange, together, votes};
}

}  // namespace

Drafts sweep_drafts() {
  std::vector<Sweep> all = approximations();
  for (const Sweep& sweep : conversions()) all.push_back(sweep);
  all.push_back(logic());
  for (const Sweep& sweep : warps()) all.push_back(sweep);
  Drafts drafts;
  for (const Sweep& sweep : all) {
    drafts.push_back({[=](const Refused& refused) { return sweep_cases(sweep, refused); }});
  }
  return drafts;
}

}  // namespace raddle::golden
