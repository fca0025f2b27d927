// A worklist: work ids (a graph's vertices, bad triangles, bodies) that the threads of a GPU pull,
// work on, and push, until nothing is left.
//
//   using List = raddle::Worklist;
//
//   __global__ void search(List::Device list, Graph graph, unsigned* depths) {
//     list.for_each([&](std::uint32_t vertex, auto& out) {
//       for (unsigned neighbour : graph.neighbours(vertex)) {
//         if (atomicMin(&depths[neighbour], depths[vertex] + 1) > depths[vertex] + 1) {
//           out.push(neighbour);
//         }
//       }
//     });
//   }
//
//   List list(capacity);
//   list.push({source});
//   while (list.advance() != 0) list.launch(search, 256, graph, depths);
//
// The same source runs with other worklists. Each is a type, raddle::worklist::Worklist<...> of
//
//   Software<Buffering::double_buffered, Push::warp>    a kernel pulls what earlier kernels pushed
//   Software<Buffering::single_buffered, Push::warp>    ... or what it pushes itself: one kernel
//   Hardware<Buffering::double_buffered>                in the simulator, `raddle run --with hwwl`
//
// raddle::Worklist is the first, or the last with -DRADDLE_HARDWARE_WORKLIST. Software worklists
// run on GPUs of compute capability 7.0 and later, and in the simulator. docs/worklists.md says
// which worklist and which way to push to choose (J. Kim, C. Batten, "Accelerating Irregular
// Algorithms on GPGPUs Using Fine-Grain Hardware Worklists", MICRO 2014, section II.C).
#pragma once

#include <algorithm>
#include <vector>

#include "worklist/implementations.cuh"

namespace raddle::worklist {

/// The host's object. Kernels get a Device (software.cuh), passed by value. Only one stream may use
/// a worklist at a time. Blocks and grids have one dimension.
template <class Implementation>
class Worklist {
 public:
  using Device = typename Implementation::Device;
  static constexpr Buffering kBuffering = Implementation::kBuffering;

  /// Holds at least `capacity` work ids. When double-buffered, it holds that many pushed in one
  /// step. Throws Error when the GPU has no memory for it.
  explicit Worklist(std::uint32_t capacity) : host_(capacity) {}
  Worklist(const Worklist&) = delete;
  Worklist& operator=(const Worklist&) = delete;

  /// Adds work ids to the next step, besides those that kernels push: `ids`, or `count` ids from
  /// `first`.
  void push(const std::vector<std::uint32_t>& ids) {
    seeds_.insert(seeds_.end(), ids.begin(), ids.end());
  }
  void push_range(std::uint32_t first, std::uint32_t count) {
    if (count != 0) ranges_.push_back({first, count});
  }

  /// Begins the next step: pushed work ids can be pulled. Returns how many, 0 when all work is
  /// done. The double-buffered list in software drops work ids that earlier kernels have not pulled
  /// (its kernels pull until kDone); other lists keep them. Waits for kernels. Throws Overflow when
  /// work ids were lost because the list was full (in hardware: Error, after the GPU's own report).
  std::uint32_t advance() {
    push_seeds();
    host_.swap();
    host_.check_swapped();
    return available_ = host_.size();
  }
  /// Launches kernel(device(), arguments...) for the step, in blocks of `threads`. The number of
  /// blocks is what the GPU holds at a time, or less if there is less work.
  template <class... P, class... A>
  void launch(void (*kernel)(Device, P...), unsigned threads, const A&... arguments) {
    kernel<<<blocks(kernel, threads), threads>>>(device(), arguments...);
    detail::require(cudaGetLastError(), "launch");
  }
  /// The number of blocks that launch() starts.
  template <class... P>
  unsigned blocks(void (*kernel)(Device, P...), unsigned threads) {
    const unsigned resident = occupancy_.blocks(reinterpret_cast<const void*>(kernel), threads);
    if (Implementation::kBlocks == Blocks::resident) return resident;
    const unsigned needed = available_ / threads + (available_ % threads != 0);
    return std::max(1u, std::min(resident, needed));
  }

  Device device() const { return host_.device(); }
  /// How many work ids can be pulled; for the double-buffered list in software, how many the whole
  /// step had at its beginning. Waits for kernels.
  std::uint32_t size() { return host_.size(); }
  /// Drops all work ids.
  void clear() {
    seeds_.clear();
    ranges_.clear();
    host_.clear();
  }
  /// Throws Overflow when work ids were lost. Does not begin a step. Waits for kernels.
  void check() { host_.check(); }

 private:
  struct Range {
    std::uint32_t first, count;
  };

  /// Pushes all in one kernel, because the hardware worklist exchanges its sides after each kernel.
  void push_seeds() {
    if (seeds_.empty() && ranges_.empty()) return;
    const bool swapped = Implementation::kSwapsByItself && host_.size() != 0;
    if (seeds_.empty() && ranges_.size() == 1 && !swapped) {
      push_by_kernel(nullptr, ranges_[0].first, ranges_[0].count);
    } else {
      for (const Range& range : ranges_) {
        for (std::uint32_t i = 0; i < range.count; ++i) seeds_.push_back(range.first + i);
      }
      detail::Memory<std::uint32_t> ids(seeds_.size());
      ids.set(seeds_);
      push_by_kernel(ids.data(), 0, static_cast<std::uint32_t>(seeds_.size()), swapped);
      detail::require(cudaDeviceSynchronize(), "push");
    }
    seeds_.clear();
    ranges_.clear();
  }
  /// `swapped`: the sides were exchanged when the last kernel ended. Work ids that it pushed can be
  /// pulled already, but must be pulled together with the seeds.
  void push_by_kernel(const std::uint32_t* ids, std::uint32_t first, std::uint32_t count,
                      bool swapped = false) {
    constexpr unsigned kThreads = 256;
    if constexpr (Implementation::kSwapsByItself) {
      if (swapped) {
        const auto kernel = &detail::push_with_pulled<Device>;
        const unsigned all = occupancy_.blocks(reinterpret_cast<const void*>(kernel), kThreads);
        kernel<<<all, kThreads>>>(device(), ids, count);
        return detail::require(cudaGetLastError(), "push");
      }
    }
    const unsigned resident =
        occupancy_.blocks(reinterpret_cast<const void*>(&detail::push_all<Device>), kThreads);
    detail::push_all<<<std::min(resident, (count - 1) / kThreads + 1), kThreads>>>(device(), ids,
                                                                                   first, count);
    detail::require(cudaGetLastError(), "push");
  }

  typename Implementation::Host host_;
  detail::Occupancy occupancy_;
  std::vector<std::uint32_t> seeds_;
  std::vector<Range> ranges_;
  std::uint32_t available_ = 0;
};

#if defined(RADDLE_HARDWARE_WORKLIST)
template <Buffering How>
using Default = Hardware<How>;
#else
template <Buffering How>
using Default = Software<How>;
#endif

}  // namespace raddle::worklist

namespace raddle {

using Worklist = worklist::Worklist<worklist::Default<worklist::Buffering::double_buffered>>;

}  // namespace raddle
