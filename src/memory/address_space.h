// Memory as the simulated GPU sees it: the allocations, and the places of their values.
//
// Device memory lies in one window of simulated addresses that the host never maps, so a host
// program that dereferences a device pointer crashes as on a real machine. Its values are in a
// backing store at a constant distance. Managed and pinned memory has the same address on both
// sides. Addresses are the same in every run, so the mappings to caches and DRAM are the same too.
//
// Behind each allocation lies a guard: addresses without an owner. Freed memory keeps its addresses
// for a while (the quarantine). So accesses past an end and after a free are detected. Both only
// cost addresses, and are given up before an allocation fails for lack of addresses.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/types.h"
#include "memory/window.h"

namespace raddle::memory {

/// Generic addresses of the windows that are private to a block or a thread (PTX ISA 5.1.5,
/// 6.4.1.1: generic addressing). They lie above all addresses that a host process can have. Offsets
/// in a window are less than 2^24 (shared), 2^32 (local), 2^16 (param).
inline constexpr Address kSharedWindow = 0x0000'8000'0000'0000;
inline constexpr Address kLocalWindow = 0x0000'8001'0000'0000;
inline constexpr Address kParamWindow = 0x0000'8002'0000'0000;
inline constexpr Address kWindowSpan = 0x0000'0001'0000'0000;

enum class Kind : std::uint8_t {
  device,       // cudaMalloc and similar calls
  managed,      // cudaMallocManaged, __managed__
  host,         // pinned, registered or mapped host memory
  module,       // __device__ variables
  constant,     // __constant__ variables and kernel constants: read-only for kernels
  device_heap,  // malloc in a kernel
  runtime,      // for the runtime itself
  parameters,   // for launches by kernels: programs may access the buffers that they received
};
std::string_view name(Kind);

struct Allocation {
  Address base = 0;
  std::uint64_t size = 0;  // bytes that the caller asked for
  Kind kind = Kind::device;
  std::string name;    // variable name, or the call that made it ("cudaMalloc #3")
  bool freed = false;  // remembered, to tell a use after free from a wild address
  std::byte* values = nullptr;
  std::uint64_t taken = 0;  // bytes of its window, including the guard; 0: not in a window
  Address part_of = 0;      // the base of the registered whole; 0: this is the whole

  Address end() const { return base + size; }
  bool holds(Address a, std::uint64_t bytes) const {
    return a >= base && bytes <= size && a - base <= size - bytes;
  }
  /// Memory that the host program owns and has registered; the program may unmap it.
  bool registered() const { return kind == Kind::host && taken == 0; }
};

/// How wrong accesses are detected.
struct Protection {
  /// Bytes without an owner behind an allocation: as many as it has, but at least 256 and at most
  /// this many. 0: none.
  std::uint64_t guard_bytes = 64 << 10;
  /// Bytes of addresses that freed allocations keep; the latest one keeps its own whatever its
  /// size. 0: none.
  std::uint64_t quarantine_bytes = std::uint64_t{1} << 30;
};

/// The places of the values of a program whose kernels run in another process (raddle corun). Both
/// processes have an address space with the same addresses and values, and make the same changes in
/// the same order.
struct SharedWindows {
  unsigned client = 1;  // from 1 on, at most kMostClients: each has its own addresses
  int device_file = -1, host_file = -1;  // with device_bytes() and host_bytes() bytes; not owned
  /// Set in the process that runs the kernels. Allocations of kernels (kinds device_heap and
  /// parameters) exist only in this process; they lie in a window of their own and do not count in
  /// used(). The other process clears freed memory.
  bool runs_kernels = false;

  static constexpr unsigned kMostClients = 16;
  static std::uint64_t device_bytes(std::uint64_t capacity, const Protection& protection);
  static std::uint64_t host_bytes();
};

/// A change of an address space: the arguments of the call and its result.
struct SpaceChange {
  enum class What : std::uint8_t {
    allocate,         // base: the result
    allocate_shared,  // base: the result
    free,
    register_host,
    unregister_host,
    host_unmapped,
    map,
    unmap,
  } what = What::allocate;
  Kind kind = Kind::device;
  bool freed = false;  // of unmap()
  Address base = 0;
  std::uint64_t bytes = 0, alignment = 0;
  std::byte* values = nullptr;  // of register_host() and map()
  std::string name = {};
};

/// One thread changes it. Other threads may look things up at the same time if both sides hold
/// changes(): the reader as a shared lock as long as it uses the result. The thread that changes it
/// needs no lock for its own look-ups.
class AddressSpace {
 public:
  /// `device_bytes`: capacity of device memory; allocations beyond it fail as on a full device. If
  /// the process may not have that much address space, the device has less memory: limited().
  explicit AddressSpace(std::uint64_t device_bytes, const Protection& protection = {},
                        const SharedWindows* shared = nullptr);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// From now on calls `tell` after each change, except for reserve_code(). If `tell` throws, the
  /// change stays. Empty: stops the calls.
  using Told = std::function<void(const SpaceChange&)>;
  Told tell_changes(Told tell) { return std::exchange(tell_, std::move(tell)); }
  /// Sets the function that finds the values of host memory which is registered from now on and has
  /// an address of another process. It throws Error for unknown memory.
  using HostValues = std::function<std::byte*(Address, std::uint64_t bytes)>;
  void find_host_values(HostValues find) { host_values_ = std::move(find); }
  /// Sets the process whose host memory it is (host_program_at()).
  void belongs_to(int process) { process_ = process; }

