#include "cuda/runtime/work.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/device_queries.h"
#include "cuda/runtime/explain.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/graph_memory.h"
#include "cuda/runtime/host_functions.h"
#include "cuda/runtime/pools.h"
#include "cuda/runtime/unsupported.h"
#include "isa/kernel_name.h"
#include "machine/chip_config.h"
#include "machine/host_config.h"
#include "memory/copy_in_parts.h"
#include "memory/host_memory.h"
#include "memory/place.h"

namespace raddle::cuda {

namespace {

/// Bytes from the first one to the end of the last row. Refuses with cudaErrorInvalidValue a span
/// that does not fit the address space.
std::size_t span_bytes(const Place& place, std::size_t width, std::size_t height,
                       std::size_t depth) {
  if (width == 0 || height == 0 || depth == 0) return 0;
  std::size_t rows = 0, bytes = 0;
  const bool too_large = __builtin_mul_overflow(depth - 1, place.slice_rows, &rows) ||
                         __builtin_add_overflow(rows, height - 1, &rows) ||
                         __builtin_mul_overflow(rows, place.pitch, &bytes) ||
                         __builtin_add_overflow(bytes, width, &bytes);
  require(!too_large, cudaErrorInvalidValue, "its shape does not fit the address space");
  return bytes;
}

/// Where the values of simulated or host memory are in the host.
struct Side {
  std::byte* values = nullptr;
  bool known = false;       // an allocation of ours, else pageable host memory
  bool on_device = false;   // device memory proper
  bool registered = false;  // memory of the host program, which may have been freed
};

/// `wrong` is "" if the memory can be used; else it says what is wrong.
struct Found {
  Side side;
  std::string wrong;
};

Found look_up(Runtime& runtime, const Place& place, std::size_t bytes) {
  if (place.base == nullptr) return {{}, "a null pointer"};
  const auto address = reinterpret_cast<Address>(place.base);
  const memory::Allocation* allocation = runtime.space().find(address);
  const Found pageable{{static_cast<std::byte*>(place.base), false, false, false}, ""};
  // Memory that a graph allocates has values only while the graph runs.
  const bool absent = allocation == nullptr || allocation->freed;
  const auto of_graph = absent ? find_graph_allocation(place.base) : nullptr;
  if (of_graph != nullptr) {
    require(bytes <= of_graph->bytes_from(address), cudaErrorInvalidValue,
            fmt::format("{} bytes at {} reach beyond memory that a graph allocates", bytes,
                        place.base));
    return {{nullptr, true, true, false}, ""};
  }
  if (allocation == nullptr) {
    return memory::is_simulated(address) ? Found{{}, pointer_text(runtime, place.base, bytes)}
                                         : pageable;
  }
  std::byte* values = runtime.space().values(address, bytes);
  const bool host = allocation->kind == memory::Kind::host;
  // Perhaps only a part of the bytes is registered.
  const bool registered = allocation->registered() && !allocation->freed;
  if (values == nullptr && registered) return pageable;
  if (values == nullptr) return {{}, pointer_text(runtime, place.base, bytes)};
  return {{values, true, !host && allocation->kind != memory::Kind::managed, registered}, ""};
}

/// Whether the two sides match `kind`; managed and pinned memory count as either side.
bool direction_fits(cudaMemcpyKind kind, const Side& to, const Side& from) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return !to.on_device && !from.on_device;
    case cudaMemcpyHostToDevice:
      return to.known && !from.on_device;
    case cudaMemcpyDeviceToHost:
      return !to.on_device && from.known;
    case cudaMemcpyDeviceToDevice:
      return to.known && from.known;
    case cudaMemcpyDefault:
      return true;
  }
  return false;
}

struct Resolved {
  Side to, from;
};

