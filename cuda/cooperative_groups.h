// Cooperative groups (CUDA C++ Programming Guide, "Cooperative Groups"): the block, the grid, tiles
// of up to a warp, coalesced groups, and their partitions.
#pragma once

#include "crt/library_begin.h"

#include "cooperative_groups/details/grid_group.h"
#include "cooperative_groups/details/partition.h"
#include "cooperative_groups/details/thread_block_tile.h"
#include "cooperative_groups/details/thread_group.h"

#include "crt/library_end.h"
