// Values of a program's own in the statistics that `raddle run --stats` writes, at `values.NAME`,
// where experiments and figures find them. Elsewhere nothing happens.
//
//   raddle::report("latency_us", latency);
#pragma once

extern "C" void raddleReport(const char* name, double value) __attribute__((weak));

namespace raddle {

/// The last value of a name counts.
inline void report(const char* name, double value) {
  if (raddleReport != nullptr) raddleReport(name, value);
}

}  // namespace raddle
