#include "amr/field.h"

#include "common/text_scanner.h"

namespace raddle::workloads {

FieldData parse_field(const std::string& name, const std::string& bytes) {
  constexpr std::uint64_t most = 1024;
  TextScanner scanner(name, bytes);
  std::uint64_t sides[3] = {0, 0, 0};
  while (!scanner.accept(".")) {
    if (scanner.at_file_end()) scanner.fail_expected("a line '.' after the heading");
    if (scanner.accept("X:")) {
      sides[0] = scanner.read_unsigned("the number of points", 2, most);
    } else if (scanner.accept("Y:")) {
      sides[1] = scanner.read_unsigned("the number of points", 2, most);
    } else if (scanner.accept("Z:")) {
      sides[2] = scanner.read_unsigned("the number of points", 2, most);
    }
    scanner.next_line();
  }
  scanner.next_line();
  if (sides[0] == 0 || sides[0] != sides[1] || sides[0] != sides[2]) {
    throw InputError(name + ": expected equal sizes X, Y and Z in the heading");
  }
  FieldData field;
  field.side = static_cast<std::uint32_t>(sides[0]);
  const std::size_t points = sides[0] * sides[0] * sides[0];
  const std::size_t first = scanner.offset();
  if (bytes.size() - first != points) {
    throw InputError(name + ": expected " + std::to_string(points) +
                     " values after the heading, found " + std::to_string(bytes.size() - first));
  }
  field.values.assign(bytes.begin() + static_cast<std::ptrdiff_t>(first), bytes.end());
  return field;
}

}  // namespace raddle::workloads
