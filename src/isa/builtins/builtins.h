// Functions that a program declares `.extern` and the simulator itself carries out: vprintf,
// malloc ... A loader knows them (isa/loader.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/global_port.h"
#include "isa/services.h"

namespace raddle::isa {

struct BuiltinSite;

/// One execution by a warp.
class BuiltinCall {
 public:
  BuiltinCall(const GlobalUpdate& update, Services& services)
      : warp(*update.warp), lanes(update.lanes), services(services), update_(update) {}

  /// The lane's n-th argument.
  template <class T>
  T argument(unsigned lane, unsigned n) const {
    T value;
    std::memcpy(&value, argument_bytes(lane, n), sizeof value);
    return value;
  }
  template <class T>
  void set_result(unsigned lane, T value) const {
    if (std::byte* to = result_bytes(lane)) std::memcpy(to, &value, sizeof value);
  }
  /// The text at a generic address, up to its NUL. The program is at fault when its memory ends
  /// before.
  std::string text(unsigned lane, Address address) const;
  /// Up to `bytes` bytes at a generic address, as far as its memory reaches.
  std::vector<std::byte> bytes(unsigned lane, Address address, std::size_t bytes) const;
  /// Where `bytes` bytes at a generic address are; nullptr when they are not in one memory.
  std::byte* values(unsigned lane, Address address, std::size_t bytes) const;
  /// The same for an access that the program is at fault for when it cannot be.
  std::byte* access(unsigned lane, Address address, std::size_t bytes,
                    MemoryAccess::Type type) const;
  /// The call is at fault. Of several faults the first counts.
  void fail(const Fault& fault) const {
    if (fault_.kind == Fault::Kind::none) fault_ = fault;
  }
  const Fault& fault() const { return fault_; }

  /// The warp's next instruction waits until cycle `until`: what the call takes, its usual latency
  /// at least. kNever: until somebody sets it and wakes the warp.
  void wait(Cycle until) const { warp.waits_until = until; }

  WarpContext& warp;
  LaneMask lanes;
  Services& services;

 private:
  const std::byte* argument_bytes(unsigned lane, unsigned n) const;
  std::byte* result_bytes(unsigned lane) const;
  const GlobalUpdate& update_;
  mutable Fault fault_;
};

/// Keeps the error that a call has returned to a thread. Offered by the mechanism that has
/// cudaGetLastError().
class LastErrors {
 public:
  virtual ~LastErrors() = default;
  virtual void record(const WarpContext& warp, unsigned lane, std::int32_t error) = 0;
};

struct Builtin {
  std::string name;
  std::vector<std::uint32_t> arguments;  // bytes of each
  std::uint32_t result = 0;              // bytes; 0: none
  void (*carry_out)(const BuiltinCall&) = nullptr;
  bool asserts = false;   // stops the program: Fault::Kind::assertion
  bool replaces = false;  // even a function that the program defines
};

/// A call instruction of a builtin: where in the caller's frame its operands are.
struct BuiltinSite {
  std::shared_ptr<const Builtin> builtin;
  std::vector<std::uint32_t> arguments;
  std::uint32_t result = 0;
};

/// Those of a loader.
class Builtins {
 public:
  /// Those that CUDA programs expect (library.h).
  Builtins();
  /// nullptr: none of that name.
  std::shared_ptr<const Builtin> find(std::string_view name) const;
  /// Replaces one of the same name.
  void add(Builtin builtin);

 private:
  std::map<std::string, std::shared_ptr<const Builtin>, std::less<>> all_;
};

/// Execute of Kind::builtin; `target` is the index in Program::builtin_calls.
void execute_builtin(WarpContext&, const Instruction&);

}  // namespace raddle::isa
