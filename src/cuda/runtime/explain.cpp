#include "cuda/runtime/explain.h"

#include <fmt/core.h>

#include "cuda/runtime/entry_name.h"
#include "memory/host_memory.h"
#include "memory/place.h"

namespace raddle::cuda {
namespace {

/// Whether the program called the driver API, whose functions have other names.
bool by_driver() { return !entry_name().starts_with("cuda") && entry_name().starts_with("cu"); }

const char* kind_name(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice:
      return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    case cudaMemcpyDefault:
      return "cudaMemcpyDefault";
  }
  return "no cudaMemcpyKind";
}

/// "101 bytes", "4 rows of 100 bytes", "2 slices of 4 rows of 100 bytes".
template <class Shape>
std::string shape_text(const Shape& work) {
  std::string text = fmt::format("{} bytes", work.width);
  if (work.height > 1 || work.depth > 1) text = fmt::format("{} rows of {}", work.height, text);
  if (work.depth > 1) text = fmt::format("{} slices of {}", work.depth, text);
  return text;
}

std::string address_text(const Place& place, bool rows) {
  const std::string text = fmt::format("{:#x}", reinterpret_cast<Address>(place.base));
  return rows ? fmt::format("{}, pitch {}", text, place.pitch) : text;
}

}  // namespace

std::string copy_text(const CopyWork& work) {
  const bool rows = work.height > 1 || work.depth > 1;
  const std::string text = fmt::format("copy of {} to {} from {}", shape_text(work),
                                       address_text(work.to, rows), address_text(work.from, rows));
  // The names of the driver API's functions tell the direction.
  return by_driver() ? text : fmt::format("{} ({})", text, kind_name(work.kind));
}

std::string fill_text(const FillWork& work) {
  return fmt::format("fill of {} at {}", shape_text(work),
                     address_text(work.to, work.height > 1 || work.depth > 1));
}

std::string pointer_text(Runtime& runtime, const void* pointer, std::uint64_t bytes) {
  const auto address = reinterpret_cast<Address>(pointer);
  if (address == 0) return "a null pointer";
  const memory::AddressSpace& space = runtime.space();
  if (space.find(address) == nullptr) {
    if (const auto host = space.host_program_at(address)) {
      return fmt::format("memory of the host program ({})", *host);
    }
  }
  return memory::place_text(space, address, bytes);
}

std::string access_text(const void* pointer, std::uint64_t bytes, bool write) {
  const auto address = reinterpret_cast<Address>(pointer);
  if (memory::host_may_access(address, bytes, write)) return "";
  const char* what = write ? "written" : "read";
  const auto host = memory::host_memory_at(address);
  if (!host) return fmt::format("the host program has no memory at {:#x}", address);
  return fmt::format("not all {} bytes at {:#x} of the host program ({}) can be {}", bytes, address,
                     *host, what);
}

std::string free_text(Runtime& runtime, const void* pointer, bool host) {
  const auto address = reinterpret_cast<Address>(pointer);
  const memory::Allocation* holder = runtime.space().find(address);
  const std::string start = fmt::format("free of {:#x}: ", address);
  if (holder == nullptr) return start + pointer_text(runtime, pointer, 1);
  const std::string what = memory::allocation_text(*holder);
  if (holder->freed) return fmt::format("{}it was freed before: {}", start, what);
  if (holder->base != address) {
    return fmt::format("{}that is byte {} of {}, and only its start can be freed", start,
                       address - holder->base, what);
  }
  const bool registered = holder->kind == memory::Kind::host && holder->taken == 0;
  const bool pinned = holder->kind == memory::Kind::host;
  const char* instead = registered ? (by_driver() ? "cuMemHostUnregister" : "cudaHostUnregister")
                                   : (by_driver() ? "cuMemFreeHost" : "cudaFreeHost");
  const std::string use = pinned ? fmt::format(" (use {})", instead) : "";
  return fmt::format("{}{} cannot be freed by {}{}", start, what,
                     host     ? "a call that frees host memory"
                     : pinned ? "a call that frees device memory"
                              : "this call",
                     use);
}

bool is_probe(std::string_view entry) {
  for (const std::string_view word : {"Get", "Query", "Peek", "FuncSetAttribute", "Occupancy",
                                      "Can", "Info", "Pointer", "Choose"}) {
    if (entry.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace raddle::cuda
