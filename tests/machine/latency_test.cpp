// Latencies as a program measures them with %clock, one warp alone: the difference between a long
// and a short chain of dependent instructions. Expected values are those of the K20c's description
// (gpus/k20c.toml), which quotes measurements on hardware.
#include <gtest/gtest.h>

#include <cstring>

#include "isa/loader.h"
#include "isa/passes/built_in.h"
#include "isa/texture/descriptor.h"
#include "machine/config.h"
#include "machine/gpu.h"
#include "machine/pass_target.h"
#include "ptx/module.h"

namespace raddle::machine {
namespace {

/// A kernel which stores the clock before and after two warm-ups, a short and a long chain of
/// `link`; twice, so that the second time all of it comes from the instruction cache. The chain's
/// value is %r1 (32 bits) and %rd1 (64 bits: at first, and in memory, the
/// address `data`). All clocks stay in registers of their own until the end, lest a reused register
/// delay one of them.
std::string chain_kernel(const std::string& link, unsigned short_chain, unsigned long_chain) {
  const auto measured = [&](unsigned n, const std::string& before, const std::string& after) {
    std::string text = "mov.u32 " + before + ", %clock;\n";
    for (unsigned i = 0; i < n; ++i) text += link + "\n";
    // The next chain starts when this one's result is there.
    return text + "mov.u32 " + after + ", %clock;\nadd.s32 %r1, %r1, 0;\nadd.s64 %rd1, %rd1, 0;\n";
  };
  return ".version 7.8\n.target sm_80\n.address_size 64\n"
         ".shared .align 8 .b64 tile[16];\n"
         ".global .texref image;\n"
         ".visible .entry chain(.param .u64 data, .param .u64 out) {\n"
         ".reg .pred %again; .reg .b32 %turn; .reg .b32 %r<12>; .reg .f32 %f<18>; .reg .f64 "
         "%fd<4>; .reg .b64 %rd<8>;\n"
         "ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [out];\n"
         "mov.u32 %r1, tile; st.shared.u32 [%r1], %r1; mov.u32 %turn, 0;\nAGAIN:\n" +
         measured(1, "%r2", "%r3") + measured(short_chain, "%r8", "%r9") +
         measured(short_chain, "%r4", "%r5") + measured(long_chain, "%r6", "%r7") +
         "add.u32 %turn, %turn, 1; setp.lt.u32 %again, %turn, 2; @%again bra AGAIN;\n"
         "st.global.v4.u32 [%rd2], {%r4, %r5, %r6, %r7};\n"
         "st.global.v4.u32 [%rd2+16], {%r2, %r3, %r8, %r9};\n"
         "st.global.u32 [%rd2+32], %r1; st.global.u64 [%rd2+40], %rd1;\n"
         "st.global.f32 [%rd2+48], %f1; st.global.f64 [%rd2+56], %fd1; ret; }\n";
}

/// Binds `image` to 128 zeros of 32 bits.
void bind(const isa::Program& program, memory::AddressSpace& space, Address zeros) {
  isa::TextureDescriptor texture;
  texture.kind = isa::HandleKind::texture;
  texture.image.base = zeros;
  texture.image.bytes = 512;
  texture.image.width = 128;
  texture.image.format = {isa::ChannelKind::signed_integer, 1, 32};
  std::memcpy(space.values(program.find_variable("image")->address, sizeof texture), &texture,
              sizeof texture);
}

/// Cycles of one link, by one thread; on a GPU that is named by a warp.
double latency_of(const std::string& link, unsigned short_chain = 4, unsigned long_chain = 24,
                  const std::string& gpu_name = "") {
  const auto config = load_gpu(gpu_name.empty() ? "k20c" : gpu_name);
  memory::AddressSpace space(1 << 24);
  const ptx::Module module = ptx::parse("chain.ptx", chain_kernel(link, short_chain, long_chain));
  isa::Loader loader;
  if (!gpu_name.empty()) {
    loader.add(isa::machine_sequences(pass_target(*config)));
  }
  const auto program = loader.load({&module, 1}, space);
  const Address data = space.allocate(4096, memory::Kind::device, "data");
  const Address out = space.allocate(4096, memory::Kind::device, "out");
  std::memcpy(space.values(data, 8), &data, 8);
  bind(*program, space, data + 64);
  Gpu gpu(*config, space);
  Launch launch;
  launch.program = program.get();
  launch.kernel = program->find_kernel("chain");
  if (!gpu_name.empty()) launch.block.x = kWarpSize;
  launch.parameters.resize(16);
  std::memcpy(launch.parameters.data(), &data, 8);
  std::memcpy(launch.parameters.data() + 8, &out, 8);
  gpu.launch(std::move(launch), 0);
  while (!gpu.idle()) gpu.advance(kNever);
  for (const FaultReport& fault : gpu.take_faults()) ADD_FAILURE() << fault.text;
  std::uint32_t clocks[4];
  std::memcpy(clocks, space.values(out, 16), 16);
  const std::uint32_t short_cycles = clocks[1] - clocks[0], long_cycles = clocks[3] - clocks[2];
  return double(long_cycles - short_cycles) / (long_chain - short_chain);
}

TEST(Latency, Arithmetic) {
  EXPECT_EQ(latency_of("add.s32 %r1, %r1, 0;"), 9);
  EXPECT_EQ(latency_of("mul.lo.s32 %r1, %r1, 1;"), 9);
  EXPECT_EQ(latency_of("fma.rn.f32 %f1, %f1, %f1, %f1;"), 9);
  EXPECT_EQ(latency_of("fma.rn.f64 %fd1, %fd1, %fd1, %fd1;"), 10);
  EXPECT_EQ(latency_of("rsqrt.approx.f32 %f1, %f1;"), 40);
}

TEST(Latency, IndependentInstructionsOfAWarpIssueTwoACycle) {
  // Each of the 18 needs its own result of 9 cycles before: 18 issue in 9 cycles.
  std::string eighteen;
  for (int i = 0; i < 18; ++i) {
    const std::string f = "%f" + std::to_string(i);
    eighteen += "fma.rn.f32 " + f + ", " + f + ", " + f + ", " + f + ";";
  }
  EXPECT_EQ(latency_of(eighteen, 1, 5), 9);
}

TEST(Latency, SharedMemory) { EXPECT_EQ(latency_of("ld.shared.u32 %r1, [%r1];"), 26); }

double warp_latency_on_v100(const std::string& link) { return latency_of(link, 4, 24, "v100"); }

// One step of a tensor core, and four: Raihan et al., ISPASS 2019, measure 54 cycles for these.
TEST(Latency, TensorCores) {
  EXPECT_EQ(warp_latency_on_v100("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                                 "{%f1, %f2, %f3, %f4}, {%r10, %r11}, {%r10}, "
                                 "{%f1, %f2, %f3, %f4};"),
            30);
  const std::string eight = "{%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}";
  const std::string halves = "{%r10, %r10, %r10, %r10, %r11, %r11, %r11, %r11}";
  EXPECT_EQ(warp_latency_on_v100("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " + eight + ", " +
                                 halves + ", " + halves + ", " + eight + ";"),
            54);
}

// ptxas 13.0 for sm_75 holds back what a predicate guards for 12 cycles, what selects by it for 4.
TEST(Latency, OfPredicatesThatGuard) {
  EXPECT_EQ(warp_latency_on_v100("{ .reg .pred %p; setp.ne.u32 %p, %r1, 77777; "
                                 "@%p add.u32 %r1, %r1, 1; }"),
            12 + 4);
}
TEST(Latency, OfPredicatesThatSelect) {
  EXPECT_EQ(warp_latency_on_v100("{ .reg .pred %p; setp.ne.u32 %p, %r1, 77777; "
                                 "selp.b32 %r1, %r1, 7, %p; }"),
            4 + 4);
}

// Machine code branches behind a division: around its slow path, which 0 / 1 takes (37 instructions,
// 150 cycles by the control codes of ptxas 13.0 for sm_75). What follows waits, whatever it needs.
TEST(Latency, DivisionsHoldTheirWarp) {
  const auto divisions = [](const char* dividend, unsigned count) {
    std::string text = std::string("mov.f32 %f4, ") + dividend + "; mov.f32 %f5, 0f3F800000;\n";
    for (unsigned n = 0; n < count; ++n) {
      text += "div.rn.f32 %f" + std::to_string(n) + ", %f4, %f5;";
    }
    return latency_of(text, 1, 5, "v100");  // few: they lie in the instruction cache
  };
  const double one = divisions("0f40000000", 1);
  EXPECT_EQ(divisions("0f40000000", 2), one + 201);
  EXPECT_EQ(divisions("0f00000000", 1), one + 150);
}

// A matrix is one pass over the banks.
TEST(Latency, LoadMatrix) {
  EXPECT_EQ(warp_latency_on_v100("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r1];"), 23);
}

TEST(Latency, L2Hit) { EXPECT_EQ(latency_of("ld.global.u64 %rd1, [%rd1];"), 188); }

// A cache of its own on Kepler, which textures use too: PPT measures 112 cycles on a K40.
TEST(Latency, ReadOnlyCacheHit) { EXPECT_EQ(latency_of("ld.global.nc.u64 %rd1, [%rd1];"), 112); }

TEST(Latency, TextureHit) {
  EXPECT_EQ(latency_of("tex.1d.v4.s32.s32 {%r1, _, _, _}, [image, {%r1}];"), 112);
}

// 16 texture units filter four of the eight quads of a warp a cycle (GK110 white paper), so that
// each of many lookups without dependence takes two cycles; only the last is waited for.
TEST(Latency, TextureUnitsTakeAQuarterWarpEach) {
  std::string lookups;
  for (int i = 0; i < 100; ++i) {
    lookups += "tex.1d.v4.s32.s32 {%r10, _, _, _}, [image, {%r11}];";
  }
  EXPECT_GE(latency_of(lookups), 200);
}

}  // namespace
}  // namespace raddle::machine
