#include "statements.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/ptx_forms/compute_forms.h"
#include "tests/ptx_forms/image_forms.h"
#include "tests/ptx_forms/matrix_forms.h"
#include "tests/ptx_forms/memory_forms.h"

namespace raddle::tests {
namespace {

namespace fs = std::filesystem;

struct Text {
  std::string name, text;
};

/// What other texts do not have, or not in a line of its own.
constexpr const char* kOthers = R"(.version 9.0
.target sm_100a
.address_size 64
.visible .entry others(.param .u64 p0)
{
  .reg .pred %p<4>;
  .reg .b8 %b<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  shfl.up.b32 %r0, %r1, 1, 31;
  shfl.bfly.b32 %r0|%p0, %r1, 1, 31;
  shfl.down.b32 %r0, %r1, 1, 31;
  shfl.idx.b32 %r0, %r1, 1, 31;
  vote.all.pred %p0, %p1;
  vote.any.pred %p0, %p1;
  vote.uni.pred %p0, %p1;
  vote.ballot.b32 %r0, %p1;
  txq.level.width.b32 %r0, [%rd0], %r1;
  suq.width.b32 %r0, [%rd0];
  cvt.rn.f16x2.e2m1x2 %r0, %b0;
  ld.global.nc.u32 %r0, [%rd0];
  ld.global.ca.u32 %r0, [%rd0];
  ld.global.cg.u32 %r0, [%rd0];
  ld.global.cs.u32 %r0, [%rd0];
  ld.global.lu.u32 %r0, [%rd0];
  ld.global.cv.u32 %r0, [%rd0];
  ld.weak.global.u32 %r0, [%rd0];
  ld.volatile.global.u32 %r0, [%rd0];
  ld.acquire.cta.global.u32 %r0, [%rd0];
  ld.acquire.gpu.global.u32 %r0, [%rd0];
  ld.acquire.cluster.global.u32 %r0, [%rd0];
  ld.relaxed.sys.global.u32 %r0, [%rd0];
  ld.mmio.relaxed.sys.global.u32 %r0, [%rd0];
  st.mmio.relaxed.sys.global.u32 [%rd0], %r0;
  ld.global.L1::evict_normal.u32 %r0, [%rd0];
  ld.global.L1::evict_unchanged.u32 %r0, [%rd0];
  ld.global.L1::evict_first.u32 %r0, [%rd0];
  ld.global.L1::evict_last.u32 %r0, [%rd0];
  ld.global.L1::no_allocate.u32 %r0, [%rd0];
  ld.global.L2::64B.u32 %r0, [%rd0];
  ld.global.L2::128B.u32 %r0, [%rd0];
  ld.global.L2::256B.u32 %r0, [%rd0];
  ld.global.L2::cache_hint.u32 %r0, [%rd0], %rd1;
  ld.global.nc.L1::evict_last.L2::128B.u32 %r0, [%rd0];
  ld.global.L2::evict_last.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%rd0];
  ld.global.L2::evict_first.v4.b64 {%rd0, %rd1, %rd2, %rd3}, [%rd0];
  st.global.L2::evict_normal.v4.b64 [%rd0], {%rd0, %rd1, %rd2, %rd3};
  atom.global.or.b64 %rd0, [%rd1], %rd2;
  atom.shared.cas.b64 %rd0, [%rd1], %rd2, %rd3;
  red.shared.add.f32 [%rd0], %r0;
  mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16 {%r0, %r1}, {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r2, %r3}, %r4, 0;
  ret;
}
)";

