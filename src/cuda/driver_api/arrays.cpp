// Arrays and mipmapped arrays (CUDA driver API, "Memory Management").
#include "cuda/driver_api/formats.h"

using namespace raddle::cuda;

namespace {

CUarray handle(Array* array) { return reinterpret_cast<CUarray>(array); }

/// The two APIs' flags have the same values.
static_assert(CUDA_ARRAY3D_LAYERED == cudaArrayLayered &&
              CUDA_ARRAY3D_SURFACE_LDST == cudaArraySurfaceLoadStore &&
              CUDA_ARRAY3D_CUBEMAP == cudaArrayCubemap &&
              CUDA_ARRAY3D_TEXTURE_GATHER == cudaArrayTextureGather);

CUDA_ARRAY3D_DESCRIPTOR description(const Array& one) {
  CUDA_ARRAY3D_DESCRIPTOR d = {};
  d.Width = one.width;
  d.Height = one.height;
  d.Depth = one.depth;
  d.Format = array_format(one.format);
  d.NumChannels = channels_of(one.format);
  d.Flags = one.flags;
  return d;
}

/// Bytes of a one-dimensional array, or of one treated as one-dimensional: rows follow each other.
Place bytes_of(CUarray one, std::size_t offset, std::size_t bytes) {
  const Array& a = array(one);
  const std::size_t all = a.pitch() * a.rows();
  require(offset <= all && bytes <= all - offset, cudaErrorInvalidValue);
  Place place = a.place({0, 0, 0, 0, 1, 1});
  place.base = static_cast<std::byte*>(place.base) + offset;
  place.pitch = bytes;
  return place;
}

Place bytes_at(const void* memory, std::size_t bytes) {
  return {const_cast<void*>(memory), bytes, 1};
}

/// `to` and `from` return the two sides, and may refuse.
template <class To, class From>
CUresult copy_bytes(To&& to, From&& from, std::size_t bytes, CUstream stream, bool async) {
  return driver(Cost::copy, [&](Runtime& runtime) {
    const CopyWork work{to(), from(), bytes, 1, 1, cudaMemcpyDefault};
    copy(runtime, runtime.stream(stream), work, async);
    return cudaSuccess;
  });
}

CUresult copy_to_array(CUarray to, std::size_t offset, const void* from, std::size_t bytes,
                       CUstream stream, bool async) {
  return copy_bytes([&] { return bytes_of(to, offset, bytes); },
                    [&] { return bytes_at(from, bytes); }, bytes, stream, async);
}

CUresult copy_from_array(const void* to, CUarray from, std::size_t offset, std::size_t bytes,
                         CUstream stream, bool async) {
  return copy_bytes([&] { return bytes_at(to, bytes); },
                    [&] { return bytes_of(from, offset, bytes); }, bytes, stream, async);
}

}  // namespace

CUresult cuMemcpyHtoA_v2(CUarray to, std::size_t offset, const void* from, std::size_t bytes) {
  return copy_to_array(to, offset, from, bytes, nullptr, false);
}
CUresult cuMemcpyHtoAAsync_v2(CUarray to, std::size_t offset, const void* from, std::size_t bytes,
                              CUstream stream) {
  return copy_to_array(to, offset, from, bytes, stream, true);
}
CUresult cuMemcpyDtoA_v2(CUarray to, std::size_t offset, CUdeviceptr from, std::size_t bytes) {
  return copy_to_array(to, offset, pointer(from), bytes, nullptr, false);
}
CUresult cuMemcpyAtoH_v2(void* to, CUarray from, std::size_t offset, std::size_t bytes) {
  return copy_from_array(to, from, offset, bytes, nullptr, false);
}
CUresult cuMemcpyAtoHAsync_v2(void* to, CUarray from, std::size_t offset, std::size_t bytes,
                              CUstream stream) {
  return copy_from_array(to, from, offset, bytes, stream, true);
}
CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, std::size_t offset, std::size_t bytes) {
  return copy_from_array(pointer(to), from, offset, bytes, nullptr, false);
}
CUresult cuMemcpyAtoA_v2(CUarray to, std::size_t to_offset, CUarray from, std::size_t from_offset,
                         std::size_t bytes) {
  return copy_bytes([&] { return bytes_of(to, to_offset, bytes); },
                    [&] { return bytes_of(from, from_offset, bytes); }, bytes, nullptr, false);
}

CUresult cuArray3DCreate_v2(CUarray* out, const CUDA_ARRAY3D_DESCRIPTOR* d) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr && d != nullptr, cudaErrorInvalidValue);
    *out = handle(create_array(runtime, channel_format(d->Format, d->NumChannels), d->Width,
                               d->Height, d->Depth, d->Flags));
    return cudaSuccess;
  });
}

CUresult cuArrayCreate_v2(CUarray* out, const CUDA_ARRAY_DESCRIPTOR* d) {
  if (d == nullptr) return invalid_argument("d != nullptr");
  const CUDA_ARRAY3D_DESCRIPTOR whole = {d->Width, d->Height, 0, d->Format, d->NumChannels, 0};
  return cuArray3DCreate_v2(out, &whole);
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* out, CUarray one) {
  return driver(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = description(array(one));
    return cudaSuccess;
  });
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* out, CUarray one) {
  return driver(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    const CUDA_ARRAY3D_DESCRIPTOR d = description(array(one));
    *out = {d.Width, d.Height, d.Format, d.NumChannels};
    return cudaSuccess;
  });
}

CUresult cuArrayDestroy(CUarray one) {
  return driver_always(Cost::allocate, [&](Runtime& runtime) {
    require(one != nullptr, cudaErrorInvalidResourceHandle);
    destroy_array(runtime, reinterpret_cast<Array*>(one));
    return cudaSuccess;
  });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* out, const CUDA_ARRAY3D_DESCRIPTOR* d,
                                unsigned levels) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr && d != nullptr, cudaErrorInvalidValue);
    *out = reinterpret_cast<CUmipmappedArray>(
        create_mipmap(runtime, channel_format(d->Format, d->NumChannels), d->Width, d->Height,
                      d->Depth, levels, d->Flags));
    return cudaSuccess;
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray* out, CUmipmappedArray of, unsigned level) {
  return driver(Cost::call, [&](Runtime&) {
    const MipmappedArray& one = mipmap(of);
    require(out != nullptr && level < one.levels.size(), cudaErrorInvalidValue);
    *out = handle(one.levels[level].get());
    return cudaSuccess;
  });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray one) {
  return driver_always(Cost::allocate, [&](Runtime& runtime) {
    require(one != nullptr, cudaErrorInvalidResourceHandle);
    destroy_mipmap(runtime, reinterpret_cast<MipmappedArray*>(one));
    return cudaSuccess;
  });
}
