// Graph calls whose arguments changed between CUDA 11 and 12.
#include "cuda/runtime/call.h"

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
#else
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}
#endif
