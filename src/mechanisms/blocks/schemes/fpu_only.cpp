// Like dynamic, with the use of floating-point units as the only metric (thread-block-management,
// section VI.B).
#include "mechanisms/blocks/usage_table.h"

namespace raddle::mechanisms::blocks {

SchemeKind fpu_only() {
  return {"fpu_only", [](const SchemeSetup& setup) -> std::unique_ptr<Scheme> {
            return std::make_unique<BlockScheme>(setup, BlockScheme::Use{.memory = false});
          }};
}

}  // namespace raddle::mechanisms::blocks
