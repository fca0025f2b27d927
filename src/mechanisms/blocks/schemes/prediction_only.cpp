// Estimates of the table place new blocks, and no block is preempted (thread-block-management,
// section VI.A).
#include "mechanisms/blocks/usage_table.h"

namespace raddle::mechanisms::blocks {

SchemeKind prediction_only() {
  return {"prediction_only", [](const SchemeSetup& setup) -> std::unique_ptr<Scheme> {
            return std::make_unique<BlockScheme>(setup, BlockScheme::Use{.preempts = false});
          }};
}

}  // namespace raddle::mechanisms::blocks
