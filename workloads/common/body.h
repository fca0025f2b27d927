#pragma once

namespace raddle::workloads {

/// A body, or an acceleration (mass unused). Aligned to 16 bytes, so that a thread reads one by one
/// load.
struct alignas(16) Body {
  float x, y, z, mass;
};

}  // namespace raddle::workloads
