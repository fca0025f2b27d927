// Votes, matches and reductions over a warp (PTX ISA 9.7.13.7 to 9.7.13.12, 9.7.13.17). The member
// mask is in s[3]. machine/warp makes sure that lanes which must meet have met before.
#pragma once

#include "isa/table.h"

namespace raddle::isa {

Execute select_vote(const Form&);
Execute select_match(const Form&);
Execute select_redux(const Form&);
Execute select_activemask(const Form&);
Execute select_elect(const Form&);
/// Memory has one order: a fence only waits for the block's turn.
Execute select_fence(const Form&);

}  // namespace raddle::isa
