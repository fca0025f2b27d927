// Entry points of programs compiled with --default-stream per-thread: stream 0 means the calling
// thread's own stream. Calls that wait run after it.
#include "cuda.h"

namespace {

CUstream own(CUstream stream) { return stream == nullptr ? CU_STREAM_PER_THREAD : stream; }

}  // namespace

extern "C" {

CUresult cuEventRecordWithFlags_ptsz(CUevent h_event, CUstream h_stream, unsigned int flags) {
  return cuEventRecordWithFlags(h_event, own(h_stream), flags);
}
CUresult cuEventRecord_ptsz(CUevent h_event, CUstream h_stream) {
  return cuEventRecord(h_event, own(h_stream));
}
CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec* ph_graph_exec, CUgraph h_graph,
                                           CUDA_GRAPH_INSTANTIATE_PARAMS* instantiate_params) {
  return cuGraphInstantiateWithParams(ph_graph_exec, h_graph, instantiate_params);
}
CUresult cuGraphLaunch_ptsz(CUgraphExec h_graph_exec, CUstream h_stream) {
  return cuGraphLaunch(h_graph_exec, own(h_stream));
}
CUresult cuGraphUpload_ptsz(CUgraphExec h_graph_exec, CUstream h_stream) {
  return cuGraphUpload(h_graph_exec, own(h_stream));
}
CUresult cuLaunchCooperativeKernel_ptsz(CUfunction f, unsigned int grid_dim_x,
                                        unsigned int grid_dim_y, unsigned int grid_dim_z,
                                        unsigned int block_dim_x, unsigned int block_dim_y,
                                        unsigned int block_dim_z, unsigned int shared_mem_bytes,
                                        CUstream h_stream, void** kernel_params) {
  return cuLaunchCooperativeKernel(f, grid_dim_x, grid_dim_y, grid_dim_z, block_dim_x, block_dim_y,
                                   block_dim_z, shared_mem_bytes, own(h_stream), kernel_params);
}
CUresult cuLaunchHostFunc_ptsz(CUstream h_stream, CUhostFn fn, void* user_data) {
  return cuLaunchHostFunc(own(h_stream), fn, user_data);
}
CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction f, void** kernel_params,
                               void** extra) {
  return cuLaunchKernelEx(config, f, kernel_params, extra);
}
CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned int grid_dim_x, unsigned int grid_dim_y,
                             unsigned int grid_dim_z, unsigned int block_dim_x,
                             unsigned int block_dim_y, unsigned int block_dim_z,
                             unsigned int shared_mem_bytes, CUstream h_stream, void** kernel_params,
                             void** extra) {
  return cuLaunchKernel(f, grid_dim_x, grid_dim_y, grid_dim_z, block_dim_x, block_dim_y,
                        block_dim_z, shared_mem_bytes, own(h_stream), kernel_params, extra);
}
CUresult cuMemAllocAsync_ptsz(CUdeviceptr* dptr, size_t bytesize, CUstream h_stream) {
  return cuMemAllocAsync(dptr, bytesize, own(h_stream));
}
CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool,
                                      CUstream h_stream) {
  return cuMemAllocFromPoolAsync(dptr, bytesize, pool, own(h_stream));
}
CUresult cuMemFreeAsync_ptsz(CUdeviceptr dptr, CUstream h_stream) {
  return cuMemFreeAsync(dptr, own(h_stream));
}
CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr dev_ptr, size_t count, CUdevice dst_device,
                                 CUstream h_stream) {
  return cuMemPrefetchAsync(dev_ptr, count, dst_device, own(h_stream));
}
CUresult cuMemPrefetchAsync_v2_ptsz(CUdeviceptr dev_ptr, size_t count, CUmemLocation location,
                                    unsigned int flags, CUstream h_stream) {
  return cuMemPrefetchAsync_v2(dev_ptr, count, location, flags, own(h_stream));
}
CUresult cuMemcpy2DAsync_v2_ptsz(const CUDA_MEMCPY2D* p_copy, CUstream h_stream) {
  return cuMemcpy2DAsync_v2(p_copy, own(h_stream));
}
CUresult cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D* p_copy) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpy2DUnaligned_v2(p_copy) : before;
}
CUresult cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D* p_copy) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpy2D_v2(p_copy) : before;
}
CUresult cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D* p_copy, CUstream h_stream) {
  return cuMemcpy3DAsync_v2(p_copy, own(h_stream));
}
CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D* p_copy) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpy3D_v2(p_copy) : before;
}
CUresult cuMemcpyAsync_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t byte_count,
                            CUstream h_stream) {
  return cuMemcpyAsync(dst, src, byte_count, own(h_stream));
}
CUresult cuMemcpyAtoA_v2_ptds(CUarray dst_array, size_t dst_offset, CUarray src_array,
                              size_t src_offset, size_t byte_count) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS
             ? cuMemcpyAtoA_v2(dst_array, dst_offset, src_array, src_offset, byte_count)
             : before;
}
CUresult cuMemcpyAtoD_v2_ptds(CUdeviceptr dst_device, CUarray src_array, size_t src_offset,
                              size_t byte_count) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpyAtoD_v2(dst_device, src_array, src_offset, byte_count)
                                : before;
}
CUresult cuMemcpyAtoHAsync_v2_ptsz(void* dst_host, CUarray src_array, size_t src_offset,
                                   size_t byte_count, CUstream h_stream) {
  return cuMemcpyAtoHAsync_v2(dst_host, src_array, src_offset, byte_count, own(h_stream));
}
CUresult cuMemcpyAtoH_v2_ptds(void* dst_host, CUarray src_array, size_t src_offset,
                              size_t byte_count) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpyAtoH_v2(dst_host, src_array, src_offset, byte_count)
                                : before;
}
CUresult cuMemcpyDtoA_v2_ptds(CUarray dst_array, size_t dst_offset, CUdeviceptr src_device,
                              size_t byte_count) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpyDtoA_v2(dst_array, dst_offset, src_device, byte_count)
                                : before;
}
CUresult cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr dst_device, CUdeviceptr src_device,
                                   size_t byte_count, CUstream h_stream) {
  return cuMemcpyDtoDAsync_v2(dst_device, src_device, byte_count, own(h_stream));
}
CUresult cuMemcpyDtoD_v2_ptds(CUdeviceptr dst_device, CUdeviceptr src_device, size_t byte_count) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpyDtoD_v2(dst_device, src_device, byte_count) : before;
}
CUresult cuMemcpyDtoHAsync_v2_ptsz(void* dst_host, CUdeviceptr src_device, size_t byte_count,
                                   CUstream h_stream) {
  return cuMemcpyDtoHAsync_v2(dst_host, src_device, byte_count, own(h_stream));
}
CUresult cuMemcpyDtoH_v2_ptds(void* dst_host, CUdeviceptr src_device, size_t byte_count) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpyDtoH_v2(dst_host, src_device, byte_count) : before;
}
CUresult cuMemcpyHtoAAsync_v2_ptsz(CUarray dst_array, size_t dst_offset, const void* src_host,
                                   size_t byte_count, CUstream h_stream) {
  return cuMemcpyHtoAAsync_v2(dst_array, dst_offset, src_host, byte_count, own(h_stream));
}
CUresult cuMemcpyHtoA_v2_ptds(CUarray dst_array, size_t dst_offset, const void* src_host,
                              size_t byte_count) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpyHtoA_v2(dst_array, dst_offset, src_host, byte_count)
                                : before;
}
CUresult cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr dst_device, const void* src_host, size_t byte_count,
                                   CUstream h_stream) {
  return cuMemcpyHtoDAsync_v2(dst_device, src_host, byte_count, own(h_stream));
}
CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr dst_device, const void* src_host, size_t byte_count) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpyHtoD_v2(dst_device, src_host, byte_count) : before;
}
CUresult cuMemcpyPeerAsync_ptsz(CUdeviceptr dst_device, CUcontext dst_context,
                                CUdeviceptr src_device, CUcontext src_context, size_t byte_count,
                                CUstream h_stream) {
  return cuMemcpyPeerAsync(dst_device, dst_context, src_device, src_context, byte_count,
                           own(h_stream));
}
CUresult cuMemcpyPeer_ptds(CUdeviceptr dst_device, CUcontext dst_context, CUdeviceptr src_device,
                           CUcontext src_context, size_t byte_count) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS
             ? cuMemcpyPeer(dst_device, dst_context, src_device, src_context, byte_count)
             : before;
}
CUresult cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t byte_count) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemcpy(dst, src, byte_count) : before;
}
CUresult cuMemsetD16Async_ptsz(CUdeviceptr dst_device, unsigned short us, size_t n,
                               CUstream h_stream) {
  return cuMemsetD16Async(dst_device, us, n, own(h_stream));
}
CUresult cuMemsetD16_v2_ptds(CUdeviceptr dst_device, unsigned short us, size_t n) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemsetD16_v2(dst_device, us, n) : before;
}
CUresult cuMemsetD2D16Async_ptsz(CUdeviceptr dst_device, size_t dst_pitch, unsigned short us,
                                 size_t width, size_t height, CUstream h_stream) {
  return cuMemsetD2D16Async(dst_device, dst_pitch, us, width, height, own(h_stream));
}
CUresult cuMemsetD2D16_v2_ptds(CUdeviceptr dst_device, size_t dst_pitch, unsigned short us,
                               size_t width, size_t height) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemsetD2D16_v2(dst_device, dst_pitch, us, width, height)
                                : before;
}
CUresult cuMemsetD2D32Async_ptsz(CUdeviceptr dst_device, size_t dst_pitch, unsigned int ui,
                                 size_t width, size_t height, CUstream h_stream) {
  return cuMemsetD2D32Async(dst_device, dst_pitch, ui, width, height, own(h_stream));
}
CUresult cuMemsetD2D32_v2_ptds(CUdeviceptr dst_device, size_t dst_pitch, unsigned int ui,
                               size_t width, size_t height) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemsetD2D32_v2(dst_device, dst_pitch, ui, width, height)
                                : before;
}
CUresult cuMemsetD2D8Async_ptsz(CUdeviceptr dst_device, size_t dst_pitch, unsigned char uc,
                                size_t width, size_t height, CUstream h_stream) {
  return cuMemsetD2D8Async(dst_device, dst_pitch, uc, width, height, own(h_stream));
}
CUresult cuMemsetD2D8_v2_ptds(CUdeviceptr dst_device, size_t dst_pitch, unsigned char uc,
                              size_t width, size_t height) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemsetD2D8_v2(dst_device, dst_pitch, uc, width, height)
                                : before;
}
CUresult cuMemsetD32Async_ptsz(CUdeviceptr dst_device, unsigned int ui, size_t n,
                               CUstream h_stream) {
  return cuMemsetD32Async(dst_device, ui, n, own(h_stream));
}
CUresult cuMemsetD32_v2_ptds(CUdeviceptr dst_device, unsigned int ui, size_t n) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemsetD32_v2(dst_device, ui, n) : before;
}
CUresult cuMemsetD8Async_ptsz(CUdeviceptr dst_device, unsigned char uc, size_t n,
                              CUstream h_stream) {
  return cuMemsetD8Async(dst_device, uc, n, own(h_stream));
}
CUresult cuMemsetD8_v2_ptds(CUdeviceptr dst_device, unsigned char uc, size_t n) {
  const CUresult before = cuStreamSynchronize(CU_STREAM_PER_THREAD);
  return before == CUDA_SUCCESS ? cuMemsetD8_v2(dst_device, uc, n) : before;
}
CUresult cuStreamAddCallback_ptsz(CUstream h_stream, CUstreamCallback callback, void* user_data,
                                  unsigned int flags) {
  return cuStreamAddCallback(own(h_stream), callback, user_data, flags);
}
CUresult cuStreamAttachMemAsync_ptsz(CUstream h_stream, CUdeviceptr dptr, size_t length,
                                     unsigned int flags) {
  return cuStreamAttachMemAsync(own(h_stream), dptr, length, flags);
}
CUresult cuStreamBeginCapture_v2_ptsz(CUstream h_stream, CUstreamCaptureMode mode) {
  return cuStreamBeginCapture_v2(own(h_stream), mode);
}
CUresult cuStreamEndCapture_ptsz(CUstream h_stream, CUgraph* ph_graph) {
  return cuStreamEndCapture(own(h_stream), ph_graph);
}
CUresult cuStreamGetCtx_ptsz(CUstream h_stream, CUcontext* pctx) {
  return cuStreamGetCtx(own(h_stream), pctx);
}
CUresult cuStreamGetDevice_ptsz(CUstream h_stream, CUdevice* device) {
  return cuStreamGetDevice(own(h_stream), device);
}
CUresult cuStreamGetFlags_ptsz(CUstream h_stream, unsigned int* flags) {
  return cuStreamGetFlags(own(h_stream), flags);
}
CUresult cuStreamGetId_ptsz(CUstream h_stream, unsigned long long* stream_id) {
  return cuStreamGetId(own(h_stream), stream_id);
}
CUresult cuStreamGetPriority_ptsz(CUstream h_stream, int* priority) {
  return cuStreamGetPriority(own(h_stream), priority);
}
CUresult cuStreamIsCapturing_ptsz(CUstream h_stream, CUstreamCaptureStatus* capture_status) {
  return cuStreamIsCapturing(own(h_stream), capture_status);
}
CUresult cuStreamQuery_ptsz(CUstream h_stream) { return cuStreamQuery(own(h_stream)); }
CUresult cuStreamSynchronize_ptsz(CUstream h_stream) { return cuStreamSynchronize(own(h_stream)); }
CUresult cuStreamWaitEvent_ptsz(CUstream h_stream, CUevent h_event, unsigned int flags) {
  return cuStreamWaitEvent(own(h_stream), h_event, flags);
}

}  // extern "C"
