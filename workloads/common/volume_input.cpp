#include "common/volume_input.h"

#include "amr/field.h"
#include "common/data_path.h"
#include "common/generators.h"
#include "common/text_scanner.h"

namespace raddle::workloads {

void VolumeInput::add_to(Options& options) {
  options.add("--input", &input, "volume, or random");
  options.add("--width", &width, 3, 1024, "points along x");
  options.add("--height", &height, 3, 1024, "points along y");
  options.add("--depth", &depth, 3, 1024, "points along z");
  options.add("--seed", &seed, 0, INT64_MAX, "of random values");
}

std::vector<float> VolumeInput::load() const {
  const Box size = box();
  if (input == "random") {
    return random_floats(size.points(), 0, 1, static_cast<std::uint64_t>(seed));
  }
  const std::string path = find_input(input);
  const FieldData field = parse_field(path, read_file(path));
  const Box cube{field.side, field.side, field.side};
  std::vector<float> values(size.points());
  for (unsigned z = 0; z < size.z; ++z) {
    for (unsigned y = 0; y < size.y; ++y) {
      for (unsigned x = 0; x < size.x; ++x) {
        const unsigned at = cube.at(x % cube.x, y % cube.y, z % cube.z);
        values[size.at(x, y, z)] = static_cast<float>(field.values[at]) / 255.0f;
      }
    }
  }
  return values;
}

}  // namespace raddle::workloads
