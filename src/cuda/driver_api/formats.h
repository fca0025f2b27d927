// The driver API's array formats as the runtime API's channel formats, and back.
#pragma once

#include "cuda/driver_api/entry.h"

namespace raddle::cuda {

/// Refuses formats that textures cannot have.
inline cudaChannelFormatDesc channel_format(CUarray_format format, unsigned channels) {
  require(channels == 1 || channels == 2 || channels == 4, cudaErrorInvalidValue);
  struct Row {
    CUarray_format format;
    int bits;
    cudaChannelFormatKind kind;
  };
  constexpr Row kRows[] = {
      {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
      {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
      {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
      {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
      {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
      {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
      {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
      {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
  };
  for (const Row& row : kRows) {
    if (row.format != format) continue;
    return {row.bits, channels > 1 ? row.bits : 0, channels > 2 ? row.bits : 0,
            channels > 3 ? row.bits : 0, row.kind};
  }
  refuse(cudaErrorNotSupported);
}

inline CUarray_format array_format(const cudaChannelFormatDesc& format) {
  const int step = format.x == 8 ? 0 : format.x == 16 ? 1 : 2;
  switch (format.f) {
    case cudaChannelFormatKindFloat:
      return format.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    case cudaChannelFormatKindSigned:
      return static_cast<CUarray_format>(CU_AD_FORMAT_SIGNED_INT8 + step);
    default:
      return static_cast<CUarray_format>(CU_AD_FORMAT_UNSIGNED_INT8 + step);
  }
}

inline unsigned channels_of(const cudaChannelFormatDesc& format) {
  return 1u + (format.y != 0) + (format.z != 0) + (format.w != 0);
}

}  // namespace raddle::cuda
