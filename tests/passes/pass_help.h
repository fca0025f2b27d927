// Runs passes on a kernel, and shows the result.
#pragma once

#include <gmock/gmock-matchers.h>

#include <string>
#include <vector>

#include "isa/loader.h"
#include "isa/passes/built_in.h"
#include "memory/address_space.h"

namespace raddle::tests {

/// The kernel `k` with the parameters a and b, which %rd1 and %rd2 hold, %tid.x being in %r1.
inline std::string kernel(const std::string& body) {
  return R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b) {
  .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<40>; .reg .pred %p<12>; .reg .b16 %h<8>;
  .shared .align 4 .b8 tile[1024];
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  mov.u32 %r1, %tid.x;
)" + body +
         R"(
  ret;
})";
}

/// The instructions of the kernel's code as the program has them, those of `kernel` left out.
inline std::vector<std::string> texts(const isa::Program& program) {
  const isa::Function& k = *program.find_kernel("k");
  std::vector<std::string> found;
  for (std::uint32_t n = k.first; n < k.end; ++n) {
    if (program.info[n].at.line > 9 && program.code[n].kind != isa::Kind::exit) {
      found.push_back(program.info[n].text);
    }
  }
  return found;
}

inline std::unique_ptr<isa::Program> after(const isa::PassList& passes, const std::string& text) {
  isa::Loader loader;
  for (const auto& pass : passes) loader.add(pass);
  memory::AddressSpace space(std::uint64_t{1} << 26);
  const ptx::Module module = ptx::parse("test.ptx", text);
  return loader.load({&module, 1}, space);
}

}  // namespace raddle::tests