Resolved resolve(Runtime& runtime, const CopyWork& work) {
  if (work.kind < cudaMemcpyHostToHost || work.kind > cudaMemcpyDefault) {
    refuse(cudaErrorInvalidMemcpyDirection, copy_text(work));
  }
  const bool rows = work.height > 1 || work.depth > 1;
  if (rows && (work.to.pitch < work.width || work.from.pitch < work.width)) {
    refuse(cudaErrorInvalidPitchValue, copy_text(work) + ": a row is longer than the pitch");
  }
  const std::size_t to_bytes = span_bytes(work.to, work.width, work.height, work.depth);
  const std::size_t from_bytes = span_bytes(work.from, work.width, work.height, work.depth);
  const auto [to, to_wrong] = look_up(runtime, work.to, to_bytes);
  const auto [from, from_wrong] = look_up(runtime, work.from, from_bytes);
  const bool fits = direction_fits(work.kind, to, from);
  if (fits && to_wrong.empty() && from_wrong.empty()) return {to, from};
  std::string why = copy_text(work);
  if (!to_wrong.empty()) why += "\n  target: " + to_wrong;
  if (!from_wrong.empty()) why += "\n  source: " + from_wrong;
  if (to_wrong.empty() && from_wrong.empty()) {
    why += "\n  target: " + pointer_text(runtime, work.to.base, to_bytes);
    why += "\n  source: " + pointer_text(runtime, work.from.base, from_bytes);
  }
  refuse(cudaErrorInvalidValue, std::move(why));
}

/// The bytes to copy or fill, for costs and for empty work.
template <class Shape>
double bytes_of(const Shape& work) {
  return static_cast<double>(work.width) * static_cast<double>(work.height) *
         static_cast<double>(work.depth);
}
template <class Shape>
bool empty(const Shape& work) {
  return work.width == 0 || work.height == 0 || work.depth == 0;
}

/// Like memmove, but returns false when `checked` memory is absent.
bool copy_row(std::byte* to, const std::byte* from, std::size_t bytes, bool checked,
              unsigned threads) {
  const bool apart = to + bytes <= from || from + bytes <= to;
  return memory::copy_in_parts(
      bytes, apart ? threads : 1, [=](std::size_t offset, std::size_t part) {
        if (checked) return memory::copy_if_accessible(to + offset, from + offset, part);
        std::memmove(to + offset, from + offset, part);
        return true;
      });
}

/// `checked`: one of the sides is memory that CUDA does not know and that may be absent; the result
/// is false when it is. `threads`: threads of the host, for long rows.
bool copy_values(const CopyWork& work, std::byte* to, const std::byte* from, bool checked,
                 unsigned threads) {
  bool copied = true;
  for (std::size_t z = 0; z < work.depth; ++z) {
    for (std::size_t y = 0; y < work.height; ++y) {
      std::byte* to_row = to + (z * work.to.slice_rows + y) * work.to.pitch;
      const std::byte* from_row = from + (z * work.from.slice_rows + y) * work.from.pitch;
      copied = copied && copy_row(to_row, from_row, work.width, checked, threads);
    }
  }
  return copied;
}

constexpr const char* kTarget = "target";

/// Why a copy could not be carried out.
std::string broken_copy_text(Runtime& runtime, const CopyWork& work, const Resolved& sides) {
  std::string why = copy_text(work);
  const std::size_t to_bytes = span_bytes(work.to, work.width, work.height, work.depth);
  const std::size_t from_bytes = span_bytes(work.from, work.width, work.height, work.depth);
  const auto add = [&](const char* which, const Side& side, const void* base, std::size_t bytes) {
    const std::string text = access_text(base, bytes, which == kTarget);
    if ((side.known && !side.registered) || text.empty()) return;
    why += fmt::format("\n  {}: {}", which, text);
    if (side.registered) why += ": it was registered, " + pointer_text(runtime, base, bytes);
  };
  add(kTarget, sides.to, work.to.base, to_bytes);
  add("source", sides.from, work.from.base, from_bytes);
  return why;
}

void fill_values(const FillWork& work, std::byte* to) {
  for (std::size_t z = 0; z < work.depth; ++z) {
    for (std::size_t y = 0; y < work.height; ++y) {
      std::byte* row = to + (z * work.to.slice_rows + y) * work.to.pitch;
      if (work.element == 1) {
        std::memset(row, static_cast<int>(work.value), work.width);
        continue;
      }
      for (std::size_t x = 0; x + work.element <= work.width; x += work.element) {
        std::memcpy(row + x, &work.value, work.element);
      }
    }
  }
}

