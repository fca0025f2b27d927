// Streams and events (CUDA driver API, "Stream Management", "Event Management").
#include <algorithm>

#include "cuda/driver_api/entry.h"
#include "cuda/runtime/graph.h"

using namespace raddle::cuda;

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(stream != nullptr && flags <= CU_STREAM_NON_BLOCKING, cudaErrorInvalidValue);
    *stream = reinterpret_cast<CUstream>(runtime.device().create_stream(
        flags, std::clamp(priority, kGreatestPriority, kLeastPriority)));
    return cudaSuccess;
  });
}
CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  return driver(Cost::call, [&](Runtime& runtime) {
    Stream& one = runtime.stream(stream);
    require(one.id != 0, cudaErrorInvalidResourceHandle, "the default stream cannot be destroyed");
    leave_capture(one);
    runtime.device().destroy_stream(&one);
    return cudaSuccess;
  });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return driver(Cost::call,
                [&](Runtime& runtime) { return synchronize(runtime, runtime.stream(stream)); });
}
CUresult cuStreamQuery(CUstream stream) {
  return driver(Cost::call, [&](Runtime& runtime) {
    const Stream& one = runtime.stream(stream);
    forbid_while_captured(one);
    forbid_implicit_capture(runtime, one);
    return runtime.device().finished(one) ? cudaSuccess : cudaErrorNotReady;
  });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(flags <= CU_EVENT_WAIT_EXTERNAL, cudaErrorInvalidValue);
    Stream& waiting = runtime.stream(stream);
    issue(runtime, waiting, WaitWork{&runtime.event(event), flags == CU_EVENT_WAIT_EXTERNAL});
    return cudaSuccess;
  });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(priority != nullptr, cudaErrorInvalidValue);
    *priority = runtime.stream(stream).priority;
    return cudaSuccess;
  });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = runtime.stream(stream).flags;
    return cudaSuccess;
  });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(id != nullptr, cudaErrorInvalidValue);
    *id = runtime.stream(stream).id;
    return cudaSuccess;
  });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(device != nullptr, cudaErrorInvalidValue);
    runtime.stream(stream);
    *device = 0;
    return cudaSuccess;
  });
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(status != nullptr, cudaErrorInvalidValue);
    *status = static_cast<CUstreamCaptureStatus>(capture_status(runtime.stream(stream)));
    return cudaSuccess;
  });
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned) {
  struct Request {
    CUstream stream;
    CUstreamCallback callback;
    void* data;
  };
  return driver(Cost::call, [&](Runtime& runtime) {
    require(callback != nullptr, cudaErrorInvalidValue);
    const auto run = [](void* request) {
      const std::unique_ptr<Request> one(static_cast<Request*>(request));
      one->callback(one->stream, CUDA_SUCCESS, one->data);
    };
    issue(runtime, runtime.stream(stream), HostWork{run, new Request{stream, callback, data}});
    return cudaSuccess;
  });
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr memory, std::size_t bytes,
                                unsigned flags) {
  return driver(Cost::call, [&](Runtime& runtime) {
    attach(runtime, runtime.stream(stream), pointer(memory), bytes, flags);
    return cudaSuccess;
  });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(event != nullptr && flags <= 7, cudaErrorInvalidValue);
    *event = reinterpret_cast<CUevent>(runtime.create_event(flags));
    return cudaSuccess;
  });
}
CUresult cuEventDestroy_v2(CUevent event) {
  return driver(Cost::call, [&](Runtime& runtime) {
    runtime.destroy_event(reinterpret_cast<Event*>(event));
    return cudaSuccess;
  });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return driver(Cost::call, [&](Runtime& runtime) {
    issue(runtime, runtime.stream(stream), RecordWork{&runtime.event(event)});
    return cudaSuccess;
  });
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(flags <= CU_EVENT_RECORD_EXTERNAL, cudaErrorInvalidValue);
    Stream& in = runtime.stream(stream);
    issue(runtime, in, RecordWork{&runtime.event(event), flags == CU_EVENT_RECORD_EXTERNAL});
    return cudaSuccess;
  });
}
CUresult cuEventQuery(CUevent event) {
  return driver(Cost::call, [&](Runtime& runtime) { return query(runtime, runtime.event(event)); });
}
CUresult cuEventSynchronize(CUevent event) {
  return driver(Cost::call,
                [&](Runtime& runtime) { return synchronize(runtime, runtime.event(event)); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return driver(Cost::call, [&](Runtime& runtime) {
    return elapsed_time(runtime.event(start), runtime.event(end), milliseconds);
  });
}
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime(milliseconds, start, end);
}
