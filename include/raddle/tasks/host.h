// The host's side of the TaskTable: entries filled and copied, ends noticed. No template: kernels
// are numbers here.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "ends.h"
#include "free_rows.h"
#include "inputs.h"
#include "options.h"
#include "remains.h"
#include "request.h"
#include "table.cuh"
#include "table_memory.h"

namespace raddle::tasks {

namespace detail {

/// Not copyable, since the GPU knows its addresses. All members may be called by several threads.
class Host {
 public:
  /// `masters`: MasterKernel blocks, which are columns of the table.
  Host(const Options& options, unsigned masters, Idle idle) : options_(options), free_(masters) {
    Remains::all().runtime_begins();
    table_.columns = masters;
    table_.idle = idle;
    table_.system = options.transport == Transport::mapped;
    const std::size_t entries = std::size_t{masters} * kRows;
    uses_.assign(entries, 0);
    was_empty_.assign(entries, false);
    next_.assign(masters, 0);
    check_call(memory_.allocate(options));
    if (error_ == cudaSuccess && options.transport == Transport::copies)
      check_call(end_copy_.open());
    // The word that releases a task is copied behind its input.
    if (options.gather && options.transport == Transport::copies) check_call(cudaErrorInvalidValue);
    if (error_ == cudaSuccess && options.flush_after.count() > 0) {
      int device = 0;
      cudaGetDevice(&device);
      watcher_ = std::thread([this, device] { watch(device); });
    }
  }
  ~Host() {
    end_watch();
    inputs_.close();
    if (end_copy_.under_way()) (void)end_copy_.wait();  // into memory that goes now
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  const Table& table() const { return table_; }
  cudaStream_t master_stream() const { return memory_.master; }
  /// The first error of CUDA, or of options that cannot be.
  cudaError_t error() {
    const Lock lock(mutex_);
    return error_;
  }
  void failed(cudaError_t error) {
    const Lock lock(mutex_);
    check_call(error);
  }

  Id spawn(const Request& request) {
    Lock lock(mutex_);
    const Id id = enter(request, lock);
    return id && !ring() ? refuse(error_) : id;
  }
  /// `request(i)` is the i-th. Tasks are told to the GPU together, as many as find room. Ends with the first
  /// that is refused.
  template <class Requests>
  std::vector<Id> spawn_many(std::size_t count, const Requests& request) {
    std::vector<Id> ids;
    ids.reserve(count);
    Lock lock(mutex_);
    while (ids.size() < count) {
      const Id id = enter(request(ids.size()), lock);
      if (!id) break;
      ids.push_back(id);
    }
    if (ring()) return ids;
    const auto unheard = [this](Id id) { return was_empty_[id.entry - 1]; };
    ids.erase(std::remove_if(ids.begin(), ids.end(), unheard), ids.end());
    refuse(error_);
    return ids;
  }
  /// Why the latest task was refused; cudaSuccess: none was.
  cudaError_t refusal() {
    const Lock lock(mutex_);
    return refusal_;
  }

  /// Whether the task is known to have ended, with those that it has spawned. Never waits: asks the
  /// GPU, whose reply a later call finds.
  bool check(Id id) {
    Lock lock(mutex_);
    if (!has_ended(id)) look();
    if (has_ended(id)) return true;
    if (free_.room() != 0) release_last(lock);
    ask();
    return has_ended(id);
  }

  cudaError_t wait(Id id) {
    if (!id || id.runtime != runtime_) return cudaErrorInvalidValue;
    return wait_until([this, id] { return has_ended(id); });
  }
  cudaError_t wait_all() {
    return wait_until([this] { return outstanding_ == 0; });
  }

  /// Tasks that are known to have ended and have not been told, each once. `ask_gpu`: a later call
  /// is to know more. Never waits.
  std::vector<Id> take_ended(bool ask_gpu) {
    Lock lock(mutex_);
    look(ask_gpu);
    if (ask_gpu && outstanding_ != 0) {
      // Who goes on spawning need not pay for the last task's release.
      if (free_.room() != 0 && sent_ == sent_when_asked_) release_last(lock);
      sent_when_asked_ = sent_;
      ask();
    }
    return std::exchange(untold_, {});
  }
  /// Waits until there is one, or none that has not ended, or the GPU has failed.
  std::vector<Id> wait_ended() {
    Lock lock(mutex_);
    wait_until(lock, [this] { return !untold_.empty() || outstanding_ == 0; });
    return std::exchange(untold_, {});
  }

  /// The last task need not wait for another to follow it.
  void flush() {
    Lock lock(mutex_);
    release_last(lock);
  }

  /// In memory of the GPU, before tasks run that are spawned later.
  cudaError_t copy_in(void* to, const void* from, std::size_t bytes) {
    const Lock lock(mutex_);
    if (error_ == cudaSuccess && !options_.gather) check_call(inputs_.before_copy());
    if (error_ != cudaSuccess) return error_;
    if (options_.gather) {
      inputs_.gather({to, from, bytes});
      copying_ = true;
      return cudaSuccess;
    }
    const cudaError_t refused = cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, down_);
    copying_ |= refused == cudaSuccess;
    return refused;
  }

