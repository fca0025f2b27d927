// The hardware worklist as kernels see it (J. Kim, C. Batten, "Accelerating Irregular Algorithms on
// GPGPUs Using Fine-Grain Hardware Worklists", MICRO 2014, Table III): instructions of `raddle run
// --with hwwl`. No GPU on the market has them.
#pragma once

#include "loops.cuh"

// -DRADDLE_NO_HARDWARE_WORKLIST: compiles a program that has both worklists for a real GPU. The
// constructor of the hardware worklist then throws an Error.
#if defined(RADDLE_NO_HARDWARE_WORKLIST)
#define RADDLE_WORKLIST_INSTRUCTION(text) "trap; // " text
#else
#define RADDLE_WORKLIST_INSTRUCTION(text) text
#endif

namespace raddle::worklist::detail {

/// Pushes at once. Has the interface of the software worklist's Places.
template <class List>
class Pushes {
 public:
  __device__ explicit Pushes(const List& list) : list_(list) {}
  __device__ void put(std::uint32_t id) { list_.push(id); }

 private:
  const List& list_;
};

template <Buffering How>
class HardwareDevice : public Loops<HardwareDevice<How>> {
 public:
  static constexpr Push kPush = Push::thread;
  static constexpr bool kDealt = false;
  using Out = Direct<HardwareDevice>;

  class Worker {
   public:
    __device__ std::uint32_t pull() {
      std::uint32_t id;
      asm volatile(RADDLE_WORKLIST_INSTRUCTION("wlpull.b32 %0, %1;")
                   : "=r"(id)
                   : "r"(0)
                   : "memory");
      if constexpr (kShared) __threadfence();
      return id;
    }
  };

  __device__ Worker worker() const { return Worker(); }
  __device__ void push(std::uint32_t id) const {
    if constexpr (kShared) __threadfence();
    asm volatile(RADDLE_WORKLIST_INSTRUCTION("wlpush.b32 %0, %1;")::"r"(id), "r"(0) : "memory");
  }
  __device__ Pushes<HardwareDevice> reserve(unsigned) const {
    return Pushes<HardwareDevice>(*this);
  }
  __device__ Pushes<HardwareDevice> reserve_block(unsigned) const {
    return Pushes<HardwareDevice>(*this);
  }
  __device__ void push_block(std::uint32_t id) const {
    if (id < kWait) push(id);
  }
  __device__ std::uint32_t size() const {
    std::uint32_t count;
    asm volatile(RADDLE_WORKLIST_INSTRUCTION("wlsize.b32 %0, %1;")
                 : "=r"(count)
                 : "r"(0)
                 : "memory");
    return count;
  }

 private:
  // The data behind a work id may have been written in this kernel.
  static constexpr bool kShared = How == Buffering::single_buffered;
};

}  // namespace raddle::worklist::detail
