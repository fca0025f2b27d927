// Texture and surface functions are declared so that their use is one clear error.
#pragma once

namespace raddle_textures {
template <class T>
struct supported {
  static const bool value = false;
};
}  // namespace raddle_textures

#define RADDLE_NO_TEXTURE(name)                                                     \
  template <class T, class... Arguments>                                            \
  __device__ inline T name(Arguments...) {                                          \
    static_assert(raddle_textures::supported<T>::value,                             \
                  #name ": textures and surfaces are not supported yet by raddle"); \
    return T{};                                                                     \
  }
RADDLE_NO_TEXTURE(tex1D)
RADDLE_NO_TEXTURE(tex1Dfetch)
RADDLE_NO_TEXTURE(tex1DLayered)
RADDLE_NO_TEXTURE(tex2D)
RADDLE_NO_TEXTURE(tex2DLayered)
RADDLE_NO_TEXTURE(tex2DLod)
RADDLE_NO_TEXTURE(tex2Dgather)
RADDLE_NO_TEXTURE(tex3D)
RADDLE_NO_TEXTURE(tex3DLod)
RADDLE_NO_TEXTURE(texCubemap)
RADDLE_NO_TEXTURE(surf1Dread)
RADDLE_NO_TEXTURE(surf2Dread)
RADDLE_NO_TEXTURE(surf2DLayeredread)
RADDLE_NO_TEXTURE(surf3Dread)
#undef RADDLE_NO_TEXTURE

#define RADDLE_NO_SURFACE(name)                                                     \
  template <class T, class... Arguments>                                            \
  __device__ inline void name(T, Arguments...) {                                    \
    static_assert(raddle_textures::supported<T>::value,                             \
                  #name ": textures and surfaces are not supported yet by raddle"); \
  }
RADDLE_NO_SURFACE(surf1Dwrite)
RADDLE_NO_SURFACE(surf2Dwrite)
RADDLE_NO_SURFACE(surf2DLayeredwrite)
RADDLE_NO_SURFACE(surf3Dwrite)
#undef RADDLE_NO_SURFACE
