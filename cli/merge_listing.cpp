#include "merge_listing.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/error.h"
#include "isa/kernel_name.h"

namespace raddle::cli {

void MergeListing::note(const isa::PassRecord& record) {
  if (record.pass->name() != std::string_view("merging")) return;
  text_.push_back(isa::kernel_name(record.function));
  if (record.notes.empty()) text_.emplace_back("  no branch with something on both sides");
  for (const std::string& note : record.notes) text_.push_back("  " + note);
  nlohmann::ordered_json function{{"function", isa::kernel_name(record.function)}};
  function.update(nlohmann::ordered_json::parse(record.notes.json));
  for (const auto& branch : function.at("branches")) annotate(branch, modules_.back());
  functions_.push_back(std::move(function));
}

void MergeListing::annotate(const nlohmann::ordered_json& branch, Annotated& module) {
  if (!branch.contains("sequence")) return;
  for (const auto& step : branch.at("sequence")) {
    if (!step.contains("jumps") || !step.contains("falls")) continue;
    const unsigned lines[2] = {step.at("jumps").value("ptx_line", 0u),
                               step.at("falls").value("ptx_line", 0u)};
    for (unsigned side = 0; side < 2; ++side) {
      module.comments[lines[side]] +=
          fmt::format(" // branch of line {}: merged with line {}",
                      branch.at("ptx_line").get<unsigned>(), lines[1 - side]);
    }
  }
}

void MergeListing::print() const {
  for (const std::string& line : text_) fmt::print("{}\n", line);
}

void MergeListing::write_annotated(const std::filesystem::path& file) const {
  unsigned number = 1;
  for (const Annotated& one : modules_) {
    std::filesystem::path path = file;
    if (number > 1) {
      path.replace_extension(fmt::format("{}{}", number, file.extension().string()));
    }
    ++number;
    std::ofstream out(path);
    const std::string_view text = *one.module->text;
    unsigned line = 1;
    for (std::size_t at = 0; at < text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      out << text.substr(at, end - at);
      if (const auto comment = one.comments.find(line); comment != one.comments.end()) {
        out << comment->second;
      }
      out << '\n';
      at = end + 1;
    }
    out.close();
    if (!out) fail("cannot write {}", path.string());
  }
}

}  // namespace raddle::cli
