#pragma once

#include <cuda_runtime.h>

#include "common/dynamic_variant.h"

namespace raddle::workloads {

/// Recommends items to some users, the "active" ones. Each rating by an active user votes for the
/// items that are similar to the rated one. The votes for item i and active user u are summed at u
/// * num_items + i. They are whole numbers, so that sums do not depend on the order of the threads.
struct Recommendation {
  unsigned num_items;
  const unsigned* similar_offsets;  // where the items similar to an item begin
  const unsigned* similar_items;    // the similar items, for each item
  const unsigned* weights;          // similarity of each of them
  unsigned* vote_sums;              // of weight x rating
  unsigned* weight_sums;

  __device__ void vote(unsigned user, unsigned rating, unsigned position) const {
    const unsigned weight = weights[position];
    const unsigned place = user * num_items + similar_items[position];
    atomicAdd(&vote_sums[place], weight * rating);
    atomicAdd(&weight_sums[place], weight);
  }
};

/// The ratings by active users, one after the other.
struct ActiveRatings {
  unsigned count;
  const unsigned* users;  // 0 for the first active user
  const unsigned* items;
  const unsigned* half_stars;
};

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    pre_flat(Recommendation recommendation, ActiveRatings ratings) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= ratings.count) return;
  const unsigned item = ratings.items[i];
  const unsigned end = recommendation.similar_offsets[item + 1];
  for (unsigned at = recommendation.similar_offsets[item]; at < end; ++at) {
    recommendation.vote(ratings.users[i], ratings.half_stars[i], at);
  }
}

/// The pocket of parallelism: the votes of one rating, a similar item a thread.
__global__ void pre_vote_for_similar(Recommendation recommendation, unsigned user, unsigned rating,
                                     unsigned first, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) recommendation.vote(user, rating, first + i);
}
constexpr auto pre_vote_for_similar_kernel = &pre_vote_for_similar;

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    pre_dynamic(Recommendation recommendation, ActiveRatings ratings, DynamicLaunch launch) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= ratings.count) return;
  const unsigned item = ratings.items[i];
  const unsigned user = ratings.users[i];
  const unsigned rating = ratings.half_stars[i];
  const unsigned first = recommendation.similar_offsets[item];
  const unsigned end = recommendation.similar_offsets[item + 1];
  if (launch(pre_vote_for_similar_kernel, end - first, recommendation, user, rating, first,
             end - first)) {
    return;
  }
  for (unsigned at = first; at < end; ++at) recommendation.vote(user, rating, at);
}

/// Computes expected ratings, in 1/1000 half stars; 0 for an item without votes.
__global__ void pre_predict(const unsigned* vote_sums, const unsigned* weight_sums, unsigned count,
                            unsigned* predictions) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned weight = weight_sums[i];
  predictions[i] = weight == 0 ? 0 : static_cast<unsigned>(1000ull * vote_sums[i] / weight);
}

}  // namespace raddle::workloads
