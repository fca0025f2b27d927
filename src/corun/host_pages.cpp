#include "corun/host_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace raddle::corun {
namespace {

constexpr std::uint64_t kPage = 4096;

Address page_of(Address a) { return a / kPage * kPage; }
Address behind(Address from, std::uint64_t bytes) {
  return (from + bytes + kPage - 1) / kPage * kPage;
}

/// Throws an Error unless [from, to) is private to the process and writable (proc(5), maps).
void require_own(Address from, Address to) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; from < to && std::getline(maps, line);) {
    std::istringstream words(line);
    Address begin = 0, end = 0;
    char dash = 0;
    std::string permissions, offset, device, inode, path;
    words >> std::hex >> begin >> dash >> end >> permissions >> offset >> device >> inode;
    std::getline(words >> std::ws, path);
    if (end <= from) continue;
    if (begin > from) break;
    if (path == "[stack]") {
      fail(
          "kernels cannot reach the stack of a program that shares the GPU (raddle corun): "
          "allocate "
          "the memory");
    }
    // Pages that were moved once and then released are private to the process, too.
    const bool moved = path.starts_with(std::string("/memfd:") + HostPages::kFileName);
    if (permissions.substr(0, 2) != "rw" || (permissions[3] != 'p' && !moved)) {
      fail(
          "kernels of a program that shares the GPU (raddle corun) cannot reach memory which is a "
          "file's, shared with other processes, or only to be read");
    }
    from = end;
  }
  if (from < to) fail("there is no memory at {:#x}", from);
}

}  // namespace

HostPages::~HostPages() { close(file_); }

/// Between the copy and the mapping, this function must not touch the memory that it moves.
void HostPages::move(Address from, Address to) {
  const std::uint64_t bytes = to - from;
  if (bytes > bytes_ - used_) fail("too much memory of the program is registered");
  auto* const pages = reinterpret_cast<std::byte*>(from);
  for (std::uint64_t done = 0; done < bytes;) {
    const ssize_t written =
        pwrite(file_, pages + done, bytes - done, static_cast<off_t>(used_ + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("cannot move memory of the program: {}", std::strerror(errno));
    done += static_cast<std::uint64_t>(written);
  }
  void* const got = mmap(pages, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_,
                         static_cast<off_t>(used_));
  if (got != pages) fail("cannot move memory of the program: {}", std::strerror(errno));
}

std::vector<FilePart> HostPages::share(Address from, std::uint64_t bytes) {
  const Address begin = page_of(from), end = behind(from, bytes);
  const auto moved = [&](Address page) {
    const auto found = pages_.find(page);
    return found != pages_.end() && found->second.uses != 0;
  };
  for (Address at = begin; at < end;) {
    if (moved(at)) {
      at += kPage;
      continue;
    }
    Address to = at;
    while (to < end && !moved(to)) to += kPage;
    require_own(at, to);
    // The map's memory is allocated before the move, because allocation may touch any page.
    for (Address page = at; page < to; page += kPage) pages_[page] = {used_ + (page - at), 0};
    move(at, to);
    used_ += to - at;
    at = to;
  }
  std::vector<FilePart> parts;
  for (Address page = begin; page < end; page += kPage) {
    Page& one = pages_[page];
    ++one.uses;
    const bool goes_on = !parts.empty() && parts.back().offset + parts.back().bytes == one.offset;
    if (!goes_on) parts.push_back({one.offset, 0});
    parts.back().bytes += kPage;
  }
  return parts;
}

void HostPages::release(Address from, std::uint64_t bytes) {
  for (Address page = page_of(from); page < behind(from, bytes); page += kPage) {
    const auto found = pages_.find(page);
    if (found != pages_.end() && --found->second.uses == 0) pages_.erase(found);
  }
}

}  // namespace raddle::corun
