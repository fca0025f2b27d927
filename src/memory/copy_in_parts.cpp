#include "memory/copy_in_parts.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace raddle::memory {

bool copy_in_parts(std::size_t bytes, unsigned threads,
                   const std::function<bool(std::size_t offset, std::size_t bytes)>& copy) {
  // A thread needs about 50 us to start; meanwhile another one copies about 500 KB.
  constexpr std::size_t kPart = std::size_t{4} << 20;
  const std::size_t parts = (bytes + kPart - 1) / kPart;
  if (threads <= 1 || parts <= 1) return copy(0, bytes);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> all{true};
  const auto work = [&] {
    for (std::size_t part = next++; part < parts; part = next++) {
      const std::size_t offset = part * kPart;
      if (!copy(offset, std::min(kPart, bytes - offset))) all = false;
    }
  };
  std::vector<std::jthread> helpers;
  try {
    while (helpers.size() + 1 < std::min<std::size_t>(threads, parts)) helpers.emplace_back(work);
  } catch (const std::system_error&) {
    // Without further threads, the existing ones do all parts.
  }
  work();
  helpers.clear();
  return all;
}

}  // namespace raddle::memory
