// Occupancy of kernels by name, and the block size that maximises it.
#pragma once

#include "../cuda_runtime_api.h"

template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel,
                                                                 int block_size,
                                                                 size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, block_size,
                                                       shared_bytes);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel,
                                                                          int block_size,
                                                                          size_t shared_bytes,
                                                                          unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel,
                                                                block_size, shared_bytes, flags);
}
template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, T* kernel,
                                                             int blocks, int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, (const void*)kernel, blocks,
                                                   block_size);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, T* kernel,
                                                        const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxPotentialClusterSize(size, (const void*)kernel, config);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel,
                                                  const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxActiveClusters(clusters, (const void*)kernel, config);
}

// The block size with most threads resident on a multiprocessor, the largest of equals, and the
// grid that fills the device with it. `shared_bytes_of(block size)` gives the dynamic shared memory
// in bytes; a `limit` of 0 is none.
template <class SharedBytesOf, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid_size, int* block_size,
                                                                    T kernel,
                                                                    SharedBytesOf shared_bytes_of,
                                                                    int limit, unsigned int flags) {
  int device = 0, multiprocessors = 0, warp = 0, resident_limit = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&resident_limit, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  }
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, (const void*)kernel);
  if (error != cudaSuccess) return error;

  int largest = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < largest) largest = limit;
  int best_threads = 0;
  *grid_size = *block_size = 0;
  for (int rounded = (largest + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
    int candidate = rounded < largest ? rounded : largest;
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, (const void*)kernel, candidate, shared_bytes_of(candidate), flags);
    if (error != cudaSuccess) return error;
    if (blocks * candidate > best_threads) {
      best_threads = blocks * candidate;
      *block_size = candidate;
      *grid_size = blocks * multiprocessors;
    }
    if (best_threads == resident_limit) break;
  }
  return cudaSuccess;
}
template <class SharedBytesOf, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size,
                                                                  T kernel,
                                                                  SharedBytesOf shared_bytes_of,
                                                                  int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      grid_size, block_size, kernel, shared_bytes_of, limit, cudaOccupancyDefault);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size,
                                                               T kernel, size_t shared_bytes,
                                                               int limit, unsigned int flags) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      grid_size, block_size, kernel, [=](int) { return shared_bytes; }, limit, flags);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, T kernel,
                                                      size_t shared_bytes = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid_size, block_size, kernel, shared_bytes,
                                                     limit, cudaOccupancyDefault);
}
