// Like dynamic, with memory stalls as the only metric (thread-block-management, section VI.B).
#include "mechanisms/blocks/usage_table.h"

namespace raddle::mechanisms::blocks {

SchemeKind memory_only() {
  return {"memory_only", [](const SchemeSetup& setup) -> std::unique_ptr<Scheme> {
            return std::make_unique<BlockScheme>(setup, BlockScheme::Use{.fpu = false});
          }};
}

}  // namespace raddle::mechanisms::blocks
