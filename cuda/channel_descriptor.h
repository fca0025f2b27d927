// cudaCreateChannelDesc<T>: the channel format of a scalar or vector type.
#pragma once

#include "cuda_runtime_api.h"

#if defined(__cplusplus)
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define RADDLE_CHANNELS(type, count, kind)                                           \
  template <>                                                                        \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                       \
    const int bits = 8 * (int)sizeof(type) / count;                                  \
    return cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0,   \
                                 count > 3 ? bits : 0, cudaChannelFormatKind##kind); \
  }
#define RADDLE_CHANNEL_TYPES(scalar, vector, kind) \
  RADDLE_CHANNELS(scalar, 1, kind)                 \
  RADDLE_CHANNELS(vector##1, 1, kind)              \
  RADDLE_CHANNELS(vector##2, 2, kind)              \
  RADDLE_CHANNELS(vector##3, 3, kind)              \
  RADDLE_CHANNELS(vector##4, 4, kind)
RADDLE_CHANNELS(char, 1, Signed)
RADDLE_CHANNEL_TYPES(signed char, char, Signed)
RADDLE_CHANNEL_TYPES(unsigned char, uchar, Unsigned)
RADDLE_CHANNEL_TYPES(short, short, Signed)
RADDLE_CHANNEL_TYPES(unsigned short, ushort, Unsigned)
RADDLE_CHANNEL_TYPES(int, int, Signed)
RADDLE_CHANNEL_TYPES(unsigned int, uint, Unsigned)
RADDLE_CHANNEL_TYPES(float, float, Float)
#undef RADDLE_CHANNELS
#undef RADDLE_CHANNEL_TYPES

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
#endif
