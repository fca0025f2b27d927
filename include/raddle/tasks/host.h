// The host's side of the TaskTable: entries filled and copied, ends noticed. No template: kernels
// are numbers here.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "table.cuh"

namespace raddle::tasks {

/// A task that the host has spawned. False for one that was refused.
struct Id {
  std::uint32_t entry = 0;  // + 1
  std::uint32_t use = 0;    // of the entry, from 1

  explicit operator bool() const { return entry != 0; }
  bool operator==(const Id& other) const { return entry == other.entry && use == other.use; }
  bool operator<(const Id& other) const {
    return entry != other.entry ? entry < other.entry : use < other.use;
  }
};

/// By which way tasks reach the GPU, and their ends the host.
enum class Transport {
  copies,  // the table has a mirror in host memory; one copy a task (the paper's way)
  mapped   // the table is in host memory, which the GPU reads over the bus
};

/// How executor warps wait: automatic is `park` before compute capability 7.0, `sleep` since.
enum class Waiting { automatic, park, sleep, poll };

struct Options {
  Transport transport = Transport::copies;
  Waiting waiting = Waiting::automatic;
  unsigned subtasks = 4096;     // that tasks may have spawned at one time; a power of two, or 0
  unsigned most_masters = ~0u;  // MasterKernel blocks; by default as many as fit, two a
                                // multiprocessor
  // A task that none follows for as long runs all the same (section 4.2.1), for which a host thread
  // looks; 0: it waits for the next call of spawn(), check(), wait() or flush().
  std::chrono::microseconds flush_after{0};
  // Counts how long warps are busy (Counts::busy_cycles); costs each of a task's warps two looks at
  // the clock.
  bool occupancy = false;
};

/// What the runtime has done, for those who measure it.
struct Counts {
  std::uint64_t tasks = 0;    // spawned by the host
  std::uint64_t empty = 0;    // updates that only release the last task
  std::uint64_t refresh = 0;  // times that ends were copied back
  std::uint64_t full = 0;     // times that a spawn found the table full
  // Clock cycles of all warps that ran tasks, when the runtime has been shut down (Options::occupancy).
  std::uint64_t busy_cycles = 0;
};

namespace detail {

/// Not copyable, since the GPU knows its addresses. All members may be called by several threads.
class Host {
 public:
  /// `masters`: MasterKernel blocks, which are columns of the table.
  Host(const Options& options, unsigned masters, Idle idle) : options_(options) {
    table_.columns = masters;
    table_.idle = idle;
    table_.system = options.transport == Transport::mapped;
    const std::size_t entries = std::size_t{masters} * kRows;
    uses_.assign(entries, 0);
    was_empty_.assign(entries, false);
    free_.assign(masters, ~1u);  // row 0 is where the first will arrive
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
    for (void* memory : device_) cudaFree(memory);
    for (void* memory : pinned_) cudaFreeHost(memory);
    for (cudaStream_t stream : {master_, down_, up_}) {
      if (stream != nullptr) cudaStreamDestroy(stream);
    }
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  const Table& table() const { return table_; }
  cudaStream_t master_stream() const { return master_; }
  /// The first error, of CUDA or of a spawn that was refused before the GPU saw it.
  cudaError_t error() const { return error_; }
  void failed(cudaError_t error) {
    if (error_ == cudaSuccess) error_ = error;
  }

  Id spawn(unsigned kernel, const Launch& how, const void* arguments, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!valid(how) || closed_ || error_ != cudaSuccess) return {};
    const unsigned column = column_with_room();
    if (column == kNone) return {};
    const std::uint32_t number = column * kRows + next_[column];
    Entry& entry = rows_[number];
    entry.kernel = static_cast<std::uint16_t>(kernel);
    entry.sync = how.sync ? 1 : 0;
    entry.threads = how.threads;
    entry.blocks = how.blocks;
    entry.shared = how.shared;
    if (bytes != 0) std::memcpy(entry.arguments, arguments, bytes);
    send(column, offsetof(Entry, arguments) + bytes, false);
    ++counts_.tasks;
    return error_ == cudaSuccess ? Id{number + 1, uses_[number]} : Id{};
  }

  /// Whether the task has ended, with those that it has spawned.
  bool check(Id id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (has_ended(id)) return true;
    release_last();
    refresh();
    return has_ended(id);
  }

  cudaError_t wait(Id id) {
    while (!check(id)) {
      if (error_ != cudaSuccess) return error_;
    }
    return cudaSuccess;
  }

