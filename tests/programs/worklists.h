// Worklists under stress: every work id is pulled exactly once, its thread sees the data written
// before the push, and the kernel ends. Uses few places and many laps. Too few places are reported.
#pragma once

#include <raddle/worklist.cuh>

#include "check.h"

using namespace raddle::worklist;

// Trees of work ids: those of first[i] up to first[i + 1] are pushed by i, up to seven each, or in
// chains, one each. Ids at the same depth follow one another.
struct Tree {
  std::vector<unsigned> first;
  std::vector<unsigned> depths;  // how many ids are at each

  Tree(unsigned size, unsigned roots, bool chains) {
    unsigned next = roots;
    unsigned random = 1;
    for (unsigned i = 0; i < size; ++i) {
      random = random * 1664525u + 1013904223u;
      first.push_back(next);
      // It never dies out early.
      const unsigned children = chains || next == i + 1 ? 1 : (random >> 24) % 8;
      next = std::min(size, next + (next < size ? children : 0));
    }
    first.push_back(next);
    for (unsigned begin = 0, end = roots; begin < end;) {
      depths.push_back(end - begin);
      const unsigned last = first[end];
      begin = end;
      end = last;
    }
  }
  unsigned size() const { return static_cast<unsigned>(first.size() - 1); }
};

struct Work {
  const unsigned* first;
  unsigned* notes;   // written by who pushes an id
  unsigned* counts;  // how often it was pulled; more when the note was not there

  __device__ static unsigned note(unsigned id) { return id * 2654435761u + 1; }
  __device__ void check(unsigned id) const {
    const unsigned seen = *static_cast<volatile unsigned*>(&notes[id]);
    atomicAdd(&counts[id], seen == note(id) ? 1u : 1000u);
  }
  template <class Out>
  __device__ void operator()(unsigned id, Out& out) const {
    check(id);
    for (unsigned child = first[id]; child < first[id + 1]; ++child) {
      notes[child] = note(child);
      out.push(child);
    }
  }
};

template <class List>
__global__ void each(List list, Work work) {
  list.for_each([&](std::uint32_t id, auto& out) { work(id, out); });
}
// The body pushes to the worklist itself.
template <class List>
__global__ void direct(List list, Work work) {
  list.for_each([&](std::uint32_t id) { work(id, list); });
}
// A barrier in the body, and one push a block's thread at a time.
template <class List>
__global__ void lockstep(List list, Work work) {
  list.for_each_in_blocks([&](std::uint32_t id) {
    unsigned child = 0, end = 0;
    if (id < kWait) {
      work.check(id);
      child = work.first[id];
      end = work.first[id + 1];
    }
    while (__syncthreads_or(child < end)) {
      const bool has = child < end;
      if (has) work.notes[child] = Work::note(child);
      list.push_block(has ? child++ : kDone);
    }
  });
}
// Places that are reserved in one piece; one too many.
template <class List>
__global__ void reserved(List list, Work work) {
  list.for_each([&](std::uint32_t id) {
    work.check(id);
    const unsigned begin = work.first[id], end = work.first[id + 1];
    auto places = list.reserve(end - begin + 1);
    for (unsigned child = begin; child < end; ++child) {
      work.notes[child] = Work::note(child);
      places.put(child);
    }
  });
}
template <class List>
__global__ void donating(List list, Work work) {
  list.for_each_donating([&](std::uint32_t id) { return work.first[id + 1] - work.first[id] + 1; },
                         [&](std::uint32_t id, auto& out) { work(id, out); });
}

class Stress {
 public:
  Stress(unsigned size, unsigned roots, bool chains) : tree_(size, roots, chains), roots_(roots) {
    first_ = to_device(tree_.first);
    notes_ = device_array<unsigned>(size);
    counts_ = device_array<unsigned>(size);
  }

  // Blocks as few as `blocks`, or as launch() takes when that is 0. `exact`: the worklist's size is
  // that of the depth.
  template <class List>
  void run(void (*kernel)(typename List::Device, Work), unsigned threads, unsigned blocks,
           unsigned capacity, bool exact = true) {
    List list(capacity);
    run_on(list, kernel, threads, blocks, exact);
  }

  template <class List>
  void run_on(List& list, void (*kernel)(typename List::Device, Work), unsigned threads,
              unsigned blocks, bool exact) {
    const unsigned size = tree_.size();
    CHECK(cudaMemset(counts_, 0, size * sizeof(unsigned)));
    std::vector<unsigned> notes(size, 0);
    for (unsigned i = 0; i < roots_; ++i) notes[i] = i * 2654435761u + 1;
    CHECK(cudaMemcpy(notes_, notes.data(), size * sizeof(unsigned), cudaMemcpyHostToDevice));
    list.push_range(0, roots_ / 2);
    std::vector<std::uint32_t> rest;
    for (unsigned i = roots_ / 2; i < roots_; ++i) rest.push_back(i);
    list.push(rest);
    std::size_t steps = 0;
    for (std::uint32_t found; (found = list.advance()) != 0; ++steps) {
      if (exact && steps < tree_.depths.size()) EXPECT_EQ(found, tree_.depths[steps]);
      if (blocks == 0) {
        list.launch(kernel, threads, Work{first_, notes_, counts_});
      } else {
        kernel<<<blocks, threads>>>(list.device(), Work{first_, notes_, counts_});
      }
    }
    const bool single = List::kBuffering == Buffering::single_buffered;
    if (exact || single) EXPECT_EQ(steps, single ? 1 : tree_.depths.size());
    EXPECT_EQ(list.size(), 0u);
    const std::vector<unsigned> counts = to_host(counts_, size);
    for (unsigned i = 0; i < size; ++i) EXPECT_EQ_AT(i, counts[i], 1u);
  }

