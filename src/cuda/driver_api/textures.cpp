// Texture and surface objects (CUDA driver API, "Texture Object Management", "Surface Object
// Management"): the runtime API's functions under other names.
#include "cuda/runtime/textures.h"
#include "cuda/driver_api/formats.h"

using namespace raddle::cuda;

namespace {

cudaResourceDesc runtime_resource(const CUDA_RESOURCE_DESC& d) {
  cudaResourceDesc resource = {};
  resource.resType = static_cast<cudaResourceType>(d.resType);
  switch (d.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      resource.res.array.array = reinterpret_cast<cudaArray_t>(d.res.array.hArray);
      break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      resource.res.mipmap.mipmap =
          reinterpret_cast<cudaMipmappedArray_t>(d.res.mipmap.hMipmappedArray);
      break;
    case CU_RESOURCE_TYPE_LINEAR:
      resource.res.linear = {pointer(d.res.linear.devPtr),
                             channel_format(d.res.linear.format, d.res.linear.numChannels),
                             d.res.linear.sizeInBytes};
      break;
    case CU_RESOURCE_TYPE_PITCH2D:
      resource.res.pitch2D = {pointer(d.res.pitch2D.devPtr),
                              channel_format(d.res.pitch2D.format, d.res.pitch2D.numChannels),
                              d.res.pitch2D.width, d.res.pitch2D.height,
                              d.res.pitch2D.pitchInBytes};
      break;
    default:
      refuse(cudaErrorInvalidValue);
  }
  return resource;
}

CUDA_RESOURCE_DESC driver_resource(const cudaResourceDesc& resource) {
  CUDA_RESOURCE_DESC d = {};
  d.resType = static_cast<CUresourcetype>(resource.resType);
  switch (resource.resType) {
    case cudaResourceTypeArray:
      d.res.array.hArray = reinterpret_cast<CUarray>(resource.res.array.array);
      break;
    case cudaResourceTypeMipmappedArray:
      d.res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(resource.res.mipmap.mipmap);
      break;
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      d.res.linear = {address(linear.devPtr), array_format(linear.desc), channels_of(linear.desc),
                      linear.sizeInBytes};
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& plane = resource.res.pitch2D;
      d.res.pitch2D = {
          address(plane.devPtr), array_format(plane.desc), channels_of(plane.desc), plane.width,
          plane.height,          plane.pitchInBytes};
      break;
    }
  }
  return d;
}

