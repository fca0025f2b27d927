// Streams that record graphs (runtime/graph.h).
#include <algorithm>
#include <unordered_set>

#include "cuda/runtime/graph.h"

namespace raddle::cuda {

namespace {

/// The captures in progress.
std::vector<std::shared_ptr<Capture>>& captures() {
  static auto* all = forgotten_at_reset(new std::vector<std::shared_ptr<Capture>>);
  return *all;
}

cudaStreamCaptureMode& mode_of_thread() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

[[noreturn]] void forbid(Capture& capture, cudaError_t code) {
  capture.invalid = true;
  refuse(code);
}

/// Ends the capture: its streams take work again.
void leave(Runtime& runtime, const std::shared_ptr<Capture>& capture) {
  for (const auto& [other, tails] : capture->tails) {
    Stream* taking_part = runtime.device().stream(other);
    if (taking_part != nullptr && taking_part->capture == capture) taking_part->capture = nullptr;
  }
  capture->active = false;
  std::erase(captures(), capture);
}

/// Whether the origin has waited for every branch: all last nodes are before the origin's last
/// ones.
bool joined(const Capture& capture) {
  std::vector<Node*> next = capture.tails.at(capture.origin);
  std::unordered_set<const Node*> reached(next.begin(), next.end());
  while (!next.empty()) {
    const Node* node = next.back();
    next.pop_back();
    for (Node* before : node->after) {
      if (reached.insert(before).second) next.push_back(before);
    }
  }
  const auto all = [&](const std::vector<Node*>& tails) {
    return std::all_of(tails.begin(), tails.end(),
                       [&](const Node* tail) { return reached.contains(tail); });
  };
  return all(capture.left) && std::all_of(capture.tails.begin(), capture.tails.end(),
                                          [&](const auto& one) { return all(one.second); });
}

}  // namespace

void begin_capture(Stream& stream, std::shared_ptr<Graph> into, std::vector<Node*> after,
                   cudaStreamCaptureMode mode) {
  static unsigned long long next_id = 1;
  require(stream.capture == nullptr, cudaErrorIllegalState);
  require(stream.id != 0, cudaErrorStreamCaptureUnsupported);
  auto capture = std::make_shared<Capture>();
  capture->graph = std::move(into);
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = &stream;
  capture->id = next_id++;
  capture->tails[&stream] = std::move(after);
  captures().push_back(capture);
  stream.capture = std::move(capture);
}

std::shared_ptr<Graph> end_capture(Runtime& runtime, Stream& stream) {
  const std::shared_ptr<Capture> capture = stream.capture;
  require(capture != nullptr, cudaErrorIllegalState);
  if (capture->origin == nullptr) {  // the origin was destroyed: any other stream ends the capture
    leave(runtime, capture);
    refuse(cudaErrorStreamCaptureInvalidated);
  }
  if (capture->origin != &stream) forbid(*capture, cudaErrorStreamCaptureUnmatched);
  leave(runtime, capture);  // a call in the wrong thread ends it, too (NVIDIA H200, CUDA 13.0)
  require(capture->mode == cudaStreamCaptureModeRelaxed ||
              capture->thread == std::this_thread::get_id(),
          cudaErrorStreamCaptureWrongThread);
  require(!capture->invalid, cudaErrorStreamCaptureInvalidated);
  require(joined(*capture), cudaErrorStreamCaptureUnjoined);
  return capture->graph;
}

void leave_capture(Stream& stream) {
  const std::shared_ptr<Capture> capture = std::exchange(stream.capture, nullptr);
  if (capture == nullptr) return;
  if (capture->origin == &stream) {
    capture->origin = nullptr;
    capture->invalid = true;
    capture->active = false;
    std::erase(captures(), capture);
  }
  // A later stream may have the same address.
  const auto tails = capture->tails.extract(&stream);
  if (tails.empty()) return;
  capture->left.insert(capture->left.end(), tails.mapped().begin(), tails.mapped().end());
}

cudaStreamCaptureStatus capture_status(const Stream& stream) {
  if (stream.capture == nullptr) return cudaStreamCaptureStatusNone;
  return stream.capture->invalid ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
}

void forbid_while_captured(const Stream& stream) {
  if (stream.capture != nullptr) forbid(*stream.capture, cudaErrorStreamCaptureUnsupported);
}

void forbid_while_anything_is_captured() {
  for (const auto& capture : captures()) capture->invalid = true;
  require(captures().empty(), cudaErrorStreamCaptureUnsupported);
}

void forbid_implicit_capture(Runtime& runtime, const Stream& stream) {
  if (stream.id != 0) return;
  for (const auto& capture : captures()) {
    for (const auto& [other, tails] : capture->tails) {
      const Stream* taking_part = runtime.device().stream(other);
      if (taking_part != nullptr && !taking_part->non_blocking()) {
        forbid(*capture, cudaErrorStreamCaptureImplicit);
      }
    }
  }
}

void forbid_captured(const Event& event) {
  if (event.capture != nullptr) forbid(*event.capture, cudaErrorCapturedEvent);
}

void forbid_unsafe_call() {
  const cudaStreamCaptureMode mine = mode_of_thread();
  if (mine == cudaStreamCaptureModeRelaxed) return;
  for (const auto& capture : captures()) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool forbidden =
        own ? capture->mode != cudaStreamCaptureModeRelaxed
            : capture->mode == cudaStreamCaptureModeGlobal && mine == cudaStreamCaptureModeGlobal;
    if (forbidden) forbid(*capture, cudaErrorStreamCaptureUnsupported);
  }
}

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode) {
  return std::exchange(mode_of_thread(), mode);
}

bool joins_capture(const Stream&, const Work& work) {
  const auto* wait = std::get_if<WaitWork>(&work);
  return wait != nullptr && !wait->external && wait->event->capture != nullptr &&
         wait->event->capture->active;
}

Node* capture(Runtime&, Stream& stream, const Work& work) {
  const auto* wait = std::get_if<WaitWork>(&work);
  if (wait != nullptr && !wait->external) {
    require(wait->event->capture != nullptr || stream.capture == nullptr,
            cudaErrorStreamCaptureIsolation);
    if (stream.capture == nullptr) stream.capture = wait->event->capture;
    require(!stream.capture->invalid, cudaErrorStreamCaptureInvalidated);
    require(stream.capture == wait->event->capture, cudaErrorStreamCaptureMerge);
    std::vector<Node*>& tails = stream.capture->tails[&stream];
    for (void* node : wait->event->captured) tails.push_back(static_cast<Node*>(node));
    return nullptr;
  }
  require(!stream.capture->invalid, cudaErrorStreamCaptureInvalidated);
  std::vector<Node*>& tails = stream.capture->tails[&stream];
  const auto* record = std::get_if<RecordWork>(&work);
  if (record != nullptr && !record->external) {
    record->event->capture = stream.capture;
    record->event->captured.assign(tails.begin(), tails.end());
    return nullptr;
  }
  Node* node = stream.capture->graph->add(work, tails);
  if (auto* kernel = std::get_if<KernelWork>(&node->work); kernel != nullptr && !kernel->priority) {
    kernel->priority = stream.priority;
  }
  tails = {node};
  return node;
}

}  // namespace raddle::cuda
