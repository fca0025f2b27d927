// Temperatures of a chip by explicit finite-difference steps of the heat equation. A launch makes
// two steps on overlapping tiles (ghost zones: Huang et al., "HotSpot", and Meng & Skadron, ICS
// 2009, as in Rodinia 3.1's hotspot).
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

struct Chip {
  int columns, rows;
  float capacity, rx, ry, rz, step;
};

constexpr int kTile = 16;       // threads of a block in each direction
constexpr float kAmbient = 80;  // degrees

__device__ inline bool within(int value, int least, int most) {
  return value >= least && value <= most;
}

/// Writes the temperatures after `steps` steps. A block computes kTile - 2 * steps cells in each
/// direction; each step invalidates one more cell at the border of its tile. Like Rodinia's kernel,
/// it multiplies by a double constant.
extern "C" __global__ void calculate_temperatures(int steps, const float* power,
                                                  const float* before, float* after, Chip chip) {
  __shared__ float temperature[kTile][kTile];
  __shared__ float heat[kTile][kTile];
  __shared__ float next[kTile][kTile];
  const float step_by_capacity = chip.step / chip.capacity;
  const float x_conductance = 1 / chip.rx;
  const float y_conductance = 1 / chip.ry;
  const float z_conductance = 1 / chip.rz;

  const int x = threadIdx.x, y = threadIdx.y;
  const int left = static_cast<int>(blockIdx.x) * (kTile - 2 * steps) - steps;
  const int top = static_cast<int>(blockIdx.y) * (kTile - 2 * steps) - steps;
  const int column = left + x, row = top + y;
  const int cell = chip.columns * row + column;
  if (within(row, 0, chip.rows - 1) && within(column, 0, chip.columns - 1)) {
    temperature[y][x] = before[cell];
    heat[y][x] = power[cell];
  }
  __syncthreads();

  const int right = left + kTile - 1, bottom = top + kTile - 1;
  const int first_x = left < 0 ? -left : 0, first_y = top < 0 ? -top : 0;
  const int last_x = right > chip.columns - 1 ? kTile - 1 - (right - chip.columns + 1) : kTile - 1;
  const int last_y = bottom > chip.rows - 1 ? kTile - 1 - (bottom - chip.rows + 1) : kTile - 1;
  const int north = y - 1 < first_y ? first_y : y - 1, south = y + 1 > last_y ? last_y : y + 1;
  const int west = x - 1 < first_x ? first_x : x - 1, east = x + 1 > last_x ? last_x : x + 1;

  bool computed = false;
  for (int step = 0; step < steps; ++step) {
    computed = false;
    if (within(x, step + 1, kTile - step - 2) && within(y, step + 1, kTile - step - 2) &&
        within(x, first_x, last_x) && within(y, first_y, last_y)) {
      computed = true;
      const float here = temperature[y][x];
      next[y][x] =
          here + step_by_capacity *
                     (heat[y][x] +
                      (temperature[south][x] + temperature[north][x] - 2.0 * here) * y_conductance +
                      (temperature[y][east] + temperature[y][west] - 2.0 * here) * x_conductance +
                      (kAmbient - here) * z_conductance);
    }
    __syncthreads();
    if (step == steps - 1) break;
    if (computed) temperature[y][x] = next[y][x];
    __syncthreads();
  }
  if (computed) after[cell] = next[y][x];
}

/// Makes one step on the whole chip.
inline std::vector<float> hotspot_step(const std::vector<float>& power,
                                       const std::vector<float>& before, const Chip& chip) {
  const float by_capacity = chip.step / chip.capacity;
  std::vector<float> after(before.size());
  for (int row = 0; row < chip.rows; ++row) {
    for (int column = 0; column < chip.columns; ++column) {
      const auto at = [&](int r, int c) {
        return before[std::clamp(r, 0, chip.rows - 1) * chip.columns +
                      std::clamp(c, 0, chip.columns - 1)];
      };
      const float here = at(row, column);
      const double vertical = at(row + 1, column) + at(row - 1, column) - 2.0 * here;
      const double horizontal = at(row, column + 1) + at(row, column - 1) - 2.0 * here;
      const int cell = row * chip.columns + column;
      after[cell] = static_cast<float>(
          here + by_capacity * (power[cell] + vertical * (1 / chip.ry) +
                                horizontal * (1 / chip.rx) + (kAmbient - here) * (1 / chip.rz)));
    }
  }
  return after;
}

/// Rodinia's default: 1024 x 1024 cells of a chip of 16 mm x 16 mm x 0.5 mm, two steps a launch.
inline bool run_hotspot(Bench& bench) {
  constexpr int kSide = 1024, kSteps = 2;
  constexpr float kThickness = 0.0005f, kCell = 0.016f / kSide, kConductivity = 100;
  constexpr float kMaxSlope = 3.0e6f / (0.5f * kThickness * 1.75e6f);
  const Chip chip{kSide,
                  kSide,
                  0.5f * 1.75e6f * kThickness * kCell * kCell,
                  kCell / (2 * kConductivity * kThickness * kCell),
                  kCell / (2 * kConductivity * kThickness * kCell),
                  kThickness / (kConductivity * kCell * kCell),
                  0.001f / kMaxSlope};
  const std::vector<float> power = numbers(kSide * kSide, 0, 1e-3f);
  const std::vector<float> before = numbers(kSide * kSide, 320, 345);
  DeviceBuffer<float> device_power(power), from(before), to(before.size());
  constexpr int kInner = kTile - 2 * kSteps;
  const dim3 blocks((kSide + kInner - 1) / kInner, (kSide + kInner - 1) / kInner);
  bench.launch("calculate_temperatures", calculate_temperatures, blocks, dim3(kTile, kTile), 0,
               kSteps, device_power.data(), from.data(), to.data(), chip);
  const std::vector<float> expected = hotspot_step(power, hotspot_step(power, before, chip), chip);
  return check_near("hotspot", expected, to.download(), 1e-6);
}

}  // namespace raddle::workloads::kernels
