#include "cuda/runtime/device_queries.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>

#include "cuda/runtime/attributes.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/graph_conditionals.h"
#include "cuda/runtime/launch.h"
#include "cuda/runtime/limits.h"
#include "cuda/runtime/runtime.h"
#include "isa/block_context.h"
#include "isa/loader.h"

namespace raddle::cuda {
namespace {

template <class F>
void for_lanes(const isa::BuiltinCall& call, F f) {
  for (LaneMask rest = call.lanes; rest != 0; rest &= rest - 1) {
    f(static_cast<unsigned>(std::countr_zero(rest)));
  }
}

/// Writes a value to the address in the lane's n-th argument.
template <class T>
cudaError_t give(const isa::BuiltinCall& call, unsigned lane, unsigned n, T value) {
  std::byte* to = call.values(lane, call.argument<std::uint64_t>(lane, n), sizeof value);
  if (to == nullptr) return cudaErrorInvalidValue;
  std::memcpy(to, &value, sizeof value);
  return cudaSuccess;
}

/// Returns the call's cudaError_t, and keeps it for cudaGetLastError().
void finish(const isa::BuiltinCall& call, unsigned lane, cudaError_t error) {
  call.set_result(lane, error);
  if (error == cudaSuccess) return;
  if (auto* errors = call.services.offered<isa::LastErrors>()) {
    errors->record(call.warp, lane, error);
  }
}

/// The address of a text in global memory, one copy for each text.
Address placed(memory::AddressSpace& space, const char* text) {
  static auto* all = new std::map<const char*, Address>;
  if (text == nullptr) text = "unrecognized error code";
  Address& place = (*all)[text];
  const std::string copy = text;
  // After a reset of the device, the address may hold something else.
  const std::byte* there = place == 0 ? nullptr : space.values(place, copy.size() + 1);
  if (there != nullptr && std::memcmp(there, copy.c_str(), copy.size() + 1) == 0) return place;
  place = space.allocate(copy.size() + 1, memory::Kind::runtime, "text of an error code");
  if (place != 0) std::memcpy(space.values(place, copy.size()), copy.data(), copy.size());
  return place;
}

void get_error_text(const isa::BuiltinCall& call) {
  for_lanes(call, [&](unsigned lane) {
    const char* text = error_text(call.argument<std::int32_t>(lane, 0));
    call.set_result(lane, placed(call.services.space(), text));
  });
}

void get_error_name(const isa::BuiltinCall& call) {
  for_lanes(call, [&](unsigned lane) {
    const char* name = error_name(call.argument<std::int32_t>(lane, 0));
    call.set_result(lane, placed(call.services.space(), name));
  });
}

void get_device(const isa::BuiltinCall& call) {
  for_lanes(call, [&](unsigned lane) { finish(call, lane, give(call, lane, 0, 0)); });
}

void get_device_count(const isa::BuiltinCall& call) {
  for_lanes(call, [&](unsigned lane) { finish(call, lane, give(call, lane, 0, 1)); });
}

/// cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
void get_attribute(const isa::BuiltinCall& call) {
  for_lanes(call, [&](unsigned lane) {
    const auto number = call.argument<std::int32_t>(lane, 1);
    const std::optional<int> known = attribute(Runtime::instance().config(), number);
    cudaError_t result = cudaErrorInvalidValue;
    if (call.argument<std::int32_t>(lane, 2) != 0) {
      result = cudaErrorInvalidDevice;
    } else if (known) {
      result = give(call, lane, 0, *known);
    }
    finish(call, lane, result);
  });
}

/// cudaError_t cudaMalloc(void** pointer, size_t bytes): from the same heap as the kernels' malloc.
void allocate(const isa::BuiltinCall& call) {
  for_lanes(call, [&](unsigned lane) {
    const Address made = call.services.allocate(call.argument<std::uint64_t>(lane, 1));
    const cudaError_t given = give(call, lane, 0, made);
    finish(call, lane, made == 0 ? cudaErrorMemoryAllocation : given);
  });
}

void release(const isa::BuiltinCall& call) {
  for_lanes(call, [&](unsigned lane) {
    const auto address = call.argument<std::uint64_t>(lane, 0);
    const bool freed = address == 0 || call.services.release(address);
    finish(call, lane, freed ? cudaSuccess : cudaErrorInvalidValue);
  });
}

/// Answers a query: with f(lane), or with the error that f refuses with.
template <class F>
void answer(const isa::BuiltinCall& call, F f) {
  for_lanes(call, [&](unsigned lane) {
    cudaError_t result = cudaSuccess;
    try {
      result = f(lane);
    } catch (const Refusal& refusal) {
      result = refusal.code;
    }
    finish(call, lane, result);
  });
}

/// The kernel at an address of the calling program's code. Refuses other addresses.
const Kernel& kernel_at(const isa::BuiltinCall& call, std::uint64_t address) {
  const isa::Program& program = *call.warp.block->grid->program;
  const std::uint64_t index = (address - isa::kCodeWindow) / isa::kCodeStride;
  require(address >= isa::kCodeWindow && index < program.functions.size() &&
              program.functions[index].entry,
          cudaErrorInvalidDeviceFunction);
  Module* module = Runtime::registry().module_of(program);
  require(module != nullptr, cudaErrorInvalidDeviceFunction);
  return *module->kernel(program.functions[index].name);
}

/// cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
/// int threads, size_t dynamic_shared_bytes)
void occupancy(const isa::BuiltinCall& call) {
  answer(call, [&](unsigned lane) {
    const Kernel& kernel = kernel_at(call, call.argument<std::uint64_t>(lane, 1));
    const auto threads = call.argument<std::int32_t>(lane, 2);
    require(threads > 0, cudaErrorInvalidValue);
    return give(call, lane, 0,
                blocks_per_sm(Runtime::instance(), kernel, static_cast<unsigned>(threads),
                              call.argument<std::uint64_t>(lane, 3)));
  });
}

/// cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel). CUDA 11
/// has a shorter structure, up to the carveout; the rest is 0.
template <std::size_t bytes>
void get_function_attributes(const isa::BuiltinCall& call) {
  answer(call, [&](unsigned lane) {
    const Kernel& kernel = kernel_at(call, call.argument<std::uint64_t>(lane, 1));
    const cudaFuncAttributes found = attributes_of(Runtime::instance(), kernel);
    std::array<std::byte, bytes> part;
    std::memcpy(part.data(), &found, bytes);
    return give(call, lane, 0, part);
  });
}
constexpr std::size_t kBytesOfCuda11 =
    offsetof(cudaFuncAttributes, preferredShmemCarveout) + sizeof(int);

/// cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit)
void get_limit(const isa::BuiltinCall& call) {
  answer(call, [&](unsigned lane) {
    const std::uint64_t value = limit(Runtime::instance(), call.argument<std::int32_t>(lane, 1));
    return give(call, lane, 0, value);
  });
}

/// cudaDeviceGetCacheConfig and cudaDeviceGetSharedMemConfig: no preference, banks by default.
void get_preference(const isa::BuiltinCall& call) {
  static_assert(cudaFuncCachePreferNone == 0 && cudaSharedMemBankSizeDefault == 0);
  answer(call, [&](unsigned lane) { return give(call, lane, 0, 0); });
}

int runtime_version = 0;

void get_version(const isa::BuiltinCall& call) {
  answer(call, [&](unsigned lane) { return give(call, lane, 0, runtime_version); });
}

}  // namespace

void add_device_queries(isa::Loader& loader) {
  constexpr std::uint32_t kPointer = 8, kInt = 4;
  for (const std::string prefix : {"cuda", "__cudaCDP2"}) {
    loader.add(isa::Builtin{prefix + "GetErrorString", {kInt}, kPointer, get_error_text});
    loader.add(isa::Builtin{prefix + "GetErrorName", {kInt}, kPointer, get_error_name});
    loader.add(isa::Builtin{prefix + "GetDevice", {kPointer}, kInt, get_device});
    loader.add(isa::Builtin{prefix + "GetDeviceCount", {kPointer}, kInt, get_device_count});
    loader.add(
        isa::Builtin{prefix + "DeviceGetAttribute", {kPointer, kInt, kInt}, kInt, get_attribute});
    loader.add(isa::Builtin{prefix + "Malloc", {kPointer, 8}, kInt, allocate});
    loader.add(isa::Builtin{prefix + "Free", {kPointer}, kInt, release});
    loader.add(isa::Builtin{prefix + "DeviceGetLimit", {kPointer, kInt}, kInt, get_limit});
    loader.add(isa::Builtin{prefix + "DeviceGetCacheConfig", {kPointer}, kInt, get_preference});
    loader.add(isa::Builtin{prefix + "DeviceGetSharedMemConfig", {kPointer}, kInt, get_preference});
    loader.add(isa::Builtin{prefix + "RuntimeGetVersion", {kPointer}, kInt, get_version});
    const std::string blocks = prefix + "OccupancyMaxActiveBlocksPerMultiprocessor";
    loader.add(isa::Builtin{blocks, {kPointer, kPointer, kInt, 8}, kInt, occupancy});
    loader.add(
        isa::Builtin{blocks + "WithFlags", {kPointer, kPointer, kInt, 8, kInt}, kInt, occupancy});
  }
  loader.add(isa::Builtin{"cudaGraphSetConditional", {8, kInt}, 0, set_conditional});
  loader.add(isa::Builtin{"cudaFuncGetAttributes",
                          {kPointer, kPointer},
                          kInt,
                          get_function_attributes<kBytesOfCuda11>});
  loader.add(isa::Builtin{"__cudaCDP2FuncGetAttributes",
                          {kPointer, kPointer},
                          kInt,
                          get_function_attributes<sizeof(cudaFuncAttributes)>});
}

void tell_kernels_the_version(int version) { runtime_version = version; }
int version_of_runtime() { return runtime_version; }

}  // namespace raddle::cuda
