#pragma once

namespace raddle::workloads {

/// A body, or an acceleration (mass unused). 16-byte aligned, so that a thread reads one at once.
struct alignas(16) Body {
  float x, y, z, mass;
};

}  // namespace raddle::workloads
