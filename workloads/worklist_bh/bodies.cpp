#include "worklist_bh/bodies.h"

#include <cmath>

#include "common/generators.h"

namespace raddle::workloads::bh {

System disc(std::size_t count, std::uint64_t seed) {
  constexpr double pi = 3.14159265358979323846;
  constexpr double edge = 6, thickness = 0.1;
  const auto mass_within = [](double r) { return 1 - (1 + r) * std::exp(-r); };
  Random random(seed);
  System system;
  const float mass = 1.0F / static_cast<float>(count);
  while (system.bodies.size() < count) {
    // Finds by bisection the radius that contains a random part of the mass.
    const double part = random.real() * mass_within(edge);
    double low = 0, high = edge;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (mass_within(middle) < part ? low : high) = middle;
    }
    const double angle = 2 * pi * random.real();
    const double height = thickness * std::atanh(2 * random.real() * 0.999 - 0.999);
    const double x = low * std::cos(angle), y = low * std::sin(angle);
    system.bodies.push_back(
        {static_cast<float>(x), static_cast<float>(y), static_cast<float>(height), mass});
    const double speed = low > 0 ? std::sqrt(part / low) : 0;
    system.velocities.push_back({static_cast<float>(-speed * std::sin(angle)),
                                 static_cast<float>(speed * std::cos(angle)), 0, 0});
  }
  return system;
}

}  // namespace raddle::workloads::bh
