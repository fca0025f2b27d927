// The loops in which threads pull. They are the same for all worklists.
#pragma once

#include <type_traits>

#include "donation.cuh"
#include "gather.cuh"

namespace raddle::worklist::detail {

template <class List>
class Loops {
 public:
  /// Pulls until all work is done, and calls body(id) or body(id, out) for each work id. out.push()
  /// combines pushes as the worklist's Push says; the worklist's own functions may be called, too.
  /// A thread that has to wait skips the body and joins the other lanes of its warp at the next
  /// pull. With Push::block, all threads of the block call it.
  template <class Body>
  __device__ void for_each(Body body) const {
    if constexpr (List::kPush == Push::block) {
      for_each_in_blocks([&](std::uint32_t id, typename List::Out& out) {
        if (id < kWait) call(body, id, out);
      });
    } else {
      typename List::Out out(list());
      auto worker = list().worker();
      for (std::uint32_t id; (id = worker.pull()) != kDone;) {
        id = hidden(id);
        if (id != kWait) run(body, id, out);
      }
    }
  }

  /// In lockstep: all threads of the block call the body together, so it may use barriers. Threads
  /// without a work id get kWait or kDone.
  template <class Body>
  __device__ void for_each_in_blocks(Body body) const {
    typename List::Out out(list());
    auto worker = list().worker();
    for (;;) {
      const std::uint32_t id = worker.pull();
      if (!__syncthreads_or(id != kDone)) break;
      call(body, id, out);
      if constexpr (List::kPush == Push::block) {
        out.flush_block();
      } else {
        out.flush();
      }
    }
  }

  /// Work donating. A thread with more work than the block's average, by estimate(id), donates the
  /// rest before it begins. Threads that have finished their own work take donated work. All
  /// threads of the block call it. It needs a double-buffered worklist in software, where each
  /// thread's work is known beforehand; on others it is for_each().
  template <class Estimate, class Body>
  __device__ void for_each_donating(Estimate estimate, Body body) const {
    if constexpr (!List::kDealt) {
      for_each(body);
    } else {
      __shared__ Donations donations;
      auto worker = list().worker();
      auto share = donate(worker, estimate, donations);
      __syncthreads();
      typename List::Out out(list());
      // One loop for own and donated work, so that the body is compiled once.
      for (unsigned done = 0;; ++done) {
        std::uint32_t id = done < share.kept ? worker.pull() : share.rest.pull();
        if (id == kDone) id = donations.take();
        if (id == kDone) break;
        id = hidden(id);
        if (id != kWait) run(body, id, out);
      }
      __syncthreads();  // before the next loop clears the donations
    }
  }

 private:
  template <class Body, class Out>
  __device__ static void call(Body& body, std::uint32_t id, Out& out) {
    if constexpr (std::is_invocable_v<Body&, std::uint32_t>) {
      body(id);
    } else {
      body(id, out);
    }
  }
  template <class Body, class Out>
  __device__ static void run(Body& body, std::uint32_t id, Out& out) {
    call(body, id, out);
    out.flush();
  }
  __device__ const List& list() const { return static_cast<const List&>(*this); }
};

}  // namespace raddle::worklist::detail
