// The paper's scheme. A block is estimated in both metrics by the last usage of its entry in the
// table. The estimates place new blocks and preempt blocks of an oversubscribed multiprocessor
// (thread-block-management, section IV).
#include "mechanisms/blocks/usage_table.h"

namespace raddle::mechanisms::blocks {

SchemeKind dynamic() {
  return {"dynamic", [](const SchemeSetup& setup) -> std::unique_ptr<Scheme> {
            return std::make_unique<BlockScheme>(setup, BlockScheme::Use{});
          }};
}

}  // namespace raddle::mechanisms::blocks
