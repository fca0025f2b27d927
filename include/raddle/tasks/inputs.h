// Inputs of tasks that are still on their way to the GPU, where nothing of the task itself is copied
// (Transport::mapped): the task is released when they have come.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "joined_copies.h"
#include "not_ready.h"

namespace raddle::tasks::detail {

/// Words to be written to memory that the GPU reads, in the order of one stream of copies. Called by one
/// thread at a time; the stream's own calls come in between, and wait for no call of CUDA.
class Inputs {
 public:
  Inputs() = default;
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  /// When no work is left in the stream.
  ~Inputs() {
    for (const Mark& mark : marks_) cudaEventDestroy(mark.event);
    for (cudaEvent_t event : free_) cudaEventDestroy(event);
  }

  /// `*to` is to become `value`.
  struct Word {
    std::uint32_t* to;
    std::uint32_t value;
  };

  /// The words, one at least, are written when all that has been copied in `stream` so far has come; at once, if
  /// everything has. `copying`: something has been since the last call. Every kTogether-th word asks what
  /// has come. After an error the words are never written.
  cudaError_t after_copies(const std::vector<Word>& words, bool copying, cudaStream_t stream) {
    stream_ = stream;
    drop_written();
    {
      const std::lock_guard lock(mutex_);
      if (!copying && waiting_.empty()) {
        for (const Word& word : words) write(word);
        return cudaSuccess;
      }
      waiting_.insert(waiting_.end(), words.begin(), words.end());
      added_ += words.size();
    }
    if (!gathers_) return after_marks(words, copying);
    since_asked_ += words.size();
    const bool first = !any_before(words.size());
    if (!first && since_asked_ < kTogether) return cudaSuccess;
    const cudaError_t error = ask_gathering();
    if (error != cudaSuccess) take_back(words.back().to, words.size());
    return error;
  }

  /// To be copied with others (Options::gather): with all that come until kUnderWay groups of copies, which have
  /// been asked for, are known to have become one less.
  void gather(const Transfer& one) {
    gathers_ = true;
    gathered_.add(one);
  }
  /// Asks for the copies that have been gathered.
  cudaError_t issue(cudaStream_t stream) {
    return gathered_.empty() ? cudaSuccess : gathered_.issue(cudaMemcpyHostToDevice, stream);
  }

  /// Of a copy that is made next: while the stream is idle, one question tells that all have come.
  cudaError_t before_copy() { return since_asked_ + 1 < kTogether ? cudaSuccess : ask(true); }

  /// Writes the words whose inputs have come. Never waits.
  cudaError_t look() {
    if (gathers_) return ask_gathering();
    drop_written();
    return ask(marks_.empty());
  }

  /// Whether words wait for a call.
  bool any_unpromised() {
    const std::lock_guard lock(mutex_);
    return !waiting_.empty() && promised_ != added_;
  }
  /// The words that wait now are written in any case, without another call. Never waits.
  cudaError_t write_by_stream(cudaStream_t stream) {
    if (gathers_) {
      cudaError_t issued = issue(stream);
      if (issued == cudaSuccess) issued = mark();
      if (issued != cudaSuccess) return issued;
    }
    {
      const std::lock_guard lock(mutex_);
      targets_.push_back(added_);
    }
    const auto come = [](void* inputs) { static_cast<Inputs*>(inputs)->come(); };
    const cudaError_t asked = cudaLaunchHostFunc(stream, come, this);
    const std::lock_guard lock(mutex_);
    if (asked == cudaSuccess) {
      promised_ = marked_ = added_;
    } else {
      targets_.pop_back();
    }
    return asked;
  }

  /// No word is written any more.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }

 private:
  // To record an event and to ask for it costs as much as to copy a small input (on an H200 1.4 and
  // 1.7 us, and 1.5): so many tasks share both, and wait for as many calls at most.
  static constexpr std::uint64_t kTogether = 4;
  static constexpr std::size_t kUnderWay = 2;  // groups of copies

  struct Mark {
    cudaEvent_t event;
    std::uint64_t until;  // words that were added before it
  };

  /// Words that have been added, each of whose copies is a call of its own.
  cudaError_t after_marks(const std::vector<Word>& words, bool copying) {
    // Nothing has been copied since the latest mark.
    if (!copying && !marks_.empty() && marks_.back().until + words.size() == added_) {
      marks_.back().until = marked_ = added_;
    }
    since_asked_ += words.size();
    if (since_asked_ < kTogether) return cudaSuccess;
    const cudaError_t error = ask(true);
    if (error != cudaSuccess) take_back(words.back().to, words.size());
    return error;
  }

