#include "executed_forms.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "isa/syntax.h"
#include "ptx/module.h"

namespace raddle::tests {

void ExecutedForms::add(const isa::Row* row, const Words& words) {
  Executed& executed = rows_[row];
  executed.cores.insert(core(row->mnemonic, words));
  for (const std::string_view word : words) {
    if (is_hint(row->mnemonic, word)) executed.words.emplace(word);
  }
}

void ExecutedForms::add_text(const std::string& name, const std::string& text) {
  const ptx::Module module = ptx::parse(name, text);
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.instructions) {
      try {
        add(matcher_.match(instruction).row->row, instruction.modifiers);
      } catch (const isa::Unsupported&) {
        // It stands there to be refused.
      }
    }
  }
}

void ExecutedForms::add_behaviour_files(const std::string& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    if (text.str().find("// error:") != std::string::npos) continue;
    if (text.str().find("// refused:") != std::string::npos) continue;
    add_text(entry.path().string(), text.str());
  }
}

}  // namespace raddle::tests
