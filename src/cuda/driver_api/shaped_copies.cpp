// 2D and 3D copies and pointer queries (CUDA driver API, "Memory Management", "Unified
// Addressing").
#include "cuda/driver_api/entry.h"

using namespace raddle::cuda;

namespace {

/// One side of a copy, from the fields that CUDA_MEMCPY2D and CUDA_MEMCPY3D share.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  std::size_t x, y, z, pitch, rows;
};

Place place_of(const Side& side, std::size_t width, std::size_t height, std::size_t depth) {
  const Region region{side.x, side.y, side.z, width, height, depth};
  if (side.type == CU_MEMORYTYPE_ARRAY) return array(side.array).place(region);
  const bool host = side.type == CU_MEMORYTYPE_HOST;
  void* base = host ? const_cast<void*>(side.host) : pointer(side.device);
  const std::size_t pitch = side.pitch == 0 ? width : side.pitch;
  const std::size_t rows = side.rows == 0 ? height : side.rows;
  return place_in(base, pitch, rows, region);
}

}  // namespace

CopyWork raddle::cuda::copy_work(const CUDA_MEMCPY2D& c) {
  const Side to{c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes,
                c.dstY,          0,         c.dstPitch,  c.Height};
  const Side from{c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes,
                  c.srcY,          0,         c.srcPitch,  c.Height};
  return {place_of(to, c.WidthInBytes, c.Height, 1),
          place_of(from, c.WidthInBytes, c.Height, 1),
          c.WidthInBytes,
          c.Height,
          1,
          cudaMemcpyDefault};
}

CopyWork raddle::cuda::copy_work(const CUDA_MEMCPY3D& c) {
  const Side to{c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes,
                c.dstY,          c.dstZ,    c.dstPitch,  c.dstHeight};
  const Side from{c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes,
                  c.srcY,          c.srcZ,    c.srcPitch,  c.srcHeight};
  return {place_of(to, c.WidthInBytes, c.Height, c.Depth),
          place_of(from, c.WidthInBytes, c.Height, c.Depth),
          c.WidthInBytes,
          c.Height,
          c.Depth,
          cudaMemcpyDefault};
}

namespace {

template <class Parameters>
CUresult shaped_copy(const Parameters* parameters, CUstream stream, bool async) {
  return driver(Cost::copy, [&](Runtime& runtime) {
    require(parameters != nullptr, cudaErrorInvalidValue);
    copy(runtime, runtime.stream(stream), copy_work(*parameters), async);
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* c) { return shaped_copy(c, nullptr, false); }
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* c) { return shaped_copy(c, nullptr, false); }
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* c, CUstream s) { return shaped_copy(c, s, true); }
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* c) { return shaped_copy(c, nullptr, false); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* c, CUstream s) { return shaped_copy(c, s, true); }

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr one) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(data != nullptr, cudaErrorInvalidValue);
    const PointerFacts known = facts(runtime, pointer(one));
    require(known.type != cudaMemoryTypeUnregistered, cudaErrorInvalidValue);
    switch (attribute) {
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *static_cast<unsigned*>(data) =
            known.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return cudaSuccess;
      case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *static_cast<CUdeviceptr*>(data) = one;
        return cudaSuccess;
      case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        require(known.type != cudaMemoryTypeDevice, cudaErrorInvalidValue);
        *static_cast<void**>(data) = pointer(one);
        return cudaSuccess;
      case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *static_cast<unsigned*>(data) = known.type == cudaMemoryTypeManaged ? 1 : 0;
        return cudaSuccess;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int*>(data) = 0;
        return cudaSuccess;
      case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *static_cast<void**>(data) = known.base;
        return cudaSuccess;
      case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *static_cast<std::size_t*>(data) = known.bytes;
        return cudaSuccess;
      default:
        return cudaErrorNotSupported;
    }
  });
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr one) {
  if (attributes == nullptr || values == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // For unknown memory the answers are zeros; that is not an error here.
  for (unsigned i = 0; i < count; ++i) {
    const CUresult result = cuPointerGetAttribute(values[i], attributes[i], one);
    if (result == CUDA_ERROR_INVALID_VALUE) {
      *static_cast<unsigned*>(values[i]) = 0;
    } else if (result != CUDA_SUCCESS) {
      return result;
    }
  }
  return CUDA_SUCCESS;
}
