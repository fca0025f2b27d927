#include "mechanisms/cdp/copies.h"

namespace raddle::mechanisms::cdp {

Error Copies::start(const isa::BlockContext& block, std::uint64_t stream, std::uint64_t bytes,
                    std::function<void()> effect) {
  const Cycle duration = environment_.time.timed() ? 1 + bytes / environment_.config.copy_bytes : 0;
  const auto shared = std::make_shared<std::function<void()>>(std::move(effect));
  return streams_.submit(block, stream, [this, duration, shared](Continuation then) {
    under_way_.push({environment_.path.now() + duration, order_++, std::move(then), shared});
  });
}

void Copies::cycle() {
  while (!under_way_.empty() && under_way_.top().end <= environment_.path.now()) {
    const Copy copy = under_way_.top();
    under_way_.pop();
    (*copy.effect)();
    families_.go_on(copy.then);
  }
}

}  // namespace raddle::mechanisms::cdp
