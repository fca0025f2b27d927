// The intermediate files of a compilation, and their removal when it is interrupted.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace raddle::cc {

/// A folder for intermediate files, which is removed with the object. A lock protects it while it
/// is in use. Making a folder also removes unlocked folders, which killed compilations have left.
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

/// Runs `work` in a process of its own, which uses the folder made before: if one of the two
/// processes is killed, the other one removes the folder. Returns the result of `work`, or 128 +
/// signal when a signal ended it. Commands that `work` runs (run_tool) end when a signal asks it to
/// end.
int work_apart(const std::function<int()>& work);

/// In this process: the signal that asked it to end; 0 for none.
int asked_to_end();

}  // namespace raddle::cc
