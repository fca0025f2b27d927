// Makes modules around statements, and asks raddle about them.
#include <fmt/core.h>

#include "base/error.h"
#include "isa/loader.h"
#include "memory/address_space.h"
#include "statements.h"

namespace raddle::tests {
namespace {

constexpr const char* kHead = R"(.version 9.0
.target {}
.address_size 64
.global .align 32 .b8 G[64]; .func f() {{ ret; }}
.shared .align 32 .b8 S[64];
.const .align 32 .b8 C[64];
.visible .entry k(
  .param .u64 P0,
  .param .align 16 .b8 PB[32]
)
{{
  .local .align 32 .b8 L[64];
  .reg .pred %p<8>;
  .reg .b8 %b<4>; .reg .u8 %ub<4>; .reg .s8 %sb<4>;
  .reg .b16 %rs<48>; .reg .u16 %us<8>; .reg .s16 %ss<8>;
  .reg .b32 %r<64>; .reg .u32 %u<8>; .reg .s32 %s<8>;
  .reg .b64 %rd<48>; .reg .u64 %ul<8>; .reg .s64 %sl<8>;
  .reg .b128 %q<24>;
  .reg .f32 %f<32>;
  .reg .f64 %fd<32>;
  .reg .f16 %h<8>; .reg .f16x2 %hx<8>;
  ld.param.u64 %rd1, [P0];
  cvt.u32.u64 %r8, %rd1;
  TL: .branchtargets LB;


)";

bool loads(const std::string& text, bool& unsupported) {
  static const auto* const kLoader = new isa::Loader;
  try {
    const ptx::Module module = ptx::parse("form.ptx", text);
    memory::AddressSpace space(std::uint64_t{1} << 20);
    const auto program = kLoader->load(std::span(&module, 1), space);
    for (const isa::Function& one : program->functions) unsupported |= !one.unsupported.empty();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string module_of(const std::vector<Statement>& statements, const std::string& target) {
  std::string text = fmt::format(kHead, target);
  for (const Statement& statement : statements) text += "  " + statement + ";\n";
  return text + "LB:\n  ret;\n}\n";
}

Verdict ask_raddle(const Statement& statement) {
  bool unsupported = false;
  if (!loads(module_of({statement}, kTarget), unsupported)) return Verdict::refused;
  return unsupported ? Verdict::unsupported : Verdict::accepted;
}

}  // namespace raddle::tests
