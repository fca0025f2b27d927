// Host threads that wait for work of the device. One of them simulates.
#include <algorithm>
#include <memory>

#include "cuda/device/device.h"

namespace raddle::cuda {

void Device::note_unawaited(const Command& command) {
  std::deque<CompletionPtr>& of_stream = unawaited_[command.launch.stream];
  // The host has not waited for the new kernel. Ended kernels at the front need no entry any more:
  // a stream's kernels end in order.
  while (!of_stream.empty() && of_stream.front()->done) of_stream.pop_front();
  of_stream.push_back(command.completion);
  latest_kernel_ = command.launch.kernel;
}

void Device::forget_awaited() {
  if (unawaited_.empty()) return;
  for (auto& [stream, kernels] : unawaited_) {
    while (!kernels.empty() && kernels.front()->done) kernels.pop_front();
  }
  std::erase_if(unawaited_, [](const auto& one) { return one.second.empty(); });
}

bool Device::wait_for(CompletionPtr completion) {
  if (!completion->done) simulate_until(*completion);
  if (completion->done) host_time_ = std::max(host_time_, completion->time);
  if (device_time_ < host_time_) advance(host_time_, nullptr);
  forget_awaited();
  return completion->done;
}

/// One thread simulates. Other threads that wait for work sleep until some work has ended or no
/// thread simulates.
void Device::simulate_until(const Completion& done) {
  const Call mine = call_;
  while (!done.done && awaited_) calls_->sleep();
  if (!done.done) {
    awaited_ = true;
    const auto leave = [](Device* device) {
      device->awaited_ = false;
      if (device->calls_ != nullptr) device->calls_->wake_all();
    };
    const std::unique_ptr<Device, decltype(leave)> left(this, leave);
    const std::atomic<unsigned>& wanted = calls_ == nullptr ? machine::kUnwanted : calls_->wanted();
    gpu_.host_was_here();
    while (advance(kForever, &done, wanted)) {
      calls_->let_in();
      gpu_.host_was_here();
    }
  }
  call_ = mine;
}

bool Device::wait_for_all() {
  bool reached = true;
  auto next = busy_.begin();
  while (next != busy_.end()) {
    const std::uint32_t id = *next;
    ++looks_;
    reached &= wait_for(CompletionPtr(streams_.at(id)->last));
    next = busy_.upper_bound(id);
  }
  // Work that ended while the device ran ahead of the host.
  host_time_ = std::max(host_time_, latest_);
  if (device_time_ < host_time_) advance(host_time_, nullptr);
  forget_awaited();
  return reached;
}

void Device::run_ahead(Nanoseconds time) {
  const Nanoseconds limit = device_time_ + time;
  auto next = busy_.begin();
  while (next != busy_.end() && device_time_ < limit) {
    const std::uint32_t id = *next;
    const CompletionPtr last = streams_.at(id)->last;
    advance(limit, last.get());
    next = busy_.upper_bound(id);
  }
}

}  // namespace raddle::cuda
