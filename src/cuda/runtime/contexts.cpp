#include "cuda/runtime/contexts.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <set>

#include "cuda/runtime/per_thread.h"

namespace raddle::cuda {

namespace {

// Runtime::mutex() guards all of it.
struct Contexts {
  Context primary{1, 0, false};
  std::set<std::unique_ptr<Context>> created;  // with the ended ones
  unsigned created_live = 0;
  unsigned retained = 0;
  bool used_by_runtime = false;  // the runtime API uses it, and does not release it
  std::uint64_t next_id = 2;
};

Contexts& all() {
  static auto* contexts = new Contexts;
  return *contexts;
}

Context* find(const void* handle) {
  if (handle == &all().primary) return &all().primary;
  const auto found = std::find_if(all().created.begin(), all().created.end(),
                                  [&](const auto& one) { return one.get() == handle; });
  return found == all().created.end() ? nullptr : found->get();
}

}  // namespace

Context& primary_context() { return all().primary; }

std::vector<Context*>& context_stack() { return PerThread<std::vector<Context*>>::mine(); }

Context& create_context(unsigned flags) {
  auto made = std::make_unique<Context>(Context{all().next_id++, flags, true});
  ++all().created_live;
  return **all().created.insert(std::move(made)).first;
}

void destroy_context(Context* context) {
  Context& one = context_of(context);
  require(&one != &all().primary, cudaErrorDeviceUninitialized,
          "the primary context is released, not destroyed (cuDevicePrimaryCtxRelease)");
  one.live = false;
  --all().created_live;
  if (current_context() == &one) context_stack().pop_back();
}

Context& context_of(const void* handle) {
  Context* found = find(handle);
  require(handle != nullptr, cudaErrorInvalidValue, "a null pointer is no context");
  require(found != nullptr, cudaErrorDeviceUninitialized,
          fmt::format("{} is not a context", handle));
  require(found->live, cudaErrorContextIsDestroyed,
          fmt::format("the context {} was destroyed", handle));
  return *found;
}

cudaError_t enter_context() {
  Context* current = current_context();
  if (current == nullptr) {
    context_stack().push_back(&all().primary);
    current = &all().primary;
  }
  if (current == &all().primary) all().primary.live = all().used_by_runtime = true;
  // The driver API reports a destroyed context; the runtime API does not (NVIDIA H200, CUDA 13.0).
  return current->live ? cudaSuccess : cudaErrorDeviceUninitialized;
}

void require_context() {
  const Context* current = current_context();
  require(current != nullptr, cudaErrorDeviceUninitialized,
          "no context is current (cuCtxCreate makes one, cuCtxSetCurrent makes one current)");
  require(current->live, cudaErrorContextIsDestroyed, "the current context was destroyed");
}

void retain_primary() {
  ++all().retained;
  all().primary.live = true;
}

bool release_primary() {
  require(all().retained != 0, cudaErrorDeviceUninitialized,
          "the primary context has not been retained");
  if (--all().retained != 0 || all().used_by_runtime) return false;
  all().primary.live = false;
  return true;
}

void end_primary() { all().primary.live = all().used_by_runtime = false; }

bool all_contexts_ended() { return all().created_live == 0 && !all().primary.live; }

}  // namespace raddle::cuda
