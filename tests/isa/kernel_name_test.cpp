#include "isa/kernel_name.h"

#include <gtest/gtest.h>

namespace raddle::isa {
namespace {

// Mangled by the Itanium C++ ABI's rules.
TEST(KernelName, IsWhatTheSourceSays) {
  EXPECT_EQ(kernel_name("_Z3addPfi"), "add");
  EXPECT_EQ(kernel_name("_ZN3app6gatherIiEEvPKT_PS1_i"), "app::gather<int>");
  EXPECT_EQ(kernel_name("plain"), "plain");
  EXPECT_EQ(kernel_name("f"), "f");                             // not float
  EXPECT_EQ(kernel_name("lookup(int const*, int)"), "lookup");  // as a profiler writes it
  EXPECT_EQ(kernel_name("_ZN3app12_GLOBAL__N_14spinEv"), "app::(anonymous namespace)::spin");
}

}  // namespace
}  // namespace raddle::isa
