// raddle inspect --merge: the result of opcode merging for a program's functions, as text, as JSON,
// and as comments in its PTX.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "isa/passes/pass.h"
#include "ptx/module.h"

namespace raddle::cli {

class MergeListing {
 public:
  /// Begins a module: later notes belong to it.
  void begin(const ptx::Module& module) { modules_.push_back({&module, {}}); }
  /// Notes what a pass did to a function of the module; ignores passes other than merging.
  void note(const isa::PassRecord& record);

  void print() const;
  /// An object for each function: name, instructions of both sides, how many are merged, branches.
  nlohmann::ordered_json json() const { return functions_; }
  /// Writes each module's PTX with a comment at each merged instruction: the first module to
  /// `file`, the others beside it ("a.2.ptx"). The PTX still loads as before. Throws Error if a
  /// file cannot be written.
  void write_annotated(const std::filesystem::path& file) const;

 private:
  struct Annotated {
    const ptx::Module* module;
    std::map<unsigned, std::string> comments;  // by line
  };
  static void annotate(const nlohmann::ordered_json& branch, Annotated& module);

  std::vector<std::string> text_;
  nlohmann::ordered_json functions_ = nlohmann::ordered_json::array();
  std::vector<Annotated> modules_;
};

}  // namespace raddle::cli
