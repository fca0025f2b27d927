// Registration of relocatable device code, compiled into a program by the link step of `raddle cc`.
// Each object file of relocatable code calls a function of its own, __cudaRegisterLinkedBinary<id>,
// when the program starts. The files' images form one module only together, so they are gathered;
// this object is linked last, so that its constructor runs when all have come. It gives them to the
// runtime as an array (fat binary wrapper, version 2), and each file registers its kernels and
// variables with that module. RADDLE_LINKED_FILES is the number of files.
#pragma once

#include <stdlib.h>

extern "C" {

struct __raddle_fatbin_wrapper {
  int magic;
  int version;
  const void* image;
  const void* const* images;  // of version 2, ended by a null pointer
};

void** __cudaRegisterFatBinary(const void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
}

namespace {

const void* images[RADDLE_LINKED_FILES + 1];
void (*register_globals[RADDLE_LINKED_FILES])(void** handle);
// Volatile, because a compiler that runs constructors at compile time believes it to be zero still.
volatile int files = 0;
void** handle = nullptr;
__raddle_fatbin_wrapper linked = {0x466243b1, 2, nullptr, images};

void gather(void (*globals)(void**), const void* wrapper) {
  images[files] = ((const __raddle_fatbin_wrapper*)wrapper)->image;
  register_globals[files] = globals;
  files = files + 1;
}

__attribute__((constructor)) void register_files() {
  if (files == 0) return;
  linked.image = images[0];
  handle = __cudaRegisterFatBinary(&linked);
  for (int i = 0; i < files; ++i) register_globals[i](handle);
  __cudaRegisterFatBinaryEnd(handle);
  atexit([] { __cudaUnregisterFatBinary(handle); });
}

}  // namespace

#define RADDLE_LINKED_FILE(function)                                                        \
  extern "C" void function(void (*globals)(void**), void* wrapper, void*, void (*)(void*)); \
  void function(void (*globals)(void**), void* wrapper, void*, void (*)(void*)) {           \
    gather(globals, wrapper);                                                               \
  }
