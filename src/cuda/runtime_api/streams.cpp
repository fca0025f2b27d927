// Streams and events (CUDA runtime API, "Stream Management", "Event Management").
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(stream != nullptr && flags <= cudaStreamNonBlocking, cudaErrorInvalidValue);
    const int clamped = std::min(kLeastPriority, std::max(kGreatestPriority, priority));
    *stream = reinterpret_cast<cudaStream_t>(runtime.device().create_stream(flags, clamped));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call_always(Cost::call, [&](Runtime& runtime) {
    Stream& one = runtime.stream(stream);
    require(one.id != 0, cudaErrorInvalidResourceHandle, "the default stream cannot be destroyed");
    leave_capture(one);
    runtime.device().destroy_stream(&one);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call(Cost::call,
              [&](Runtime& runtime) { return synchronize(runtime, runtime.stream(stream)); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call(Cost::call, [&](Runtime& runtime) {
    const Stream& one = runtime.stream(stream);
    forbid_while_captured(one);
    forbid_implicit_capture(runtime, one);
    return runtime.device().finished(one) ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(flags <= cudaEventWaitExternal, cudaErrorInvalidValue);
    Stream& waiting = runtime.stream(stream);
    issue(runtime, waiting, WaitWork{&runtime.event(event), flags == cudaEventWaitExternal});
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  struct Request {
    cudaStream_t stream;
    cudaStreamCallback_t callback;
    void* data;
  };
  return call(Cost::call, [&](Runtime& runtime) {
    require(callback != nullptr && flags == 0, cudaErrorInvalidValue);
    const auto run = [](void* request) {
      const std::unique_ptr<Request> one(static_cast<Request*>(request));
      one->callback(one->stream, cudaSuccess, one->data);
    };
    issue(runtime, runtime.stream(stream), HostWork{run, new Request{stream, callback, data}});
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(priority != nullptr, cudaErrorInvalidValue);
    *priority = runtime.stream(stream).priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = runtime.stream(stream).flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(id != nullptr, cudaErrorInvalidValue);
    *id = runtime.stream(stream).id;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(device != nullptr, cudaErrorInvalidValue);
    runtime.stream(stream);
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* memory, std::size_t bytes,
                                     unsigned flags) {
  return call(Cost::call, [&](Runtime& runtime) {
    attach(runtime, runtime.stream(stream), memory, bytes, flags);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call(Cost::call, [&](Runtime&) {
    if (least != nullptr) *least = kLeastPriority;
    if (greatest != nullptr) *greatest = kGreatestPriority;
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(event != nullptr && flags <= 7, cudaErrorInvalidValue);
    *event = reinterpret_cast<cudaEvent_t>(runtime.create_event(flags));
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call_always(Cost::call, [&](Runtime& runtime) {
    runtime.destroy_event(reinterpret_cast<Event*>(event));
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(flags <= cudaEventRecordExternal, cudaErrorInvalidValue);
    Stream& in = runtime.stream(stream);
    issue(runtime, in, RecordWork{&runtime.event(event), flags == cudaEventRecordExternal});
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call(Cost::call, [&](Runtime& runtime) { return query(runtime, runtime.event(event)); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call(Cost::call,
              [&](Runtime& runtime) { return synchronize(runtime, runtime.event(event)); });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call(Cost::call, [&](Runtime& runtime) {
    return elapsed_time(runtime.event(start), runtime.event(end), milliseconds);
  });
}
