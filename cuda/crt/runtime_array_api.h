// Runtime API: arrays, textures and surfaces.
#pragma once

#include "../driver_types.h"
#include "../surface_types.h"
#include "../texture_types.h"
#include "texture_reference_types.h"

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height = 0, unsigned int flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned int flags = 0);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* mipmappedArray,
                                     const cudaChannelFormatDesc* desc, cudaExtent extent,
                                     unsigned int numLevels, unsigned int flags = 0);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* levelArray,
                                       cudaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array);
cudaError_t cudaArrayGetPlane(cudaArray_t* pPlaneArray, cudaArray_t hArray, unsigned int planeIdx);
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements* memoryRequirements,
                                           cudaArray_t array, int device);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements* memoryRequirements,
                                                    cudaMipmappedArray_t mipmap, int device);
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties* sparseProperties,
                                         cudaArray_t array);
cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties* sparseProperties,
                                                  cudaMipmappedArray_t mipmap);

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array);
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* pTexObject,
                                    const cudaResourceDesc* pResDesc,
                                    const cudaTextureDesc* pTexDesc,
                                    const cudaResourceViewDesc* pResViewDesc);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* pResDesc,
                                             cudaTextureObject_t texObject);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* pTexDesc,
                                            cudaTextureObject_t texObject);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* pResViewDesc,
                                                 cudaTextureObject_t texObject);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* pSurfObject,
                                    const cudaResourceDesc* pResDesc);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* pResDesc,
                                             cudaSurfaceObject_t surfObject);

// Texture and surface references: of CUDA 11 and before; here for all.
cudaError_t cudaBindTexture(size_t* offset, const textureReference* texref, const void* devPtr,
                            const cudaChannelFormatDesc* desc, size_t size);
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* texref, const void* devPtr,
                              const cudaChannelFormatDesc* desc, size_t width, size_t height,
                              size_t pitch);
cudaError_t cudaBindTextureToArray(const textureReference* texref, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* desc);
cudaError_t cudaBindTextureToMipmappedArray(const textureReference* texref,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const cudaChannelFormatDesc* desc);
cudaError_t cudaUnbindTexture(const textureReference* texref);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* texref);
cudaError_t cudaGetTextureReference(const textureReference** texref, const void* symbol);
cudaError_t cudaBindSurfaceToArray(const surfaceReference* surfref, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* desc);
cudaError_t cudaGetSurfaceReference(const surfaceReference** surfref, const void* symbol);

}  // extern "C"
