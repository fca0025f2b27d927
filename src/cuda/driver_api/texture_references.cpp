// Texture and surface references of modules (CUDA driver API, "Texture Reference Management",
// "Surface Reference Management").
#include "cuda/runtime/texture_references.h"

#include "cuda/driver_api/formats.h"

using namespace raddle::cuda;

namespace {

TextureReference& reference_of(const void* handle) {
  require(handle != nullptr, cudaErrorInvalidTexture);
  return *static_cast<TextureReference*>(const_cast<void*>(handle));
}

/// Changes a reference: kernels see the change when memory is bound.
template <class F>
CUresult change(CUtexref handle, F&& make) {
  return driver(Cost::call, [&](Runtime& runtime) {
    TextureReference& reference = reference_of(handle);
    make(runtime, reference);
    if (reference.bound) bind(runtime, reference);
    return cudaSuccess;
  });
}

template <class T, class F>
CUresult get(T* out, const void* handle, F&& value) {
  return driver(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = static_cast<T>(value(reference_of(handle)));
    return cudaSuccess;
  });
}

template <class Handle>
CUresult find(Handle* out, CUmodule module, const char* name, bool surface) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr && name != nullptr, cudaErrorInvalidValue);
    TextureReference* found = find_reference(runtime, *module_of(module), name, surface);
    require(found != nullptr, cudaErrorSymbolNotFound);
    if (!found->parts.by_driver) {
      found->parts.by_driver = true;
      found->parts.settings.readMode = cudaReadModeNormalizedFloat;  // until a flag is set
    }
    *out = reinterpret_cast<Handle>(found);
    return cudaSuccess;
  });
}

CUarray bound_array(const TextureReference& reference) {
  require(reference.bound && reference.parts.resource.resType == cudaResourceTypeArray,
          cudaErrorInvalidValue);
  return reinterpret_cast<CUarray>(reference.parts.resource.res.array.array);
}

}  // namespace

CUresult cuModuleGetTexRef(CUtexref* out, CUmodule module, const char* name) {
  return find(out, module, name, false);
}

CUresult cuModuleGetSurfRef(CUsurfref* out, CUmodule module, const char* name) {
  return find(out, module, name, true);
}

CUresult cuTexRefSetArray(CUtexref handle, CUarray one, unsigned) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    array(one);
    reference.parts.resource = {};
    reference.parts.resource.resType = cudaResourceTypeArray;
    reference.parts.resource.res.array.array = reinterpret_cast<cudaArray_t>(one);
    reference.bound = true;
  });
}

CUresult cuTexRefSetMipmappedArray(CUtexref handle, CUmipmappedArray one, unsigned) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    mipmap(one);
    reference.parts.resource = {};
    reference.parts.resource.resType = cudaResourceTypeMipmappedArray;
    reference.parts.resource.res.mipmap.mipmap = reinterpret_cast<cudaMipmappedArray_t>(one);
    reference.bound = true;
  });
}

CUresult cuTexRefSetAddress_v2(std::size_t* offset, CUtexref handle, CUdeviceptr memory,
                               std::size_t bytes) {
  if (offset != nullptr) *offset = 0;  // textures may begin at any address
  return change(handle, [&](Runtime& runtime, TextureReference& reference) {
    if (memory == 0) return unbind(runtime, reference);
    reference.parts.resource = {};
    reference.parts.resource.resType = cudaResourceTypeLinear;
    reference.parts.resource.res.linear = {pointer(memory), reference.format, bytes};
    reference.bound = true;
  });
}

CUresult cuTexRefSetAddress2D_v3(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR* d,
                                 CUdeviceptr memory, std::size_t pitch) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    require(d != nullptr, cudaErrorInvalidValue);
    reference.parts.resource = {};
    reference.parts.resource.resType = cudaResourceTypePitch2D;
    reference.parts.resource.res.pitch2D = {
        pointer(memory), channel_format(d->Format, d->NumChannels), d->Width, d->Height, pitch};
    reference.bound = true;
  });
}

CUresult cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    reference.format = channel_format(format, static_cast<unsigned>(channels));
    if (reference.parts.resource.resType == cudaResourceTypeLinear) {
      reference.parts.resource.res.linear.desc = reference.format;
    }
  });
}

