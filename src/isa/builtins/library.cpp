#include "isa/builtins/library.h"

#include <fmt/core.h>

#include <bit>

#include "isa/block_context.h"
#include "isa/builtins/printf_format.h"

namespace raddle::isa {
namespace {

template <class F>
void for_lanes(LaneMask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

/// The space of a call in the buffer: a head and the address of the format, eight bytes for each
/// argument, and the texts to which arguments point, in words. (Assumed: NVIDIA does not document
/// it.)
std::size_t buffer_bytes(int arguments, std::size_t texts) {
  constexpr std::size_t kWord = 8;
  return (2 + static_cast<std::size_t>(arguments)) * kWord + (texts + kWord - 1) / kWord * kWord;
}

/// int vprintf(const char* format, void* arguments)
void print(const BuiltinCall& call) {
  // 32 arguments of at most 8 bytes.
  constexpr std::size_t kMostBytes = 32 * 8;
  for_lanes(call.lanes, [&](unsigned l) {
    const std::string format = call.text(l, call.argument<std::uint64_t>(l, 0));
    const auto buffer = call.bytes(l, call.argument<std::uint64_t>(l, 1), kMostBytes);
    std::size_t texts = 0;
    const auto text_at = [&](std::uint64_t address) {
      std::string text = address == 0 ? std::string("(null)") : call.text(l, address);
      texts += text.size() + 1;
      return text;
    };
    const std::string printed = format_printf(format, buffer, text_at);
    // CUDA's printf returns the number of arguments, and the format shows how many there are.
    int arguments = 0;
    for (std::size_t at = 0; at + 1 < format.size(); ++at) {
      if (format[at] != '%') continue;
      if (format[at + 1] == '%') {
        ++at;
      } else {
        ++arguments;
      }
    }
    call.services.printed().add(printed, buffer_bytes(arguments, texts));
    call.set_result(l, arguments);
  });
}

void allocate(const BuiltinCall& call) {
  for_lanes(call.lanes, [&](unsigned l) {
    call.set_result(l, call.services.allocate(call.argument<std::uint64_t>(l, 0)));
  });
}

void release(const BuiltinCall& call) {
  for_lanes(call.lanes, [&](unsigned l) {
    const auto address = call.argument<std::uint64_t>(l, 0);
    if (address == 0 || call.services.release(address)) return;
    Fault fault;
    fault.kind = Fault::Kind::bad_free;
    fault.lane = static_cast<std::uint8_t>(l);
    fault.address = address;
    call.fail(fault);
  });
}

/// void __assertfail(const char* message, const char* file, unsigned line, const char* function,
/// size_t character_size)
void assertion_failed(const BuiltinCall& call) {
  const BlockContext& block = *call.warp.block;
  const Dim3& size = block.grid->block;
  for_lanes(call.lanes, [&](unsigned l) {
    const std::uint32_t thread = call.warp.warp_in_block * kWarpSize + l;
    const std::string text = fmt::format(
        "{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n",
        call.text(l, call.argument<std::uint64_t>(l, 1)), call.argument<std::uint32_t>(l, 2),
        call.text(l, call.argument<std::uint64_t>(l, 3)), block.index.x, block.index.y,
        block.index.z, thread % size.x, thread / size.x % size.y, thread / size.x / size.y,
        call.text(l, call.argument<std::uint64_t>(l, 0)));
    call.services.printed().add(text, text.size());
  });
}

void copy_memory(const BuiltinCall& call) {
  for_lanes(call.lanes, [&](unsigned l) {
    const auto to = call.argument<std::uint64_t>(l, 0), from = call.argument<std::uint64_t>(l, 1);
    const auto count = call.argument<std::uint64_t>(l, 2);
    call.set_result(l, to);
    if (count == 0) return;
    std::byte* target = call.access(l, to, count, MemoryAccess::Type::store);
    const std::byte* source = call.access(l, from, count, MemoryAccess::Type::load);
    if (target != nullptr && source != nullptr) std::memmove(target, source, count);
  });
}

void set_memory(const BuiltinCall& call) {
  for_lanes(call.lanes, [&](unsigned l) {
    const auto to = call.argument<std::uint64_t>(l, 0);
    const auto count = call.argument<std::uint64_t>(l, 2);
    call.set_result(l, to);
    if (count == 0) return;
    if (std::byte* target = call.access(l, to, count, MemoryAccess::Type::store)) {
      std::memset(target, static_cast<int>(call.argument<std::uint32_t>(l, 1)), count);
    }
  });
}

// grid.sync(): block 0 adds 2^31 less the number of other blocks, and each other block adds 1. All
// wait until the top bit changes, so the counter needs no reset.
constexpr std::string_view kGridSync = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .func __raddle_grid_sync()
{
  .reg .pred %p<4>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<4>;
  mov.u32 %r0, %envreg1;
  mov.u32 %r1, %envreg2;
  mov.b64 %rd0, {%r1, %r0};
  setp.ne.u64 %p0, %rd0, 0;
  @%p0 bra $workspace;
  trap;
$workspace:
  barrier.sync 0;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %tid.y;
  mov.u32 %r4, %tid.z;
  or.b32 %r2, %r2, %r3;
  or.b32 %r2, %r2, %r4;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra $met;
  mov.u32 %r5, %nctaid.x;
  mov.u32 %r6, %nctaid.y;
  mul.lo.u32 %r5, %r5, %r6;
  mov.u32 %r6, %nctaid.z;
  mul.lo.u32 %r5, %r5, %r6;
  mov.u32 %r7, %ctaid.x;
  mov.u32 %r8, %ctaid.y;
  or.b32 %r7, %r7, %r8;
  mov.u32 %r8, %ctaid.z;
  or.b32 %r7, %r7, %r8;
  setp.eq.u32 %p2, %r7, 0;
  sub.u32 %r9, 0x80000001, %r5;
  selp.b32 %r10, %r9, 1, %p2;
  atom.release.gpu.add.u32 %r11, [%rd0+4], %r10;
$wait:
  ld.acquire.gpu.u32 %r12, [%rd0+4];
  xor.b32 %r13, %r12, %r11;
  setp.ge.s32 %p3, %r13, 0;
  @%p3 bra $wait;
$met:
  barrier.sync 0;
  ret;
}
)";

// The entry in the tables of abstract classes where there is no function (Itanium C++ ABI, 3.2.6).
constexpr std::string_view kPureVirtual = R"(
.version 6.0
.target sm_30
.address_size 64
.visible .func __cxa_pure_virtual()
{
  trap;
  ret;
}
)";

}  // namespace

std::vector<Builtin> library_builtins() {
  return {
      {"vprintf", {8, 8}, 4, print},
      {"malloc", {8}, 8, allocate},
      {"free", {8}, 0, release},
      {"__assertfail", {8, 8, 4, 8, 8}, 0, assertion_failed, true},
      {"memcpy", {8, 8, 8}, 8, copy_memory},
      {"memmove", {8, 8, 8}, 8, copy_memory},
      {"memset", {8, 4, 8}, 8, set_memory},
  };
}

std::string_view library_ptx(std::string_view function) {
  if (function == "__raddle_grid_sync") return kGridSync;
  if (function == "__cxa_pure_virtual") return kPureVirtual;
  return {};
}

}  // namespace raddle::isa