cudaTextureDesc runtime_settings(const CUDA_TEXTURE_DESC& d) {
  cudaTextureDesc settings = {};
  for (unsigned n = 0; n < 3; ++n) {
    settings.addressMode[n] = static_cast<cudaTextureAddressMode>(d.addressMode[n]);
  }
  settings.filterMode = static_cast<cudaTextureFilterMode>(d.filterMode);
  // Integers are read as numbers from 0 to 1 unless the flag says otherwise.
  settings.readMode = (d.flags & CU_TRSF_READ_AS_INTEGER) != 0 ? cudaReadModeElementType
                                                               : cudaReadModeNormalizedFloat;
  settings.normalizedCoords = (d.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  settings.sRGB = (d.flags & CU_TRSF_SRGB) != 0;
  settings.seamlessCubemap = (d.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  settings.disableTrilinearOptimization = (d.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  settings.maxAnisotropy = d.maxAnisotropy;
  settings.mipmapFilterMode = static_cast<cudaTextureFilterMode>(d.mipmapFilterMode);
  settings.mipmapLevelBias = d.mipmapLevelBias;
  settings.minMipmapLevelClamp = d.minMipmapLevelClamp;
  settings.maxMipmapLevelClamp = d.maxMipmapLevelClamp;
  std::copy(d.borderColor, d.borderColor + 4, settings.borderColor);
  return settings;
}

CUDA_TEXTURE_DESC driver_settings(const cudaTextureDesc& settings) {
  CUDA_TEXTURE_DESC d = {};
  for (unsigned n = 0; n < 3; ++n) {
    d.addressMode[n] = static_cast<CUaddress_mode>(settings.addressMode[n]);
  }
  d.filterMode = static_cast<CUfilter_mode>(settings.filterMode);
  d.flags = (settings.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0u) |
            (settings.normalizedCoords != 0 ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
            (settings.sRGB != 0 ? CU_TRSF_SRGB : 0u) |
            (settings.seamlessCubemap != 0 ? CU_TRSF_SEAMLESS_CUBEMAP : 0u);
  d.maxAnisotropy = settings.maxAnisotropy;
  d.mipmapFilterMode = static_cast<CUfilter_mode>(settings.mipmapFilterMode);
  d.mipmapLevelBias = settings.mipmapLevelBias;
  d.minMipmapLevelClamp = settings.minMipmapLevelClamp;
  d.maxMipmapLevelClamp = settings.maxMipmapLevelClamp;
  std::copy(settings.borderColor, settings.borderColor + 4, d.borderColor);
  return d;
}

/// The two APIs number formats and fields of views in the same way.
cudaResourceViewDesc runtime_view(const CUDA_RESOURCE_VIEW_DESC& d) {
  cudaResourceViewDesc view = {};
  view.format = static_cast<cudaResourceViewFormat>(d.format);
  view.width = d.width;
  view.height = d.height;
  view.depth = d.depth;
  view.firstMipmapLevel = d.firstMipmapLevel;
  view.lastMipmapLevel = d.lastMipmapLevel;
  view.firstLayer = d.firstLayer;
  view.lastLayer = d.lastLayer;
  return view;
}

CUDA_RESOURCE_VIEW_DESC driver_view(const cudaResourceViewDesc& view) {
  CUDA_RESOURCE_VIEW_DESC d = {};
  d.format = static_cast<CUresourceViewFormat>(view.format);
  d.width = view.width;
  d.height = view.height;
  d.depth = view.depth;
  d.firstMipmapLevel = view.firstMipmapLevel;
  d.lastMipmapLevel = view.lastMipmapLevel;
  d.firstLayer = view.firstLayer;
  d.lastLayer = view.lastLayer;
  return d;
}

/// Queries, which write through their first argument.
template <class T, class F>
CUresult get(T* out, F&& value) {
  return driver(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = value();
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuTexObjectCreate(CUtexObject* out, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* settings, const CUDA_RESOURCE_VIEW_DESC* view) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr && resource != nullptr && settings != nullptr, cudaErrorInvalidValue);
    TextureParts parts;
    parts.by_driver = true;
    parts.resource = runtime_resource(*resource);
    parts.settings = runtime_settings(*settings);
    if (view != nullptr) parts.view = runtime_view(*view);
    *out = create_texture(runtime, parts);
    return cudaSuccess;
  });
}

CUresult cuTexObjectDestroy(CUtexObject texture) {
  return driver_always(Cost::call, [&](Runtime& runtime) {
    destroy_texture(runtime, texture);
    return cudaSuccess;
  });
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* out, CUtexObject texture) {
  return get(out, [&] { return driver_resource(texture_parts(texture).resource); });
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* out, CUtexObject texture) {
  return get(out, [&] { return driver_settings(texture_parts(texture).settings); });
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* out, CUtexObject texture) {
  return get(out, [&] {
    return driver_view(texture_parts(texture).view.value_or(cudaResourceViewDesc{}));
  });
}

CUresult cuSurfObjectCreate(CUsurfObject* out, const CUDA_RESOURCE_DESC* resource) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr && resource != nullptr, cudaErrorInvalidValue);
    *out = create_surface(runtime, runtime_resource(*resource));
    return cudaSuccess;
  });
}

CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  return driver_always(Cost::call, [&](Runtime& runtime) {
    destroy_surface(runtime, surface);
    return cudaSuccess;
  });
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* out, CUsurfObject surface) {
  return get(out, [&] { return driver_resource(surface_parts(surface).resource); });
}
