#include "cuda/device/stuck_notice.h"

namespace raddle::cuda {

bool StuckNotice::due(const machine::Progress& progress, Clock::time_point now) {
  if (told_) return false;
  const machine::GridId grid = progress.grid == nullptr ? 0 : progress.grid->id;
  const bool same = grid == grid_ && progress.grids_ended == grids_ended_ &&
                    progress.blocks_ended == blocks_ended_;
  if (grid == 0 || !same) {
    grid_ = grid;
    grids_ended_ = progress.grids_ended;
    blocks_ended_ = progress.blocks_ended;
    since_ = now;
    since_cycle_ = progress.now;
    return false;
  }
  told_ = now - since_ >= after_ && progress.now - since_cycle_ >= kCycles;
  return told_;
}

}  // namespace raddle::cuda
