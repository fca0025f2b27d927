// Texture objects. CUDA 11's first version of cudaTextureDesc ends before seamlessCubemap; its
// second version is the one of CUDA 12 and later.
#include <cstring>

#include "cuda/runtime/call.h"
#include "cuda/runtime/textures.h"

using namespace raddle::cuda;

namespace {

constexpr std::size_t kFirstBytes = offsetof(cudaTextureDesc, seamlessCubemap);

cudaError_t create(cudaTextureObject_t* out, const cudaResourceDesc* resource,
                   const cudaTextureDesc* settings, std::size_t settings_bytes,
                   const cudaResourceViewDesc* view) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr && resource != nullptr && settings != nullptr, cudaErrorInvalidValue);
    TextureParts parts;
    std::memcpy(&parts.resource, resource, kResourceDescBytes);
    std::memcpy(&parts.settings, settings, settings_bytes);
    if (view != nullptr) {
      parts.view.emplace();
      std::memcpy(&*parts.view, view, kResourceViewBytes);
    }
    *out = create_texture(runtime, parts);
    return cudaSuccess;
  });
}

cudaError_t get(cudaTextureDesc* out, cudaTextureObject_t texture, std::size_t bytes) {
  return call(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    std::memcpy(out, &texture_parts(texture).settings, bytes);
    return cudaSuccess;
  });
}

constexpr std::size_t kTextureBytes = RADDLE_CUDART == 11 ? kFirstBytes : sizeof(cudaTextureDesc);

}  // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* settings,
                                    const cudaResourceViewDesc* view) {
  return create(out, resource, settings, kTextureBytes, view);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* out, cudaTextureObject_t texture) {
  return get(out, texture, kTextureBytes);
}

#if RADDLE_CUDART == 11
cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t* out, const cudaResourceDesc* resource,
                                       const cudaTextureDesc* settings,
                                       const cudaResourceViewDesc* view) {
  return create(out, resource, settings, sizeof(cudaTextureDesc), view);
}

cudaError_t cudaGetTextureObjectTextureDesc_v2(cudaTextureDesc* out, cudaTextureObject_t texture) {
  return get(out, texture, sizeof(cudaTextureDesc));
}
#endif

}  // extern "C"