  /// 0 when the task has not failed, or Failures::kMost others have since.
  unsigned code_of(Id id) {
    const Lock lock(mutex_);
    return id ? failures_.code_of(id) : 0;
  }

  /// Tasks that are not known to have ended: after a fault, those that may have caused it.
  std::vector<Id> outstanding() {
    const Lock lock(mutex_);
    look();
    std::vector<Id> tasks;
    for (std::uint32_t number = 0; number < uses_.size(); ++number) {
      if (busy_known(number) && !was_empty_[number]) tasks.push_back(id_of(number));
    }
    return tasks;
  }

  /// Ends the MasterKernel, when all tasks have ended; no more are taken. After an error the tasks
  /// that it has begun end all the same, and others never begin.
  cudaError_t stop() {
    {
      const Lock lock(mutex_);
      closed_ = true;
    }
    const cudaError_t drained = wait_all();
    end_watch();
    const Lock lock(mutex_);
    if (stopped_) return drained;
    stopped_ = true;
    if (error_ == cudaSuccess) check_call(inputs_.issue(down_));  // for which no task has waited
    if (table_.released == nullptr || memory_.stop_words == nullptr) return drained;
    for (unsigned column = 0; column < table_.columns; ++column) memory_.stop_words[column] = kStop;
    check_call(cudaMemcpyAsync(table_.released, memory_.stop_words,
                               table_.columns * sizeof(std::uint32_t), cudaMemcpyHostToDevice,
                               down_));
    check_call(cudaStreamSynchronize(down_));
    check_call(cudaStreamSynchronize(master_));
    if (table_.busy != nullptr && error_ == cudaSuccess) {
      unsigned long long busy = 0;
      check_call(cudaMemcpy(&busy, table_.busy, sizeof busy, cudaMemcpyDeviceToHost));
      counts_.busy_cycles = busy;
    }
    return error_;
  }

  Counts counts() {
    const Lock lock(mutex_);
    return counts_;
  }

 private:
  using Lock = std::unique_lock<std::mutex>;

  void check_call(cudaError_t result) {
    if (error_ == cudaSuccess) error_ = result;
  }
  Id id_of(std::uint32_t number) const { return {number + 1, uses_[number], runtime_}; }
  Id refuse(cudaError_t why) {
    refusal_ = why;
    ++counts_.refused;
    return {};
  }
  static std::uint32_t next_runtime() {
    static std::atomic<std::uint32_t> made{0};
    return ++made;
  }

  /// Of the host thread that releases a last task.
  void watch(int device) {
    cudaSetDevice(device);
    Lock lock(mutex_);
    while (!watch_ends_) {
      const std::uint64_t before = sent_;
      wake_.wait_for(lock, options_.flush_after, [this] { return watch_ends_; });
      if (!watch_ends_ && sent_ == before) release_last(lock);
    }
  }
  void end_watch() {
    std::thread watcher;  // only one of several callers has it
    {
      const Lock lock(mutex_);
      watch_ends_ = true;
      watcher.swap(watcher_);
    }
    wake_.notify_all();
    if (watcher.joinable()) watcher.join();
  }

  bool may_end_one_more() const {
    return options_.most_ends == 0 || untold_.size() + outstanding_ < options_.most_ends;
  }
  bool has_ended(Id id) {
    if (id.runtime != runtime_ || !id || id.entry > uses_.size()) return true;  // no such task
    return uses_[id.entry - 1] != id.use || !busy_known(id.entry - 1);
  }
  /// As far as ends have been told to the host.
  bool busy_known(std::uint32_t number) const {
    const unsigned column = number / kRows, row = number % kRows;
    return !free_.is_free(column, row) && next_[column] != row;
  }