  /// What has come. Copies that have been gathered follow: one group waits while another is copied.
  cudaError_t ask_gathering() {
    since_asked_ = 0;
    while (!marks_.empty()) {
      const cudaError_t state = answer(cudaEventQuery(marks_.front().event));
      if (state == cudaErrorNotReady) break;
      if (state != cudaSuccess) return state;
      write_until(marks_.front().until);
      drop_written();
    }
    if (gathered_.empty()) {
      if (marks_.empty()) write_until(added_);
      return cudaSuccess;
    }
    if (marks_.size() == kUnderWay) return cudaSuccess;
    const cudaError_t issued = issue(stream_);
    return issued == cudaSuccess ? mark() : issued;
  }
  /// What has come. While copies are under way: of those up to the first mark that has not, and a new mark
  /// is set behind the last word if `mark_rest`.
  cudaError_t ask(bool mark_rest) {
    since_asked_ = 0;
    if (nothing_waits()) return cudaSuccess;
    const cudaError_t all = answer(cudaStreamQuery(stream_));
    if (all == cudaSuccess) {
      write_until(added_);
      marked_ = added_;
      drop_written();
    }
    if (all != cudaErrorNotReady) return all;
    while (!marks_.empty()) {
      const cudaError_t state = answer(cudaEventQuery(marks_.front().event));
      if (state != cudaSuccess && state != cudaErrorNotReady) return state;
      if (state == cudaErrorNotReady) break;
      write_until(marks_.front().until);
      drop_written();
    }
    return mark_rest && marked_ != added_ ? mark() : cudaSuccess;
  }
  /// The latest `count` words, of which `last` is the last.
  void take_back(const std::uint32_t* last, std::size_t count) {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty() || waiting_.back().to != last) return;
    for (; count != 0 && !waiting_.empty(); --count) {
      waiting_.pop_back();
      --added_;
    }
  }
  cudaError_t mark() {
    cudaEvent_t event = nullptr;
    if (!free_.empty()) {
      event = free_.back();
      free_.pop_back();
    } else if (const cudaError_t made = make(event); made != cudaSuccess) {
      return made;
    }
    const cudaError_t recorded = cudaEventRecord(event, stream_);
    if (recorded != cudaSuccess) {
      free_.push_back(event);
      return recorded;
    }
    marks_.push_back({event, added_});
    marked_ = added_;
    return cudaSuccess;
  }
  /// Whether words waited before the latest `count`.
  bool any_before(std::size_t count) {
    const std::lock_guard lock(mutex_);
    return waiting_.size() > count;
  }
  bool nothing_waits() {
    const std::lock_guard lock(mutex_);
    return waiting_.empty();
  }
  /// The stream's own calls may have written some of them.
  void write_until(std::uint64_t word) {
    const std::lock_guard lock(mutex_);
    while (written_ < word) write_first();
  }
  /// Marks before which nothing waits any more.
  void drop_written() {
    const std::lock_guard lock(mutex_);
    while (!marks_.empty() && marks_.front().until <= written_) {
      free_.push_back(marks_.front().event);
      marks_.pop_front();
    }
  }
  /// On the stream's device, which need not be the calling thread's.
  cudaError_t make(cudaEvent_t& event) const {
    int present = device_;
    cudaGetDevice(&present);
    if (present != device_) cudaSetDevice(device_);
    const cudaError_t made = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (present != device_) cudaSetDevice(present);
    return made;
  }
  static int present_device() {
    int device = 0;
    cudaGetDevice(&device);
    return device;
  }
  static void write(const Word& word) { __atomic_store_n(word.to, word.value, __ATOMIC_RELEASE); }
  void write_first() {
    write(waiting_.front());
    waiting_.pop_front();
    ++written_;
  }
  void come() {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    for (; written_ < targets_.front(); write_first()) {
    }
    targets_.pop_front();
  }

  const int device_ = present_device();
  cudaStream_t stream_ = nullptr;
  std::deque<Mark> marks_;  // recorded, and not known to have come
  std::vector<cudaEvent_t> free_;
  bool gathers_ = false;
  JoinedCopies gathered_;
  std::uint64_t marked_ = 0;       // words that a mark stands behind, or the stream's own call
  std::uint64_t since_asked_ = 0;  // words
  std::mutex mutex_;               // of what follows
  bool closed_ = false;
  std::deque<Word> waiting_;
  std::uint64_t added_ = 0, written_ = 0, promised_ = 0;  // words
  std::deque<std::uint64_t> targets_;                     // of write_by_stream(), one for each call
};

}  // namespace raddle::tasks::detail
