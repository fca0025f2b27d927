// Entry points of programs compiled with --default-stream per-thread: stream 0 means the calling
// thread's own stream.
#include "cuda_runtime_api.h"

namespace {

cudaStream_t own(cudaStream_t stream) { return stream == nullptr ? cudaStreamPerThread : stream; }

cudaError_t and_wait(cudaError_t submitted) {
  return submitted == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : submitted;
}

}  // namespace

extern "C" {

cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream,
                                          unsigned int flags) {
  return cudaEventRecordWithFlags(event, own(stream), flags);
}
cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecord(event, own(stream));
}
cudaError_t cudaFreeAsync_ptsz(void* dev_ptr, cudaStream_t h_stream) {
  return cudaFreeAsync(dev_ptr, own(h_stream));
}
cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t graph_exec, cudaStream_t stream) {
  return cudaGraphLaunch(graph_exec, own(stream));
}
cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t graph_exec, cudaStream_t stream) {
  return cudaGraphUpload(graph_exec, own(stream));
}
cudaError_t cudaLaunchCooperativeKernel_ptsz(const void* func, dim3 grid_dim, dim3 block_dim,
                                             void** args, size_t shared_mem, cudaStream_t stream) {
  return cudaLaunchCooperativeKernel(func, grid_dim, block_dim, args, shared_mem, own(stream));
}
cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t fn, void* user_data) {
  return cudaLaunchHostFunc(own(stream), fn, user_data);
}
cudaError_t cudaLaunchKernel_ptsz(const void* func, dim3 grid_dim, dim3 block_dim, void** args,
                                  size_t shared_mem, cudaStream_t stream) {
  return cudaLaunchKernel(func, grid_dim, block_dim, args, shared_mem, own(stream));
}
cudaError_t cudaMallocAsync_ptsz(void** dev_ptr, size_t size, cudaStream_t h_stream) {
  return cudaMallocAsync(dev_ptr, size, own(h_stream));
}
cudaError_t cudaMallocFromPoolAsync_ptsz(void** ptr, size_t size, cudaMemPool_t mem_pool,
                                         cudaStream_t stream) {
  return cudaMallocFromPoolAsync(ptr, size, mem_pool, own(stream));
}
cudaError_t cudaMemcpy2DAsync_ptsz(void* dst, size_t dpitch, const void* src, size_t spitch,
                                   size_t width, size_t height, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, own(stream));
}
cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void* dst, size_t dpitch, cudaArray_const_t src,
                                            size_t w_offset, size_t h_offset, size_t width,
                                            size_t height, cudaMemcpyKind kind,
                                            cudaStream_t stream) {
  return cudaMemcpy2DFromArrayAsync(dst, dpitch, src, w_offset, h_offset, width, height, kind,
                                    own(stream));
}
cudaError_t cudaMemcpy2DFromArray_ptds(void* dst, size_t dpitch, cudaArray_const_t src,
                                       size_t w_offset, size_t h_offset, size_t width,
                                       size_t height, cudaMemcpyKind kind) {
  return and_wait(cudaMemcpy2DFromArrayAsync(dst, dpitch, src, w_offset, h_offset, width, height,
                                             kind, cudaStreamPerThread));
}
cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t dst, size_t w_offset, size_t h_offset,
                                          const void* src, size_t spitch, size_t width,
                                          size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpy2DToArrayAsync(dst, w_offset, h_offset, src, spitch, width, height, kind,
                                  own(stream));
}
cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t dst, size_t w_offset, size_t h_offset,
                                     const void* src, size_t spitch, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  return and_wait(cudaMemcpy2DToArrayAsync(dst, w_offset, h_offset, src, spitch, width, height,
                                           kind, cudaStreamPerThread));
}
cudaError_t cudaMemcpy2D_ptds(void* dst, size_t dpitch, const void* src, size_t spitch,
                              size_t width, size_t height, cudaMemcpyKind kind) {
  return and_wait(
      cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, cudaStreamPerThread));
}
cudaError_t cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return cudaMemcpy3DAsync(p, own(stream));
}
cudaError_t cudaMemcpy3DPeerAsync_ptsz(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  return cudaMemcpy3DPeerAsync(p, own(stream));
}
cudaError_t cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms* p) {
  return and_wait(cudaMemcpy3DPeerAsync(p, cudaStreamPerThread));
}
cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms* p) {
  return and_wait(cudaMemcpy3DAsync(p, cudaStreamPerThread));
}
cudaError_t cudaMemcpyAsync_ptsz(void* dst, const void* src, size_t count, cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  return cudaMemcpyAsync(dst, src, count, kind, own(stream));
}
cudaError_t cudaMemcpyFromArrayAsync_ptsz(void* dst, cudaArray_const_t src, size_t w_offset,
                                          size_t h_offset, size_t count, cudaMemcpyKind kind,
                                          cudaStream_t stream) {
  return cudaMemcpyFromArrayAsync(dst, src, w_offset, h_offset, count, kind, own(stream));
}
cudaError_t cudaMemcpyFromArray_ptds(void* dst, cudaArray_const_t src, size_t w_offset,
                                     size_t h_offset, size_t count, cudaMemcpyKind kind) {
  return and_wait(
      cudaMemcpyFromArrayAsync(dst, src, w_offset, h_offset, count, kind, cudaStreamPerThread));
}
cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void* dst, const void* symbol, size_t count,
                                           size_t offset, cudaMemcpyKind kind,
                                           cudaStream_t stream) {
  return cudaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind, own(stream));
}
cudaError_t cudaMemcpyFromSymbol_ptds(void* dst, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind) {
  return and_wait(cudaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind, cudaStreamPerThread));
}
cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t dst, size_t w_offset, size_t h_offset,
                                        const void* src, size_t count, cudaMemcpyKind kind,
                                        cudaStream_t stream) {
  return cudaMemcpyToArrayAsync(dst, w_offset, h_offset, src, count, kind, own(stream));
}
cudaError_t cudaMemcpyToArray_ptds(cudaArray_t dst, size_t w_offset, size_t h_offset,
                                   const void* src, size_t count, cudaMemcpyKind kind) {
  return and_wait(
      cudaMemcpyToArrayAsync(dst, w_offset, h_offset, src, count, kind, cudaStreamPerThread));
}
cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* src, size_t count,
                                         size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyToSymbolAsync(symbol, src, count, offset, kind, own(stream));
}
cudaError_t cudaMemcpyToSymbol_ptds(const void* symbol, const void* src, size_t count,
                                    size_t offset, cudaMemcpyKind kind) {
  return and_wait(cudaMemcpyToSymbolAsync(symbol, src, count, offset, kind, cudaStreamPerThread));
}
cudaError_t cudaMemcpy_ptds(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  return and_wait(cudaMemcpyAsync(dst, src, count, kind, cudaStreamPerThread));
}
cudaError_t cudaMemset2DAsync_ptsz(void* dev_ptr, size_t pitch, int value, size_t width,
                                   size_t height, cudaStream_t stream) {
  return cudaMemset2DAsync(dev_ptr, pitch, value, width, height, own(stream));
}
cudaError_t cudaMemset2D_ptds(void* dev_ptr, size_t pitch, int value, size_t width, size_t height) {
  return and_wait(cudaMemset2DAsync(dev_ptr, pitch, value, width, height, cudaStreamPerThread));
}
cudaError_t cudaMemset3DAsync_ptsz(cudaPitchedPtr pitched_dev_ptr, int value, cudaExtent extent,
                                   cudaStream_t stream) {
  return cudaMemset3DAsync(pitched_dev_ptr, value, extent, own(stream));
}
cudaError_t cudaMemset3D_ptds(cudaPitchedPtr pitched_dev_ptr, int value, cudaExtent extent) {
  return and_wait(cudaMemset3DAsync(pitched_dev_ptr, value, extent, cudaStreamPerThread));
}
cudaError_t cudaMemsetAsync_ptsz(void* dev_ptr, int value, size_t count, cudaStream_t stream) {
  return cudaMemsetAsync(dev_ptr, value, count, own(stream));
}
cudaError_t cudaMemset_ptds(void* dev_ptr, int value, size_t count) {
  return and_wait(cudaMemsetAsync(dev_ptr, value, count, cudaStreamPerThread));
}
cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t callback,
                                       void* user_data, unsigned int flags) {
  return cudaStreamAddCallback(own(stream), callback, user_data, flags);
}
cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void* dev_ptr, size_t length,
                                          unsigned int flags) {
  return cudaStreamAttachMemAsync(own(stream), dev_ptr, length, flags);
}
cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return cudaStreamBeginCapture(own(stream), mode);
}
cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t* p_graph) {
  return cudaStreamEndCapture(own(stream), p_graph);
}
cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t h_stream, int* device) {
  return cudaStreamGetDevice(own(h_stream), device);
}
cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t h_stream, unsigned int* flags) {
  return cudaStreamGetFlags(own(h_stream), flags);
}
cudaError_t cudaStreamGetId_ptsz(cudaStream_t h_stream, unsigned long long* stream_id) {
  return cudaStreamGetId(own(h_stream), stream_id);
}
cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t h_stream, int* priority) {
  return cudaStreamGetPriority(own(h_stream), priority);
}
cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream,
                                       cudaStreamCaptureStatus* p_capture_status) {
  return cudaStreamIsCapturing(own(stream), p_capture_status);
}
cudaError_t cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t stream, cudaGraph_t graph,
                                               const cudaGraphNode_t* after,
                                               const cudaGraphEdgeData* data, size_t count,
                                               cudaStreamCaptureMode mode) {
  return cudaStreamBeginCaptureToGraph(own(stream), graph, after, data, count, mode);
}
cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t to, cudaStream_t from) {
  return cudaStreamCopyAttributes(own(to), own(from));
}
cudaError_t cudaStreamGetAttribute_ptsz(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                        cudaLaunchAttributeValue* value) {
  return cudaStreamGetAttribute(own(stream), attribute, value);
}
cudaError_t cudaStreamSetAttribute_ptsz(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                        const cudaLaunchAttributeValue* value) {
  return cudaStreamSetAttribute(own(stream), attribute, value);
}
cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream) { return cudaStreamQuery(own(stream)); }
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream) {
  return cudaStreamSynchronize(own(stream));
}
cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return cudaStreamWaitEvent(own(stream), event, flags);
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* config, const void* func,
                                     void** args) {
  if (config == nullptr) return cudaLaunchKernelExC(config, func, args);
  cudaLaunchConfig_t changed = *config;
  changed.stream = own(config->stream);
  return cudaLaunchKernelExC(&changed, func, args);
}

}  // extern "C"
