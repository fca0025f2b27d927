// The implementations that a program chooses from, with the state that each keeps on the host.
#pragma once

#include "hardware.cuh"
#include "host.cuh"
#include "software.cuh"

namespace raddle::worklist {
namespace detail {

/// Software, double-buffered: the two arrays.
class ArraysHost {
 public:
  explicit ArraysHost(std::uint32_t capacity)
      : capacity_(capacity), ids_(std::size_t{2} * capacity), pushed_(kSteps) {
    clear();
  }

  Arrays store() const {
    return {ids_.data() + side_ * capacity_, size_, ids_.data() + (1 - side_) * capacity_,
            pushed_.data() + step_, static_cast<std::uint32_t>(capacity_)};
  }
  std::uint32_t size() const { return size_; }
  void swap() {
    const std::uint32_t pushed = pushed_.get(step_);
    needed_ = std::max(needed_, pushed);
    size_ = static_cast<std::uint32_t>(std::min<std::size_t>(pushed, capacity_));
    side_ = 1 - side_;
    step_ = (step_ + 1) % kSteps;
    if (step_ == 0) pushed_.clear();
  }
  void clear() {
    pushed_.clear();
    step_ = 0;
    size_ = needed_ = 0;
  }
  void check() const {
    const std::uint32_t needed = std::max(needed_, pushed_.get(step_));
    if (needed > capacity_) throw Overflow(capacity_, needed);
  }
  /// As check(), but only with what the last swap() has read from the GPU.
  void check_swapped() const {
    if (needed_ > capacity_) throw Overflow(capacity_, needed_);
  }

 private:
  static constexpr std::size_t kSteps = 256;  // one counter a step; all are reset together

  std::size_t capacity_, side_ = 0, step_ = 0;
  std::uint32_t size_ = 0, needed_ = 0;
  Memory<std::uint32_t> ids_, pushed_;
};

/// Software, single-buffered: the ring.
class RingHost {
 public:
  explicit RingHost(std::uint32_t capacity)
      : bits_(bits_for(capacity)), state_(1), slots_(std::size_t{1} << bits_) {
    clear();
  }

  Ring store() const { return {state_.data(), slots_.data(), bits_}; }
  std::uint32_t size() {
    read_ = state_.get(0);
    return static_cast<std::uint32_t>(read_.tail - read_.front.head);
  }
  void swap() { size(); }
  void clear() {
    state_.clear();
    slots_.clear();
  }
  void check() {
    size();
    check_swapped();
  }
  void check_swapped() const {
    if (read_.needed != 0) throw Overflow(std::uint64_t{1} << bits_, read_.needed);
  }

 private:
  static std::uint32_t bits_for(std::uint32_t capacity) {
    std::uint32_t bits = 0;
    while ((std::uint64_t{1} << bits) < capacity) ++bits;
    return bits;
  }

  std::uint32_t bits_;
  RingState read_ = {};
  Memory<RingState> state_;
  Memory<Position> slots_;
};

template <bool>  // a template, so that a header may define kernels
__global__ void init_hardware(void* overflow, unsigned long long bytes) {
  asm volatile(RADDLE_WORKLIST_INSTRUCTION("wlinit.b64 %0, %1;")::"l"(overflow), "l"(bytes)
               : "memory");
}
template <Buffering How>
__global__ void configure_hardware() {
  // Only a change of the mode empties the list, hence two instructions.
  asm volatile(
      RADDLE_WORKLIST_INSTRUCTION("wlcfg.b32 %0;")::"r"(How == Buffering::double_buffered ? 0 : 1)
      : "memory");
  asm volatile(
      RADDLE_WORKLIST_INSTRUCTION("wlcfg.b32 %0;")::"r"(How == Buffering::double_buffered ? 1 : 0)
      : "memory");
}

/// The buffer of the hardware worklist in use: the last one that was made.
inline const void*& buffer_in_use() {
  static const void* buffer = nullptr;
  return buffer;
}

/// Hardware: the overflow buffer. Its first word counts the work ids that can be pulled. Every
/// multiprocessor has a share of it for each side. Each share can hold all work ids, because one
/// multiprocessor may push all of them.
template <Buffering How>
class HardwareHost {
 public:
  explicit HardwareHost(std::uint32_t capacity) : overflow_(words(capacity)) {
#if defined(RADDLE_NO_HARDWARE_WORKLIST)
    require(cudaErrorNotSupported, "a worklist in hardware");
#endif
    init_hardware<true><<<1, 1>>>(overflow_.data(), overflow_.bytes());
    require(cudaGetLastError(), "wlinit");
    buffer_in_use() = overflow_.data();
    clear();
  }
  /// Empties the list: the GPU would still load remaining work ids, from memory that is about to be
  /// freed.
  ~HardwareHost() {
    if (buffer_in_use() == overflow_.data()) configure_hardware<How><<<1, 1>>>();
  }
  HardwareHost(const HardwareHost&) = delete;
  HardwareHost& operator=(const HardwareHost&) = delete;

  std::uint32_t size() const { return overflow_.get(0); }
  void swap() {}
  void clear() {
    configure_hardware<How><<<1, 1>>>();
    require(cudaGetLastError(), "wlcfg");
  }
  void check() const { require(cudaDeviceSynchronize(), "a kernel that uses it"); }
  void check_swapped() const {}

 private:
  static std::size_t words(std::uint32_t capacity) {
    constexpr std::size_t kHeader = 256 / sizeof(std::uint32_t);
    constexpr std::size_t kSides = How == Buffering::double_buffered ? 2 : 1;
    const std::size_t share = (std::size_t{capacity} + 31) / 32 * 32;
    return kHeader +
           share * kSides * static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount));
  }

  Memory<std::uint32_t> overflow_;
};

}  // namespace detail

/// A worklist in global memory, for any GPU. Push::chunk and Push::block collect up to `ChunkSize`
/// pushes of a thread and make them together.
template <Buffering How = Buffering::double_buffered, Push Pushing = Push::warp,
          Blocks Launched = Blocks::variable, unsigned ChunkSize = 4>
struct Software {
  static constexpr bool kSwapsByItself = false;  // sides change without the host
  static constexpr bool kDealt = How == Buffering::double_buffered;
  static constexpr Buffering kBuffering = How;
  // A kernel may push work for more blocks than the first work ids would fill.
  static constexpr Blocks kBlocks = kDealt ? Launched : Blocks::resident;
  using Store = std::conditional_t<kDealt, detail::Arrays, detail::Ring>;
  using Device = detail::SoftwareDevice<Store, kDealt, Pushing, ChunkSize>;

  class Host : public std::conditional_t<kDealt, detail::ArraysHost, detail::RingHost> {
   public:
    using std::conditional_t<kDealt, detail::ArraysHost, detail::RingHost>::conditional_t;
    Device device() const { return Device(this->store()); }
  };
};

/// The worklist in hardware. A GPU has one, so only one such object may exist at a time.
template <Buffering How = Buffering::double_buffered, Blocks Launched = Blocks::resident>
struct Hardware {
  static constexpr bool kSwapsByItself = How == Buffering::double_buffered;
  static constexpr Buffering kBuffering = How;
  static constexpr Blocks kBlocks = How == Buffering::double_buffered ? Launched : Blocks::resident;
  using Device = detail::HardwareDevice<How>;

  class Host : public detail::HardwareHost<How> {
   public:
    using detail::HardwareHost<How>::HardwareHost;
    Device device() const { return Device(); }
  };
};

}  // namespace raddle::worklist
