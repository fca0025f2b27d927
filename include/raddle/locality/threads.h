// Work of the host on several threads.
#pragma once

#include <exception>
#include <thread>
#include <vector>

namespace raddle::locality::detail {

/// Calls work(0) to work(count - 1), each on a thread of its own, the first on this one. Throws what
/// the first of them that failed has thrown, when all have ended.
template <class Work>
void in_threads(unsigned count, const Work& work) {
  std::vector<std::exception_ptr> errors(count);
  const auto guarded = [&](unsigned part) {
    try {
      work(part);
    } catch (...) {
      errors[part] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned part = 1; part < count; ++part) threads.emplace_back(guarded, part);
  if (count > 0) guarded(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace raddle::locality::detail