std::byte* resolve(Runtime& runtime, const FillWork& work) {
  require(work.element == 1 || work.element == 2 || work.element == 4, cudaErrorInvalidValue);
  if ((work.height > 1 || work.depth > 1) && work.to.pitch < work.width) {
    refuse(cudaErrorInvalidPitchValue, fill_text(work) + ": a row is longer than the pitch");
  }
  const std::size_t bytes = span_bytes(work.to, work.width, work.height, work.depth);
  const auto [side, wrong] = look_up(runtime, work.to, bytes);
  std::string gone = side.registered ? access_text(work.to.base, bytes, true) : "";
  require(gone.empty(), cudaErrorInvalidValue,
          fmt::format("{}\n  target: {}: it was registered, {}", fill_text(work), gone,
                      pointer_text(runtime, work.to.base, bytes)));
  if (side.known && wrong.empty()) return side.values;
  refuse(cudaErrorInvalidValue,
         fill_text(work) +
             "\n  target: " + (wrong.empty() ? pointer_text(runtime, work.to.base, bytes) : wrong));
}

machine::Launch launch_of(const KernelWork& work) {
  machine::Launch launch;
  launch.program = &work.kernel->module->program_loaded();
  launch.kernel = work.kernel->function;
  launch.grid = work.grid;
  launch.block = work.block;
  launch.dynamic_shared_bytes = work.dynamic_shared_bytes;
  launch.parameters = work.parameters;
  launch.cooperative = work.cooperative;
  return launch;
}

/// The runtime of CUDA 13 passes the driver's code on (NVIDIA H200, CUDA 13.0); earlier ones have
/// separate codes for sizes and bounds.
cudaError_t code_of(machine::LaunchError::Kind kind) {
  using Kind = machine::LaunchError::Kind;
  const bool as_driver = version_of_runtime() >= 13000;
  switch (kind) {
    case Kind::none:
      return cudaSuccess;
    case Kind::configuration:
      return as_driver ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
    case Kind::launch_bounds:
      return as_driver ? cudaErrorInvalidValue : cudaErrorLaunchOutOfResources;
    case Kind::shared_limit:
      return cudaErrorInvalidValue;
    case Kind::resources:
      return cudaErrorLaunchOutOfResources;
    case Kind::cooperative_size:
      return cudaErrorCooperativeLaunchTooLarge;
    case Kind::unsupported:
      return cudaErrorNotSupported;
  }
  return cudaErrorUnknown;
}

void check_kernel(Runtime& runtime, const KernelWork& work) {
  const machine::LaunchError error = runtime.device().gpu().launch_error(launch_of(work));
  if (!error) return;
  if (error.kind == machine::LaunchError::Kind::unsupported) {
    refuse_launch(runtime, *work.kernel, error.text);
  }
  const auto size = [](const Dim3& d) { return fmt::format("({},{},{})", d.x, d.y, d.z); };
  refuse(code_of(error.kind),
         fmt::format("kernel {} cannot be launched: {}\n  grid {}, block {}, {} bytes of dynamic "
                     "shared memory",
                     isa::kernel_name(work.kernel->name), error.text, size(work.grid),
                     size(work.block), work.dynamic_shared_bytes));
}

Command kernel_command(const KernelWork& work) {
  Command command;
  command.engine = Engine::sms;
  command.launch = launch_of(work);
  return command;
}

/// GB/s over the bus. A copy of pageable memory goes through a pinned buffer, piece by piece.
double bus_speed(double pinned, bool is_pinned, double pageable) {
  return is_pinned ? pinned : std::min(pinned, pageable);
}

