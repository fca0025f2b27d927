// The connection of a simulated program to the process that has the GPU (raddle corun). It tells
// that process about the memory of the program and the code that it loads, so that kernels find
// both there.
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

/// An environment variable that `raddle corun` sets for each program: the program's position in the
/// command, a blank, and the name of the entrance.
constexpr const char* kVariable = "RADDLE_CORUN";

/// One for each process. Used by one thread at a time.
class Connection : public isa::LoadListener {
 public:
  /// `text`: the value of the variable. Throws an Error when the program cannot take part.
  Connection(const std::string& text, bool lenient);
  ~Connection() override;

  /// For the address space of this process.
  const memory::SharedWindows& windows() const { return windows_; }
  /// From this call on, changes of the address space are told. The address space must outlive this
  /// object.
  void follow(memory::AddressSpace& space);

  // isa::LoadListener
  void loading(std::span<const ptx::Module> modules, memory::AddressSpace& space,
               const std::map<std::string, void*>& homes) override;
  void loaded(memory::AddressSpace& space, const isa::Program* program) override;

  // For the engine (remote_engine.h).
  void send(Advance request);
  void interrupt();
  /// The answer to send(), if it has arrived.
  std::optional<Progress> take_progress();
  /// The descriptor to poll for the answer.
  int descriptor() const { return channel_->descriptor(); }
  /// Handles cudaDeviceReset.
  void reset();

  /// Call it in a child by fork().
  void forget() { channel_->forget(); }

 private:
  std::string answer(Tag tag);
  void note(const memory::SpaceChange& change);

  std::unique_ptr<Channel> channel_;
  memory::SharedWindows windows_;
  std::unique_ptr<HostPages> pages_;
  std::vector<Change> changes_;  // changes that have not been sent
  struct Moved {
    Address values = 0;
    std::uint64_t bytes = 0;
  };
  std::map<Address, Moved> moved_;   // memory whose pages were moved, by its address
  memory::AddressSpace::Told told_;  // while code is loaded
  Load load_;                        // the same
};

}  // namespace raddle::corun
