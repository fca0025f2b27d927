// The simulated GPU's view of memory: who allocated what where, and where its values are.
//
// Device memory lives in one window of simulated addresses that the host never maps, so a host
// program which dereferences a device pointer crashes as it does on a real machine; its values are
// kept in a backing store at a constant distance. Managed and pinned memory has the same address on
// both sides. Addresses are the same in every run, so that cache and DRAM mappings are too.
//
// Behind each allocation lies a guard of addresses that belong to nobody, and what is freed keeps
// its addresses for a while (the quarantine), so that accesses beyond an end and after a free are
// found. Both cost addresses alone, and are given up before an allocation fails for want of them.
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

/// Generic addresses of the windows that are private to a block or a thread (PTX
/// ISA 5.1.5, 6.4.1.1: generic addressing). Beyond every address a host process can have. A window
/// holds offsets of less than 2^24 (shared), 2^32 (local), 2^16 (param).
inline constexpr Address kSharedWindow = 0x0000'8000'0000'0000;
inline constexpr Address kLocalWindow = 0x0000'8001'0000'0000;
inline constexpr Address kParamWindow = 0x0000'8002'0000'0000;
inline constexpr Address kWindowSpan = 0x0000'0001'0000'0000;

enum class Kind : std::uint8_t {
  device,       // cudaMalloc and its like
  managed,      // cudaMallocManaged, __managed__
  host,         // pinned, registered or mapped host memory
  module,       // __device__ variables
  constant,     // __constant__ variables and kernel constants: read-only for kernels
  device_heap,  // malloc in a kernel
  runtime,      // the runtime's own
  parameters,   // for launches by kernels: programs may touch what was handed to them
};
std::string_view name(Kind);

struct Allocation {
  Address base = 0;
  std::uint64_t size = 0;  // bytes, as asked for
  Kind kind = Kind::device;
  std::string name;    // variable name, or the call that made it ("cudaMalloc #3")
  bool freed = false;  // remembered so that use after free can be told from a wild address
  std::byte* values = nullptr;
  std::uint64_t taken = 0;  // bytes of its window, with the guard; 0: not of a window
  Address part_of = 0;      // what was registered as a whole; 0: this is the whole

  Address end() const { return base + size; }
  bool holds(Address a, std::uint64_t bytes) const {
    return a >= base && bytes <= size && a - base <= size - bytes;
  }
  /// Host memory of the program's own that was made known; it may take it away.
  bool registered() const { return kind == Kind::host && taken == 0; }
};

/// How far wrong accesses are told from right ones.
struct Protection {
  /// Bytes without an owner behind an allocation: as many as it has, but at least 256 and at most
  /// these. 0: none.
  std::uint64_t guard_bytes = 64 << 10;
  /// Bytes of addresses that freed allocations keep; the latest keeps its own however large it is.
  /// 0: none.
  std::uint64_t quarantine_bytes = std::uint64_t{1} << 30;
};

/// Where the values lie of a program whose kernels another process runs (raddle corun): both have an
/// address space of the same addresses and values, and make the same changes in the same order.
struct SharedWindows {
  unsigned client = 1;  // from 1 on, at most kMostClients: each has addresses of its own
  int device_file = -1, host_file = -1;  // of device_bytes() and host_bytes(); not owned
  /// Of the process that runs the kernels: what these allocate (kinds device_heap and parameters) the other
  /// one does not know; it lies apart, and does not count in used(). What is freed the other one clears.
  bool runs_kernels = false;

  static constexpr unsigned kMostClients = 16;
  static std::uint64_t device_bytes(std::uint64_t capacity, const Protection& protection);
  static std::uint64_t host_bytes();
};

/// A change of an address space, as the function was called, and its result.
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
  bool freed = false;  // unmap
  Address base = 0;
  std::uint64_t bytes = 0, alignment = 0;
  std::byte* values = nullptr;  // register_host, map
  std::string name = {};
};

