// Error codes of CUDA (driver_types.h, cudaError_t) that the device runtime returns.
#pragma once

#include <cstdint>

namespace raddle::mechanisms::cdp {

enum class Error : std::int32_t {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  invalid_configuration = 9,
  invalid_memcpy_direction = 21,
  launch_max_depth_exceeded = 65,
  sync_depth_exceeded = 68,
  launch_pending_count_exceeded = 69,
  invalid_device_function = 98,
  invalid_resource_handle = 400,
  launch_out_of_resources = 701,
  not_supported = 801,
};

}  // namespace raddle::mechanisms::cdp