constexpr const char* kSpecialRegisters = R"(.version 9.0
.target sm_100a
.address_size 64
.visible .entry special_registers(.param .u64 p0)
{
  .reg .pred %p<1>;
  .reg .b32 %r<1>;
  .reg .b64 %rd<1>;
  mov.u32 %r0, %aggr_smem_size;
  mov.u32 %r0, %clock;
  mov.u32 %r0, %clock_hi;
  mov.u32 %r0, %cluster_ctarank;
  mov.u32 %r0, %cluster_nctarank;
  mov.u32 %r0, %dynamic_smem_size;
  mov.u32 %r0, %globaltimer_hi;
  mov.u32 %r0, %globaltimer_lo;
  mov.u32 %r0, %gridid;
  mov.u32 %r0, %laneid;
  mov.u32 %r0, %lanemask_eq;
  mov.u32 %r0, %lanemask_ge;
  mov.u32 %r0, %lanemask_gt;
  mov.u32 %r0, %lanemask_le;
  mov.u32 %r0, %lanemask_lt;
  mov.u32 %r0, %nsmid;
  mov.u32 %r0, %nwarpid;
  mov.u32 %r0, %reserved_smem_offset_0;
  mov.u32 %r0, %reserved_smem_offset_1;
  mov.u32 %r0, %reserved_smem_offset_begin;
  mov.u32 %r0, %reserved_smem_offset_cap;
  mov.u32 %r0, %reserved_smem_offset_end;
  mov.u32 %r0, %smid;
  mov.u32 %r0, %total_smem_size;
  mov.u32 %r0, %warpid;
  mov.u32 %r0, %pm0;
  mov.u32 %r0, %pm3;
  mov.u32 %r0, %pm4;
  mov.u32 %r0, %pm7;
  mov.u32 %r0, %envreg0;
  mov.u32 %r0, %envreg31;
  mov.u32 %r0, %tid.x;
  mov.u32 %r0, %tid.y;
  mov.u32 %r0, %tid.z;
  mov.u32 %r0, %ntid.x;
  mov.u32 %r0, %ntid.y;
  mov.u32 %r0, %ntid.z;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r0, %ctaid.y;
  mov.u32 %r0, %ctaid.z;
  mov.u32 %r0, %nctaid.x;
  mov.u32 %r0, %nctaid.y;
  mov.u32 %r0, %nctaid.z;
  mov.u32 %r0, %clusterid.x;
  mov.u32 %r0, %clusterid.y;
  mov.u32 %r0, %clusterid.z;
  mov.u32 %r0, %nclusterid.x;
  mov.u32 %r0, %nclusterid.y;
  mov.u32 %r0, %nclusterid.z;
  mov.u32 %r0, %cluster_ctaid.x;
  mov.u32 %r0, %cluster_ctaid.y;
  mov.u32 %r0, %cluster_ctaid.z;
  mov.u32 %r0, %cluster_nctaid.x;
  mov.u32 %r0, %cluster_nctaid.y;
  mov.u32 %r0, %cluster_nctaid.z;
  mov.u64 %rd0, %clock64;
  mov.u64 %rd0, %globaltimer;
  mov.u64 %rd0, %current_graph_exec;
  mov.u64 %rd0, %pm0_64;
  mov.u64 %rd0, %pm7_64;
  mov.pred %p0, %is_explicit_cluster;
  ret;
}
)";

/// What must not load, or is of a mechanism, is nobody's form.
std::vector<Text> behaviour_texts(const std::string& folder) {
  std::vector<Text> texts;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    if (text.str().find("// error:") != std::string::npos) continue;
    texts.push_back({entry.path().lexically_relative(folder).string(), text.str()});
  }
  std::sort(texts.begin(), texts.end(),
            [](const Text& a, const Text& b) { return a.name < b.name; });
  return texts;
}

