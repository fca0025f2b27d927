// cc: -lcuda
// The driver API: arrays, texture and surface objects, references of a module from PTX, and a
// sampler in a module with texmode_independent (PTX has samplers only in that mode).
#include <cuda.h>

#include "check.h"

const char ptx[] = R"(
.version 6.0
.target sm_30
.address_size 64
.global .texref image;
.global .surfref target;
.visible .entry by_reference(.param .u64 out) {
  .reg .f32 %f<8>; .reg .u32 %r<4>; .reg .u64 %d<4>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x;
  cvt.rn.f32.u32 %f1, %r1;
  add.f32 %f2, %f1, 0f3F000000;
  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [image, {%f2, 0f3F000000}];
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d3, %d1, %d2;
  st.global.f32 [%d3], %f3;
  shl.b32 %r2, %r1, 2;
  mov.b32 %r3, %f3;
  sust.b.2d.b32.trap [target, {%r2, 0}], {%r3};
  ret;
}
.visible .entry query(.param .u64 texture, .param .u64 out) {
  .reg .u32 %r<8>; .reg .u64 %d<4>; .reg .pred %p<3>;
  ld.param.u64 %d1, [texture];
  ld.param.u64 %d2, [out];
  txq.width.b32 %r1, [%d1];
  txq.height.b32 %r2, [%d1];
  txq.channel_order.b32 %r3, [%d1];
  txq.channel_data_type.b32 %r4, [%d1];
  istypep.texref %p1, %d1;
  istypep.surfref %p2, %d1;
  selp.u32 %r5, 1, 0, %p1;
  selp.u32 %r6, 1, 0, %p2;
  suq.width.b32 %r7, [target];
  st.global.v4.u32 [%d2], {%r1, %r2, %r3, %r4};
  st.global.v2.u32 [%d2+16], {%r5, %r6};
  st.global.u32 [%d2+24], %r7;
  ret;
}
)";

const char independent_ptx[] = R"(
.version 6.0
.target sm_30, texmode_independent
.address_size 64
.global .samplerref nearest = { addr_mode_0 = wrap, addr_mode_1 = clamp_to_edge,
                                filter_mode = nearest };
.visible .entry by_object(.param .u64 texture, .param .u64 out) {
  .reg .f32 %f<8>; .reg .u32 %r<4>; .reg .u64 %d<6>; .reg .pred %p<3>;
  ld.param.u64 %d1, [texture];
  ld.param.u64 %d2, [out];
  mov.u32 %r1, %tid.x;
  cvt.rn.f32.u32 %f1, %r1;
  mul.f32 %f2, %f1, 0f3E800000;
  add.f32 %f2, %f2, 0f3E000000;
  tex.2d.v4.f32.f32 {%f3, _, _, _}, [%d1, nearest, {%f2, 0f3F000000}];
  mul.wide.u32 %d3, %r1, 4;
  add.u64 %d4, %d2, %d3;
  st.global.f32 [%d4], %f3;
  ret;
}
)";

const char old_ptx[] = R"(
.version 1.4
.target sm_13
.tex .u64 old_image;
.entry fetch(.param .u64 out) {
  .reg .f32 %f<8>; .reg .u16 %h<2>; .reg .u32 %r<4>; .reg .u64 %d<4>;
  ld.param.u64 %d1, [out];
  mov.u16 %h1, %tid.x;
  cvt.u32.u16 %r1, %h1;
  cvt.rn.f32.u32 %f1, %r1;
  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [old_image, {%f1, 0f00000000, %f1, %f1}];
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d3, %d1, %d2;
  st.global.f32 [%d3], %f3;
  exit;
}
)";

#define CHECK_DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

template <class... Arguments>
void launch(CUmodule module, const char* name, unsigned threads, Arguments... arguments) {
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, name));
  void* parameters[] = {&arguments...};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));
}

CUarray make_array(unsigned width, unsigned height, unsigned flags, const float* texels) {
  CUDA_ARRAY3D_DESCRIPTOR description = {};
  description.Width = width;
  description.Height = height;
  description.Format = CU_AD_FORMAT_FLOAT;
  description.NumChannels = 1;
  description.Flags = flags;
  CUarray array;
  CHECK_DRIVER(cuArray3DCreate(&array, &description));
  CUDA_ARRAY_DESCRIPTOR known;
  CHECK_DRIVER(cuArrayGetDescriptor(&known, array));
  EXPECT(known.Width == width && known.Height == height && known.Format == CU_AD_FORMAT_FLOAT);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels;
  copy.srcPitch = width * 4;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = width * 4;
  copy.Height = height;
  CHECK_DRIVER(cuMemcpy2D(&copy));
  return array;
}

