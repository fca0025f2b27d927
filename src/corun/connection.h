// A simulated program's way to the process that has the GPU (raddle corun): tells it what memory the program
// has and what code it loads, so that kernels find both there.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "corun/channel.h"
#include "corun/host_pages.h"
#include "isa/loader.h"
#include "memory/address_space.h"

namespace raddle::corun {

/// What `raddle corun` puts into the environment of each program: its place in the command, a blank, and the
/// entrance's name.
constexpr const char* kVariable = "RADDLE_CORUN";

/// One a process. Used by one thread at a time.
class Connection : public isa::LoadListener {
 public:
  /// `text`: the variable's. Throws Error when the program cannot take part.
  Connection(const std::string& text, bool lenient);
  ~Connection() override;

  /// For the address space of this process.
  const memory::SharedWindows& windows() const { return windows_; }
  /// From now on its changes are told. It outlives this.
  void follow(memory::AddressSpace& space);

  // isa::LoadListener
  void loading(std::span<const ptx::Module> modules, memory::AddressSpace& space,
               const std::map<std::string, void*>& homes) override;
  void loaded(memory::AddressSpace& space, const isa::Program* program) override;

  // For the engine (remote_engine.h).
  void send(Advance request);
  void interrupt();
  /// The answer to send(), if it has come.
  std::optional<Progress> take_progress();
  /// To be polled for it.
  int descriptor() const { return channel_->descriptor(); }
  /// cudaDeviceReset.
  void reset();

  /// In a child by fork().
  void forget() { channel_->forget(); }

 private:
  std::string answer(Tag tag);
  void note(const memory::SpaceChange& change);

  std::unique_ptr<Channel> channel_;
  memory::SharedWindows windows_;
  std::unique_ptr<HostPages> pages_;
  std::vector<Change> changes_;  // that have not been told
  struct Moved {
    Address values = 0;
    std::uint64_t bytes = 0;
  };
  std::map<Address, Moved> moved_;   // memory of which pages were moved, by its address there
  memory::AddressSpace::Told told_;  // while code is loaded
  Load load_;                        // the same
};

}  // namespace raddle::corun
