// Records what CUPTI reports for each kernel of a program: name, shape, start and end on the GPU's
// clock. The driver loads this library (CUDA_INJECTION64_PATH). KERNEL_TIMES names the output file,
// with a line of JSON for each kernel.
#include <cupti.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr std::size_t kBufferBytes = std::size_t{8} << 20;
constexpr std::size_t kAlignment = 8;
std::FILE* out = nullptr;
long left_to_write = 20000;  // kernels; a file is not to fill the disk

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, kBufferBytes));
  *bytes = *buffer != nullptr ? kBufferBytes : 0;
  *most_records = 0;  // as many as fit
}

void write(const CUpti_ActivityKernel10& kernel) {
  if (left_to_write-- <= 0) return;
  std::fprintf(out,
               "{\"name\": \"%s\", \"grid\": [%d, %d, %d], \"block\": [%d, %d, %d], "
               "\"registers\": %u, \"shared\": %d, \"start\": %llu, \"end\": %llu}\n",
               kernel.name, kernel.gridX, kernel.gridY, kernel.gridZ, kernel.blockX, kernel.blockY,
               kernel.blockZ, kernel.registersPerThread,
               kernel.staticSharedMemory + kernel.dynamicSharedMemory,
               static_cast<unsigned long long>(kernel.start),
               static_cast<unsigned long long>(kernel.end));
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
  CUpti_Activity* record = nullptr;
  while (out != nullptr && cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      write(*reinterpret_cast<const CUpti_ActivityKernel10*>(record));
    }
  }
  std::free(buffer);
}

void finish() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  if (out != nullptr) std::fclose(out);
  out = nullptr;
}

}  // namespace

extern "C" int InitializeInjection() {
  const char* const file = std::getenv("KERNEL_TIMES");
  if (file == nullptr) return 1;
  out = std::fopen(file, "w");
  if (out == nullptr) return 1;
  std::atexit(finish);
  if (cuptiActivityRegisterCallbacks(give_buffer, take_buffer) != CUPTI_SUCCESS ||
      cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS) {
    std::fprintf(stderr, "kernel_times: CUPTI does not record kernels\n");
  }
  return 1;
}
