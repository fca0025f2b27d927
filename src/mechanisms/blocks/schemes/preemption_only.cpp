// Blocks are placed wherever they fit, and leave an oversubscribed multiprocessor
// (thread-block-management, section VI.A).
#include "mechanisms/blocks/usage_table.h"

namespace raddle::mechanisms::blocks {

SchemeKind preemption_only() {
  return {"preemption_only", [](const SchemeSetup& setup) -> std::unique_ptr<Scheme> {
            return std::make_unique<BlockScheme>(setup, BlockScheme::Use{.predicts = false});
          }};
}

}  // namespace raddle::mechanisms::blocks