  cudaError_t wait_all() {
    while (true) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (error_ != cudaSuccess) return error_;
      if (outstanding_ == 0) return cudaSuccess;
      release_last();
      refresh();
    }
  }

  /// Tasks that have ended since the last call, each once; `ask`: the GPU first.
  std::vector<Id> take_ended(bool ask) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (ask && outstanding_ != 0) refresh();
    std::vector<Id> tasks;
    tasks.swap(just_ended_);
    return tasks;
  }

  /// The last task need not wait for another to follow it.
  void flush() {
    const std::lock_guard<std::mutex> lock(mutex_);
    release_last();
  }

  /// In memory of the GPU, before tasks run that are spawned later.
  cudaError_t copy_in(void* to, const void* from, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    check_call(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, down_));
    copying_ = true;
    return error_;
  }

  /// 0 when the task has not failed.
  unsigned code_of(Id id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!id) return 0;
    const auto found = codes_.find(id);
    return found == codes_.end() ? 0 : found->second;
  }

  /// Tasks that have not ended, as far as the host knows: after a fault, those that may have caused
  /// it.
  std::vector<Id> outstanding() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Id> tasks;
    for (std::uint32_t number = 0; number < uses_.size(); ++number) {
      if (busy(number)) tasks.push_back({number + 1, uses_[number]});
    }
    return tasks;
  }

  /// Ends the MasterKernel, when all tasks have ended; no more are taken.
  cudaError_t stop() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
    }
    const cudaError_t drained = wait_all();
    end_watch();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopped_ || drained != cudaSuccess) return drained;
    stopped_ = true;
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
    const std::lock_guard<std::mutex> lock(mutex_);
    return counts_;
  }

 private:
  void check_call(cudaError_t result) { failed(result); }

  /// Of the host thread that releases a last task.
  void watch(int device) {
    cudaSetDevice(device);
    std::unique_lock<std::mutex> lock(mutex_);
    while (!watch_ends_) {
      const std::uint64_t before = sent_;
      wake_.wait_for(lock, options_.flush_after, [this] { return watch_ends_; });
      if (!watch_ends_ && sent_ == before) release_last();
    }
  }
  void end_watch() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      watch_ends_ = true;
    }
    wake_.notify_all();
    if (watcher_.joinable()) watcher_.join();
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
    for (cudaStream_t* stream : {&master_, &down_, &up_}) {
      check_call(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    }
    rows_ = pinned<Entry>(entries, mapped ? &table_.rows : nullptr);
    ended_ = pinned<std::uint32_t>(entries, mapped ? &table_.ended : nullptr);
    stop_words_ = pinned<std::uint32_t>(table_.columns);
    if (!mapped) {
      table_.rows = on_device<Entry>(entries);
      table_.ended = on_device<std::uint32_t>(entries);
    }
    table_.released = on_device<std::uint32_t>(table_.columns);
    table_.families = on_device<Family>(entries + options_.subtasks);
    if (options_.occupancy) table_.busy = on_device<unsigned long long>(1);
    table_.subtasks.capacity = options_.subtasks;
    if ((options_.subtasks & (options_.subtasks - 1)) != 0) failed(cudaErrorInvalidValue);
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

  static bool valid(const Launch& how) {
    return how.threads != 0 && how.threads <= kMaxThreads && how.blocks != 0 &&
           how.shared <= kSharedBytes && (!how.sync || how.threads % kWarp == 0);
  }

  bool busy(std::uint32_t number) const {
    return ((__atomic_load_n(&ended_[number], __ATOMIC_ACQUIRE) >> 8) & kUses) != uses_[number];
  }
  bool has_ended(Id id) {
    if (!id || id.entry > uses_.size()) return true;  // there is no such task
    return uses_[id.entry - 1] != id.use || !busy_known(id.entry - 1);
  }
  /// As of the last refresh.
  bool busy_known(std::uint32_t number) const {
    const unsigned column = number / kRows, row = number % kRows;
    return (free_[column] >> row & 1) == 0 && next_[column] != row;
  }

  /// The column with the most free rows, in turn among equals; waits for one that has any. kNone
  /// when the GPU has failed. One row of a column is where its next entry will arrive.
  unsigned column_with_room() {
    bool waited = false;
    while (error_ == cudaSuccess) {
      unsigned best = kNone;
      int most = 0;
      for (unsigned i = 0; i < table_.columns; ++i) {
        const unsigned column = (turn_ + i) % table_.columns;
        const int rows = __builtin_popcount(free_[column]);
        if (rows <= most) continue;
        most = rows;
        best = column;
      }
      if (best != kNone) {
        turn_ = (best + 1) % table_.columns;
        return best;
      }
      if (!waited) ++counts_.full;
      waited = true;
      // The last task may be the only one that has not ended.
      refresh();
    }
    return kNone;
  }

  /// Sends the entry in the column's next row, of which `bytes` are filled.
  void send(unsigned column, std::size_t bytes, bool empty) {
    const unsigned row = next_[column];
    const std::uint32_t number = column * kRows + row;
    const unsigned next = static_cast<unsigned>(__builtin_ctz(free_[column]));
    free_[column] &= ~(1u << next);
    next_[column] = next;
    uses_[number] = (uses_[number] + 1) & kUses;
    ++outstanding_;
    ++sent_;
    was_empty_[number] = empty;
    Entry& entry = rows_[number];
    if (options_.transport == Transport::mapped) {
      if (copying_) check_call(cudaStreamSynchronize(down_));
      copying_ = false;
      // What was stored before is there when the word is: the entry releases itself.
      __atomic_store_n(&entry.arrival, Arrival::make(number, next, empty), __ATOMIC_RELEASE);
      return;
    }
    entry.arrival = Arrival::make(last_ == kNobody ? kNone : last_, next, empty);
    last_ = empty ? kNobody : number;
    check_call(cudaMemcpyAsync(&table_.rows[number], &entry, empty ? sizeof entry.arrival : bytes,
                               cudaMemcpyHostToDevice, down_));
  }

  /// Nothing follows the last task so far: an update without a task releases it.
  void release_last() {
    if (last_ == kNobody || error_ != cudaSuccess) return;
    const unsigned column = column_with_room();
    if (column == kNone || last_ == kNobody) return;
    send(column, 0, true);
    ++counts_.empty;
  }

  /// Learns which tasks have ended: the lazy aggregate update of section 4.2.2.
  void refresh() {
    if (options_.transport == Transport::copies) {
      check_call(cudaMemcpyAsync(ended_, table_.ended, uses_.size() * sizeof(std::uint32_t),
                                 cudaMemcpyDeviceToHost, up_));
      check_call(cudaStreamSynchronize(up_));
    } else if (const cudaError_t state = cudaStreamQuery(master_);
               state != cudaErrorNotReady && state != cudaSuccess) {
      failed(state);
    }
    ++counts_.refresh;
    if (error_ != cudaSuccess) return;
    for (unsigned column = 0; column < table_.columns; ++column) {
      std::uint32_t used = ~(free_[column] | 1u << next_[column]);
      for (; used != 0; used &= used - 1) {
        const unsigned row = static_cast<unsigned>(__builtin_ctz(used));
        const std::uint32_t number = column * kRows + row;
        if (busy(number)) continue;
        free_[column] |= 1u << row;
        --outstanding_;
        if (!was_empty_[number]) just_ended_.push_back({number + 1, uses_[number]});
        const unsigned code = ended_[number] & 0xff;
        if (code != 0) codes_[{number + 1, uses_[number]}] = code;
      }
    }
  }

  static constexpr std::uint32_t kUses = 0xffffff;  // ends are counted in 24 bits

  const Options options_;
  Table table_ = {};
  std::mutex mutex_;
  cudaError_t error_ = cudaSuccess;
  std::vector<void*> device_, pinned_;
  cudaStream_t master_ = nullptr, down_ = nullptr, up_ = nullptr;
  Entry* rows_ = nullptr;           // the host's table
  std::uint32_t* ended_ = nullptr;  // its copy, or itself
  std::uint32_t* stop_words_ = nullptr;
  std::vector<std::uint32_t> uses_;  // by entry: tasks that were put in
  std::vector<std::uint32_t> free_;  // by column: rows whose task is known to have ended
  std::vector<unsigned> next_;       // by column: the row in which the next entry will arrive
  std::uint32_t last_ = kNobody;     // sent, and not yet released
  std::uint64_t outstanding_ = 0;    // not known to have ended
  unsigned turn_ = 0;
  bool closed_ = false;           // no more tasks are taken
  bool stopped_ = false;          // the MasterKernel has ended
  bool copying_ = false;          // copy_in() since the last spawn
  std::vector<bool> was_empty_;   // by entry: whether it was an update without a task
  std::vector<Id> just_ended_;    // not yet taken
  std::map<Id, unsigned> codes_;  // of tasks that have failed
  Counts counts_;
  std::uint64_t sent_ = 0;  // entries
  bool watch_ends_ = false;
  std::condition_variable wake_;
  std::thread watcher_;
};

}  // namespace detail
}  // namespace raddle::tasks
