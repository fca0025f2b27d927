// The host's side of cuRAND (documentation, "Host API Overview"), with the types of its ABI.
// Generators hold their settings, but generating is refused. Kernels generate numbers with
// curand_kernel.h.
#include "cuda/libraries/thin_handle.h"

using namespace raddle::cuda;

namespace {
struct Curand;
constexpr Codes kCodes{0, 101, 103};  // CURAND_STATUS_NOT_INITIALIZED, CURAND_STATUS_TYPE_ERROR
constexpr int kOutOfRange = 104;
constexpr int kVersion[] = {10, 3, 9};

bool is_generator(int type) { return (type >= 100 && type <= 162) || (type >= 200 && type <= 204); }

int held(void* generator) {
  return with_handle<Curand>(kCodes, generator, [](Runtime&, ThinHandle&) { return 0; });
}
}  // namespace

extern "C" {
int curandCreateGenerator(void** generator, int type) {
  return is_generator(type) ? create_handle<Curand>(kCodes, generator) : kCodes.invalid_value;
}
int curandDestroyGenerator(void* generator) { return destroy_handle<Curand>(kCodes, generator); }
int curandSetStream(void* generator, cudaStream_t stream) {
  return set_stream<Curand>(kCodes, generator, stream);
}
int curandSetPseudoRandomGeneratorSeed(void* generator, unsigned long long) {
  return held(generator);
}
int curandSetGeneratorOffset(void* generator, unsigned long long) { return held(generator); }
int curandSetGeneratorOrdering(void* generator, int ordering) {
  return ordering >= 100 && ordering <= 201 ? held(generator) : kOutOfRange;
}
int curandSetQuasiRandomGeneratorDimensions(void* generator, unsigned dimensions) {
  return dimensions >= 1 && dimensions <= 20000 ? held(generator) : kOutOfRange;
}
int curandGetVersion(int* version) {
  if (version == nullptr) return kOutOfRange;
  *version = version_number(kVersion);
  return kCodes.success;
}
int curandGetProperty(int type, int* value) {
  return property({kCodes.success, kCodes.not_initialized, kOutOfRange}, type, value, kVersion);
}
}
