// Where a compilation keeps its intermediate files, and how they go when it is interrupted.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace raddle::cc {

/// A folder for intermediate files, gone when the compilation is. It is locked while it is used;
/// making one removes those that nobody uses any more, left by compilations that were killed.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

/// Does `work` in a process of its own, which uses the folder made before: whichever of the two is
/// killed, the other one clears up. Returns what `work` does, 128 + signal when a signal ended it.
/// Commands that it runs (run_tool) end when a signal asks to.
int work_apart(const std::function<int()>& work);

/// In that process: the signal that asked it to end; 0 for none.
int asked_to_end();

}  // namespace raddle::cc
