#include "machine/occupancy.h"

#include <algorithm>

#include "machine/chip.h"
#include "machine/mechanism.h"
#include "machine/sm/config.h"

namespace raddle::machine {
namespace {

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Largest grid from compute capability 2.0 on: in x, and in y and z.
constexpr std::uint32_t kMaxGridX = 0x7fffffff, kMaxGridYZ = 65535;
/// Largest block in z; x and y are bounded by the threads of a block.
constexpr std::uint32_t kMaxBlockZ = 64;
constexpr std::uint32_t kMaxParameterBytes = 32764;

using Kind = LaunchError::Kind;

LaunchError shape_error(const SmConfig& sm, const Dim3& grid, const Dim3& block) {
  if (grid.count() == 0 || block.count() == 0) {
    return {Kind::configuration,
            fmt::format("grid {}x{}x{} of blocks {}x{}x{}: all sizes should be at least 1", grid.x,
                        grid.y, grid.z, block.x, block.y, block.z)};
  }
  if (grid.x > kMaxGridX || grid.y > kMaxGridYZ || grid.z > kMaxGridYZ) {
    return {Kind::configuration, fmt::format("grid {}x{}x{}: larger than {}x{}x{}", grid.x, grid.y,
                                             grid.z, kMaxGridX, kMaxGridYZ, kMaxGridYZ)};
  }
  if (block.count() > sm.threads_per_block || block.z > kMaxBlockZ) {
    return {Kind::configuration,
            fmt::format("block {}x{}x{}: more than {} threads, or than {} in z", block.x, block.y,
                        block.z, sm.threads_per_block.value(), kMaxBlockZ)};
  }
  return {};
}

/// A kernel must ask for more shared memory than the default limit (CUDA C Programming Guide,
/// "Compute Capability 7.x", Shared Memory).
LaunchError shared_error(const SmConfig& sm, const Launch& launch) {
  const isa::Function& kernel = *launch.kernel;
  const std::uint64_t fixed = kernel.static_shared_bytes;
  const std::uint64_t wanted = fixed + launch.dynamic_shared_bytes;
  const std::uint64_t allowed =
      std::max<std::uint64_t>(sm.shared_per_block, fixed + kernel.max_dynamic_shared);
  if (wanted <= allowed) return {};
  const std::uint64_t most = sm.shared_per_block_optin;
  return {
      Kind::shared_limit,
      fmt::format("{} bytes of shared memory ({} static, {} dynamic): a block gets {}{}", wanted,
                  fixed, launch.dynamic_shared_bytes, wanted <= most ? allowed : most,
                  wanted <= most ? ", more after cudaFuncSetAttribute(MaxDynamicSharedMemorySize)"
                                 : " at most")};
}

/// For a function that kernels call and that no switched-on mechanism provides.
std::string who_would_carry_out(const std::string& function) {
  for (const MechanismKind& kind : mechanism_kinds()) {
    if (kind.builtins == nullptr) continue;
    for (const isa::Builtin& builtin : kind.builtins()) {
      if (builtin.name != function) continue;
      return fmt::format(
          "which needs the mechanism {0}: it is switched off (raddle run --with {0})", kind.name);
    }
  }
  return "which nothing here carries out";
}

LaunchError kernel_error(const isa::Function& kernel, const Dim3& block) {
  if (std::string lack = lack_of(kernel); !lack.empty())
    return {Kind::unsupported, std::move(lack)};
  if (block.count() > kernel.max_threads) {
    return {Kind::launch_bounds,
            fmt::format("block of {} threads: it was compiled for at most {} (.maxntid)",
                        block.count(), kernel.max_threads)};
  }
  const std::uint32_t* required = kernel.required_block;
  const bool other = block.x != required[0] || block.y != required[1] || block.z != required[2];
  if (required[0] != 0 && other) {
    return {Kind::launch_bounds,
            fmt::format("block of {}x{}x{} threads: it was compiled for {}x{}x{} alone (.reqntid)",
                        block.x, block.y, block.z, required[0], required[1], required[2])};
  }
  if (kernel.cluster_blocks > 1) {
    return {Kind::unsupported,
            fmt::format("clusters of {} thread blocks (__cluster_dims__) are not supported",
                        kernel.cluster_blocks)};
  }
  return {};
}

/// Registers of a warp, rounded up to the unit of allocation.
std::uint32_t registers_of_warp(const SmConfig& sm, const isa::Function& kernel) {
  return round_up(registers_of_thread(sm, kernel) * kWarpSize, sm.register_unit);
}

/// Registers that a warp makes unusable for others. If a sub-partition holds n such warps, it is
/// 1/n of the sub-partition, since no warp of the kernel can use the rest.
std::uint32_t registers_kept_by_warp(const SmConfig& sm, const isa::Function& kernel) {
  const std::uint32_t partition = sm.registers / sm.warp_unit;
  const std::uint32_t warp = registers_of_warp(sm, kernel);
  return warp == 0 || warp > partition ? warp : partition / (partition / warp);
}

/// The hardware checks a block as if every sub-partition got the same number of its warps.
bool registers_suffice(const SmConfig& sm, const isa::Function& kernel, std::uint32_t warps) {
  return std::uint64_t{registers_of_warp(sm, kernel)} * round_up(warps, sm.warp_unit) <=
         sm.registers;
}

/// The largest number of registers per thread with which a block of `warps` warps fits.
std::uint32_t most_registers(const SmConfig& sm, std::uint32_t warps) {
  const std::uint32_t of_warp = sm.registers / round_up(warps, sm.warp_unit);
  return of_warp / sm.register_unit * sm.register_unit / kWarpSize;
}

LaunchError resource_error(const GpuConfig& config, const Launch& launch, const Occupancy& fits) {
  const SmConfig& sm = config.sm;
  const isa::Function& kernel = *launch.kernel;
  if (fits.shared_per_block > sm.shared_per_block_optin + sm.shared_reserved) {
    return {
        Kind::resources,
        fmt::format("{} bytes of shared memory ({} static, {} dynamic): a block gets at most {}",
                    kernel.static_shared_bytes + launch.dynamic_shared_bytes,
                    kernel.static_shared_bytes, launch.dynamic_shared_bytes,
                    sm.shared_per_block_optin.value())};
  }
  if (!registers_suffice(sm, kernel, fits.warps_per_block)) {
    return {Kind::resources,
            fmt::format("{} registers a thread: a block of {} threads gets at most {}",
                        registers_of_thread(sm, kernel), launch.block.count(),
                        most_registers(sm, fits.warps_per_block))};
  }
  const std::uint64_t resident = std::uint64_t{fits.blocks_per_sm} * sms(config);
  if (launch.cooperative && launch.grid.count() > resident) {
    return {Kind::cooperative_size,
            fmt::format("cooperative launch of {} blocks: at most {} are resident at once",
                        launch.grid.count(), resident)};
  }
  return {};
}

/// The largest number of registers per thread with which the requested number of blocks fits
/// (`__launch_bounds__`, PTX ISA, ".minnctapersm"). Values beyond it have been spilled; called
/// functions have the same bound. As on hardware, a request that the multiprocessor cannot meet is
/// ignored.
std::uint32_t bound_registers(const SmConfig& sm, const isa::Function& kernel) {
  const std::uint64_t threads = std::uint64_t{kernel.min_blocks} * kernel.max_threads;
  if (!kernel.bounded || threads == 0 || threads > sm.threads || kernel.min_blocks > sm.blocks)
    return ~0u;
  const std::uint32_t warps =
      round_up((kernel.max_threads + kWarpSize - 1) / kWarpSize, sm.warp_unit);
  return std::max(most_registers(sm, kernel.min_blocks * warps), 1u);
}

}  // namespace

std::string lack_of(const isa::Function& function) {
  if (!function.unsupported.empty() || function.switched_off.empty()) return function.unsupported;
  return fmt::format("it calls '{}', {}", function.switched_off,
                     who_would_carry_out(function.switched_off));
}

std::uint32_t registers_of_thread(const SmConfig& sm, const isa::Function& kernel) {
  return std::min(
      {kernel.registers_per_thread, sm.registers_per_thread.value(), bound_registers(sm, kernel)});
}

BlockNeeds block_needs(const GpuConfig& config, const isa::Function& kernel,
                       std::uint32_t threads_per_block, std::uint32_t dynamic_shared_bytes) {
  const SmConfig& sm = config.sm;
  BlockNeeds needs;
  needs.threads = threads_per_block;
  needs.warps = (threads_per_block + kWarpSize - 1) / kWarpSize;
  needs.registers = registers_kept_by_warp(sm, kernel) * needs.warps;
  const std::uint32_t shared =
      kernel.static_shared_bytes + dynamic_shared_bytes + sm.shared_reserved;
  needs.shared_bytes = round_up(shared, sm.shared_unit);
  return needs;
}

Occupancy occupancy(const GpuConfig& config, const isa::Function& kernel,
                    std::uint32_t threads_per_block, std::uint32_t dynamic_shared_bytes) {
  const SmConfig& sm = config.sm;
  const BlockNeeds needs = block_needs(config, kernel, threads_per_block, dynamic_shared_bytes);
  const std::uint32_t warps = std::max(needs.warps, 1u);
  struct Limit {
    std::uint32_t blocks;
    const char* name;
  };
  const Limit limits[] = {
      {std::min(sm.threads / (warps * kWarpSize), sm.warps / warps), "threads"},
      {sm.blocks, "blocks"},
      {registers_suffice(sm, kernel, warps) ? sm.registers / std::max(needs.registers, 1u) : 0,
       "registers"},
      {needs.shared_bytes == 0 ? sm.blocks.value() : sm.shared_bytes / needs.shared_bytes,
       "shared memory"}};
  const Limit& least =
      *std::min_element(std::begin(limits), std::end(limits),
                        [](const Limit& a, const Limit& b) { return a.blocks < b.blocks; });
  Occupancy result;
  result.blocks_per_sm = least.blocks;
  result.limited_by = least.name;
  result.registers_per_block = needs.registers;
  result.shared_per_block = needs.shared_bytes;
  result.warps_per_block = needs.warps;
  return result;
}

LaunchError launch_error(const GpuConfig& config, const Launch& launch) {
  if (LaunchError error = shape_error(config.sm, launch.grid, launch.block)) return error;
  if (LaunchError error = shared_error(config.sm, launch)) return error;
  if (LaunchError error = kernel_error(*launch.kernel, launch.block)) return error;
  if (launch.parameters.size() > kMaxParameterBytes) {
    return {Kind::resources, fmt::format("{} bytes of parameters: more than {}",
                                         launch.parameters.size(), kMaxParameterBytes)};
  }
  const auto threads = static_cast<std::uint32_t>(launch.block.count());
  return resource_error(config, launch,
                        occupancy(config, *launch.kernel, threads, launch.dynamic_shared_bytes));
}

}  // namespace raddle::machine
