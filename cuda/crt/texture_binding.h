// Binding memory to texture<> and surface<> references, by reference as C++ programs do.
#pragma once

#include <limits.h>

#include "../cuda_runtime_api.h"
#include "texture_references.h"

template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                                   const void* memory, const cudaChannelFormatDesc& format,
                                   size_t bytes = UINT_MAX) {
  return cudaBindTexture(offset, (const textureReference*)&reference, memory, &format, bytes);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                                   const void* memory, size_t bytes = UINT_MAX) {
  return cudaBindTexture(offset, reference, memory, reference.channelDesc, bytes);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                                     const void* memory, const cudaChannelFormatDesc& format,
                                     size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, (const textureReference*)&reference, memory, &format, width,
                           height, pitch);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                                     const void* memory, size_t width, size_t height,
                                     size_t pitch) {
  return cudaBindTexture2D(offset, reference, memory, reference.channelDesc, width, height, pitch);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc& format) {
  return cudaBindTextureToArray((const textureReference*)&reference, array, &format);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                          cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  const cudaError_t known = cudaGetChannelDesc(&format, array);
  return known != cudaSuccess ? known : cudaBindTextureToArray(reference, array, format);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToMipmappedArray(const texture<T, type, mode>& reference,
                                                   cudaMipmappedArray_const_t array,
                                                   const cudaChannelFormatDesc& format) {
  return cudaBindTextureToMipmappedArray((const textureReference*)&reference, array, &format);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, type, mode>& reference) {
  return cudaUnbindTexture((const textureReference*)&reference);
}
template <class T, int type, enum cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset,
                                                 const texture<T, type, mode>& reference) {
  return cudaGetTextureAlignmentOffset(offset, (const textureReference*)&reference);
}
template <class T, int type>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc& format) {
  return cudaBindSurfaceToArray((const surfaceReference*)&reference, array, &format);
}
template <class T, int type>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference,
                                          cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  const cudaError_t known = cudaGetChannelDesc(&format, array);
  return known != cudaSuccess ? known : cudaBindSurfaceToArray(reference, array, format);
}
