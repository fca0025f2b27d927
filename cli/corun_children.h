// The programs of `raddle corun`. Each is started by its own `raddle run`; its output is passed on
// line by line, with the number of the program.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "corun/server.h"

namespace raddle::cli {

/// Passes a stream on in whole lines, each after a label.
class LabelledStream {
 public:
  /// `to`: a descriptor of this process; -1: the text is dropped.
  LabelledStream(std::string label, int to) : label_(std::move(label)), to_(to) {}
  void take(std::string_view text);
  /// Passes on the text of a line without an end.
  void finish();

 private:
  std::string label_, rest_;
  int to_;
};

class CorunChildren : public corun::Programs {
 public:
  struct Program {
    std::vector<std::string> command;  // `raddle run` and its words
    std::string label;
  };
  /// Starts the programs. `entrance`: as in corun::Server. `silent`: drops their output. From this
  /// call on, signals that ask this process to end are passed on to them.
  CorunChildren(const std::vector<Program>& programs, const std::string& entrance, bool silent);
  ~CorunChildren() override;
  CorunChildren(const CorunChildren&) = delete;
  CorunChildren& operator=(const CorunChildren&) = delete;

  unsigned count() const override { return static_cast<unsigned>(children_.size()); }
  bool ended(unsigned n) const override { return children_[n].exit_code.has_value(); }
  void watch(std::vector<pollfd>& descriptors) override;
  void attend() override;

  int exit_code(unsigned n) const { return children_[n].exit_code.value_or(0); }
  /// The signal that asked this process to end; 0: none.
  int asked_to_end() const { return asked_to_end_; }

 private:
  struct Pipe {
    int descriptor = -1;  // -1: closed at the end of its input
    LabelledStream stream;
  };
  struct Child {
    pid_t pid = -1;
    std::vector<Pipe> pipes;
    std::optional<int> exit_code;
  };
  void start(const Program& program, unsigned number, const std::string& entrance, bool silent);
  void read_all(Child& child);
  void take_signals();

  std::vector<Child> children_;
  sigset_t before_{};
  int signals_ = -1;
  int asked_to_end_ = 0;
};

}  // namespace raddle::cli
