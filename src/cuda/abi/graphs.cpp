// Graph calls whose arguments changed between CUDA 11 and 12.
#include "cuda/runtime/call.h"
#include "cuda/runtime/graph_handles.h"

using namespace raddle::cuda;

namespace {

/// Writes the outcome whether or not the update was possible.
cudaError_t update_call(cudaGraphExec_t executable, cudaGraph_t graph,
                        cudaGraphExecUpdateResult* outcome) {
  return call(Cost::call, [&](Runtime&) {
    *outcome = update(*executable_of(executable), *graph_of(graph));
    return *outcome == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
  });
}

}  // namespace

#if RADDLE_CUDART == 11
// CUDA 11: (graphExec, graph, errorNode, logBuffer, bufferSize).
extern "C" cudaError_t cudaGraphInstantiate_11(cudaGraphExec_t* executable, cudaGraph_t graph,
                                               cudaGraphNode_t* error_node, char* log,
                                               std::size_t bytes) __asm__("cudaGraphInstantiate");
cudaError_t cudaGraphInstantiate_11(cudaGraphExec_t* executable, cudaGraph_t graph,
                                    cudaGraphNode_t* error_node, char* log, std::size_t bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && bytes != 0) *log = '\0';
  return cudaGraphInstantiateWithFlags(executable, graph, 0);
}
// CUDA 11: (graphExec, graph, errorNode, result).
extern "C" cudaError_t cudaGraphExecUpdate_11(
    cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* error_node,
    cudaGraphExecUpdateResult* result) __asm__("cudaGraphExecUpdate");
cudaError_t cudaGraphExecUpdate_11(cudaGraphExec_t executable, cudaGraph_t graph,
                                   cudaGraphNode_t* error_node, cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResult outcome = cudaGraphExecUpdateError;
  const cudaError_t error = update_call(executable, graph, &outcome);
  if (error_node != nullptr) *error_node = nullptr;
  if (result != nullptr) *result = outcome;
  return error;
}
#else
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  cudaGraphExecUpdateResult outcome = cudaGraphExecUpdateError;
  const cudaError_t error = update_call(executable, graph, &outcome);
  if (result != nullptr) *result = {outcome, nullptr, nullptr};
  return error;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}
#endif
