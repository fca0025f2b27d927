// Services of the system for kernels: the output of printf and the heap of malloc. There is one
// object for each GPU; its multiprocessors share it and use it in a fixed order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "isa/print_buffer.h"
#include "memory/address_space.h"

namespace raddle::isa {

/// Buffers in memory of Kind::parameters. That memory lies among the program's own, and a write
/// past the end of a program's buffer must not reach these unnoticed. The mechanism that hands them
/// out offers this.
class ParameterBuffers {
 public:
  struct Range {
    Address base = 0, end = 0;
  };
  virtual ~ParameterBuffers() = default;
  /// The buffer at this address, while kernels may fill it; else an empty range.
  virtual Range open(Address) const = 0;
};

class Services {
 public:
  Services(memory::AddressSpace& space, std::uint64_t heap_bytes)
      : space_(space), heap_bytes_(heap_bytes) {}

  memory::AddressSpace& space() { return space_; }

  PrintBuffer& printed() { return printed_; }

  /// Adds a message for the user; the same text is told once.
  void tell(std::string text) { told_.push_back(std::move(text)); }
  std::vector<std::string> take_told() { return std::exchange(told_, {}); }

  /// malloc of one thread; 0 when the heap (cudaLimitMallocHeapSize) has no room.
  Address allocate(std::uint64_t bytes);
  /// free of one thread; false when `address` did not come from allocate() or was freed before.
  bool release(Address address);
  void set_heap_bytes(std::uint64_t bytes) { heap_bytes_ = bytes; }
  std::uint64_t heap_bytes() const { return heap_bytes_; }

  /// For runs without timing: the state on which the instructions of a mechanism's unit work
  /// (Instruction::unit).
  void set_unit_state(unsigned unit, void* state) {
    if (unit >= unit_states_.size()) unit_states_.resize(unit + 1, nullptr);
    unit_states_[unit] = state;
  }
  void* unit_state(unsigned unit) const {
    return unit < unit_states_.size() ? unit_states_[unit] : nullptr;
  }

  /// Object that a mechanism offers to the builtins that it adds: one of each type, not owned.
  template <class T>
  void offer(T* service) {
    offered_[typeid(T)] = service;
  }
  /// nullptr when no mechanism offers one.
  template <class T>
  T* offered() const {
    const auto found = offered_.find(typeid(T));
    return found == offered_.end() ? nullptr : static_cast<T*>(found->second);
  }

 private:
  memory::AddressSpace& space_;
  std::uint64_t heap_bytes_, heap_used_ = 0;
  PrintBuffer printed_;
  std::vector<std::string> told_;
  std::map<std::type_index, void*> offered_;
  std::vector<void*> unit_states_;
};

}  // namespace raddle::isa
