// Reports for users about waiting warps.
#pragma once

#include <string>

#include "machine/sm/warp_table.h"
#include "machine/warp/spin_watch.h"
#include "machine/whereabouts.h"

namespace raddle::machine {

/// Adds a line for each warp that has not ended: its identity and what it waits for. `lines` counts
/// the lines over all SMs; after `most` lines no more are added.
void describe_waiting(const WarpTable& warps, std::string& text, unsigned& lines, unsigned most);
/// Whether any warp has not ended.
bool any_resident(const WarpTable& warps);
/// Whether no warp can make progress, except warps that were seen to repeat themselves.
bool all_wait(const WarpTable& warps, const SpinWatch& watch);
/// Adds each warp that has not ended.
void add_to(Whereabouts& all, const WarpTable& warps);

}  // namespace raddle::machine
