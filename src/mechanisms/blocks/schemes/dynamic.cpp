// The paper's own: each block by what its like used last, both metrics; it is placed by that and leaves
// where an SM is oversubscribed (thread-block-management, section IV).
#include "mechanisms/blocks/usage_table.h"

namespace raddle::mechanisms::blocks {

SchemeKind dynamic() {
  return {"dynamic", [](const SchemeSetup& setup) -> std::unique_ptr<Scheme> {
            return std::make_unique<BlockScheme>(setup, BlockScheme::Use{});
          }};
}

}  // namespace raddle::mechanisms::blocks
