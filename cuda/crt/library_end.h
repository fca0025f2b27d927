#if defined(__clang__) && defined(__CUDA__)
#pragma clang attribute pop
#endif
