// Writes the golden cases: export_cases PTXAS FILE, or those of whole binades
// with --binades before PTXAS.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>

#include "drafts.h"

int main(int count, char** words) {
  using namespace raddle::golden;
  const bool binades = count > 1 && std::string(words[1]) == "--binades";
  if (binades) --count, ++words;
  if (count < 3) {
    std::fprintf(stderr, "usage: export_cases [--binades] PTXAS FILE\n");
    return 2;
  }
  try {
    Drafts drafts;
    if (binades) {
      drafts = binade_drafts();
    } else {
      for (auto&& some : {behaviour_drafts(RADDLE_BEHAVIOUR_DIR), compute_drafts(), memory_drafts(),
                          matrix_drafts(), sweep_drafts()}) {
        drafts.insert(drafts.end(), some.begin(), some.end());
      }
    }
    std::printf("%zu texts\n", drafts.size());
    const Archive archive = assemble(drafts, words[1]);
    write_archive(words[2], archive);
    std::map<std::string, std::size_t> cases, lanes;
    std::map<std::string, std::set<std::string>> forms;
    for (const Case& c : archive.cases) {
      const std::string family = c.name.substr(0, c.name.find('/'));
      ++cases[family];
      for (const Field& field : c.fields) {
        lanes[family] += field.count;
        forms[family].insert(field.name);
      }
    }
    for (const auto& [family, number] : cases) {
      std::printf("%-10s %6zu cases %6zu forms %9zu numbers\n", family.c_str(), number,
                  forms[family].size(), lanes[family]);
    }
    std::ofstream refused(std::string(words[2]) + ".refused.txt");
    for (const std::string& form : archive.refused) refused << form << "\n";
    std::printf("%zu refused\n", archive.refused.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "export_cases: %s\n", error.what());
    return 1;
  }
  return 0;
}
