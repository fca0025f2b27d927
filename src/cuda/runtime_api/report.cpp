// Values that programs report to the simulator besides CUDA: include/raddle/report.h.
#include "cuda/runtime/call.h"
#include "cuda/runtime/runtime.h"

using namespace raddle::cuda;

extern "C" void raddleReport(const char* name, double value) {
  call_always(Cost::none, [&](Runtime& runtime) {
    runtime.report(name, value);
    return cudaSuccess;
  });
}
