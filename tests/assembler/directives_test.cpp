// Directives that ptxas 13.0 refuses are refused, those that it takes are taken. The verdicts are its.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <ostream>

#include "base/error.h"
#include "isa/loader.h"
#include "memory/address_space.h"

namespace raddle::tests {
namespace {

struct Module {
  bool taken;
  const char *version, *target, *before, *directives, *body;
};

std::ostream& operator<<(std::ostream& out, const Module& one) {
  return out << one.version << ' ' << one.target << ' ' << one.before << ' ' << one.directives
             << " { " << one.body << " }";
}

constexpr const char* kManaged = ".global .attribute(.managed) .s32 g;";
constexpr const char* kAlias = ".func a() { ret; } .func b(); .alias b, a;";
constexpr const char* kNoReturn = ".func f() .noreturn { trap; }";

constexpr Module kModules[] = {
    {false, "8.0", "sm_90", "", ".reqnctapercluster 2, 1, 1 .maxclusterrank 4", ""},
    {true, "8.0", "sm_90", "", ".reqnctapercluster 2, 1, 1", ""},
    {true, "8.0", "sm_90", "", ".maxclusterrank 4", ""},
    {false, "8.0", "sm_80", "", ".reqnctapercluster 2, 1, 1", ""},
    {false, "8.0", "sm_80", "", ".maxclusterrank 4", ""},
    {false, "8.0", "sm_80", "", ".explicitcluster", ""},
    {false, "7.7", "sm_80", "", ".explicitcluster", ""},
    {true, "9.0", "sm_90", "", ".blocksareclusters .reqntid 32 .reqnctapercluster 1", ""},
    {false, "8.8", "sm_90", "", ".blocksareclusters .reqntid 32 .reqnctapercluster 1", ""},
    {false, "9.0", "sm_80", "", ".blocksareclusters .reqntid 32 .reqnctapercluster 1", ""},
    {false, "9.0", "sm_90", "", ".blocksareclusters .reqntid 32", ""},
    {false, "9.0", "sm_90", "", ".blocksareclusters .reqnctapercluster 1", ""},
    {false, "8.0", "sm_90, map_f64_to_f32", "", "", ""},
    {true, "4.0", "sm_50, texmode_unified", "", "", ""},
    {false, "4.0", "sm_50, foo", "", "", ""},
    {false, "9.0", "sm_80", "", ".noreturn", ""},
    {false, "9.0", "sm_80", "", ".minnctapersm 0", ""},
    {true, "9.0", "sm_80", "", ".minnctapersm 2", ""},
    {false, "9.0", "sm_80", "", ".maxnreg 0", ""},
    {false, "9.0", "sm_80", "", ".maxnctapersm 2", ""},
    {true, "6.4", "sm_30", kNoReturn, "", ""},
    {false, "6.3", "sm_70", kNoReturn, "", ""},
    {false, "6.4", "sm_20", kNoReturn, "", ""},
    {true, "6.3", "sm_30", kAlias, "", ""},
    {false, "6.2", "sm_30", kAlias, "", ""},
    {false, "6.4", "sm_20", kAlias, "", ""},
    {true, "4.0", "sm_30", kManaged, "", ""},
    {false, "3.2", "sm_30", kManaged, "", ""},
    {false, "4.0", "sm_20", kManaged, "", ""},
    {true, "9.0", "sm_90", ".pragma \"nounroll\";", "", ""},
    {false, "9.0", "sm_90", ".pragma \"foo\";", "", ""},
    {true, "9.0", "sm_90", "", ".pragma \"foo\";", ""},
    {true, "9.0", "sm_90", "", "", ".pragma \"foo\";"},
    {false, "9.0", "sm_90", "", ".pragma \"used_bytes_mask 0xfff\";", ""},
    {true, "9.0", "sm_90", "", "", ".pragma \"used_bytes_mask 0xfff\";"},
    {true, "9.0", "sm_90", ".const .b8 a[1]; .const .align 16 .b8 c[65520];", "", ""},
    {false, "9.0", "sm_90", ".const .b8 a[1]; .const .align 16 .b8 c[65521];", "", ""},
    {true, "9.0", "sm_90", ".const .align 16 .b8 c[65521]; .const .b8 a[1];", "", ""},
    {false, "9.0", "sm_90", "", "", ";"},
    // First targets of what is not carried out.
    {true, "9.0", "sm_90a", "", "", "wgmma.fence.sync.aligned;"},
    {false, "9.0", "sm_100a", "", "", "wgmma.fence.sync.aligned;"},
    {true, "9.0", "sm_100a", "", "", "tcgen05.wait::ld.sync.aligned;"},
    {false, "9.0", "sm_120a", "", "", "tcgen05.wait::ld.sync.aligned;"},
    {true, "9.0", "sm_90", "", "", "cp.async.bulk.commit_group;"},
    {false, "9.0", "sm_75", "", "", "cp.async.bulk.commit_group;"},
    {false, "9.0", "sm_80", "", "", "fence.proxy.tensormap::generic.release.gpu;"},
    {true, "8.3", "sm_90", "", "", "fence.proxy.tensormap::generic.release.gpu;"},
};

class Directives : public testing::TestWithParam<Module> {};

TEST_P(Directives, AreTakenAsByPtxas) {
  const Module& one = GetParam();
  const std::string text =
      fmt::format(".version {}\n.target {}\n.address_size 64\n{}\n.entry k() {}\n{{ {} ret; }}\n",
                  one.version, one.target, one.before, one.directives, one.body);
  std::string refusal;
  try {
    const ptx::Module module = ptx::parse("directives.ptx", text);
    memory::AddressSpace space(std::uint64_t{1} << 20);
    isa::Loader().load(std::span(&module, 1), space);
  } catch (const Error& error) {
    refusal = error.what();
  }
  EXPECT_EQ(refusal.empty(), one.taken) << refusal;
}

INSTANTIATE_TEST_SUITE_P(Ptxas, Directives, testing::ValuesIn(kModules));

}  // namespace
}  // namespace raddle::tests
