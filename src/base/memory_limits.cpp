#include "base/memory_limits.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <new>

namespace raddle {

std::string memory_limits() {
  rusage used{};
  rlimit limit{};
  getrusage(RUSAGE_SELF, &used);
  std::string text = fmt::format("the process has used {} MB", used.ru_maxrss / 1024);
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    text +=
        fmt::format(", and is limited to {} MB of address space (ulimit -v)", limit.rlim_cur >> 20);
  }
  return text;
}

std::string reason(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr) return error.what();
  return "no memory is left: " + memory_limits();
}

}  // namespace raddle
