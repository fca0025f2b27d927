// Tasks that depend on one another, without the host between them: the last warp of a task spawns
// those tasks that have waited for it alone (tasks::spawn). The host copies all inputs, spawns the
// tasks that wait for none, and waits for the end of all.
#pragma once

#include <cstdint>
#include <vector>

#include "../tasks.cuh"
#include "compare_tools.cuh"
#include "work.cuh"

namespace raddle::tasks::detail {

/// Which task waits for which, in memory of the GPU.
template <class... Works>
struct Graph {
  const Packed<Works...>* tasks;
  const Launch* how;
  const std::uint32_t* first;  // [task], and one more: where its successors begin in `next`
  const std::uint32_t* next;
  std::uint32_t* waits;  // [task]: ends that it still waits for
  std::uint32_t* warps;  // [task]: its warps that have not ended
};

/// What a task fails with that cannot spawn another.
inline constexpr unsigned kNoRoomForSuccessor = 255;

template <class... Works>
__device__ __forceinline__ void in_graph(const Graph<Works...>* graph, std::uint32_t task);

/// What the calling task was given: read again, rather than kept in registers while it works.
template <class... Works>
__device__ __forceinline__ Arguments<const Graph<Works...>*, std::uint32_t> my_graph() {
  const Entry& entry = state().table.entry(my_task().entry);
  const uint4 quad = fresh_quad(entry.arguments);
  Arguments<const Graph<Works...>*, std::uint32_t> mine;
  static_assert(sizeof mine == sizeof quad);
  std::memcpy(&mine, &quad, sizeof mine);
  return mine;
}

/// A warp of a task has done its work.
template <class... Works>
__device__ __forceinline__ void end_in_graph() {
  const unsigned threads = my_post().threads - my_post().first_thread;
  const unsigned lanes = threads >= kWarp ? ~0u : (1u << threads) - 1;
  __syncwarp(lanes);
  const auto mine = my_graph<Works...>();
  const Graph<Works...>& graph = *mine.first;
  const std::uint32_t task = mine.rest.first;
  std::uint32_t left = 0;
  if (lane() == 0) {
    __threadfence();  // successors see what all lanes have written
    left = atomicSub(&graph.warps[task], 1u);
    __threadfence();
  }
  if (__shfl_sync(lanes, left, 0) != 1) return;
  __syncwarp(lanes);
  __threadfence();  // what lane 0 has seen goes before what each lane tells
  const unsigned step = threads < kWarp ? threads : kWarp;
  for (std::uint32_t i = graph.first[task] + lane(); i < graph.first[task + 1]; i += step) {
    const std::uint32_t next = graph.next[i];
    if (atomicSub(&graph.waits[next], 1u) != 1) continue;
    __threadfence();  // and what others have written for which it waited, too
    // There is room for all.
    if (!spawn<Kernels<in_graph<Works...>>, in_graph<Works...>>(graph.how[next], mine.first, next))
      fail(kNoRoomForSuccessor);
  }
}

/// The kernel of all tasks.
template <class... Works>
__device__ void in_graph(const Graph<Works...>* graph, std::uint32_t task) {
  const Packed<Works...>& packed = graph->tasks[task];
  const std::uint32_t wanted = packed.kind;
  unsigned kind = 0;
  ((kind++ == wanted ? run_packed<Works>(packed.bytes, TaskBlock{}) : void()), ...);
  end_in_graph<Works...>();
}

/// A Graph and its copy on the host, of a Comparison's tasks.
template <class... Works>
class GraphOnBothSides {
 public:
  template <class Jobs>
  GraphOnBothSides(const Jobs& jobs, const std::vector<Packed<Works...>>& packed)
      : count_(jobs.size()),
        edges_(edges_of(jobs)),
        tasks_(count_),
        how_(count_),
        first_(count_ + 1),
        next_(edges_),
        waits_(count_),
        warps_(count_),
        graph_(1) {
    std::uint32_t filled = 0;
    for (std::size_t task = 0; task < count_; ++task) {
      const auto& job = jobs[task];
      tasks_.host[task] = packed[task];
      how_.host[task] = job.how;
      first_.host[task] = filled;
      for (unsigned next : job.next) next_.host[filled++] = next;
      waits_.host[task] = static_cast<std::uint32_t>(job.after.size());
      warps_.host[task] = job.how.blocks * ((job.how.threads + kWarp - 1) / kWarp);
    }
    first_.host[count_] = filled;
    *graph_.host = {tasks_.device, how_.device,   first_.device,
                    next_.device,  waits_.device, warps_.device};
  }

  /// Calls `copy(to, from, bytes)` for all that the GPU has to have.
  template <class Copy>
  void send(const Copy& copy) const {
    send(copy, tasks_, count_);
    send(copy, how_, count_);
    send(copy, first_, count_ + 1);
    send(copy, next_, edges_);
    send(copy, waits_, count_);
    send(copy, warps_, count_);
    send(copy, graph_, 1);
  }
  const Graph<Works...>* on_gpu() const { return graph_.device; }

  /// Of the queue of spawned tasks: room for all, since ends are told when successors have ended.
  unsigned room() const {
    unsigned room = 2;  // the least
    while (room < count_) room *= 2;
    return room;
  }

 private:
  template <class Jobs>
  static std::size_t edges_of(const Jobs& jobs) {
    std::size_t edges = 0;
    for (const auto& job : jobs) edges += job.next.size();
    return edges;
  }
  template <class Copy, class T>
  static void send(const Copy& copy, const PinnedAndDevice<T>& what, std::size_t count) {
    if (count != 0) copy(what.device, what.host, count * sizeof(T));
  }

  std::size_t count_, edges_;
  PinnedAndDevice<Packed<Works...>> tasks_;
  PinnedAndDevice<Launch> how_;
  PinnedAndDevice<std::uint32_t> first_, next_, waits_, warps_;
  PinnedAndDevice<Graph<Works...>> graph_;
};

}  // namespace raddle::tasks::detail