CUresult cuTexRefSetAddressMode(CUtexref handle, int axis, CUaddress_mode mode) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    require(axis >= 0 && axis < 3, cudaErrorInvalidValue);
    reference.parts.settings.addressMode[axis] = static_cast<cudaTextureAddressMode>(mode);
  });
}

CUresult cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    reference.parts.settings.filterMode = static_cast<cudaTextureFilterMode>(mode);
  });
}

CUresult cuTexRefSetMipmapFilterMode(CUtexref handle, CUfilter_mode mode) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    reference.parts.settings.mipmapFilterMode = static_cast<cudaTextureFilterMode>(mode);
  });
}

CUresult cuTexRefSetMipmapLevelBias(CUtexref handle, float bias) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    reference.parts.settings.mipmapLevelBias = bias;
  });
}

CUresult cuTexRefSetMipmapLevelClamp(CUtexref handle, float least, float most) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    reference.parts.settings.minMipmapLevelClamp = least;
    reference.parts.settings.maxMipmapLevelClamp = most;
  });
}

CUresult cuTexRefSetMaxAnisotropy(CUtexref handle, unsigned most) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    reference.parts.settings.maxAnisotropy = most;
  });
}

CUresult cuTexRefSetBorderColor(CUtexref handle, float* color) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    require(color != nullptr, cudaErrorInvalidValue);
    std::copy(color, color + 4, reference.parts.settings.borderColor);
  });
}

CUresult cuTexRefSetFlags(CUtexref handle, unsigned flags) {
  return change(handle, [&](Runtime&, TextureReference& reference) {
    cudaTextureDesc& settings = reference.parts.settings;
    settings.readMode = (flags & CU_TRSF_READ_AS_INTEGER) != 0 ? cudaReadModeElementType
                                                               : cudaReadModeNormalizedFloat;
    settings.normalizedCoords = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    settings.sRGB = (flags & CU_TRSF_SRGB) != 0;
  });
}

CUresult cuTexRefGetAddress_v2(CUdeviceptr* out, CUtexref handle) {
  return get(out, handle, [](const TextureReference& reference) {
    const cudaResourceDesc& resource = reference.parts.resource;
    const bool linear = resource.resType == cudaResourceTypeLinear;
    require(reference.bound && (linear || resource.resType == cudaResourceTypePitch2D),
            cudaErrorInvalidValue);
    return address(linear ? resource.res.linear.devPtr : resource.res.pitch2D.devPtr);
  });
}

CUresult cuTexRefGetArray(CUarray* out, CUtexref handle) { return get(out, handle, bound_array); }

CUresult cuTexRefGetAddressMode(CUaddress_mode* out, CUtexref handle, int axis) {
  return get(out, handle, [&](const TextureReference& reference) {
    require(axis >= 0 && axis < 3, cudaErrorInvalidValue);
    return reference.parts.settings.addressMode[axis];
  });
}

CUresult cuTexRefGetFilterMode(CUfilter_mode* out, CUtexref handle) {
  return get(out, handle,
             [](const TextureReference& reference) { return reference.parts.settings.filterMode; });
}

CUresult cuTexRefGetFlags(unsigned* out, CUtexref handle) {
  return get(out, handle, [](const TextureReference& reference) {
    const cudaTextureDesc& settings = reference.parts.settings;
    return (settings.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0u) |
           (settings.normalizedCoords != 0 ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
           (settings.sRGB != 0 ? CU_TRSF_SRGB : 0u);
  });
}

CUresult cuSurfRefSetArray(CUsurfref handle, CUarray one, unsigned) {
  return driver(Cost::call, [&](Runtime& runtime) {
    TextureReference& reference = reference_of(handle);
    require(reference.surface, cudaErrorInvalidSurface, "it is a texture reference");
    array(one);
    reference.parts.resource = {};
    reference.parts.resource.resType = cudaResourceTypeArray;
    reference.parts.resource.res.array.array = reinterpret_cast<cudaArray_t>(one);
    bind(runtime, reference);
    return cudaSuccess;
  });
}

CUresult cuSurfRefGetArray(CUarray* out, CUsurfref handle) { return get(out, handle, bound_array); }
