// Loads any bytes as PTX. The result must be a program or an Error. If the bytes parse, checks,
// linking, register allocation and decoding run.
#include <cstdint>
#include <string>

#include "base/error.h"
#include "isa/program.h"
#include "memory/address_space.h"
#include "ptx/module.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace raddle;
  // Made once, because it reserves much address space. Each input leaves it empty.
  static auto* space = new memory::AddressSpace(std::uint64_t{16} << 20);
  try {
    const ptx::Module module =
        ptx::parse("fuzz.ptx", std::string(reinterpret_cast<const char*>(data), size));
    isa::load_program({&module, 1}, *space);
  } catch (const Error&) {
    // Refused with a message, as required.
  }
  for (const memory::Allocation* one : space->live()) space->free(one->base);
  return 0;
}
