// Product recommendation by item-based collaborative filtering. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/data_path.h"
#include "common/device_buffer.h"
#include "common/options.h"
#include "common/text_scanner.h"
#include "pre/kernels.cuh"
#include "pre/ratings.h"
#include "pre/reference.h"

using namespace raddle::workloads;

namespace {

constexpr unsigned block_size = parent_block;

/// The ratings of the first users, one after the other, in device memory.
class ActiveUsers {
 public:
  ActiveUsers(const RatingTable& table, std::uint32_t num_active)
      : count_(table.offsets[num_active]),
        users_(users_of(table, num_active)),
        items_(first(table.items, count_)),
        half_stars_(first(table.half_stars, count_)) {}

  ActiveRatings view() const { return {count_, users_.data(), items_.data(), half_stars_.data()}; }

 private:
  static std::vector<unsigned> users_of(const RatingTable& table, std::uint32_t num_active) {
    std::vector<unsigned> users;
    for (std::uint32_t user = 0; user < num_active; ++user)
      users.resize(table.offsets[user + 1], user);
    return users;
  }
  static std::vector<unsigned> first(const std::vector<unsigned>& values, unsigned count) {
    return {values.begin(), values.begin() + count};
  }

  unsigned count_;
  DeviceBuffer<unsigned> users_;
  DeviceBuffer<unsigned> items_;
  DeviceBuffer<unsigned> half_stars_;
};

std::vector<unsigned> recommend(const RatingTable& table, const SimilarItems& similar,
                                std::uint32_t num_active, const std::string& variant,
                                const DynamicOptions& dynamic) {
  const ActiveUsers active(table, num_active);
  const DeviceBuffer<unsigned> offsets(similar.offsets);
  const DeviceBuffer<unsigned> items(similar.items);
  const DeviceBuffer<unsigned> weights(similar.weights);
  const unsigned places = count_places(num_active, table.num_items);
  DeviceBuffer<unsigned> vote_sums(places);
  DeviceBuffer<unsigned> weight_sums(places);
  DeviceBuffer<unsigned> predictions(places);
  vote_sums.fill_bytes(0);
  weight_sums.fill_bytes(0);
  const Recommendation recommendation{table.num_items, offsets.data(),   items.data(),
                                      weights.data(),  vote_sums.data(), weight_sums.data()};
  const unsigned blocks = blocks_for(active.view().count, block_size);
  if (is_dynamic(variant)) {
    pre_dynamic<<<blocks, block_size>>>(recommendation, active.view(),
                                        dynamic.prepare_device(variant));
  } else {
    pre_flat<<<blocks, block_size>>>(recommendation, active.view());
  }
  CHECK_CUDA(cudaGetLastError());
  pre_predict<<<blocks_for(places, block_size), block_size>>>(vote_sums.data(), weight_sums.data(),
                                                              places, predictions.data());
  CHECK_CUDA(cudaGetLastError());
  return predictions.download();
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "flat";
  std::string input = "ratings/ml-latest-small.csv";
  std::int64_t users = 12;
  std::int64_t least_ratings = 10;
  std::int64_t least_common = 3;
  DynamicOptions dynamic;
  Options options("pre", "recommends films that are similar to those a user liked");
  options.add_choice("--variant", &variant, {"flat", "cdp", "dtbl"}, "who looks at similar films");
  options.add("--input", &input, "ratings in MovieLens format: user,item,stars");
  options.add("--users", &users, 1, 1 << 20, "recommend to the first N users");
  options.add("--least-ratings", &least_ratings, 1, 1 << 20, "drop films with fewer ratings");
  options.add("--least-common", &least_common, 1, 1 << 20,
              "two films are similar when this many users rated both");
  dynamic.add_to(options);
  return run_workload(options, argc, argv, [&] {
    const std::string file = find_input(input);
    const RatingTable table =
        make_table(read_ratings(file, read_file(file)), static_cast<std::uint32_t>(least_ratings));
    if (table.num_users == 0) throw InputError(file + ": no film has that many ratings");
    const SimilarItems similar = similar_items(table, static_cast<std::uint32_t>(least_common));
    const auto active = std::min(static_cast<std::uint32_t>(users), table.num_users);
    std::printf("pre: %u users, %u films, %zu ratings; %zu similar pairs; %u active users\n",
                table.num_users, table.num_items, table.items.size(), similar.items.size(), active);
    const std::vector<unsigned> found = recommend(table, similar, active, variant, dynamic);
    return check_equal("pre", pre_reference(table, similar, active), found);
  });
}
