#include "corun/session.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/print_error.h"
#include "machine/clients.h"
#include "machine/loader.h"

namespace raddle::corun {

void Periods::add(Cycle from, Cycle to) {
  if (from >= to) return;
  while (!apart_.empty() && apart_.back().to >= from) {
    from = std::min(from, apart_.back().from);
    to = std::max(to, apart_.back().to);
    sum_ -= apart_.back().to - apart_.back().from;
    apart_.pop_back();
  }
  sum_ += to - from;
  apart_.push_back({from, to});
}

Session::Session(std::unique_ptr<Channel> channel, unsigned client, unsigned clients,
                 const machine::GpuConfig& config, const DeviceMemory& memory, machine::Gpu& gpu,
                 const Hello& hello)
    : channel_(std::move(channel)),
      client_(client),
      clients_(clients),
      gpu_(gpu),
      loader_(machine::make_loader(config)),
      memory_(std::make_unique<ClientMemory>(client, memory)) {
  // The program loads the code first and reports its errors, so they are not reported here.
  loader_.be(
      {hello.lenient, config.sm_version(), machine::gpu_name(config), [](const std::string&) {}});
  memory_->space().belongs_to(hello.pid);
  gpu.set_client(client, memory_->space());
  share_.began = gpu.now();
  if (!channel_->send(Tag::welcome, encoded(Welcome{client, ""}), memory_->descriptors())) leave();
}

void Session::receive() {
  try {
    while (auto message = channel_->take()) take(*message);
  } catch (const std::exception& error) {  // the other programs continue after any message
    print_error("raddle: program {} has lost the GPU: {}\n", client_, error.what());
    leave();
  }
  if (channel_->gone()) leave();
}

void Session::leave() {
  if (std::exchange(gone_, true)) return;
  channel_->forget();
  waits_ = false;
  launches_.clear();
  gpu_.end_client(client_);
}

void Session::take(const Channel::Message& message) {
  switch (message.tag) {
    case Tag::load:
      return load(decoded<Load>(message.bytes));
    case Tag::advance:
      return advance(decoded<Advance>(message.bytes));
    case Tag::interrupt:
      interrupted_ = waits_;
      return;
    case Tag::reset:
      memory_->free_heap();
      channel_->send(Tag::progress, encoded(Progress{}));
      return;
    default:
      fail("it has sent a message that none expects");
  }
}

void Session::load(const Load& request) {
  memory_->apply(request.changes);
  std::vector<ptx::Module> modules;
  std::map<std::string, void*> homes;
  Loaded answer;
  try {
    for (const ModuleText& one : request.modules) {
      modules.push_back(loader_.parse(one.file, one.text));
    }
    for (const Home& home : request.homes) {
      memory_->find(home.address, home.bytes, home.pages);
      homes[home.name] = reinterpret_cast<void*>(home.address);
    }
    std::unique_ptr<isa::Program> program = loader_.load(modules, memory_->space(), homes);
    answer.code_base = program->code_base;
    answer.instructions = program->code.size();
    answer.functions = program->functions.size();
    for (const isa::Variable& one : program->variables) answer.variables.push_back(one.address);
    if (request.program != 0) programs_[request.program] = std::move(program);
  } catch (const Error& error) {
    answer.error = error.what();
  }
  channel_->send(Tag::loaded, encoded(std::move(answer)));
}

void Session::advance(Advance request) {
  memory_->apply(request.changes);
  machine::Client& client = gpu_.client(client_);
  client.services.printed().set_limit(request.print_bytes);
  client.services.set_heap_bytes(request.heap_bytes);
  client.stack_bytes = request.stack_bytes;
  for (LaunchRequest& one : request.launches) {
    const auto program = programs_.find(one.program);
    if (program == programs_.end() || one.function >= program->second->functions.size()) {
      fail("it has launched a kernel that it has not loaded");
    }
    launches_.push_back(std::move(one));
  }
  limit_ = request.limit == kNever ? kNever : request.limit + share_.began;
  alone_ = request.alone;
  waits_ = true;
  interrupted_ = false;
}

void Session::launch(int urgency) {
  for (const LaunchRequest& one : std::exchange(launches_, {})) {
    const isa::Program& program = *programs_.at(one.program);
    machine::Launch launch;
    launch.program = &program;
    launch.kernel = &program.functions[one.function];
    launch.grid = {one.grid_size[0], one.grid_size[1], one.grid_size[2]};
    launch.block = {one.block_size[0], one.block_size[1], one.block_size[2]};
    launch.dynamic_shared_bytes = one.dynamic_shared_bytes;
    launch.parameters.resize(one.parameters.size());
    std::memcpy(launch.parameters.data(), one.parameters.data(), one.parameters.size());
    launch.cooperative = one.cooperative;
    launch.sync_workspace = one.sync_workspace;
    launch.stream = one.stream;
    // Each program has hardware queues of its own, as far as there are enough.
    launch.queue = one.queue == machine::kNoQueue ? one.queue : one.queue * clients_ + client_ - 1;
    launch.priority = machine::priority_of(urgency, one.priority);
    launch.client = client_;
    const machine::GridId id = gpu_.launch(std::move(launch), one.not_before + share_.began);
    grids_[id] = {one.grid, one.issued + share_.began};
  }
}

void Session::ended(const machine::GridRecord& record) {
  ++share_.grids;
  share_.last_end = std::max(share_.last_end, record.end_cycle);
  const auto found = grids_.find(record.id);
  if (found == grids_.end()) return;
  busy_.add(found->second.issued, record.end_cycle);
  share_.busy = busy_.sum();
  news_.ended.push_back({found->second.id, here(record.queued), here(record.start_cycle),
                         here(record.end_cycle), record.counted_before, record.warp_instructions,
                         record.thread_instructions, record.completed});
  grids_.erase(found);
}

Share Session::share() const {
  Share share = share_;
  share.warp_instructions = gpu_.client(client_).warp_instructions;
  share.thread_instructions = gpu_.client(client_).thread_instructions;
  Periods busy = busy_;
  for (const auto& [id, there] : grids_) {
    ++share.grids;
    busy.add(there.issued, std::max(there.issued, gpu_.now()));
    share.last_end = std::max(share.last_end, gpu_.now());
  }
  share.busy = busy.sum();
  return share;
}

void Session::faulted(const machine::FaultReport& fault) {
  ++share_.faults;
  if (share_.fault.empty()) share_.fault = fault.text.substr(0, fault.text.find('\n'));
  const auto found = grids_.find(fault.grid);
  news_.faults.push_back({fault.kind, found == grids_.end() ? 0 : found->second.id, fault.text});
}

void Session::answer() {
  isa::Services& services = gpu_.client(client_).services;
  news_.now = here(gpu_.now());
  news_.printed = services.printed().take();
  news_.lost_prints = services.printed().take_lost();
  news_.told = services.take_told();
  news_.busy = share_.busy;
  waits_ = interrupted_ = false;
  if (!channel_->send(Tag::progress, encoded(std::exchange(news_, {})))) leave();
}

}  // namespace raddle::corun
