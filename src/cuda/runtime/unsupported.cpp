#include "cuda/runtime/unsupported.h"

#include <fmt/core.h>

#include "isa/kernel_name.h"

namespace raddle::cuda {

namespace {

/// Runtime::tell reports the same text only once.
void tell_cannot_run(Runtime& runtime, const Kernel& kernel, const std::string& why) {
  runtime.tell(fmt::format("kernel {} cannot be launched: {}", isa::kernel_name(kernel.name), why));
}

}  // namespace

void refuse_launch(Runtime& runtime, const Kernel& kernel, const std::string& why) {
  tell_cannot_run(runtime, kernel, why);
  runtime.count_refused_launch();
  refuse(cudaErrorNotSupported);
}

void require_supported(Runtime& runtime, const Kernel& kernel) {
  const std::string& why = kernel.function->unsupported;
  if (why.empty()) return;
  tell_cannot_run(runtime, kernel, why);
  refuse(cudaErrorNotSupported);
}

}  // namespace raddle::cuda
