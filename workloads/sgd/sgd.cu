// Completion of a matrix of ratings by stochastic gradient descent. See README.md.
#include <cstdio>
#include <string>

#include "common/data_path.h"
#include "common/options.h"
#include "common/text_scanner.h"
#include "sgd/application.cuh"

using namespace raddle::workloads;
using namespace raddle::workloads::sgd;

int main(int argc, char** argv) {
  std::string input = "ratings/ml-latest-small.csv";
  std::int64_t groups = 112, epochs = 1, least_ratings = 10;
  Options options("sgd", "completion of a matrix of ratings by stochastic gradient descent");
  options.add("--input", &input, "ratings in the MovieLens format");
  options.add("--groups", &groups, 1, 4096, "of users, and of items: blocks of a kernel");
  options.add("--epochs", &epochs, 1, 1000, "rounds over all ratings");
  options.add("--least-ratings", &least_ratings, 1, 1 << 20, "items with fewer are left out");
  return run_workload(options, argc, argv, [&] {
    const std::string file = find_input(input);
    const RatingTable table =
        make_table(read_ratings(file, read_file(file)), static_cast<std::uint32_t>(least_ratings));
    std::printf("sgd: %u users, %u items, %zu ratings\n", table.num_users, table.num_items,
                table.items.size());
    Completion completion(table, static_cast<unsigned>(groups), static_cast<unsigned>(epochs));
    run_alone(completion);
    return completion.check();
  });
}
