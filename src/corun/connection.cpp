#include "corun/connection.h"

#include <pthread.h>
#include <unistd.h>

#include <sstream>
#include <utility>

#include "base/error.h"
#include "ptx/module.h"

namespace raddle::corun {
namespace {

Connection* g_connection = nullptr;

/// A child by fork() cannot use the GPU, and must not keep its parent's connection.
void forget_in_child() {
  if (g_connection != nullptr) g_connection->forget();
}

/// Size in bytes of the file for the program's own pages.
constexpr std::uint64_t kPagesBytes = std::uint64_t{1} << 40;

[[noreturn]] void lost() { fail("raddle corun, which has the GPU, has ended"); }

}  // namespace

Connection::Connection(const std::string& text, bool lenient) {
  Hello hello{0, getpid(), lenient};
  std::string name;
  std::istringstream(text) >> hello.program >> name;
  channel_ = std::make_unique<Channel>(enter(name));
  if (!channel_->send(Tag::hello, encoded(hello))) lost();
  const auto message = channel_->receive();
  if (!message) lost();
  const auto welcome = decoded<Welcome>(message->bytes);
  if (!welcome.refused.empty()) fail("{}", welcome.refused);
  if (message->descriptors.size() != 3) fail("raddle corun has sent no memory");
  windows_ = {welcome.client, message->descriptors[0], message->descriptors[1], false};
  pages_ = std::make_unique<HostPages>(message->descriptors[2], kPagesBytes);
  g_connection = this;
  pthread_atfork(nullptr, nullptr, forget_in_child);
}

Connection::~Connection() { g_connection = nullptr; }

void Connection::follow(memory::AddressSpace& space) {
  space.tell_changes([this](const memory::SpaceChange& change) { note(change); });
}

void Connection::note(const memory::SpaceChange& change) {
  using What = memory::SpaceChange::What;
  Change told{change.what,  change.kind,      change.freed, change.base,
              change.bytes, change.alignment, change.name,  {}};
  if (change.what == What::register_host || change.what == What::map) {
    const auto values = reinterpret_cast<Address>(change.values);
    told.pages = pages_->share(values, change.bytes);
    if (change.what == What::map) told.alignment = values;  // gives the position in its page
    moved_[change.base] = {values, change.bytes};
  } else if (change.what == What::unregister_host || change.what == What::unmap) {
    const auto found = moved_.find(change.base);
    if (found != moved_.end()) {
      pages_->release(found->second.values, found->second.bytes);
      moved_.erase(found);
    }
  } else if (change.what == What::host_unmapped) {
    pages_->release(change.base, change.bytes);
  }
  changes_.push_back(std::move(told));
}

std::string Connection::answer(Tag tag) {
  auto message = channel_->receive();
  if (!message) lost();
  if (message->tag != tag) fail("raddle corun has sent another answer than was expected");
  return std::move(message->bytes);
}

void Connection::loading(std::span<const ptx::Module> modules, memory::AddressSpace& space,
                         const std::map<std::string, void*>& homes) {
  load_ = {};
  load_.changes = std::exchange(changes_, {});
  for (const ptx::Module& module : modules) load_.modules.push_back({module.file, *module.text});
  for (const auto& [name, at] : homes) {
    // Only the module knows the size of the variable.
    for (const ptx::Module& module : modules) {
      for (const ptx::Variable& variable : module.variables) {
        if (variable.name != name) continue;
        const auto address = reinterpret_cast<Address>(at);
        load_.homes.push_back(
            {name, address, pages_->share(address, variable.size), variable.size});
      }
    }
  }
  // The other end loads the code, too, and makes the same changes, so they are not sent.
  told_ = space.tell_changes({});
}

void Connection::loaded(memory::AddressSpace& space, const isa::Program* program) {
  space.tell_changes(std::move(told_));
  load_.program = program == nullptr ? 0 : program->id;
  if (!channel_->send(Tag::load, encoded(std::exchange(load_, {})))) lost();
  const auto there = decoded<Loaded>(answer(Tag::loaded));
  if (program == nullptr) return;
  if (!there.error.empty()) fail("the process that has the GPU cannot load it: {}", there.error);
  bool same = there.code_base == program->code_base && there.instructions == program->code.size() &&
              there.functions == program->functions.size() &&
              there.variables.size() == program->variables.size();
  for (std::size_t n = 0; same && n < there.variables.size(); ++n) {
    same = there.variables[n] == program->variables[n].address;
  }
  if (!same) fail("internal error: the process that has the GPU has loaded something else");
}

void Connection::send(Advance request) {
  request.changes = std::exchange(changes_, {});
  if (!channel_->send(Tag::advance, encoded(std::move(request)))) lost();
}

void Connection::interrupt() {
  if (!channel_->send(Tag::interrupt, {})) lost();
}

std::optional<Progress> Connection::take_progress() {
  auto message = channel_->take();
  if (!message && channel_->gone()) lost();
  if (!message) return {};
  if (message->tag != Tag::progress) fail("raddle corun has sent another answer than was expected");
  return decoded<Progress>(message->bytes);
}

void Connection::reset() {
  if (!channel_->send(Tag::reset, {})) lost();
  answer(Tag::progress);
}

}  // namespace raddle::corun
