// The first PTX version and the targets of each form, according to ptxas.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace raddle::tests {

inline constexpr std::string_view kVersions[] = {
    "1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "2.0", "2.1", "2.2", "2.3", "3.0",
    "3.1", "3.2", "4.0", "4.1", "4.2", "4.3", "5.0", "5.1", "6.0", "6.1", "6.2",
    "6.3", "6.4", "6.5", "7.0", "7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7",
    "7.8", "8.0", "8.1", "8.2", "8.3", "8.4", "8.5", "8.6", "8.7", "8.8", "9.0"};
/// In this order the bits of Introduced::targets. For those below sm_75 ptxas 13 generates no code,
/// and checks PTX all the same.
inline constexpr std::string_view kTargets[] = {
    "sm_10",   "sm_11",   "sm_12",  "sm_13",   "sm_20",   "sm_21",  "sm_30",   "sm_32",   "sm_35",
    "sm_37",   "sm_50",   "sm_52",  "sm_53",   "sm_60",   "sm_61",  "sm_62",   "sm_70",   "sm_72",
    "sm_75",   "sm_80",   "sm_86",  "sm_87",   "sm_88",   "sm_89",  "sm_90",   "sm_90a",  "sm_100",
    "sm_100a", "sm_100f", "sm_103", "sm_103a", "sm_103f", "sm_110", "sm_110a", "sm_110f", "sm_120",
    "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f"};

struct Introduced {
  std::size_t version = 0;    // index in kVersions
  std::uint64_t targets = 0;  // a bit for each of kTargets
  friend auto operator<=>(const Introduced&, const Introduced&) = default;
};
using Recorded = std::map<std::string, Introduced>;  // by form ("add.cc.u32/3")

/// A line for each version and set of targets, "7.0 0x1fff80000: forms", sorted.
void write_recorded(const std::string& file, const Recorded& recorded);
Recorded read_recorded(const std::string& file);

}  // namespace raddle::tests
