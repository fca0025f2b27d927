// Work of the host on several threads, and what its libraries throw as errors of this one.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "types.h"

namespace raddle::locality::detail {

/// Calls work(). Memory that does not suffice is an Error.
template <class Work>
auto with_errors(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw Error(
        "locality: the host's memory does not suffice for the tasks; choose a threshold that makes "
        "fewer, or run fewer iterations at once");
  } catch (const std::length_error&) {
    throw Error(
        "locality: more tasks than the host can address; choose a threshold that makes fewer");
  }
}

/// Calls work(0) to work(count - 1), each on a thread of its own, the first on this one. Throws what
/// the first of them that failed has thrown, when all have ended; or Error, if a thread cannot be
/// started, when those that were have ended.
template <class Thread = std::thread, class Work>
void in_threads(unsigned count, const Work& work) {
  std::vector<std::exception_ptr> errors(count);
  const auto guarded = [&](unsigned part) {
    try {
      work(part);
    } catch (...) {
      errors[part] = std::current_exception();
    }
  };
  std::vector<Thread> threads;
  threads.reserve(count);
  std::string refused;
  try {
    for (unsigned part = 1; part < count; ++part) threads.emplace_back(guarded, part);
    if (count > 0) guarded(0);
  } catch (const std::system_error& error) {
    refused = error.what();
  } catch (const std::bad_alloc&) {
    refused = "no memory";
  }
  for (Thread& thread : threads) thread.join();
  if (!refused.empty()) {
    throw Error("locality: the host starts only " + std::to_string(threads.size() + 1) + " of " +
                std::to_string(count) + " threads: " + refused + "; lower Options::host_threads");
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace raddle::locality::detail
