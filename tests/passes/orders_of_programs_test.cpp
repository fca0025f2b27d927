// Checks the order of every kernel of the bundled and tested programs, pair by pair.
#include <filesystem>

#include "device_code.h"
#include "order_check.h"
#include "pass_help.h"

namespace raddle::tests {
namespace {

namespace fs = std::filesystem;

TEST(Schedule, OrdersOfAllPrograms) {
  std::size_t swapped = 0, programs = 0;
  for (const auto& entry : fs::directory_iterator(RADDLE_PROGRAM_DIR)) {
    if (!entry.is_regular_file() || entry.path().has_extension()) continue;
    std::vector<ptx::Module> modules;
    try {
      modules = cli::read_device_code(entry.path().string(), 70, isa::Loader());
    } catch (const Error&) {
      continue;  // its kernels are elsewhere
    }
    ++programs;
    for (const ptx::Module& module : modules) {
      std::vector<std::string> complaints;
      isa::Loader loader;
      loader.add(checked(isa::schedule({}), complaints, swapped));
      memory::AddressSpace space(std::uint64_t{1} << 32);
      try {
        loader.load({&module, 1}, space);
      } catch (const Error&) {
        continue;  // instructions of mechanisms, symbols of other modules
      }
      ASSERT_THAT(complaints, testing::IsEmpty()) << entry.path();
    }
  }
  EXPECT_GT(programs, 10u);
  EXPECT_GT(swapped, 1000u);
}

}  // namespace
}  // namespace raddle::tests
