// CUDA 13 gave these calls an argument of edge data: until that is supported they are refused
// there, for the forms of CUDA 12 (weak in runtime_api/) would misread their arguments. Defined
// without arguments, as in runtime_api/refused.cpp.
#if RADDLE_CUDART == 13

namespace raddle::cuda {
int refuse_by_name(const char* function);  // cuda/runtime/call.h, without the API's types
}

extern "C" {
#define RADDLE_REFUSED(name) \
  int name() { return raddle::cuda::refuse_by_name(#name " in the form of CUDA 13"); }
RADDLE_REFUSED(cudaGraphAddDependencies)
RADDLE_REFUSED(cudaGraphRemoveDependencies)
RADDLE_REFUSED(cudaGraphGetEdges)
RADDLE_REFUSED(cudaGraphNodeGetDependencies)
RADDLE_REFUSED(cudaGraphNodeGetDependentNodes)
RADDLE_REFUSED(cudaGraphAddNode)
#undef RADDLE_REFUSED
}

#endif