  /// The column with the most free rows, in turn among equals; waits for one that has any, unlocked
  /// meanwhile. kNone when the GPU has failed. One row of a column is where its next entry will
  /// arrive.
  unsigned column_with_room(Lock& lock) {
    bool waited = false;
    while (error_ == cudaSuccess) {
      if (free_.room() != 0) return free_.emptiest();
      if (!waited) ++counts_.full;
      waited = true;
      if (!ring()) break;
      // The last task may be the only one that has not ended.
      await_news(lock);
    }
    return kNone;
  }

  /// Fills an entry, which the GPU hears of with ring() at the latest. Waits for room, unlocked meanwhile.
  Id enter(const Request& request, Lock& lock) {
    if (closed_) return refuse(cudaErrorNotPermitted);
    if (!request.is_valid()) return refuse(cudaErrorInvalidConfiguration);
    if (!may_end_one_more()) return refuse(cudaErrorLaunchOutOfResources);
    make_room();
    const unsigned column = column_with_room(lock);
    if (closed_) return refuse(cudaErrorNotPermitted);
    if (column == kNone || error_ != cudaSuccess) return refuse(error_);
    if (!may_end_one_more()) return refuse(cudaErrorLaunchOutOfResources);
    const std::uint32_t number = column * kRows + next_[column];
    send(column, request.fill(memory_.rows[number]), false);
    ++counts_.tasks;
    if (error_ == cudaSuccess) return id_of(number);
    forget(number);
    return refuse(error_);
  }
  /// Was not sent: no task.
  void forget(std::uint32_t number) {
    --outstanding_;
    --counts_.tasks;
    was_empty_[number] = true;
  }
  /// In a table that is almost full, before room is needed; with `mapped` without a call of CUDA.
  void make_room() {
    if (free_.room() >= uses_.size() / 4 || ++since_room_ < kLookForRoom) return;
    since_room_ = 0;
    look(options_.transport != Transport::mapped);
    ask();
  }
  /// The GPU hears of what has been entered: words that it reads in host memory (Transport::mapped). False when
  /// it never will.
  bool ring() {
    if (bells_.empty()) return error_ == cudaSuccess;
    // What was stored before is there when the words are: entries release themselves.
    check_call(inputs_.after_copies(bells_, std::exchange(copying_, false), down_));
    for (const Inputs::Word& bell : bells_) {
      if (error_ == cudaSuccess) break;
      // An entry begins with its word.
      forget(static_cast<std::uint32_t>(reinterpret_cast<const Entry*>(bell.to) - memory_.rows));
    }
    bells_.clear();
    return error_ == cudaSuccess;
  }

  /// Sends the entry in the column's next row, of which `bytes` are filled.
  void send(unsigned column, std::size_t bytes, bool empty) {
    const unsigned row = next_[column];
    const std::uint32_t number = column * kRows + row;
    const unsigned next = free_.take(column);
    next_[column] = next;
    uses_[number] = (uses_[number] + 1) & kUses;
    if (!empty) ++outstanding_;
    ++sent_;
    was_empty_[number] = empty;
    Entry& entry = memory_.rows[number];
    if (options_.transport == Transport::mapped) {
      bells_.push_back({&entry.arrival, Arrival::make(number, next, empty)});
      return;
    }
    entry.arrival = Arrival::make(last_ == kNobody ? kNone : last_, next, empty);
    last_ = empty ? kNobody : number;
    check_call(cudaMemcpyAsync(&table_.rows[number], &entry, empty ? sizeof entry.arrival : bytes,
                               cudaMemcpyHostToDevice, down_));
  }

  /// Nothing follows the last task so far: an update without a task releases it.
  void release_last(Lock& lock) {
    if (error_ == cudaSuccess && inputs_.any_unpromised()) {
      check_call(inputs_.write_by_stream(down_));
      ++counts_.empty;
    }
    if (last_ == kNobody || error_ != cudaSuccess) return;
    const unsigned column = column_with_room(lock);
    if (column == kNone || last_ == kNobody) return;
    send(column, 0, true);
    ++counts_.empty;
  }