int main() {
  CHECK_DRIVER(cuInit(0));
  CUcontext context;
  CHECK_DRIVER(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK_DRIVER(cuCtxSetCurrent(context));
  CUmodule module;
  CHECK_DRIVER(cuModuleLoadData(&module, ptx));
#ifndef ON_HARDWARE  // which loads no such module (NVIDIA H200, CUDA 13.0)
  CUmodule independent;
  CHECK_DRIVER(cuModuleLoadData(&independent, independent_ptx));
#endif
  const float texels[] = {10, 20, 30, 40, 50, 60, 70, 80};
  const CUarray array = make_array(4, 2, 0, texels);
  const CUarray written = make_array(8, 1, CUDA_ARRAY3D_SURFACE_LDST, texels);
  CUdeviceptr out;
  CHECK_DRIVER(cuMemAlloc(&out, 64));

  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC description = {};
  description.flags = CU_TRSF_NORMALIZED_COORDINATES;
  CUtexObject texture;
  CHECK_DRIVER(cuTexObjectCreate(&texture, &resource, &description, nullptr));
  float found[8];
#ifndef ON_HARDWARE
  launch(independent, "by_object", 8, texture, out);  // (t + 0.5) / 4: wraps after four texels
  CHECK_DRIVER(cuMemcpyDtoH(found, out, sizeof found));
  for (int i = 0; i < 8; ++i) EXPECT_EQ_AT(i, found[i], texels[4 + i % 4]);
#endif

  CUtexref image;
  CUsurfref target;
  CHECK_DRIVER(cuModuleGetTexRef(&image, module, "image"));
  CHECK_DRIVER(cuModuleGetSurfRef(&target, module, "target"));
  EXPECT(cuModuleGetTexRef(&image, module, "absent") == CUDA_ERROR_NOT_FOUND);
  CHECK_DRIVER(cuModuleGetTexRef(&image, module, "image"));
  CHECK_DRIVER(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_POINT));
  CHECK_DRIVER(cuTexRefSetArray(image, array, CU_TRSA_OVERRIDE_FORMAT));
  CHECK_DRIVER(cuSurfRefSetArray(target, written, 0));
  launch(module, "by_reference", 8, out);
  CHECK_DRIVER(cuMemcpyDtoH(found, out, sizeof found));
  for (int i = 0; i < 8; ++i) EXPECT_EQ_AT(i, found[i], texels[i < 4 ? i : 3]);  // clamped
  float back[8];
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = written;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = back;
  copy.dstPitch = sizeof back;
  copy.WidthInBytes = sizeof back;
  copy.Height = 1;
  CHECK_DRIVER(cuMemcpy2D(&copy));
  for (int i = 0; i < 8; ++i) EXPECT_EQ_AT(i, back[i], found[i]);

  launch(module, "query", 1, texture, out);
  unsigned answers[7];
  CHECK_DRIVER(cuMemcpyDtoH(answers, out, sizeof answers));
  // OpenCL's CL_R and CL_FLOAT.
  const unsigned expected[] = {4, 2, 0x10b0, 0x10de, 1, 0, 8};
  for (int i = 0; i < 7; ++i) EXPECT_EQ_AT(i, answers[i], expected[i]);

  // A texture as PTX up to 1.4 declares it.
  CUmodule old;
  CHECK_DRIVER(cuModuleLoadData(&old, old_ptx));
  CHECK_DRIVER(cuModuleGetTexRef(&image, old, "old_image"));
  CHECK_DRIVER(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_POINT));
  CHECK_DRIVER(cuTexRefSetArray(image, array, CU_TRSA_OVERRIDE_FORMAT));
  launch(old, "fetch", 4, out);
  CHECK_DRIVER(cuMemcpyDtoH(found, out, sizeof found));
  for (int i = 0; i < 4; ++i) EXPECT_EQ_AT(i, found[i], texels[i]);
  CHECK_DRIVER(cuModuleUnload(old));

  CHECK_DRIVER(cuTexObjectDestroy(texture));
  CHECK_DRIVER(cuArrayDestroy(array));
#ifndef ON_HARDWARE
  CHECK_DRIVER(cuModuleUnload(independent));
#endif
  CHECK_DRIVER(cuModuleUnload(module));
  return finish();
}
