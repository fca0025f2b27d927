// __managed__ variables under clang: what it takes for the host's shadows of device variables lies
// in a section of its own, and the runtime, told where that is, makes it the variables' memory.
#pragma once

#if !defined(__CUDA_ARCH__)
extern "C" {
void __cudaRegisterManagedSection(const void* begin, const void* end) __attribute__((weak));
// From the linker, where there are such variables.
extern const char __start_raddle_managed[] __attribute__((weak, visibility("hidden")));
extern const char __stop_raddle_managed[] __attribute__((weak, visibility("hidden")));
}

// Runs before clang's own constructor, which registers this file's variables.
__attribute__((constructor)) static void __raddle_tell_managed_section() {
  const char* volatile begin = __start_raddle_managed;  // may be null, which clang does not expect
  if (begin != nullptr && __cudaRegisterManagedSection != nullptr)
    __cudaRegisterManagedSection(begin, __stop_raddle_managed);
}
#endif
