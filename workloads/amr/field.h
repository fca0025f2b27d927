#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace raddle::workloads {

/// A scalar field on a cube of side^3 points, x fastest, 8 bits per point.
struct FieldData {
  std::uint32_t side = 0;
  std::vector<std::uint8_t> values;
};

/// Reads a volume of the volvis collection: lines "X: N", "Y: N", "Z: N" and others, a line ".",
/// then the values. The three sizes must be equal. Throws InputError; `name` stands for the file.
FieldData parse_field(const std::string& name, const std::string& bytes);

}  // namespace raddle::workloads