  /// Asks for the list of ends, unless it is under way.
  void ask() {
    if (options_.transport == Transport::mapped || error_ != cudaSuccess) return;
    if (end_copy_.under_way()) return;
    check_call(end_copy_.start(memory_.ended, table_.ended, uses_.size() * sizeof(std::uint32_t)));
    ++counts_.refresh;
  }

  /// Takes in what has come of the list of ends: never waits. With `mapped` `ask`: CUDA, too, which
  /// inputs have come and whether the GPU has failed.
  void look(bool ask = true) {
    if (options_.transport == Transport::mapped && !ask) return take_in();
    if (options_.transport == Transport::mapped) {
      if (error_ == cudaSuccess) check_call(inputs_.look());
      if (const cudaError_t state = answer(cudaStreamQuery(master_));
          state != cudaErrorNotReady && state != cudaSuccess) {
        check_call(state);
      }
      ++counts_.refresh;
      take_in();  // after a failure, too: it is all that the GPU has told
      return;
    }
    cudaError_t error = cudaSuccess;
    if (end_copy_.landed(&error)) take_in();
    check_call(error);
  }

  /// Until the list of ends has come again, unlocked meanwhile.
  void await_news(Lock& lock) {
    ask();
    const bool waits = options_.transport == Transport::copies && error_ == cudaSuccess;
    lock.unlock();
    const cudaError_t error = waits ? end_copy_.wait() : cudaSuccess;
    lock.lock();
    check_call(error);
    look();
  }

  template <class Done>
  cudaError_t wait_until(const Done& done) {
    Lock lock(mutex_);
    return wait_until(lock, done);
  }
  template <class Done>
  cudaError_t wait_until(Lock& lock, const Done& done) {
    while (!done()) {
      if (error_ != cudaSuccess) return error_;
      look();
      if (done()) break;
      release_last(lock);
      await_news(lock);
    }
    return error_;
  }

  void take_in() {
    for (unsigned column = 0; column < table_.columns; ++column) {
      std::uint32_t used = free_.taken(column) & ~(1u << next_[column]);
      for (; used != 0; used &= used - 1) {
        const unsigned row = static_cast<unsigned>(__builtin_ctz(used));
        const std::uint32_t number = column * kRows + row;
        const std::uint32_t word = __atomic_load_n(&memory_.ended[number], __ATOMIC_ACQUIRE);
        if ((word >> 8 & kUses) != uses_[number]) continue;
        free_.give(column, row);
        if (!was_empty_[number]) end(id_of(number), word & 0xff);
      }
    }
  }
  void end(Id task, unsigned code) {
    --outstanding_;
    if (options_.most_ends != 0) untold_.push_back(task);
    if (code == 0) return;
    ++counts_.failed;
    failures_.add(task, code);
  }

  static constexpr std::uint32_t kUses = 0xffffff;  // ends are counted in 24 bits
  static constexpr unsigned kLookForRoom =
      16;  // tasks between looks, of a table that is almost full

  const Options options_;
  const std::uint32_t runtime_ = next_runtime();
  TableMemory memory_;
  Table& table_ = memory_.table;
  cudaStream_t &master_ = memory_.master, &down_ = memory_.down;
  std::mutex mutex_;
  cudaError_t error_ = cudaSuccess, refusal_ = cudaSuccess;
  EndCopy end_copy_;
  Inputs inputs_;
  std::vector<std::uint32_t> uses_;  // by entry: tasks that were put in
  std::vector<Inputs::Word> bells_;  // entries that the GPU has not been told of
  FreeRows free_;                    // those whose task is known to have ended
  std::vector<unsigned> next_;       // by column: the row in which the next entry will arrive
  std::uint32_t last_ = kNobody;     // sent, and not yet released
  unsigned since_room_ = 0;          // tasks since make_room() has looked
  std::uint64_t outstanding_ = 0;    // tasks that are not known to have ended
  bool closed_ = false;              // no more tasks are taken
  bool stopped_ = false;             // the MasterKernel has ended
  bool copying_ = false;             // copy_in() since the last spawn
  std::vector<bool> was_empty_;      // by entry: whether it was an update without a task
  std::vector<Id> untold_;           // have ended, for take_ended()
  Failures failures_;
  Counts counts_;
  std::uint64_t sent_ = 0, sent_when_asked_ = 0;  // entries; when take_ended() asked
  bool watch_ends_ = false;
  std::condition_variable wake_;
  std::thread watcher_;
};

}  // namespace detail
}  // namespace raddle::tasks
