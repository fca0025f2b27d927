#include "form_list.h"

#include <algorithm>

namespace raddle::tests {

std::string written(std::string_view mnemonic, const Words& words) {
  std::string text(mnemonic);
  for (const std::string_view word : words) text.append(".").append(word);
  return text;
}

bool is_hint(std::string_view mnemonic, std::string_view word) {
  constexpr std::string_view kMemory[] = {"weak",
                                          "relaxed",
                                          "acquire",
                                          "release",
                                          "acq_rel",
                                          "volatile",
                                          "mmio",
                                          "cta",
                                          "cluster",
                                          "gpu",
                                          "sys",
                                          "shared::cta",
                                          "shared::cluster",
                                          "param::entry",
                                          "ca",
                                          "cg",
                                          "cs",
                                          "lu",
                                          "cv",
                                          "wb",
                                          "wt",
                                          "nc",
                                          "unified",
                                          "noftz",
                                          "aligned",
                                          "param::func"};
  if (mnemonic == "fence" || mnemonic == "membar") return false;  // they have nothing else
  if (word == "uni") return mnemonic != "vote";
  if (word.starts_with("L1::") || (word.starts_with("L2::") && mnemonic != "prefetch" &&
                                   mnemonic != "createpolicy" && mnemonic != "applypriority")) {
    return true;
  }
  if (word == "cluster" && mnemonic == "barrier") return false;  // another instruction
  if ((word == "ca" || word == "cg") && mnemonic == "cp") return false;
  return std::find(std::begin(kMemory), std::end(kMemory), word) != std::end(kMemory);
}

std::string core(std::string_view mnemonic, const Words& words) {
  Words kept;
  for (const std::string_view word : words) {
    if (word == "shared::cta" || word == "shared::cluster") {
      kept.push_back("shared");
    } else if (word == "param::entry" || word == "param::func") {
      kept.push_back("param");
    } else if (!is_hint(mnemonic, word)) {
      kept.push_back(word);
    }
  }
  // Layouts of matrices, and types, mean something by their order; all else may be in any.
  if (mnemonic == "mma" || mnemonic == "wmma") return written("", kept);
  std::stable_sort(kept.begin(), kept.end(), [](std::string_view a, std::string_view b) {
    const bool type_a = ptx::type_from_name(a).has_value(),
               type_b = ptx::type_from_name(b).has_value();
    return type_a != type_b ? type_b : !type_a && a < b;
  });
  return written("", kept);
}

void append_words(Words& words, std::string_view alternative) {
  while (!alternative.empty()) {
    const auto end = std::min(alternative.find('.'), alternative.size());
    words.push_back(alternative.substr(0, end));
    alternative.remove_prefix(std::min(end + 1, alternative.size()));
  }
}

bool computes(const isa::CompiledRow& row) {
  using Role = isa::OperandSpec::Role;
  if (row.row->kind != isa::Kind::compute || row.row->select == nullptr) return false;
  // mad.f32 without a rounding modifier is not of the PTX version that these tests write.
  if (row.row->operands.lower == isa::lower_unrounded || row.operands.empty()) return false;
  return std::none_of(row.operands.begin(), row.operands.end(),
                      [](const isa::OperandSpec& spec) { return spec.role == Role::address; });
}

}  // namespace raddle::tests
