// A program reports values of its own. `raddle run --stats` writes them as statistics named
// `values.NAME`, where experiments and figures find them. Outside of the simulator the call does
// nothing.
//
//   raddle::report("latency_us", latency);
#pragma once

extern "C" void raddleReport(const char* name, double value) __attribute__((weak));

namespace raddle {

/// Of several values with one name the statistics keep the last.
inline void report(const char* name, double value) {
  if (raddleReport != nullptr) raddleReport(name, value);
}

}  // namespace raddle
