// Whatever bytes come, loading them ends in a program or an Error: checks, linking, register
// allocation and decoding run for what parses.
#include <cstdint>
#include <string>

#include "base/error.h"
#include "isa/program.h"
#include "memory/address_space.h"
#include "ptx/module.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace raddle;
  // Once, because it reserves much address space; each input leaves it empty.
  static auto* space = new memory::AddressSpace(std::uint64_t{16} << 20);
  try {
    const ptx::Module module =
        ptx::parse("fuzz.ptx", std::string(reinterpret_cast<const char*>(data), size));
    isa::load_program({&module, 1}, *space);
  } catch (const Error&) {
    // Refused with a message, as it should be.
  }
  for (const memory::Allocation* one : space->live()) space->free(one->base);
  return 0;
}