/// One thread changes it. Other threads may look things up at the same time if both hold changes(),
/// shared for a look-up as long as its result is read; the thread that changes it needs no lock to
/// look things up.
class AddressSpace {
 public:
  /// `device_bytes`: capacity of device memory; allocations beyond it fail as on a full device.
  /// Where the process may not have as much address space, the device has less memory: limited().
  explicit AddressSpace(std::uint64_t device_bytes, const Protection& protection = {},
                        const SharedWindows* shared = nullptr);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// From now on calls `tell` with each change, when it has been made, but for what is reserved for code;
  /// it may throw, and then the change stands. Empty: no longer.
  using Told = std::function<void(const SpaceChange&)>;
  Told tell_changes(Told tell) { return std::exchange(tell_, std::move(tell)); }
  /// Where the values are of host memory that is registered from now on, whose address is another
  /// process's; it throws Error where it does not know.
  using HostValues = std::function<std::byte*(Address, std::uint64_t bytes)>;
  void find_host_values(HostValues find) { host_values_ = std::move(find); }
  /// Whose host memory it is (host_program_at()): another process's.
  void belongs_to(int process) { process_ = process; }

  /// Zero-filled memory of kind device, module, constant, device_heap or runtime, aligned to at
  /// least 256 bytes. Returns 0 when the device is full.
  Address allocate(std::uint64_t bytes, Kind, std::string name, std::uint64_t alignment = 256);

  /// Managed or pinned memory: its address is valid on the host too. Returns 0 when there is no
  /// more.
  Address allocate_shared_with_host(std::uint64_t bytes, Kind, std::string name);

  /// Makes existing host memory known. False when part of it is known already.
  bool register_host(void* memory, std::uint64_t bytes, Kind = Kind::host,
                     std::string name = "cudaHostRegister");
  bool unregister_host(void* memory);
  /// The host program has taken the memory at [from, from + bytes) away: what of it was registered is
  /// remembered as freed, and the rest stays.
  void host_unmapped(Address from, std::uint64_t bytes);

  /// Where `bytes` of code lie: instructions have addresses, as caches see them, and no values.
  Address reserve_code(std::uint64_t bytes);
  /// Makes `bytes` of values known at an address that no window holds (virtual memory management).
  void map(Address base, std::uint64_t bytes, Kind, std::string name, std::byte* values);
  /// `freed`: it is remembered as what free() frees is.
  void unmap(Address base, bool freed = false);

  /// Bytes that the process may have (ulimit -v) when that is why the device has less memory than
  /// it should; 0: it has all.
  std::uint64_t limited() const { return limited_; }
  /// Whether an allocation has failed because the host had no room for its values.
  bool host_full() const { return host_full_; }

  enum class FreeResult : std::uint8_t { freed, not_an_allocation, freed_before };
  FreeResult free(Address base);

  /// The live or freed allocation that holds `a`, else nullptr.
  const Allocation* find(Address a) const;
  /// Whether host memory (Kind::host) has a part of [from, from + bytes): kernels reach it over the
  /// bus. Quick where the answer is no.
  bool on_host(Address from, std::uint64_t bytes) const {
    return !device_->holds(from) && from < kSharedWindow && finds_host(from, bytes);
  }
  /// The allocation that an access to `a`, which none holds, was likely meant for: the live or freed
  /// one in whose guard it lies, unless it is just before another; else the live one nearest to it
  /// (ties: the lower). Not parameters, of which programs know nothing; nullptr when there is none.
  const Allocation* nearest(Address a) const;

  /// What of the host program is at `a` (host_memory_at()), unless it lies near an allocation.
  std::optional<std::string> host_program_at(Address a) const;

  /// Where the values at [a, a+bytes) are; nullptr unless one live allocation holds all of them.
  std::byte* values(Address a, std::uint64_t bytes) const;

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }  // bytes of device memory allocated
  /// Changes whenever an allocation is made or freed: what was cached from find() is stale then.
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
  std::unique_ptr<Window> apart_;  // what kernels allocate, of a SharedWindows::runs_kernels
  Told tell_;
  HostValues host_values_;
  int process_ = 0;                     // 0: this one
  std::deque<Quarantined> quarantine_;  // the oldest first
  std::uint64_t quarantined_bytes_ = 0;
};

}  // namespace raddle::memory