std::vector<Text> generated_texts(isa::Matcher& matcher) {
  std::vector<Text> texts;
  for (const isa::CompiledRow& row : matcher.rows()) {
    std::vector<ComputedForm> forms = computed_forms(matcher, row, true);
    // Such kernels load and store numbers.
    std::erase_if(forms, [](const ComputedForm& form) {
      const std::string_view type = form.words.back();
      return form.row->row->mnemonic == "mov" && (type == "pred" || type == "b128");
    });
    if (forms.empty()) continue;
    const std::string name = std::string(row.row->mnemonic) + std::string(row.row->syntax);
    texts.push_back({name, compute_kernel(forms).text});
  }
  std::map<std::string, std::vector<AccessForm>> loads, stores;
  for (const AccessForm& form : load_forms()) loads[form.space].push_back(form);
  for (const AccessForm& form : store_forms()) stores[form.space].push_back(form);
  for (const auto& [space, forms] : loads) texts.push_back({"ld", load_kernel(space, forms, {0})});
  for (const auto& [space, forms] : stores) texts.push_back({"st", store_kernel(space, forms)});
  texts.push_back({"atom", atomic_kernel(atomic_forms(matcher))});
  texts.push_back({"surfaces", surface_kernel(surface_forms(matcher))});
  texts.push_back({"textures", texture_kernel(texture_forms(matcher))});
  for (const MatrixProgram& one : wmma_programs(matcher)) texts.push_back({one.name, one.text});
  // Of sparse ones ptxas takes only the behaviour files: here the metadata is a constant.
  for (const MatrixProgram& one : mma_programs(matcher)) {
    if (!one.name.starts_with("mma.sp")) texts.push_back({one.name, one.text});
  }
  return texts;
}

/// Labels and special registers have introductions of their own: those of registers are asked for by
/// kSpecialRegisters.
bool is_plain(const std::vector<ptx::Operand>& operands) {
  return std::all_of(operands.begin(), operands.end(), [](const ptx::Operand& operand) {
    return operand.kind != ptx::Operand::Kind::special && is_plain(operand.elements);
  });
}

std::map<unsigned, std::string> forms_of(const Text& text) {
  std::map<unsigned, std::string> forms;
  std::map<unsigned, unsigned> instructions;
  const ptx::Module module = ptx::parse(text.name, text.text);
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.instructions) {
      ++instructions[instruction.at.line];
      if (is_plain(instruction.operands)) {
        forms[instruction.at.line] = form_name(instruction);
      } else if (instruction.opcode == "mov" && text.text == kSpecialRegisters) {
        forms[instruction.at.line] = std::string(instruction.operands[1].name) + "/0";
      }
    }
  }
  std::erase_if(forms, [&](const auto& one) { return instructions[one.first] != 1; });
  return forms;
}

}  // namespace

std::vector<FormProgram> form_programs(isa::Matcher& matcher, const std::string& behaviour_folder) {
  std::vector<FormProgram> programs;
  std::vector<Text> texts = generated_texts(matcher);
  texts.push_back({"others", kOthers});
  texts.push_back({"special registers", kSpecialRegisters});
  for (Text& text : behaviour_texts(behaviour_folder)) texts.push_back(std::move(text));
  std::set<std::string> known;
  for (Text& text : texts) {
    FormProgram program{text.name, text.text, forms_of(text)};
    bool any = false;
    for (const auto& [line, form] : program.forms) any |= known.insert(form).second;
    if (any) programs.push_back(std::move(program));
  }
  return programs;
}

std::string form_name(const ptx::Instruction& instruction) {
  std::string name(instruction.opcode);
  for (const std::string_view word : instruction.modifiers) name.append(".").append(word);
  return name.append("/").append(std::to_string(instruction.operands.size()));
}

ptx::Instruction instruction_of(const std::string& form_name) {
  const std::string_view text = form_name;
  const std::size_t slash = text.rfind('/');
  Words words;
  append_words(words, text.substr(0, slash));
  ptx::Instruction instruction;
  instruction.opcode = words.front();
  instruction.modifiers.assign(words.begin() + 1, words.end());
  instruction.operands.resize(std::stoul(form_name.substr(slash + 1)));
  return instruction;
}

std::string retargeted(const std::string& text, const std::string& version,
                       const std::string& target) {
  std::string out = text;
  const auto replace = [&](const std::string& directive, const std::string& value) {
    const std::size_t at = out.find(directive) + directive.size();
    out.replace(at, out.find_first_of(", \n", at) - at, value);
  };
  replace(".version ", version);
  replace(".target ", target);
  return out;
}

}  // namespace raddle::tests
