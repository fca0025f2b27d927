// How often kernels access local memory because of spills, compared with an assembler's code for
// the same PTX.
#include <fstream>
#include <map>
#include <sstream>

#include "pass_help.h"

namespace raddle::tests {
namespace {

/// STL and LDL instructions in machine code by ptxas of CUDA 13.0, of which sm_80 has registers and
/// threads as sm_70 (which it no longer knows):
///   raddle cc -ptx -DMIN_BLOCKS=<blocks> -o many.ptx tests/passes/many_registers.cu
///   ptxas -arch=sm_80 -o many.cubin many.ptx
struct Counted {
  const char* kernel;
  unsigned blocks, accesses;
};
constexpr Counted kAssembler[] = {
    {"convolution5", 3, 0},    {"options", 3, 0},       {"dct", 3, 0},
    {"sort32", 3, 0},          {"bodies", 3, 0},        {"stencil27", 3, 0},
    {"sgemm", 3, 238},         {"many_floats", 3, 146}, {"many_values", 3, 187},
    {"convolution5", 4, 271},  {"options", 4, 0},       {"dct", 4, 70},
    {"sort32", 4, 6},          {"bodies", 4, 0},        {"stencil27", 4, 0},
    {"sgemm", 4, 719},         {"many_floats", 4, 184}, {"many_values", 4, 255},
    {"convolution5", 6, 1279}, {"options", 6, 0},       {"dct", 6, 293},
    {"sort32", 6, 62},         {"bodies", 6, 20},       {"stencil27", 6, 0},
    {"sgemm", 6, 1199},        {"many_floats", 6, 327}, {"many_values", 6, 353},
};

std::unique_ptr<isa::Program> loaded(unsigned blocks) {
  std::ifstream file(RADDLE_MANY_REGISTERS);
  std::stringstream text;
  text << file.rdbuf();
  std::string ptx = text.str();
  const std::string bound = ".maxntid 256, 1, 1";
  for (std::size_t at = 0; (at = ptx.find(bound, at)) != std::string::npos;) {
    at += bound.size();
    ptx.insert(at, fmt::format(" .minnctapersm {}", blocks));
  }
  isa::Loader loader;
  for (const auto& pass : isa::built_in_passes()) loader.add(pass);
  memory::AddressSpace space(std::uint64_t{1} << 26);
  const ptx::Module module = ptx::parse("many.ptx", ptx);
  return loader.load({&module, 1}, space);
}

unsigned local_accesses(const isa::Program& program, const isa::Function& kernel) {
  unsigned count = 0;
  for (std::uint32_t n = kernel.first; n < kernel.end; ++n) {
    count += (program.code[n].extra & 2) != 0 ? 1 : 0;  // kFrameRelative
  }
  return count;
}

/// Of all kernels together, and of each where it is more than a few.
TEST(ManyRegisters, NoMoreLocalAccessesThanAnAssembler) {
  for (const unsigned blocks : {3u, 4u, 6u}) {
    const auto program = loaded(blocks);
    unsigned ours = 0, assembler = 0;
    for (const Counted& one : kAssembler) {
      if (one.blocks != blocks) continue;
      const isa::Function* kernel = program->find_kernel(one.kernel);
      ASSERT_NE(kernel, nullptr) << one.kernel;
      const unsigned here = local_accesses(*program, *kernel);
      ours += here;
      assembler += one.accesses;
      if (one.accesses > 100) {
        EXPECT_LE(here, one.accesses) << one.kernel << ", " << blocks;
      }
    }
    EXPECT_LE(ours, assembler) << blocks << " blocks";
  }
}

// 65536 registers for 3, 4 and 6 blocks of 256 threads, in units of 256 a warp: 80, 64 and 40.
TEST(ManyRegisters, AsManyAsTheBlocksLeave) {
  for (const auto& [blocks, registers] : {std::pair<unsigned, unsigned>{3, 80}, {4, 64}, {6, 40}}) {
    const auto program = loaded(blocks);
    for (const isa::Function& function : program->functions) {
      if (function.entry) {
        EXPECT_LE(function.registers_per_thread, registers) << function.name << ", " << blocks;
      }
    }
  }
}

}  // namespace
}  // namespace raddle::tests
