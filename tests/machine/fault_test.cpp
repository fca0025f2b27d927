#include "machine/fault.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

TEST(FaultText, NamesPlaceThreadAndNearestAllocation) {
  memory::AddressSpace space(1 << 20);
  const Address base = space.allocate(4096, memory::Kind::device, "d_out");
  isa::Program program;
  program.code.resize(1);
  program.info.push_back({"st.global.f32 [%rd8], %f3;", {}, 0});
  program.module_names = {"vecadd.ptx"};
  program.source_files.resize(1);
  isa::Fault fault;
  fault.kind = isa::Fault::Kind::out_of_bounds;
  fault.bytes = 4;
  fault.type = isa::MemoryAccess::Type::store;
  fault.space = isa::MemoryAccess::Space::global;
  fault.address = base + 4096 + 17;
  FaultSite site;
  site.program = &program;
  site.kernel = "vecadd";
  site.block = {3, 0, 0};
  site.block_size = {16, 4, 1};
  site.thread = 37;
  const std::string text = fault_text(fault, site, space);
  EXPECT_NE(text.find("access out of bounds: 4-byte store to global address"), std::string::npos);
  EXPECT_NE(text.find("kernel vecadd"), std::string::npos);
  EXPECT_NE(text.find("st.global.f32 [%rd8], %f3;"), std::string::npos);
  EXPECT_NE(text.find("block (3,0,0), thread (5,2,0)"), std::string::npos);
  EXPECT_NE(text.find("17 bytes past the end of 'd_out'"), std::string::npos) << text;
  EXPECT_NE(text.find("4096 bytes"), std::string::npos);
}

}  // namespace
}  // namespace raddle::machine
