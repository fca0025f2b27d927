// Functions that a program declares `.extern` and that the simulator itself carries out: vprintf,
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

/// One execution of a builtin by a warp.
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
  /// The text at a generic address, up to its NUL. The program faults when its memory ends before
  /// the NUL.
  std::string text(unsigned lane, Address address) const;
  /// Up to `bytes` bytes at a generic address, to the end of its memory at most.
  std::vector<std::byte> bytes(unsigned lane, Address address, std::size_t bytes) const;
  /// The place of `bytes` bytes at a generic address; nullptr when they are not in one memory.
  std::byte* values(unsigned lane, Address address, std::size_t bytes) const;
  /// As values(), for an access that is a fault of the program when it is impossible.
  std::byte* access(unsigned lane, Address address, std::size_t bytes,
                    MemoryAccess::Type type) const;
  /// The call faults. The first of several faults counts.
  void fail(const Fault& fault) const {
    if (fault_.kind == Fault::Kind::none) fault_ = fault;
  }
  const Fault& fault() const { return fault_; }

  /// The warp's next instruction waits until cycle `until`, but at least for the usual latency.
  /// kNever: until other code sets the cycle and wakes the warp.
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

/// Keeps the error that a call has returned to a thread. The mechanism with cudaGetLastError()
/// offers it.
class LastErrors {
 public:
  virtual ~LastErrors() = default;
  virtual void record(const WarpContext& warp, unsigned lane, std::int32_t error) = 0;
};

struct Builtin {
  std::string name;
  std::vector<std::uint32_t> arguments;  // bytes of each argument
  std::uint32_t result = 0;              // bytes; 0: none
  void (*carry_out)(const BuiltinCall&) = nullptr;
  bool asserts = false;   // stops the program: Fault::Kind::assertion
  bool replaces = false;  // replaces even a function that the program defines
};

/// A call instruction of a builtin: the places of its operands in the caller's frame.
struct BuiltinSite {
  std::shared_ptr<const Builtin> builtin;
  std::vector<std::uint32_t> arguments;
  std::uint32_t result = 0;
};

/// The builtins of a loader.
class Builtins {
 public:
  /// With the builtins that CUDA programs expect (library.h).
  Builtins();
  /// nullptr: no builtin has this name.
  std::shared_ptr<const Builtin> find(std::string_view name) const;
  /// Replaces a builtin of the same name.
  void add(Builtin builtin);

 private:
  std::map<std::string, std::shared_ptr<const Builtin>, std::less<>> all_;
};

/// Execute of Kind::builtin; `target` is the index in Program::builtin_calls.
void execute_builtin(WarpContext&, const Instruction&);

}  // namespace raddle::isa
