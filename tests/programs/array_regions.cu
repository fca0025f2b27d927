// Copies of boxes to and from arrays, by every call for them. A copy that fits succeeds. A copy
// that reaches a byte, row or slice too far is refused, and so is one that begins inside an element
// (CUDA runtime API, "Memory Management"; CUDA driver API, cuMemcpy2D and cuMemcpy3D).
// cc: -lcuda
#include <cuda.h>

#include "check.h"

constexpr size_t kWidth = 8, kHeight = 4, kDepth = 3;  // the array's elements
using Element = float2;
constexpr size_t kElement = sizeof(Element);

struct Box {
  size_t x, y, z, width, height, depth;  // x and width in elements
};

static char host[64 * 1024];
constexpr size_t kPitch = 256, kRows = 16;  // of it

static cudaMemcpy3DParms parameters(cudaArray_t array, const Box& b, bool to_array) {
  cudaMemcpy3DParms p = {};
  const cudaPitchedPtr memory = make_cudaPitchedPtr(host, kPitch, kPitch, kRows);
  const cudaPos at = make_cudaPos(b.x, b.y, b.z);
  p.extent = make_cudaExtent(b.width, b.height, b.depth);
  p.kind = to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if (to_array) {
    p.srcPtr = memory, p.dstArray = array, p.dstPos = at;
  } else {
    p.dstPtr = memory, p.srcArray = array, p.srcPos = at;
  }
  return p;
}

static bool by_memcpy_3d(cudaArray_t array, const Box& b, bool to_array) {
  const cudaMemcpy3DParms p = parameters(array, b, to_array);
  return cudaMemcpy3D(&p) == cudaSuccess;
}

static bool by_graph(cudaArray_t array, const Box& b, bool to_array) {
  const cudaMemcpy3DParms p = parameters(array, b, to_array);
  cudaGraph_t graph;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&graph, 0));
  const bool added = cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &p) == cudaSuccess;
  CHECK(cudaGraphDestroy(graph));
  return added;
}

static bool by_driver_3d(cudaArray_t array, const Box& b, bool to_array) {
  CUDA_MEMCPY3D p = {};
  p.WidthInBytes = b.width * kElement, p.Height = b.height, p.Depth = b.depth;
  if (to_array) {
    p.srcMemoryType = CU_MEMORYTYPE_HOST, p.srcHost = host;
    p.srcPitch = kPitch, p.srcHeight = kRows;
    p.dstMemoryType = CU_MEMORYTYPE_ARRAY, p.dstArray = reinterpret_cast<CUarray>(array);
    p.dstXInBytes = b.x * kElement, p.dstY = b.y, p.dstZ = b.z;
  } else {
    p.dstMemoryType = CU_MEMORYTYPE_HOST, p.dstHost = host;
    p.dstPitch = kPitch, p.dstHeight = kRows;
    p.srcMemoryType = CU_MEMORYTYPE_ARRAY, p.srcArray = reinterpret_cast<CUarray>(array);
    p.srcXInBytes = b.x * kElement, p.srcY = b.y, p.srcZ = b.z;
  }
  return cuMemcpy3D(&p) == CUDA_SUCCESS;
}

static CUresult driver_2d(cudaArray_t array, size_t x_bytes, const Box& b, bool to_array) {
  CUDA_MEMCPY2D p = {};
  p.WidthInBytes = b.width * kElement, p.Height = b.height;
  if (to_array) {
    p.srcMemoryType = CU_MEMORYTYPE_HOST, p.srcHost = host, p.srcPitch = kPitch;
    p.dstMemoryType = CU_MEMORYTYPE_ARRAY, p.dstArray = reinterpret_cast<CUarray>(array);
    p.dstXInBytes = x_bytes, p.dstY = b.y;
  } else {
    p.dstMemoryType = CU_MEMORYTYPE_HOST, p.dstHost = host, p.dstPitch = kPitch;
    p.srcMemoryType = CU_MEMORYTYPE_ARRAY, p.srcArray = reinterpret_cast<CUarray>(array);
    p.srcXInBytes = x_bytes, p.srcY = b.y;
  }
  return cuMemcpy2D(&p);
}
static bool by_driver_2d(cudaArray_t array, const Box& b, bool to_array) {
  return driver_2d(array, b.x * kElement, b, to_array) == CUDA_SUCCESS;
}

