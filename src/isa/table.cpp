#include "isa/table.h"

#include <array>

namespace raddle::isa {

std::span<const std::span<const Row>> table() {
  static const std::array<std::span<const Row>, 13> families = {
      integer_rows(),       float_rows(),           half_rows(),   comparison_rows(),
      logic_rows(),         conversion_rows(),      video_rows(),  data_movement_rows(),
      control_flow_rows(),  synchronization_rows(), matrix_rows(), texture_rows(),
      miscellaneous_rows(),
  };
  return families;
}

}  // namespace raddle::isa