  // Too few places: an error that says so, after which the worklist can be used again.
  template <class List>
  void overflow(unsigned capacity) {
    List list(capacity);
    std::uint64_t needed = 0;
    try {
      list.push_range(0, roots_);
      while (list.advance() != 0) {
        each<<<4, 64>>>(list.device(), Work{first_, notes_, counts_});
      }
    } catch (const Overflow& overflow) {
      needed = overflow.needed;
    }
    EXPECT(needed > capacity);
    CHECK(cudaDeviceSynchronize());
    list.clear();
    list.check();
    list.push({0});
    EXPECT_EQ(list.advance(), 1u);
  }

 private:
  Tree tree_;
  unsigned roots_;
  unsigned* first_;
  unsigned* notes_;
  unsigned* counts_;
};

// Pushes id + 100 for ids below 100, and counts all.
template <class List>
__global__ void shift(List list, unsigned* counts) {
  list.for_each([&](std::uint32_t id, auto& out) {
    atomicAdd(&counts[id], 1u);
    if (id < 100) out.push(id + 100);
  });
}
// What the host pushes after a kernel is pulled together with what that kernel has pushed.
template <class List>
void host_pushes_join_kernels() {
  unsigned* const counts = device_array<unsigned>(200);
  CHECK(cudaMemset(counts, 0, 200 * sizeof(unsigned)));
  List list(64);
  list.push_range(0, 10);
  EXPECT_EQ(list.advance(), 10u);
  list.launch(&shift<typename List::Device>, 32, counts);
  list.push({150});
  list.push_range(120, 5);
  EXPECT_EQ(list.advance(), 16u);
  list.launch(&shift<typename List::Device>, 32, counts);
  EXPECT_EQ(list.advance(), 0u);
  const std::vector<unsigned> found = to_host(counts, 200);
  for (unsigned id = 0; id < 200; ++id) {
    const bool there = id < 10 || (id >= 100 && id < 110) || (id >= 120 && id < 125) || id == 150;
    EXPECT_EQ_AT(id, found[id], there ? 1u : 0u);
  }
}

template <class Implementation>
void stress_one(Stress& tree, unsigned size) {
  using List = Worklist<Implementation>;
  using Device = typename List::Device;
  tree.run<List>(&each<Device>, 96, 5, size);
  tree.run<List>(&direct<Device>, 80, 6, size);  // the last warp of a block is half
  tree.run<List>(&lockstep<Device>, 80, 3, size);
  tree.run<List>(&donating<Device>, 64, 4, size);
}

template <Buffering How>
void stress_all(Stress& tree, unsigned size) {
  using ByThread = Worklist<Software<How, Push::thread>>;
  tree.run<ByThread>(&each<typename ByThread::Device>, 96, 5, size);
  using ByChunk = Worklist<Software<How, Push::chunk>>;
  tree.run<ByChunk>(&each<typename ByChunk::Device>, 80, 6, size);
  stress_one<Software<How, Push::warp>>(tree, size);
  stress_one<Software<How, Push::block, Blocks::resident, 2>>(tree, size);
}

inline int test_worklists() {
  constexpr Buffering kDouble = Buffering::double_buffered;
  constexpr Buffering kSingle = Buffering::single_buffered;
  constexpr unsigned kSize = 1000;
  Stress trees(kSize, 10, false);
  stress_all<kDouble>(trees, kSize);
  stress_all<kSingle>(trees, kSize);
  using Double = Worklist<Software<kDouble>>;
  using Single = Worklist<Software<kSingle>>;
  host_pushes_join_kernels<Double>();
  trees.run<Double>(&each<Double::Device>, 128, 0, kSize);
  Double again(kSize);  // a worklist can be used again
  for (int i = 0; i < 2; ++i) trees.run_on(again, &each<Double::Device>, 32, 0, true);
  // Holes are pulled, too: more steps, and more places.
  trees.run<Double>(&reserved<Double::Device>, 96, 4, 2 * kSize, false);
  trees.run<Single>(&reserved<Single::Device>, 96, 4, 2 * kSize, false);
  // One thread does all; more ids than threads.
  trees.run<Single>(&each<Single::Device>, 1, 1, kSize);
  trees.run<Double>(&donating<Double::Device>, 32, 1, kSize);
  // 100 chains in a ring of 128 places: round and round.
  Stress chains(kSize, 100, true);
  chains.run<Single>(&each<Single::Device>, 64, 4, 128);
  trees.overflow<Single>(16);
  trees.overflow<Double>(16);
  return finish();
}
