#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/options.h"
#include "common/seven_points.h"

namespace raddle::workloads {

/// Options of workloads on a box of floats.
struct VolumeInput {
  std::string input = "fields/fuel.vol";
  std::int64_t width = 62, height = 50, depth = 24;
  std::int64_t seed = 1;

  void add_to(Options& options);
  Box box() const {
    return {static_cast<unsigned>(width), static_cast<unsigned>(height),
            static_cast<unsigned>(depth)};
  }
  /// Returns values from 0 to 1: random ones, or a corner of the file's cube. The cube is repeated
  /// if the box is larger. Throws InputError.
  std::vector<float> load() const;
};

}  // namespace raddle::workloads
