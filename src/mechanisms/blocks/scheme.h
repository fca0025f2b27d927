// A scheme estimates blocks and decides how the estimates are used: the paper's scheme and the
// schemes that it is compared with. Each has a file in schemes/ and a line in kinds.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/types.h"
#include "mechanisms/blocks/config.h"
#include "mechanisms/blocks/stats.h"
#include "mechanisms/blocks/usage.h"

namespace raddle::mechanisms::blocks {

/// A block as schemes know it.
struct Subject {
  unsigned client = 0;  // the program, of those that share the GPU (raddle corun)
  std::uint32_t stream = 0;
  std::uint64_t block = 0;  // its linear index
  std::string_view kernel;  // lives as long as the program

  /// The same block from launch to launch: its program, stream and index.
  std::tuple<unsigned, std::uint32_t, std::uint64_t> place() const {
    return {client, stream, block};
  }
};

class Scheme {
 public:
  virtual ~Scheme() = default;
  /// The usage that the block has, or is expected to have.
  virtual Usage estimate(const Subject&) const = 0;
  /// An update has arrived: the block's rates since its last look, or over its whole time when it
  /// ends.
  virtual void learn(const Subject&, const Rates&, bool ended) = 0;
  /// Whether learn() of one block changes the estimates of other blocks, too.
  virtual bool shares() const { return false; }
  /// Whether new blocks are placed by their estimates.
  virtual bool predicts() const { return true; }
  /// Whether blocks leave when their SM is predicted to be oversubscribed.
  virtual bool preempts() const { return true; }
  /// The rehearsal is over, and the measured part of the program begins (blocks.rehearsal_ends).
  virtual void rehearsal_ended() {}
};

struct SchemeSetup {
  const BlocksConfig& config;
  const Steps& steps;
  BlocksStats& stats;
};

struct SchemeKind {
  std::string_view name;
  std::unique_ptr<Scheme> (*make)(const SchemeSetup&);
};

/// The kind that the setting names. Throws an Error that lists similar names.
const SchemeKind& scheme(const TextField& setting);
const std::vector<SchemeKind>& scheme_kinds();

}  // namespace raddle::mechanisms::blocks