Command copy_command(Runtime& runtime, const CopyWork& work) {
  const auto& costs = runtime.device().costs();
  const Resolved sides = resolve(runtime, work);
  require(sides.to.values != nullptr && sides.from.values != nullptr, cudaErrorInvalidValue,
          "memory of a graph is used while no launch has allocated it");
  const double bytes = bytes_of(work);
  Command command;
  if (sides.to.on_device == sides.from.on_device) {
    command.engine = sides.to.known ? Engine::on_device : Engine::none;
    command.duration = costs.device_latency + bytes / costs.device_copy;
  } else {
    const double latency = costs.pcie_latency, setup = std::min(latency, +costs.copy_setup);
    const double bandwidth =
        sides.to.on_device
            ? bus_speed(costs.pcie_to_device, sides.from.known, costs.pageable_to_device)
            : bus_speed(costs.pcie_to_host, sides.to.known, costs.pageable_to_host);
    command.engine = sides.to.on_device ? Engine::to_device : Engine::to_host;
    command.lead = latency - setup;
    command.duration = setup + bytes / bandwidth;
  }
  if (command.engine == Engine::none) command.engine = Engine::on_device;
  command.name = work.height * work.depth > 1 ? "copy of rows" : "copy";
  command.bytes = static_cast<std::uint64_t>(bytes);
  const auto may_be_gone = [](const Side& side) { return !side.known || side.registered; };
  const bool checked = may_be_gone(sides.to) || may_be_gone(sides.from);
  const unsigned threads = runtime.config().gpu.threads;
  command.action = [&runtime, work, sides, checked, threads, done = command.completion.get()] {
    if (copy_values(work, sides.to.values, sides.from.values, checked, threads)) return;
    const std::string why = broken_copy_text(runtime, work, sides);
    const bool by_host = !sides.to.known || !sides.from.known;
    // A wrong access that the device makes by itself is a fault.
    if (by_host) done->failure = why;
    if (!by_host) runtime.device().fail(isa::Fault::Kind::out_of_bounds, why);
  };
  return command;
}

Command fill_command(Runtime& runtime, const FillWork& work) {
  const auto& costs = runtime.device().costs();
  std::byte* to = resolve(runtime, work);
  require(to != nullptr, cudaErrorInvalidValue,
          "memory of a graph is used while no launch has allocated it");
  Command command;
  command.engine = Engine::on_device;
  command.duration = costs.device_latency + bytes_of(work) / costs.memset_bandwidth;
  command.name = "fill";
  command.bytes = static_cast<std::uint64_t>(bytes_of(work));
  command.action = [work, to] { fill_values(work, to); };
  return command;
}

}  // namespace

void check(Runtime& runtime, const Work& work) {
  if (const auto* kernel = std::get_if<KernelWork>(&work)) check_kernel(runtime, *kernel);
  if (const auto* one = std::get_if<CopyWork>(&work); one != nullptr && !empty(*one)) {
    resolve(runtime, *one);
  }
  if (const auto* one = std::get_if<FillWork>(&work); one != nullptr && !empty(*one)) {
    resolve(runtime, *one);
  }
}

Command make_command(Runtime& runtime, const Work& work) {
  Command command;
  if (const auto* kernel = std::get_if<KernelWork>(&work)) return kernel_command(*kernel);
  if (const auto* one = std::get_if<CopyWork>(&work)) {
    return empty(*one) ? command : copy_command(runtime, *one);
  }
  if (const auto* one = std::get_if<FillWork>(&work)) {
    return empty(*one) ? command : fill_command(runtime, *one);
  }
  if (const auto* host = std::get_if<HostWork>(&work)) {
    command.action = [function = host->function, data = host->data] {
      run_host_function([&] { function(data); });
    };
  } else if (const auto* record = std::get_if<RecordWork>(&work)) {
    record->event->point = command.completion;
    record->event->capture = nullptr;
  } else if (const auto* wait = std::get_if<WaitWork>(&work)) {
    if (wait->event->point) command.after.push_back(wait->event->point);
  } else if (const auto* free = std::get_if<FreeWork>(&work)) {
    const std::shared_ptr<GraphAllocation> of_graph = find_graph_allocation(free->address);
    const auto address = reinterpret_cast<Address>(free->address);
    command.action = [&runtime, of_graph, address] {
      if (of_graph != nullptr) {
        of_graph->release(runtime);
      } else if (runtime.space().free(address) == memory::AddressSpace::FreeResult::freed) {
        freed_in_order(address);
      } else {
        runtime.tell_mistake("free", free_text(runtime, reinterpret_cast<void*>(address), false));
      }
    };
  }
  return command;
}

CompletionPtr issue(Runtime& runtime, Stream& stream, const Work& work) {
  forbid_implicit_capture(runtime, stream);
  check(runtime, work);
  if (stream.capture != nullptr || joins_capture(stream, work)) {
    capture(runtime, stream, work);
    return nullptr;
  }
  Command command = make_command(runtime, work);
  if (command.engine == Engine::sms) {
    command.launch.stream = stream.id;
    command.launch.priority = std::get<KernelWork>(work).priority.value_or(stream.priority);
  }
  return runtime.device().submit(stream, std::move(command));
}

