#include "memory/host_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace raddle::memory {
namespace {

/// A line of /proc/self/maps (proc(5)).
struct Mapping {
  Address begin = 0, end = 0;
  std::string permissions, path;
};

/// Calls f(mapping) for each mapping, in the order of addresses, until it returns false.
template <class F>
void for_each_mapping(F f, int process = 0) {
  std::ifstream maps(process == 0 ? "/proc/self/maps"
                                  : "/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    Mapping mapping;
    char dash = 0;
    std::string offset, device, inode;
    words >> std::hex >> mapping.begin >> dash >> mapping.end >> mapping.permissions >> offset >>
        device >> inode;
    std::getline(words >> std::ws, mapping.path);
    if (!f(mapping)) return;
  }
}

std::string described(const std::string& path) {
  if (path == "[stack]") return "its stack";
  if (path == "[heap]") return "its heap";
  if (path.starts_with('/')) return "a variable or code of " + path.substr(path.rfind('/') + 1);
  if (path.starts_with('[')) return "memory of the system, " + path;
  return "memory of its own";
}

}  // namespace

std::optional<std::string> host_memory_at(Address address, int process) {
  std::optional<std::string> found;
  Mapping before;
  for_each_mapping(
      [&](const Mapping& mapping) {
        if (address < mapping.begin) return false;
        if (address < mapping.end) {
          // Variables without an initial value lie behind the mapping of their file.
          const bool of_file = mapping.path.empty() && before.end == mapping.begin &&
                               before.path.starts_with('/') && before.permissions[1] == 'w';
          found = described(of_file ? before.path : mapping.path);
          if (mapping.permissions[0] == '-') *found += ", which it may not read";
          return false;
        }
        before = mapping;
        return true;
      },
      process);
  return found;
}

bool host_may_access(Address address, std::uint64_t bytes, bool write) {
  if (bytes > ~address) return false;
  Address reached = address;
  for_each_mapping([&](const Mapping& mapping) {
    if (mapping.end <= reached) return true;
    const bool fits = mapping.begin <= reached && mapping.permissions[write ? 1 : 0] != '-';
    if (fits) reached = mapping.end;
    return fits && reached < address + bytes;
  });
  return reached >= address + bytes;
}

bool copy_if_accessible(void* to, const void* from, std::size_t bytes) {
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  while (bytes != 0) {
    const iovec here{target, bytes};
    const iovec there{const_cast<std::byte*>(source), bytes};
    const ssize_t copied = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (copied < 0 && errno == EFAULT) return false;
    if (copied <= 0) {
      // The system does not allow this call: copy without protection.
      std::memmove(target, source, bytes);
      return true;
    }
    target += copied;
    source += copied;
    bytes -= static_cast<std::size_t>(copied);
  }
  return true;
}

}  // namespace raddle::memory
