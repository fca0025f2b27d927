// Small kernels with known results, and a GPU to run them.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "machine/config.h"
#include "machine/gpu.h"
#include "machine/loader.h"
#include "machine/mechanism.h"
#include "machine/passes_config.h"
#include "ptx/module.h"

namespace raddle::machine::test {

inline constexpr const char* kHeader = ".version 7.8\n.target sm_80\n.address_size 64\n";

/// out[i] = in[i] + i, for as many as there are threads.
inline constexpr const char* kAddIndex = R"(
.visible .entry add_index(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r5, [%rd4];
  add.s32 %r6, %r5, %r4;
  add.s64 %rd5, %rd2, %rd3;
  st.global.u32 [%rd5], %r6;
  ret;
})";

/// Every thread adds 1 to out[0] and leaves what was there before in in[i].
inline constexpr const char* kCount = R"(
.visible .entry count(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  atom.global.add.u32 %r5, [%rd2], 1;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r5;
  ret;
})";

/// Each block reverses its 256 values of `in` into `out` by way of shared memory.
inline constexpr const char* kReverse = R"(
.shared .align 4 .b8 tile[1024];
.visible .entry reverse(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<12>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r3, %tid.x;
  shl.b32 %r2, %r1, 8;
  add.s32 %r4, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r5, [%rd4];
  mov.u32 %r6, tile;
  shl.b32 %r7, %r3, 2;
  add.s32 %r8, %r6, %r7;
  st.shared.u32 [%r8], %r5;
  bar.sync 0;
  mov.u32 %r9, 1020;
  sub.s32 %r9, %r9, %r7;
  add.s32 %r9, %r6, %r9;
  ld.shared.u32 %r10, [%r9];
  add.s64 %rd5, %rd2, %rd3;
  st.global.u32 [%rd5], %r10;
  ret;
})";

/// Thread 0 of the first block waits at barrier 1 for 64 threads, and no others come.
inline constexpr const char* kStuck = R"(
.visible .entry stuck(.param .u64 in, .param .u64 out) {
  bar.sync 1, 64;
  ret;
})";

/// Block 0 waits until out[0] is 1; block 1 makes it so.
inline constexpr const char* kFlag = R"(
.visible .entry flag(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p1, %r1, 1;
  @%p1 bra SET;
WAIT:
  ld.volatile.global.u32 %r2, [%rd2];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra WAIT;
  bra DONE;
SET:
  mov.u32 %r3, 1;
  st.global.u32 [%rd2], %r3;
DONE:
  ret;
})";

using Settings = std::vector<std::pair<const char*, const char*>>;

class Machine {
 public:
  /// Programs run as they are written: passes are off unless `settings` switch them on.
  explicit Machine(const char* kernels, const Settings& settings = {}) {
    for (const auto& entry : config_.passes.entries) entry.on->set("false");
    for (const auto& [path, value] : settings) config_.set(path, value);
    const ptx::Module module = ptx::parse("test.ptx", std::string(kHeader) + kernels);
    program_ = make_loader(config_).load({&module, 1}, space_);
    gpu_ = std::make_unique<Gpu>(config_, space_);
    in_ = space_.allocate(kBytes, memory::Kind::device, "in");
    out_ = space_.allocate(kBytes, memory::Kind::device, "out");
    for (std::uint32_t i = 0; i < kValues; ++i) in(i) = 3 * i;
  }

  static constexpr std::uint32_t kValues = 1 << 16;
  static constexpr std::uint64_t kBytes = 4 * kValues;

  std::uint32_t& in(std::uint32_t i) { return value(in_, i); }
  std::uint32_t& out(std::uint32_t i) { return value(out_, i); }
  Gpu& gpu() { return *gpu_; }
  const isa::Program& program() const { return *program_; }
  GpuConfig& config() { return config_; }
  memory::AddressSpace& space() { return space_; }

  /// A launch with the parameters `in` and `out`, to be changed and handed to launch().
  Launch prepare(const char* kernel, std::uint32_t blocks, std::uint32_t threads) {
    Launch launch;
    launch.program = program_.get();
    launch.kernel = program_->find_kernel(kernel);
    launch.grid.x = blocks;
    launch.block.x = threads;
    launch.parameters.resize(16);
    std::memcpy(launch.parameters.data(), &in_, 8);
    std::memcpy(launch.parameters.data() + 8, &out_, 8);
    return launch;
  }
  GridId launch(Launch launch) {
    EXPECT_EQ(gpu_->launch_error(launch).text, "");
    return gpu_->launch(std::move(launch), 0);
  }
  GridId launch(const char* kernel, std::uint32_t blocks, std::uint32_t threads) {
    return launch(prepare(kernel, blocks, threads));
  }
  void run() {
    while (!gpu_->idle()) gpu_->advance(kNever);
  }

 private:
  std::uint32_t& value(Address base, std::uint32_t i) {
    return *reinterpret_cast<std::uint32_t*>(space_.values(base + 4 * i, 4));
  }

  GpuConfig config_;
  memory::AddressSpace space_{1 << 24};
  std::unique_ptr<isa::Program> program_;
  std::unique_ptr<Gpu> gpu_;
  Address in_ = 0, out_ = 0;
};

}  // namespace raddle::machine::test
