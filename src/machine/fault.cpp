#include "machine/fault.h"

#include <fmt/format.h>

#include "isa/kernel_name.h"

namespace raddle::machine {
namespace {

using Kind = isa::Fault::Kind;
using Space = isa::MemoryAccess::Space;
using Type = isa::MemoryAccess::Type;

const char* title(Kind kind) {
  switch (kind) {
    case Kind::none:
      break;
    case Kind::out_of_bounds:
      return "access out of bounds";
    case Kind::misaligned:
      return "misaligned access";
    case Kind::use_after_free:
      return "use of freed memory";
    case Kind::wrong_space:
      return "address in the wrong state space";
    case Kind::read_only:
      return "write to read-only memory";
    case Kind::bad_handle:
      return "handle that is no texture, sampler or surface (or not the one asked for)";
    case Kind::unbound_handle:
      return "texture or surface reference to which nothing is bound";
    case Kind::outside_surface:
      return "surface access out of bounds";
    case Kind::null_function:
      return "call of an address that is no function";
    case Kind::trap:
      return "trap instruction";
    case Kind::assertion:
      return "assertion failed";
    case Kind::illegal_instruction:
      return "illegal instruction";
    case Kind::stack_overflow:
      return "stack overflow";
    case Kind::missing_lanes:
      return "matrix instruction without all lanes of its warp";
    case Kind::deadlock:
      return "deadlock";
  }
  return "fault";
}

const char* name(Space space) {
  switch (space) {
    case Space::none:
      break;
    case Space::global:
      return "global";
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::constant:
      return "constant";
    case Space::parameter:
      return "parameter";
    case Space::texture:
      return "texture";
  }
  return "generic";
}

const char* name(Type type) {
  switch (type) {
    case Type::load:
      return "load from";
    case Type::store:
      return "store to";
    case Type::atomic:
    case Type::reduction:
      return "atomic operation on";
    case Type::prefetch:
      break;
  }
  return "prefetch of";
}

bool has_address(Kind kind) {
  return kind == Kind::out_of_bounds || kind == Kind::misaligned || kind == Kind::use_after_free ||
         kind == Kind::wrong_space || kind == Kind::read_only || kind == Kind::bad_handle ||
         kind == Kind::unbound_handle || kind == Kind::outside_surface;
}

std::string window_text(Address address, const FaultSite& site) {
  if (address >= memory::kSharedWindow && address < memory::kLocalWindow) {
    return fmt::format("byte {} of shared memory; the block has {} bytes",
                       address - memory::kSharedWindow, site.shared_bytes);
  }
  if (address >= memory::kLocalWindow && address < memory::kParamWindow) {
    return fmt::format("byte {} of local memory; the thread has {} bytes",
                       address - memory::kLocalWindow, site.local_bytes);
  }
  if (address >= memory::kParamWindow && address < memory::kParamWindow + memory::kWindowSpan) {
    return fmt::format("byte {} of parameter memory", address - memory::kParamWindow);
  }
  return "";
}

/// Where the address lies: "17 bytes past the end of 'd_out' (device, 4096 bytes at 0x...)".
std::string place_text(const isa::Fault& fault, const FaultSite& site,
                       const memory::AddressSpace& space) {
  if (fault.space == Space::shared && fault.address < memory::kSharedWindow) {
    return fmt::format("the block has {} bytes of shared memory", site.shared_bytes);
  }
  if (fault.space == Space::local && fault.address < memory::kLocalWindow) {
    return fmt::format("the thread has {} bytes of local memory", site.local_bytes);
  }
  if (std::string window = window_text(fault.address, site); !window.empty()) return window;
  const memory::Allocation* near = space.find(fault.address);
  if (near == nullptr || near->kind == memory::Kind::parameters) {
    near = space.nearest(fault.address);
  }
  if (near == nullptr) return "nothing is allocated";
  const std::string what =
      fmt::format("'{}' ({}{}, {} bytes at {:#x})", near->name, near->freed ? "freed, " : "",
                  memory::name(near->kind), near->size, near->base);
  if (fault.address < near->base) {
    return fmt::format("{} bytes before the start of {}", near->base - fault.address, what);
  }
  const std::uint64_t offset = fault.address - near->base;
  if (offset < near->size) return fmt::format("byte {} of {}", offset, what);
  return fmt::format("{} bytes past the end of {}", offset - near->size, what);
}

}  // namespace

std::string index_text(const Dim3& index) {
  return fmt::format("({},{},{})", index.x, index.y, index.z);
}

std::string thread_text(std::uint32_t thread, const Dim3& block_size) {
  return index_text({thread % block_size.x, thread / block_size.x % block_size.y,
                     thread / block_size.x / block_size.y});
}

std::string fault_text(const isa::Fault& fault, const FaultSite& site,
                       const memory::AddressSpace& space) {
  std::string text = title(fault.kind);
  if (has_address(fault.kind)) {
    text += fmt::format(": {}-byte {} {} address {:#x}", fault.bytes, name(fault.type),
                        name(fault.space), fault.address);
  }
  text += fmt::format("\n  in kernel {} at {}: {}", isa::kernel_name(site.kernel),
                      site.program->source_of(site.code), site.program->info[site.code].text);
  text += fmt::format("\n  by block {}, thread {}", index_text(site.block),
                      thread_text(site.thread, site.block_size));
  if (has_address(fault.kind)) text += "\n  " + place_text(fault, site, space);
  if (fault.kind == Kind::missing_lanes) {
    text += fmt::format(
        "\n  lanes {:#010x} of the warp executed it; all 32 must: "
        "no guard, branch, exit or smaller block may keep one away",
        fault.address);
  }
  if (fault.kind == Kind::stack_overflow) {
    const isa::Program& program = *site.program;
    text += fmt::format(
        "\n  in {}: the thread's {} bytes of local memory are used up; "
        "cudaDeviceSetLimit(cudaLimitStackSize, ...) gives recursive kernels more",
        isa::kernel_name(program.functions[program.code[site.code].function].name),
        site.local_bytes);
  }
  return text;
}

}  // namespace raddle::machine
