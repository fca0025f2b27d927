// A scheme says what is known of blocks, and what is done with it: the paper's own and those that it is
// compared with. A file each in schemes/, and a line in kinds.cpp.
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
  /// What the block uses, or will use.
  virtual Usage estimate(const Subject&) const = 0;
  /// An update has come: what its counters say of the last stretch of time, or of all of its time when
  /// it ends.
  virtual void learn(const Subject&, const Rates&, bool ended) = 0;
  /// Whether learn() of a block changes what is known of others, too.
  virtual bool shares() const { return false; }
  /// Whether estimates are asked for when blocks are placed for the first time.
  virtual bool predicts() const { return true; }
  /// Whether blocks leave when their SM is predicted to be oversubscribed.
  virtual bool preempts() const { return true; }
  /// The program has come to what is measured (blocks.rehearsal_ends).
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

/// The kind that the setting names; throws Error which lists near names.
const SchemeKind& scheme(const TextField& setting);
const std::vector<SchemeKind>& scheme_kinds();

}  // namespace raddle::mechanisms::blocks