static cudaError_t rows(cudaArray_t array, size_t x_bytes, const Box& b, bool to_array) {
  const size_t width = b.width * kElement;
  return to_array ? cudaMemcpy2DToArray(array, x_bytes, b.y, host, kPitch, width, b.height,
                                        cudaMemcpyHostToDevice)
                  : cudaMemcpy2DFromArray(host, kPitch, array, x_bytes, b.y, width, b.height,
                                          cudaMemcpyDeviceToHost);
}
static bool by_rows(cudaArray_t array, const Box& b, bool to_array) {
  return rows(array, b.x * kElement, b, to_array) == cudaSuccess;
}

using Copy = bool (*)(cudaArray_t, const Box&, bool);

static void check(Copy copy, cudaArray_t array, bool slices) {
  const size_t depth = slices ? kDepth : 1;
  for (const bool to_array : {true, false}) {
    EXPECT(copy(array, {0, 0, 0, kWidth, kHeight, depth}, to_array));
    EXPECT(copy(array, {kWidth - 1, kHeight - 1, depth - 1, 1, 1, 1}, to_array));
    // Too far in one direction; whatever lies there is still the array's, but for the last slice.
    EXPECT(!copy(array, {1, 0, 0, kWidth, 1, 1}, to_array));
    EXPECT(!copy(array, {kWidth, 0, 0, 1, 1, 1}, to_array));
    EXPECT(!copy(array, {0, 1, 0, 1, kHeight, 1}, to_array));
    EXPECT(!copy(array, {0, kHeight, 0, 1, 1, 1}, to_array));
    if (!slices) continue;
    EXPECT(!copy(array, {0, 0, 1, 1, 1, kDepth}, to_array));
    EXPECT(!copy(array, {0, 0, kDepth, 1, 1, 1}, to_array));
  }
}

// Pitched memory: what does not fit into a row or slice would run on in the next.
static void pitched() {
  cudaPitchedPtr memory;
  CHECK(cudaMalloc3D(&memory, make_cudaExtent(64, kHeight, kDepth)));
  const auto copy = [&](size_t x, size_t y, size_t width, size_t height, size_t depth) {
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(host, kPitch, kPitch, kRows);
    p.dstPtr = memory;
    p.dstPos = make_cudaPos(x, y, 0);
    p.extent = make_cudaExtent(width, height, depth);
    p.kind = cudaMemcpyHostToDevice;
    return cudaMemcpy3D(&p);
  };
  EXPECT(copy(0, 0, 64, kHeight, kDepth) == cudaSuccess);
  EXPECT(copy(memory.pitch - 8, 0, 8, 2, 1) == cudaSuccess);
  EXPECT(copy(memory.pitch - 8, 0, 9, 2, 1) == cudaErrorInvalidValue);  // NVIDIA H200, CUDA 13.0
  EXPECT(copy(0, 1, 8, kHeight - 1, 2) == cudaSuccess);
  EXPECT(copy(0, 1, 8, kHeight, 2) == cudaErrorInvalidValue);
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<Element>();
  cudaArray_t flat, deep, other;
  CHECK(cudaMallocArray(&flat, &format, kWidth, kHeight));
  CHECK(cudaMalloc3DArray(&deep, &format, make_cudaExtent(kWidth, kHeight, kDepth)));
  for (const Copy copy : {by_memcpy_3d, by_graph, by_driver_3d}) {
    check(copy, deep, true);
    check(copy, flat, false);
  }
  for (const Copy copy : {by_driver_2d, by_rows}) check(copy, flat, false);
#ifndef ON_HARDWARE  // which takes parts of elements
  for (const bool to_array : {true, false}) {
    EXPECT(rows(flat, 4, {0, 0, 0, 1, 1, 1}, to_array) == cudaErrorInvalidValue);
    EXPECT(driver_2d(flat, 4, {0, 0, 0, 1, 1, 1}, to_array) == CUDA_ERROR_INVALID_VALUE);
  }
#endif
  // "cudaMemcpy3D() will return an error if they do not have the same element size."
  const cudaChannelFormatDesc narrow = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&other, &narrow, kWidth, kHeight));
  cudaMemcpy3DParms between = {};
  between.srcArray = flat, between.dstArray = other;
  between.extent = make_cudaExtent(1, 1, 1), between.kind = cudaMemcpyDeviceToDevice;
  EXPECT(cudaMemcpy3D(&between) == cudaErrorInvalidValue);
  pitched();
  return finish();
}
