// Memory of a runtime on both sides, and the streams in which it is copied.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "options.h"
#include "remains.h"
#include "table.cuh"

namespace raddle::tasks::detail {

/// The Table, and what the host needs beside it. `table.columns` and the options say how much.
class TableMemory {
 public:
  TableMemory() = default;
  TableMemory(const TableMemory&) = delete;
  TableMemory& operator=(const TableMemory&) = delete;
  /// When nothing is under way any more.
  ~TableMemory() {
    Remains::all().runtime_ends(device_, pinned_);
    for (cudaStream_t stream : {master, down}) {
      if (stream != nullptr) cudaStreamDestroy(stream);
    }
  }

  cudaError_t allocate(const Options& options) {
    const std::size_t entries = std::size_t{table.columns} * kRows;
    const bool mapped = options.transport == Transport::mapped;
    for (cudaStream_t* stream : {&master, &down}) {
      check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    }
    rows = pinned<Entry>(entries, mapped ? &table.rows : nullptr);
    ended = pinned<std::uint32_t>(entries, mapped ? &table.ended : nullptr);
    stop_words = pinned<std::uint32_t>(table.columns);
    if (mapped) {
      table.arguments = on_device<unsigned char>(entries * kMaxArgumentBytes);
    } else {
      table.rows = on_device<Entry>(entries);
      table.ended = on_device<std::uint32_t>(entries);
    }
    table.released = on_device<std::uint32_t>(table.columns);
    table.families = on_device<Family>(entries + options.subtasks);
    if (options.occupancy) table.busy = on_device<unsigned long long>(1);
    table.subtasks.capacity = options.subtasks;
    const unsigned room = options.subtasks;
    if ((room & (room - 1)) != 0 || room == 1) check(cudaErrorInvalidValue);
    if (room != 0) allocate_subtasks(room);
    // Not of the whole device: another runtime may be on it.
    check(cudaStreamSynchronize(down));
    return error_;
  }

  Table table = {};
  Entry* rows = nullptr;           // the host's table
  std::uint32_t* ended = nullptr;  // its copy, or itself
  std::uint32_t* stop_words = nullptr;
  cudaStream_t master = nullptr, down = nullptr;

 private:
  void check(cudaError_t result) {
    if (error_ == cudaSuccess) error_ = result;
  }

  template <class T>
  T* on_device(std::size_t count) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)));
    if (memory != nullptr) {
      device_.push_back(memory);
      check(cudaMemsetAsync(memory, 0, count * sizeof(T), down));
    }
    return static_cast<T*>(memory);
  }
  template <class T>
  T* pinned(std::size_t count, T** on_device = nullptr) {
    void *memory = nullptr, *device = nullptr;
    check(cudaHostAlloc(&memory, count * sizeof(T), cudaHostAllocMapped));
    if (memory == nullptr) return nullptr;
    pinned_.push_back(memory);
    std::memset(memory, 0, count * sizeof(T));
    if (on_device != nullptr) {
      check(cudaHostGetDevicePointer(&device, memory, 0));
      *on_device = static_cast<T*>(device);
    }
    return static_cast<T*>(memory);
  }

  void allocate_subtasks(unsigned room) {
    table.spawned = on_device<Entry>(room);
    table.subtasks.head = on_device<std::uint32_t>(1);
    table.subtasks.tail = on_device<std::uint32_t>(1);
    if (error_ != cudaSuccess) return;
    std::vector<Entry> spawned(room, Entry{});
    for (unsigned i = 0; i < room; ++i) spawned[i].sequence = i;
    check(cudaMemcpyAsync(table.spawned, spawned.data(), spawned.size() * sizeof(Entry),
                          cudaMemcpyHostToDevice, down));
    check(cudaStreamSynchronize(down));
  }

  cudaError_t error_ = cudaSuccess;
  std::vector<void*> device_, pinned_;
};

}  // namespace raddle::tasks::detail
