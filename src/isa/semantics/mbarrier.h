// Barrier objects in shared memory (PTX ISA 9.7.13.15). Their 64 bits: pending arrivals (0 to 19),
// expected arrivals (20 to 39), transactions under way (40 to 60, two's complement), and the parity
// of the phase (61). A state token is the object as it was before an arrival.
#pragma once

#include "isa/table.h"

namespace raddle::isa {

/// Bits of Form::extra of mbarrier rows, in the order of kMbarrierWords.
enum MbarrierWord : std::uint32_t {
  kMbarrierInit = 1,
  kMbarrierInval = 2,
  kMbarrierExpectTx = 4,
  kMbarrierCompleteTx = 8,
  kMbarrierArrive = 16,
  kMbarrierArriveDrop = 32,
  kMbarrierTestWait = 64,
  kMbarrierTryWait = 128,
  kMbarrierParity = 256,
  kMbarrierPendingCount = 512,
  kMbarrierNoComplete = 1024,
};
inline constexpr std::string_view kMbarrierWords =
    "init inval expect_tx complete_tx arrive arrive_drop test_wait try_wait parity pending_count "
    "noComplete";

/// All operations except waits and pending_count: d = the object before; s[1] arrivals, s[2]
/// transactions.
Execute select_mbarrier_update(const Form& form, Space space, bool result);
/// p = whether the object s[0] has left the phase of the token s[1], or the phase with parity s[1].
Execute select_mbarrier_wait(const Form& form);
/// d = the pending arrivals in the token s[0].
Execute select_mbarrier_pending_count(const Form& form);

}  // namespace raddle::isa