bool pageable(Runtime& runtime, const void* address) {
  const memory::Allocation* allocation = runtime.space().find(reinterpret_cast<Address>(address));
  return allocation == nullptr || allocation->freed;
}

namespace {

/// Spends the host time of moving the data into a pinned buffer.
void spend_staging(Runtime& runtime, const CopyWork& work) {
  runtime.device().spend(bytes_of(work) / runtime.device().costs().pageable_to_device);
}

/// Copies from pageable memory, which the program may change as soon as the call returns.
void copy_staged(Runtime& runtime, Stream& stream, const CopyWork& work, const Resolved& sides) {
  const std::size_t span = span_bytes(work.from, work.width, work.height, work.depth);
  auto staged = std::make_shared<std::vector<std::byte>>(span);
  const unsigned threads = runtime.config().gpu.threads;
  if (!copy_row(staged->data(), sides.from.values, span, true, threads)) {
    refuse(cudaErrorInvalidValue, broken_copy_text(runtime, work, sides));
  }
  Command command = make_command(runtime, work);
  command.action = [work, staged, threads, to = sides.to.values] {
    copy_values(work, to, staged->data(), false, threads);
  };
  runtime.device().submit(stream, std::move(command));
  if (sides.to.on_device) spend_staging(runtime, work);
}

/// A small copy from pageable memory: the host does not wait after the values have left the
/// program's memory. False when the copy is large or follows other work. Kernels that are launched
/// later see the values, even in streams that do not wait for this one.
bool copy_small(Runtime& runtime, Stream& stream, const CopyWork& work) {
  Device& device = runtime.device();
  if (bytes_of(work) > device.costs().staged_bytes || !device.finished(stream)) return false;
  const CompletionPtr end = issue(runtime, stream, work);
  const bool started = stream.running && stream.waiting.front().completion == end;
  if (started) {
    std::exchange(stream.waiting.front().action, {})();
    spend_staging(runtime, work);
  } else {
    device.wait_for(end);
  }
  device.flush_printed();
  if (!end->failure.empty()) refuse(cudaErrorInvalidValue, end->failure);
  return true;
}

}  // namespace

void copy(Runtime& runtime, Stream& stream, const CopyWork& work, bool async) {
  if (stream.capture != nullptr) {
    if (!async) forbid_while_captured(stream);
    issue(runtime, stream, work);
    return;
  }
  forbid_implicit_capture(runtime, stream);
  check(runtime, work);
  if (empty(work)) return;
  const Resolved sides = resolve(runtime, work);
  if (!sides.from.known && sides.to.known) {
    if (async) return copy_staged(runtime, stream, work, sides);
    if (sides.to.on_device && copy_small(runtime, stream, work)) return;
  }
  const CompletionPtr end = issue(runtime, stream, work);
  const bool within_device = sides.to.on_device && sides.from.on_device;
  const bool wait = async ? !sides.to.known : !within_device;
  if (!wait) return;
  runtime.device().wait_for(end);
  runtime.device().flush_printed();
  if (!end->failure.empty()) refuse(cudaErrorInvalidValue, end->failure);
}

void fill(Runtime& runtime, Stream& stream, const FillWork& work) { issue(runtime, stream, work); }

cudaError_t synchronize(Runtime& runtime, Stream& stream) {
  forbid_while_captured(stream);
  forbid_implicit_capture(runtime, stream);
  Device& device = runtime.device();
  const bool reached = device.wait_for(stream);
  device.spend(device.costs().synchronize_call);
  device.flush_printed();
  if (const cudaError_t failed = runtime.sticky(); failed != cudaSuccess) return failed;
  return reached ? cudaSuccess : cudaErrorLaunchFailure;
}

cudaError_t synchronize_all(Runtime& runtime) {
  Device& device = runtime.device();
  const bool reached = device.wait_for_all();
  device.spend(device.costs().synchronize_call);
  device.flush_printed();
  if (const cudaError_t failed = runtime.sticky(); failed != cudaSuccess) return failed;
  return reached ? cudaSuccess : cudaErrorLaunchFailure;
}

cudaError_t use_shared_banks(Runtime& runtime, unsigned bytes) {
  if (runtime.device().wait_for_all()) runtime.set_shared_banks(bytes);
  return runtime.sticky();
}

}  // namespace raddle::cuda
