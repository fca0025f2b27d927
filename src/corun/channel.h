// A socket that carries whole messages, with file descriptors.
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
  /// Takes ownership of the descriptor.
  explicit Channel(int socket) : socket_(socket) {}
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  struct Message {
    Tag tag{};
    std::string bytes;
    std::vector<int> descriptors;  // the receiver closes them
  };

  /// Returns false when the other end is gone.
  bool send(Tag tag, std::string_view bytes, const std::vector<int>& descriptors = {});
  /// Waits for the next message. Returns none when the other end is gone. Throws an Error for bytes
  /// that are not a message.
  std::optional<Message> receive();

  /// The next message, if all of it has arrived. Never waits. If gone() is true, there will be no
  /// more messages.
  std::optional<Message> take();
  bool gone() const { return gone_; }

  int descriptor() const { return socket_; }
  /// Closes the socket in a child by fork(), so that the parent has the only one.
  void forget();

 private:
  bool read_some(bool wait);
  std::optional<Message> whole();

  int socket_;
  std::string buffer_;
  std::vector<int> descriptors_;
  bool gone_ = false;
};

/// A socket at which programs connect. Only processes that were told its name can find it.
class Entrance {
 public:
  Entrance();
  ~Entrance();
  Entrance(const Entrance&) = delete;
  Entrance& operator=(const Entrance&) = delete;

  const std::string& name() const { return name_; }
  int descriptor() const { return socket_; }
  /// Accepts a connection. Returns -1 when there is none, or when the process belongs to another
  /// user.
  int accept();

 private:
  std::string name_;
  int socket_ = -1;
};

/// Connects to the entrance of that name. Throws an Error when no process listens there.
int enter(const std::string& name);

}  // namespace raddle::corun
