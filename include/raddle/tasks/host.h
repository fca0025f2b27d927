// The host's side of the TaskTable: entries filled and copied, ends noticed. No template: kernels
// are numbers here.
#pragma once

#include <cuda_runtime.h>

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
#include "table.cuh"

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
    if (error_ == cudaSuccess) allocate(entries);
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
    Remains::all().runtime_ends(device_, pinned_);
    for (cudaStream_t stream : {master_, down_}) {
      if (stream != nullptr) cudaStreamDestroy(stream);
    }
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  const Table& table() const { return table_; }
  cudaStream_t master_stream() const { return master_; }
  /// The first error of CUDA, or of options that cannot be.
  cudaError_t error() {
    const Lock lock(mutex_);
    return error_;
  }
  void failed(cudaError_t error) {
    const Lock lock(mutex_);
    check_call(error);
  }

  Id spawn(unsigned kernel, const Launch& how, const void* arguments, std::size_t bytes) {
    Lock lock(mutex_);
    if (closed_) return refuse(cudaErrorNotPermitted);
    if (!is_valid(how)) return refuse(cudaErrorInvalidConfiguration);
    if (!may_end_one_more()) return refuse(cudaErrorLaunchOutOfResources);
    // A table that is almost full: room is made before it is needed.
    if (free_.room() < uses_.size() / 4) {
      look();
      ask();
    }
    const unsigned column = column_with_room(lock);
    if (closed_) return refuse(cudaErrorNotPermitted);
    if (column == kNone || error_ != cudaSuccess) return refuse(error_);
    if (!may_end_one_more()) return refuse(cudaErrorLaunchOutOfResources);
    const std::uint32_t number = column * kRows + next_[column];
    Entry& entry = rows_[number];
    entry.kernel = static_cast<std::uint16_t>(kernel);
    entry.sync = how.sync ? 1 : 0;
    entry.threads = how.threads;
    entry.blocks = how.blocks;
    entry.shared = how.shared;
    if (bytes != 0) std::memcpy(entry.arguments, arguments, bytes);
    send(column, offsetof(Entry, arguments) + bytes, false);
    if (error_ != cudaSuccess) {
      --outstanding_;
      was_empty_[number] = true;  // no task
      return refuse(error_);
    }
    ++counts_.tasks;
    return id_of(number);
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
    if (error_ == cudaSuccess) check_call(inputs_.before_copy());
    if (error_ != cudaSuccess) return error_;
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
    if (table_.released == nullptr || stop_words_ == nullptr) return drained;
    for (unsigned column = 0; column < table_.columns; ++column) stop_words_[column] = kStop;
    check_call(cudaMemcpyAsync(table_.released, stop_words_, table_.columns * sizeof(std::uint32_t),
                               cudaMemcpyHostToDevice, down_));
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

  template <class T>
  T* on_device(std::size_t count) {
    void* memory = nullptr;
    check_call(cudaMalloc(&memory, count * sizeof(T)));
    if (memory != nullptr) {
      device_.push_back(memory);
      check_call(cudaMemsetAsync(memory, 0, count * sizeof(T), down_));
    }
    return static_cast<T*>(memory);
  }
  template <class T>
  T* pinned(std::size_t count, T** on_device = nullptr) {
    void *memory = nullptr, *device = nullptr;
    check_call(cudaHostAlloc(&memory, count * sizeof(T), cudaHostAllocMapped));
    if (memory == nullptr) return nullptr;
    pinned_.push_back(memory);
    std::memset(memory, 0, count * sizeof(T));
    if (on_device != nullptr) {
      check_call(cudaHostGetDevicePointer(&device, memory, 0));
      *on_device = static_cast<T*>(device);
    }
    return static_cast<T*>(memory);
  }

  void allocate(std::size_t entries) {
    const bool mapped = options_.transport == Transport::mapped;
    for (cudaStream_t* stream : {&master_, &down_}) {
      check_call(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    }
    if (!mapped) check_call(end_copy_.open());
    rows_ = pinned<Entry>(entries, mapped ? &table_.rows : nullptr);
    ended_ = pinned<std::uint32_t>(entries, mapped ? &table_.ended : nullptr);
    stop_words_ = pinned<std::uint32_t>(table_.columns);
    if (mapped) {
      table_.arguments = on_device<unsigned char>(entries * kMaxArgumentBytes);
    } else {
      table_.rows = on_device<Entry>(entries);
      table_.ended = on_device<std::uint32_t>(entries);
    }
    table_.released = on_device<std::uint32_t>(table_.columns);
    table_.families = on_device<Family>(entries + options_.subtasks);
    if (options_.occupancy) table_.busy = on_device<unsigned long long>(1);
    table_.subtasks.capacity = options_.subtasks;
    const unsigned room = options_.subtasks;
    if ((room & (room - 1)) != 0 || room == 1) check_call(cudaErrorInvalidValue);
    if (options_.subtasks != 0) allocate_subtasks();
    // Not of the whole device: another runtime may be on it.
    check_call(cudaStreamSynchronize(down_));
  }

  void allocate_subtasks() {
    table_.spawned = on_device<Entry>(options_.subtasks);
    table_.subtasks.head = on_device<std::uint32_t>(1);
    table_.subtasks.tail = on_device<std::uint32_t>(1);
    if (error_ != cudaSuccess) return;
    std::vector<Entry> spawned(options_.subtasks, Entry{});
    for (unsigned i = 0; i < options_.subtasks; ++i) spawned[i].sequence = i;
    check_call(cudaMemcpyAsync(table_.spawned, spawned.data(), spawned.size() * sizeof(Entry),
                               cudaMemcpyHostToDevice, down_));
    check_call(cudaStreamSynchronize(down_));
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
      // The last task may be the only one that has not ended.
      await_news(lock);
    }
    return kNone;
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
    Entry& entry = rows_[number];
    if (options_.transport == Transport::mapped) {
      // What was stored before is there when the word is: the entry releases itself.
      check_call(inputs_.after_copies(&entry.arrival, Arrival::make(number, next, empty),
                                      std::exchange(copying_, false), down_));
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
    check_call(end_copy_.start(ended_, table_.ended, uses_.size() * sizeof(std::uint32_t)));
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
        const std::uint32_t word = __atomic_load_n(&ended_[number], __ATOMIC_ACQUIRE);
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

  const Options options_;
  const std::uint32_t runtime_ = next_runtime();
  Table table_ = {};
  std::mutex mutex_;
  cudaError_t error_ = cudaSuccess, refusal_ = cudaSuccess;
  std::vector<void*> device_, pinned_;
  cudaStream_t master_ = nullptr, down_ = nullptr;
  EndCopy end_copy_;
  Inputs inputs_;
  Entry* rows_ = nullptr;           // the host's table
  std::uint32_t* ended_ = nullptr;  // its copy, or itself
  std::uint32_t* stop_words_ = nullptr;
  std::vector<std::uint32_t> uses_;  // by entry: tasks that were put in
  FreeRows free_;                    // those whose task is known to have ended
  std::vector<unsigned> next_;       // by column: the row in which the next entry will arrive
  std::uint32_t last_ = kNobody;     // sent, and not yet released
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
