#include "corun/client_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "corun/host_pages.h"

namespace raddle::corun {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kPagesBytes = std::uint64_t{1} << 40;

int make_file(const char* name, std::uint64_t bytes) {
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  fail("the system gives no memory for a program on the GPU: {}", std::strerror(errno));
}

void require_same(bool same, const Change& change) {
  if (same) return;
  fail("internal error: the memory at {:#x} ('{}') is not what it is in the program", change.base,
       change.name);
}

}  // namespace

ClientMemory::ClientMemory(unsigned client, const DeviceMemory& memory)
    : device_(make_file("raddle device memory",
                        memory::SharedWindows::device_bytes(memory.bytes, memory.protection))),
      host_(make_file("raddle host memory", memory::SharedWindows::host_bytes())),
      pages_(make_file(HostPages::kFileName, kPagesBytes)) {
  const memory::SharedWindows windows{client, device_, host_, true};
  space_ = std::make_unique<memory::AddressSpace>(memory.bytes, memory.protection, &windows);
  space_->find_host_values(
      [this](Address from, std::uint64_t size) { return host_values(from, size); });
}

ClientMemory::~ClientMemory() {
  space_.reset();
  for (const View& one : views_) munmap(one.begin, one.bytes);
  for (const int file : {device_, host_, pages_}) close(file);
}

/// Maps the pages one after the other, as they lie in the program. Returns the place of the value
/// at `from`.
std::byte* ClientMemory::view(Address from, const std::vector<FilePart>& pages) {
  std::uint64_t bytes = 0;
  for (const FilePart& part : pages) bytes += part.bytes;
  void* const got =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == 0 || got == MAP_FAILED)
    fail("the system gives no addresses for memory of a program");
  auto* const begin = static_cast<std::byte*>(got);
  views_.push_back({begin, bytes});
  std::uint64_t done = 0;
  for (const FilePart& part : pages) {
    void* const there = mmap(begin + done, part.bytes, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_FIXED, pages_, static_cast<off_t>(part.offset));
    if (there == MAP_FAILED) fail("cannot map memory of a program: {}", std::strerror(errno));
    done += part.bytes;
  }
  return begin + from % kPage;
}

void ClientMemory::find(Address from, std::uint64_t bytes, const std::vector<FilePart>& pages) {
  own_.push_back({from, bytes, view(from, pages)});
}

std::byte* ClientMemory::host_values(Address from, std::uint64_t bytes) const {
  for (auto one = own_.rbegin(); one != own_.rend(); ++one) {
    if (from >= one->from && from + bytes <= one->from + one->bytes) {
      return one->values + (from - one->from);
    }
  }
  fail("internal error: nobody has told where the program's memory at {:#x} is", from);
}

void ClientMemory::apply(const Change& change) {
  using What = memory::SpaceChange::What;
  switch (change.what) {
    case What::allocate:
      return require_same(
          change.base == space_->allocate(change.bytes, change.kind, change.name, change.alignment),
          change);
    case What::allocate_shared:
      return require_same(
          change.base == space_->allocate_shared_with_host(change.bytes, change.kind, change.name),
          change);
    case What::free:
      return require_same(space_->free(change.base) == memory::AddressSpace::FreeResult::freed,
                          change);
    case What::register_host:
      find(change.base, change.bytes, change.pages);
      return require_same(space_->register_host(reinterpret_cast<void*>(change.base), change.bytes,
                                                change.kind, change.name),
                          change);
    case What::unregister_host:
      return require_same(space_->unregister_host(reinterpret_cast<void*>(change.base)), change);
    case What::host_unmapped:
      return space_->host_unmapped(change.base, change.bytes);
    case What::map:
      // The values have another address in the program. Its position in the page is the same.
      return space_->map(change.base, change.bytes, change.kind, change.name,
                         view(change.alignment, change.pages));
    case What::unmap:
      return space_->unmap(change.base, change.freed);
  }
  fail("a message of raddle corun holds no change of memory");
}

void ClientMemory::free_heap() {
  std::vector<Address> heap;
  for (const memory::Allocation* one : space_->live()) {
    if (one->kind == memory::Kind::device_heap) heap.push_back(one->base);
  }
  for (const Address base : heap) space_->free(base);
}

}  // namespace raddle::corun
