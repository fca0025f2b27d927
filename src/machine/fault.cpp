#include "machine/fault.h"

#include <fmt/core.h>

#include "isa/kernel_name.h"
#include "machine/occupancy.h"
#include "memory/place.h"

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
    case Kind::bad_free:
      return "free of an address that malloc in a kernel did not return";
    case Kind::bad_handle:
      return "handle that is not a texture, sampler or surface (or not of the required kind)";
    case Kind::unbound_handle:
      return "texture or surface reference to which nothing is bound";
    case Kind::outside_surface:
      return "surface access out of bounds";
    case Kind::refused_function:
      return "call of a function that cannot run";
    case Kind::null_function:
      return "call of an address that is not a function";
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
    case Kind::exception:
      return "exception";
    case Kind::deadlock:
      return "deadlock";
    case Kind::machine:
      return "error of the simulated machine";
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
         kind == Kind::wrong_space || kind == Kind::read_only || kind == Kind::bad_free ||
         kind == Kind::bad_handle || kind == Kind::unbound_handle || kind == Kind::outside_surface;
}

/// "byte 400 of shared memory; the block has 400 bytes". Offsets have 32 or 64 bits; negative
/// offsets arrive as very large ones.
std::string offset_text(Address offset, const char* memory, const char* owner, std::uint32_t size) {
  constexpr Address kBelow = 1u << 24;
  const Address before = offset > memory::kWindowSpan ? 0 - offset : memory::kWindowSpan - offset;
  const std::string place = before <= kBelow ? fmt::format("{} bytes before the start of", before)
                                             : fmt::format("byte {} of", offset);
  return fmt::format("{} {} memory; the {} has {} bytes", place, memory, owner, size);
}

std::string shared_text(Address offset, const FaultSite& site) {
  return offset_text(offset - site.shared_begin, "shared", "block", site.shared_bytes);
}

std::string local_text(Address offset, const FaultSite& site) {
  return offset_text(offset, "local", "thread", site.local_end);
}

std::string window_text(Address address, const FaultSite& site) {
  if (address >= memory::kSharedWindow && address < memory::kLocalWindow) {
    return shared_text(address - memory::kSharedWindow, site);
  }
  if (address >= memory::kLocalWindow && address < memory::kParamWindow) {
    return local_text(address - memory::kLocalWindow, site);
  }
  if (address >= memory::kParamWindow && address < memory::kParamWindow + memory::kWindowSpan) {
    return fmt::format("byte {} of parameter memory", address - memory::kParamWindow);
  }
  return "";
}

/// Where the address lies: "17 bytes past the end of 'd_out' (device, 4096 bytes at 0x...)".
std::string place_text(const isa::Fault& fault, const FaultSite& site,
                       const memory::AddressSpace& space) {
  // If the named space has no allocation near the address, it may be an address of another space.
  const bool far = fault.kind == Kind::wrong_space;
  if (fault.space == Space::shared && !far) return shared_text(fault.address, site);
  if (fault.space == Space::local && !far) return local_text(fault.address, site);
  if (std::string window = window_text(fault.address, site); !window.empty()) return window;
  const bool known =
      space.find(fault.address) != nullptr || space.host_program_at(fault.address).has_value();
  if (!known && fault.space == Space::shared) return shared_text(fault.address, site);
  if (!known && fault.space == Space::local) return local_text(fault.address, site);
  return memory::place_text(space, fault.address, fault.bytes);
}

/// "f: ptx:12:3: 'wgmma...': not supported"
std::string refused_text(const isa::Program& program, Address address) {
  const isa::Function& function =
      program.functions[(address - isa::kCodeWindow) / isa::kCodeStride];
  return fmt::format("{}: {}", isa::kernel_name(function.name), lack_of(function));
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
  if (fault.text != nullptr) text += fmt::format(": {}", fault.text);
  if (fault.kind == Kind::bad_free) {
    text += fmt::format(": address {:#x}", fault.address);
  } else if (fault.kind == Kind::refused_function) {
    text += ": " + refused_text(*site.program, fault.address);
  } else if (has_address(fault.kind)) {
    text += fmt::format(": {}-byte {} {} address {:#x}", fault.bytes, name(fault.type),
                        name(fault.space), fault.address);
  }
  const isa::SourceLine line = site.program->line_of(site.code);
  text += fmt::format("\n  in kernel {} at {}:{}: {}", isa::kernel_name(site.kernel), line.file,
                      line.line, site.program->info[site.code].text);
  for (const isa::SourceLine& call : site.program->inlined_at(site.code)) {
    text += fmt::format("\n    inlined at {}:{}", call.file, call.line);
  }
  text += fmt::format("\n  by block {}, thread {}", index_text(site.block),
                      thread_text(site.thread, site.block_size));
  if (has_address(fault.kind)) text += "\n  " + place_text(fault, site, space);
  if (fault.kind == Kind::missing_lanes) {
    text += fmt::format(
        "\n  lanes {:#010x} of the warp executed it; all 32 must: "
        "no predicate, branch, exit or partial warp may exclude one",
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
