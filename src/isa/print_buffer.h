// The buffer between printf in kernels and the host. It is circular and has a fixed size: when
// kernels print more than it holds before the host reads it, the oldest text is lost (CUDA C++
// Programming Guide, "Formatted Output", "Limitations").
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace raddle::isa {

class PrintBuffer {
 public:
  /// `bytes`: how much of the buffer the call takes.
  void add(std::string_view text, std::size_t bytes) {
    calls_.emplace_back(text, bytes);
    used_ += bytes;
    while (used_ > limit_ && !calls_.empty()) {
      used_ -= calls_.front().second;
      calls_.pop_front();
      ++lost_;
    }
  }
  /// Returns the text of all calls in the buffer and empties the buffer.
  std::string take() {
    std::string all;
    for (const auto& [text, bytes] : std::exchange(calls_, {})) all += text;
    used_ = 0;
    return all;
  }
  /// Calls whose text was lost since the last call of this function.
  std::uint64_t take_lost() { return std::exchange(lost_, 0); }

  /// Adds this many calls whose text was lost elsewhere.
  void note_lost(std::uint64_t calls) { lost_ += calls; }

  std::size_t limit() const { return limit_; }
  void set_limit(std::size_t bytes) { limit_ = bytes; }

  /// cudaLimitPrintfFifoSize before a program sets it.
  static constexpr std::size_t kDefaultBytes = 1 << 20;

 private:
  std::deque<std::pair<std::string, std::size_t>> calls_;
  std::size_t used_ = 0, limit_ = kDefaultBytes;
  std::uint64_t lost_ = 0;
};

}  // namespace raddle::isa
