// Short names for the runtime API's entry points.
#pragma once

#include "cuda/runtime/call.h"
#include "cuda/runtime/events.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/graph_handles.h"
#include "cuda/runtime/launch.h"
#include "cuda/runtime/memory.h"
#include "cuda/runtime/work.h"
#include "cuda_runtime_api.h"

namespace raddle::cuda {

inline Dim3 shape(dim3 d) { return {d.x, d.y, d.z}; }

}  // namespace raddle::cuda
