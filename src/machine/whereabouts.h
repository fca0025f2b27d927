// A report for users about where the warps of running kernels are. Warps at the same place for the
// same reason share a line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine/dispatch/grid.h"

namespace raddle::machine {

/// A line of a report, for one warp of the block with that index. The text begins with a line
/// break. `where`: Warp::why_waiting().
std::string warp_line(const Dim3& block, unsigned warp, const std::string& where);

class Whereabouts {
 public:
  /// A running grid, also if none of its warps is added.
  void add(const Grid& grid) { section(grid); }
  /// A warp of the block with that index; `where`: Warp::why_waiting().
  void add(const Grid& grid, const Dim3& block, unsigned warp, const std::string& where);

  /// A line for each kernel with its blocks, and below it its places, the places with most warps
  /// first: at most `most` places over all kernels. "" when nothing runs.
  std::string text(unsigned most) const;

 private:
  struct Place {
    std::uint64_t warps = 0;
    Dim3 block;         // of the first of these warps
    unsigned warp = 0;  // in its block
  };
  struct Section {
    GridId id = 0;
    std::string kernel;
    std::uint64_t blocks = 0, ended = 0, away = 0, warps = 0;
    std::map<std::string, Place> places;
  };
  Section& section(const Grid& grid);
  static std::string places_text(const Section& section, unsigned& left);

  std::vector<Section> sections_;  // in the order in which they were added
};

}  // namespace raddle::machine
