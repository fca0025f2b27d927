// A socket that carries messages, whole ones, with descriptors.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corun/messages.h"
#include "corun/wire.h"

namespace raddle::corun {

class Channel {
 public:
  /// Takes the descriptor over.
  explicit Channel(int socket) : socket_(socket) {}
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  struct Message {
    Tag tag{};
    std::string bytes;
    std::vector<int> descriptors;  // the receiver's to close
  };

  /// False when the other end is gone.
  bool send(Tag tag, std::string_view bytes, const std::vector<int>& descriptors = {});
  /// Waits for the next message; nothing when the other end is gone. Throws Error for what is none.
  std::optional<Message> receive();

  /// The next message, if it has come as a whole; never waits. gone(): there will be none.
  std::optional<Message> take();
  bool gone() const { return gone_; }

  int descriptor() const { return socket_; }
  /// In a child by fork(): the parent's end must be the only one.
  void forget();

 private:
  bool read_some(bool wait);
  std::optional<Message> whole();

  int socket_;
  std::string buffer_;
  std::vector<int> descriptors_;
  bool gone_ = false;
};

/// A socket at which programs ask for a place, under a name that only who is told it knows.
class Entrance {
 public:
  Entrance();
  ~Entrance();
  Entrance(const Entrance&) = delete;
  Entrance& operator=(const Entrance&) = delete;

  const std::string& name() const { return name_; }
  int descriptor() const { return socket_; }
  /// Whoever has come; -1: nobody, or somebody else's process.
  int accept();

 private:
  std::string name_;
  int socket_ = -1;
};

/// A socket to the entrance of that name. Throws Error when nobody is there.
int enter(const std::string& name);

}  // namespace raddle::corun
