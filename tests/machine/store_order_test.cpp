// Which lane's value remains when lanes of a warp store to one address, as on an NVIDIA H200. Up to
// 4 bytes a lane: the lowest lane. Stores of 8 bytes take passes of 16 lanes, those of 16 bytes
// passes of 8; later passes overwrite earlier ones. All bytes are of one lane.
#include <fmt/core.h>

#include <array>
#include <random>

#include "kernels.h"

namespace raddle::machine::test {
namespace {

constexpr unsigned kSlots = 8, kLanes = 32;

struct Form {
  const char* type;  // as st's last words
  unsigned bytes, elements;
};
constexpr Form kForms[] = {{"u8", 1, 1},      {"u16", 2, 1},     {"u32", 4, 1},    {"f32", 4, 1},
                           {"v2.u8", 2, 2},   {"v4.u8", 4, 4},   {"v2.u16", 4, 2}, {"u64", 8, 1},
                           {"f64", 8, 1},     {"v4.u16", 8, 4},  {"v2.u32", 8, 2}, {"v2.f32", 8, 2},
                           {"v4.u32", 16, 4}, {"v4.f32", 16, 4}, {"v2.u64", 16, 2}};

constexpr const char* kSpaces[] = {"global", "generic", "shared", "generic to shared"};

/// A warp whose lanes store to slot in[lane], those with in[32 + lane] != 0; every byte is lane + 1.
std::string kernel(const Form& form, std::string_view space) {
  const bool shared = space.ends_with("shared");
  const bool generic = space.starts_with("generic");
  const unsigned element_bits = 8 * form.bytes / form.elements;
  const char* const value = element_bits == 64 ? "%rd9" : element_bits == 32 ? "%r7" : "%h1";
  std::string vector = value;
  for (unsigned e = 1; e < form.elements; ++e) vector += fmt::format(", {}", value);
  if (form.elements > 1) vector = "{" + vector + "}";
  std::string text = R"(
.shared .align 16 .b8 slots[128];
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .b16 %h<4>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd1, %rd3;
  ld.global.u32 %r2, [%rd3]; ld.global.u32 %r3, [%rd3+128];
  setp.ne.u32 %p1, %r3, 0;
  add.u32 %r6, %r1, 1; mul.lo.u32 %r7, %r6, 0x01010101; cvt.u16.u32 %h1, %r7;
  mov.b64 %rd9, {%r7, %r7};
  mov.u32 %r8, slots; mul.wide.u32 %rd5, %r1, 4; cvt.u32.u64 %r9, %rd5; add.u32 %r10, %r8, %r9;
  mov.u32 %r11, 0; st.shared.u32 [%r10], %r11; bar.sync 0;
)";
  text += fmt::format("  mul.wide.u32 %rd6, %r2, {}; cvt.u32.u64 %r12, %rd6;\n", form.bytes);
  text +=
      shared ? "  cvt.u64.u32 %rd7, %r8; cvta.shared.u64 %rd7, %rd7;\n" : "  mov.u64 %rd7, %rd2;\n";
  text += "  add.u64 %rd7, %rd7, %rd6; add.u32 %r12, %r12, %r8;\n";
  const char* const at = shared && !generic ? "%r12" : "%rd7";
  const char* const named = generic ? "" : shared ? ".shared" : ".global";
  text += fmt::format("  @%p1 st{}.{} [{}], {};\n", named, form.type, at, vector);
  if (shared) {
    text +=
        "  bar.sync 0; ld.shared.u32 %r13, [%r10]; add.u64 %rd8, %rd2, %rd5;\n"
        "  st.global.u32 [%rd8], %r13;\n";
  }
  return text + "  ret;\n}";
}

/// The lane that stays in a slot; 32 where nobody stores.
unsigned winner(unsigned bytes, unsigned slot, const std::array<unsigned, kLanes>& slots,
                const std::array<bool, kLanes>& active) {
  const unsigned passes = bytes <= 4 ? 1 : bytes == 8 ? 2 : 4;
  for (unsigned pass = passes; pass-- > 0;) {
    for (unsigned l = pass * kLanes / passes; l < (pass + 1) * kLanes / passes; ++l) {
      if (active[l] && slots[l] == slot) return l;
    }
  }
  return kLanes;
}

struct Way {
  const char* name;
  Settings settings;
};
const Way kWays[] = {
    {"functional", {{"gpu.functional", "true"}}},
    {"timed", {}},
    {"of_two_threads", {{"gpu.threads", "2"}}},
    {"preempted", {{"gpu.preempt_every", "50"}}},
};

class StoreOrder : public testing::TestWithParam<Way> {};

TEST_P(StoreOrder, IsThatOfPasses) {
  std::mt19937 random(1);
  for (const Form& form : kForms) {
    for (const char* const space : kSpaces) {
      Machine machine(kernel(form, space).c_str(), GetParam().settings);
      for (unsigned round = 0; round < 8; ++round) {
        std::array<unsigned, kLanes> slots = {};
        std::array<bool, kLanes> active = {};
        for (unsigned l = 0; l < kLanes; ++l) {
          machine.in(l) = slots[l] = random() % kSlots;
          machine.in(kLanes + l) = active[l] = round < 2 || random() % 2 != 0;
        }
        for (unsigned word = 0; word < kLanes; ++word) machine.out(word) = 0;
        machine.launch("k", 1, kLanes);
        machine.run();
        for (unsigned byte = 0; byte < kSlots * form.bytes; ++byte) {
          const unsigned lane = winner(form.bytes, byte / form.bytes, slots, active);
          const unsigned stored = machine.out(byte / 4) >> (8 * (byte % 4)) & 0xff;
          ASSERT_EQ(stored, lane == kLanes ? 0 : lane + 1)
              << "st." << form.type << ", " << space << ", byte " << byte;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machine, StoreOrder, testing::ValuesIn(kWays),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace raddle::machine::test
