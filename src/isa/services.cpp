#include "isa/services.h"

namespace raddle::isa {

Address Services::allocate(std::uint64_t bytes) {
  if (bytes == 0 || bytes > heap_bytes_ - heap_used_) return 0;
  const Address made = space_.allocate(bytes, memory::Kind::device_heap, "malloc in a kernel");
  if (made != 0) heap_used_ += bytes;
  return made;
}

bool Services::release(Address address) {
  const memory::Allocation* allocation = space_.find(address);
  if (allocation == nullptr || allocation->freed || allocation->base != address ||
      allocation->kind != memory::Kind::device_heap) {
    return false;
  }
  heap_used_ -= allocation->size;
  space_.free(address);
  return true;
}

}  // namespace raddle::isa
