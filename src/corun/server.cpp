#include "corun/server.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "machine/clients.h"

namespace raddle::corun {

namespace {

/// An address range beside the ranges of programs.
constexpr memory::SharedWindows kNobodys{.client = memory::SharedWindows::kMostClients};

}  // namespace

Server::Server(const machine::GpuConfig& config, const DeviceMemory& memory,
               std::vector<int> urgency)
    : config_(config),
      memory_(memory),
      nobodys_(1 << 20, {}, &kNobodys),
      gpu_(config, nobodys_),
      urgency_(std::move(urgency)),
      places_(urgency_.size()) {
  // While the machine runs, checks whether a process has sent something.
  gpu_.watch([this](const machine::Progress&) {
    if (poll(watched_.data(), watched_.size(), 0) > 0) wanted_ = 1;
  });
}

void Server::serve(Programs& programs) {
  for (;;) {
    listen(programs, false);
    bool any_left = false;
    for (unsigned n = 0; n < programs.count(); ++n) any_left |= !programs.ended(n);
    if (!any_left) break;
    if (all_wait(programs)) {
      step();
    } else {
      listen(programs, true);
    }
  }
  for (Place& place : places_) {
    if (place.session == nullptr) continue;
    place.session->leave();
    place.before.push_back(place.session->share());
  }
}

/// Receives messages from the programs. `wait`: waits for the first message.
void Server::listen(Programs& programs, bool wait) {
  watched_.clear();
  watched_.push_back({entrance_.descriptor(), POLLIN, 0});
  const auto watch = [&](const Channel& channel) {
    if (!channel.gone()) watched_.push_back({channel.descriptor(), POLLIN, 0});
  };
  for (const auto& one : strangers_) watch(*one);
  for (const Place& place : places_) {
    if (place.session != nullptr) watch(place.session->channel());
  }
  programs.watch(watched_);
  const int ready = poll(watched_.data(), watched_.size(), wait ? -1 : 0);
  if (ready <= 0) return;
  programs.attend();
  // Before new connections, because the previous process of a program must be gone first.
  for (Place& place : places_) {
    if (place.session != nullptr && !place.session->gone()) place.session->receive();
  }
  let_in();
}

void Server::let_in() {
  pollfd one{entrance_.descriptor(), POLLIN, 0};
  while (poll(&one, 1, 0) > 0) {
    if (const int came = entrance_.accept(); came >= 0) {
      strangers_.push_back(std::make_unique<Channel>(came));
    }
  }
  for (auto& stranger : strangers_) {
    if (auto message = stranger->take()) {
      welcome(std::move(*message), std::move(stranger));
    } else if (stranger->gone()) {
      stranger.reset();
    }
  }
  std::erase(strangers_, nullptr);
}

void Server::welcome(Channel::Message message, std::unique_ptr<Channel> channel) {
  Hello hello;
  try {
    if (message.tag != Tag::hello) return;
    hello = decoded<Hello>(message.bytes);
  } catch (const Error&) {
    return;  // not a process that `raddle corun` started
  }
  if (hello.program >= places_.size()) return;
  Place& place = places_[hello.program];
  const bool taken = place.next != nullptr || (place.session != nullptr && !place.session->gone());
  if (taken) {
    channel->send(Tag::welcome,
                  encoded(Welcome{0,
                                  "another process of this program uses the GPU: under raddle "
                                  "corun one of each program can, at a time"}));
    return;
  }
  place.next = std::move(channel);
  place.hello = hello;
  if (drained(place)) begin(hello.program);
}

bool Server::drained(const Place& place) const {
  return place.session == nullptr ||
         const_cast<machine::Gpu&>(gpu_).client(place.session->client()).grids == 0;
}

void Server::begin(unsigned program) {
  Place& place = places_[program];
  if (place.session != nullptr) place.before.push_back(place.session->share());
  place.session.reset();
  place.session = std::make_unique<Session>(std::exchange(place.next, nullptr), program + 1,
                                            static_cast<unsigned>(places_.size()), config_, memory_,
                                            gpu_, place.hello);
}

/// Whether all programs wait. A program that is not yet connected, or that computes, may do
/// anything next.
bool Server::all_wait(const Programs& programs) const {
  for (unsigned n = 0; n < places_.size(); ++n) {
    const Place& place = places_[n];
    const bool waits = place.session != nullptr && place.session->waits();
    const bool drains = place.next != nullptr;  // the previous process still has grids
    if (!waits && !drains && !programs.ended(n)) return false;
  }
  return true;
}

void Server::step() {
  Cycle limit = kNever;
  wanted_ = 0;
  for (unsigned n = 0; n < places_.size(); ++n) {
    Session* const session = places_[n].session.get();
    if (session == nullptr || !session->waits()) continue;
    session->launch(urgency_[n]);
    if (session->interrupted()) wanted_ = 1;  // it is answered after the next cycle
    // Other threads of a program may at any time do the action that kernels wait for. So a deadlock
    // is never certain.
    constexpr Cycle kHardlyEver = kNever - 1;
    limit = std::min(limit,
                     session->alone() ? session->limit() : std::min(session->limit(), kHardlyEver));
  }
  gpu_.host_was_here();
  // No event can come any more. Programs that wait see a clock that stands still.
  const bool over = limit >= kNever - 1 && gpu_.idle();
  if (!over) gpu_.advance(limit, wanted_);
  deliver();
  for (Place& place : places_) {
    Session* const session = place.session.get();
    if (session == nullptr || !session->waits()) continue;
    const bool due = session->has_news() || session->interrupted() || over ||
                     (session->limit() != kNever && gpu_.now() >= session->limit());
    if (due) session->answer();
  }
  for (unsigned n = 0; n < places_.size(); ++n) {
    if (places_[n].next != nullptr && drained(places_[n])) begin(n);
  }
}

void Server::deliver() {
  const auto session_of = [&](unsigned client) -> Session* {
    return client == 0 ? nullptr : places_[client - 1].session.get();
  };
  // A fault is told before the ends of the grids that it has ended.
  for (const machine::FaultReport& fault : gpu_.take_faults()) {
    if (Session* const session = session_of(fault.client)) session->faulted(fault);
  }
  for (const machine::GridRecord& record : gpu_.take_ended()) {
    if (Session* const session = session_of(record.client)) session->ended(record);
  }
}

}  // namespace raddle::corun
