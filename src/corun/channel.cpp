#include "corun/channel.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

namespace raddle::corun {
namespace {

constexpr std::size_t kHead = sizeof(std::uint64_t) + 1;
constexpr std::size_t kMostDescriptors = 8;

/// An abstract address (unix(7)). It leaves no file behind, even if a process is killed.
socklen_t fill(sockaddr_un& address, const std::string& name) {
  address = {};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
}

int make_socket() {
  const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) fail("cannot make a socket: {}", std::strerror(errno));
  return made;
}

}  // namespace

Channel::~Channel() { forget(); }

void Channel::forget() {
  if (socket_ >= 0) close(std::exchange(socket_, -1));
  for (const int descriptor : descriptors_) close(descriptor);
  descriptors_.clear();
  gone_ = true;
}

bool Channel::send(Tag tag, std::string_view bytes, const std::vector<int>& descriptors) {
  std::string text(kHead, '\0');
  const std::uint64_t size = bytes.size();
  std::memcpy(text.data(), &size, sizeof size);
  text[sizeof size] = static_cast<char>(tag);
  text += bytes;
  alignas(cmsghdr) char control[CMSG_SPACE(kMostDescriptors * sizeof(int))] = {};
  iovec part{text.data(), text.size()};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  if (!descriptors.empty()) {
    head.msg_control = control;
    head.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* const rights = CMSG_FIRSTHDR(&head);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size() * sizeof(int));
  }
  while (part.iov_len != 0) {
    const ssize_t sent = sendmsg(socket_, &head, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) {
      pollfd one{socket_, POLLOUT, 0};
      poll(&one, 1, -1);
      continue;
    }
    if (sent <= 0) return false;
    part.iov_base = static_cast<char*>(part.iov_base) + sent;
    part.iov_len -= static_cast<std::size_t>(sent);
    head.msg_control = nullptr;
    head.msg_controllen = 0;
  }
  return true;
}

/// Reads once. Returns false when nothing has arrived.
bool Channel::read_some(bool wait) {
  if (gone_) return false;
  char bytes[1 << 16];
  alignas(cmsghdr) char control[CMSG_SPACE(kMostDescriptors * sizeof(int))] = {};
  iovec part{bytes, sizeof bytes};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  head.msg_control = control;
  head.msg_controllen = sizeof control;
  ssize_t got = 0;
  do {
    got = recvmsg(socket_, &head, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
  } while (got < 0 && errno == EINTR && wait);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got <= 0) {
    gone_ = true;
    return false;
  }
  for (cmsghdr* one = CMSG_FIRSTHDR(&head); one != nullptr; one = CMSG_NXTHDR(&head, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (one->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t n = 0; n < count; ++n) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(one) + n * sizeof(int), sizeof descriptor);
      descriptors_.push_back(descriptor);
    }
  }
  buffer_.append(bytes, static_cast<std::size_t>(got));
  return true;
}

std::optional<Channel::Message> Channel::whole() {
  if (buffer_.size() < kHead) return {};
  std::uint64_t size = 0;
  std::memcpy(&size, buffer_.data(), sizeof size);
  if (buffer_.size() - kHead < size) return {};
  Message message;
  message.tag = static_cast<Tag>(buffer_[sizeof size]);
  message.bytes = buffer_.substr(kHead, size);
  message.descriptors = std::exchange(descriptors_, {});
  buffer_.erase(0, kHead + size);
  return message;
}

std::optional<Channel::Message> Channel::receive() {
  for (;;) {
    if (auto message = whole()) return message;
    if (!read_some(true)) return {};
  }
}

std::optional<Channel::Message> Channel::take() {
  for (;;) {
    if (auto message = whole()) return message;
    if (!read_some(false)) return {};
  }
}

Entrance::Entrance() {
  std::uint64_t random[2] = {};
  if (getrandom(random, sizeof random, 0) != sizeof random)
    fail("the system gives no random number");
  name_ = fmt::format("raddle-{}-{:016x}{:016x}", getpid(), random[0], random[1]);
  socket_ = make_socket();
  sockaddr_un address;
  const socklen_t size = fill(address, name_);
  if (bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(socket_, 64) != 0) {
    fail("cannot make an entrance for programs: {}", std::strerror(errno));
  }
}

Entrance::~Entrance() { close(socket_); }

int Entrance::accept() {
  const int came = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (came < 0) return -1;
  ucred who{};
  socklen_t size = sizeof who;
  const bool known = getsockopt(came, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0;
  if (known && (who.uid == getuid() || who.uid == 0)) return came;
  close(came);
  return -1;
}

int enter(const std::string& name) {
  const int made = make_socket();
  sockaddr_un address;
  const socklen_t size = fill(address, name);
  if (connect(made, reinterpret_cast<sockaddr*>(&address), size) == 0) return made;
  const int error = errno;
  close(made);
  fail("cannot reach raddle corun, which has the GPU: {}", std::strerror(error));
}

}  // namespace raddle::corun