  /// Zero-filled memory of kind device, module, constant, device_heap or runtime, aligned to at
  /// least 256 bytes. Returns 0 when the device is full.
  Address allocate(std::uint64_t bytes, Kind, std::string name, std::uint64_t alignment = 256);

  /// Managed or pinned memory: its address is valid on the host too. Returns 0 when no memory is
  /// left.
  Address allocate_shared_with_host(std::uint64_t bytes, Kind, std::string name);

  /// Registers existing host memory. Returns false when part of it is registered already.
  bool register_host(void* memory, std::uint64_t bytes, Kind = Kind::host,
                     std::string name = "cudaHostRegister");
  bool unregister_host(void* memory);
  /// The host program has unmapped the memory at [from, from + bytes). Registered parts of it are
  /// remembered as freed, and the rest stays.
  void host_unmapped(Address from, std::uint64_t bytes);

  /// Reserves addresses for `bytes` of code: instructions have addresses for caches, but no values.
  Address reserve_code(std::uint64_t bytes);
  /// Adds `bytes` of values at an address outside all windows (virtual memory management).
  void map(Address base, std::uint64_t bytes, Kind, std::string name, std::byte* values);
  /// `freed`: it is remembered like memory that free() frees.
  void unmap(Address base, bool freed = false);

  /// Limit of the process in bytes (ulimit -v), if the device has less memory than it should
  /// because of it; 0: the device has all.
  std::uint64_t limited() const { return limited_; }
  /// Whether an allocation has failed because the host had no room for its values.
  bool host_full() const { return host_full_; }

  enum class FreeResult : std::uint8_t { freed, not_an_allocation, freed_before };
  FreeResult free(Address base);

  /// The live or freed allocation that holds `a`; nullptr without one.
  const Allocation* find(Address a) const;
  /// Whether a part of [from, from + bytes) is host memory (Kind::host), which kernels reach over
  /// the bus. Fast where the answer is no.
  bool on_host(Address from, std::uint64_t bytes) const {
    return !device_->holds(from) && from < kSharedWindow && finds_host(from, bytes);
  }
  /// The allocation that an access to `a`, which lies in none, was probably meant for: the live or
  /// freed one in whose guard `a` lies, unless `a` is just before another one; else the nearest
  /// live one (the lower of two). Never parameters, which programs do not know. nullptr when there
  /// is none.
  const Allocation* nearest(Address a) const;

  /// What the host program has at `a` (host_memory_at()), unless an allocation is near.
  std::optional<std::string> host_program_at(Address a) const;

  /// Place of the values at [a, a+bytes); nullptr unless one live allocation holds all of them.
  std::byte* values(Address a, std::uint64_t bytes) const;

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }  // bytes of device memory allocated
  /// Changes with each allocation and each free: cached results of find() are then stale.
  std::uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }
  std::shared_mutex& changes() const { return changes_; }
  std::vector<const Allocation*> live() const;

 private:
  struct Quarantined {
    Window* window;
    Address base;
    std::uint64_t bytes;
  };

  void cut_out(Allocation whole, Address from, Address to);
  Allocation& record(Address base, std::uint64_t bytes, Kind, std::string name, std::byte* values);
  Address allocate_in(Window& window, std::uint64_t bytes, std::uint64_t alignment, Kind kind,
                      std::string name);
  std::optional<Address> take(Window& window, std::uint64_t& span, std::uint64_t least,
                              std::uint64_t alignment);
  const Allocation* guarded_by(Address a) const;
  bool finds_host(Address from, std::uint64_t bytes) const;
  Window& window_of(Address a);
  void told(SpaceChange change) const {
    if (tell_) tell_(change);
  }
  bool give_up_quarantine();
  void release_oldest();

  Protection protection_;
  std::uint64_t capacity_;
  std::uint64_t limited_ = 0;
  bool host_full_ = false;
  std::uint64_t used_ = 0;
  std::atomic<std::uint64_t> epoch_{1};
  mutable std::shared_mutex changes_;
  Address code_end_ = 0;
  std::map<Address, Allocation> allocations_;  // live and, until overwritten, freed ones
  std::unique_ptr<Window> device_, host_;
  std::unique_ptr<Window> apart_;  // allocations of kernels, with SharedWindows::runs_kernels
  Told tell_;
  HostValues host_values_;
  int process_ = 0;                     // 0: this process
  std::deque<Quarantined> quarantine_;  // oldest first
  std::uint64_t quarantined_bytes_ = 0;
};

}  // namespace raddle::memory
