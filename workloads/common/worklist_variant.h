#pragma once

#include <raddle/worklist.cuh>
#include <string>

#include "common/options.h"

namespace raddle::workloads {

/// A type as an argument.
template <class T>
struct TypeOf {
  using Type = T;
};

/// Options of workloads for the choice between topology-driven kernels, and data-driven kernels on
/// a worklist in software or hardware.
struct WorklistOptions {
  std::string implementation = "software";
  std::string buffering = "double";
  std::string push;

  /// `pushing` is the default of --push. `single`: whether there is an option for buffering.
  void add_to(Options& options, const std::string& pushing, bool single) {
    const std::vector<std::string> all = {"topology", "software", "hardware"};
    push = pushing;
    options.add_choice("--implementation", &implementation, all,
                       "all the graph in every step, or a worklist");
    options.add_choice("--variant", &implementation, all, "the same");
    if (single) {
      options.add_choice("--buffering", &buffering, {"double", "single"},
                         "worklists: pull what kernels before have pushed, or one kernel does all");
    }
    options.add_choice("--push", &push, {"thread", "warp", "chunk", "block"},
                       "worklist in software: pushes that share an atomic operation");
  }
  bool topology() const { return implementation == "topology"; }
  bool hardware() const { return implementation == "hardware"; }

  bool single() const { return buffering == "single"; }

  /// Calls run(TypeOf<List>()) with the chosen double-buffered worklist in software.
  template <class Run>
  auto with_double(Run run) const {
    return with_push<worklist::Buffering::double_buffered>(run);
  }
  /// The same with the chosen worklist in software.
  template <class Run>
  auto with_software(Run run) const {
    if (single()) return with_push<worklist::Buffering::single_buffered>(run);
    return with_double(run);
  }
  /// The same with the worklist in hardware. Call it only in separate source files, because a GPU
  /// without the hardware refuses all device code of a file that uses it.
  template <class Run>
  auto with_double_hardware(Run run) const {
    return run(list_of<worklist::Hardware<worklist::Buffering::double_buffered>>());
  }
  template <class Run>
  auto with_hardware(Run run) const {
    if (!single()) return with_double_hardware(run);
    return run(list_of<worklist::Hardware<worklist::Buffering::single_buffered>>());
  }

 private:
  template <class Implementation>
  static auto list_of() {
    return TypeOf<worklist::Worklist<Implementation>>();
  }
  template <worklist::Buffering How, class Run>
  auto with_push(Run run) const {
    using worklist::Push;
    using worklist::Software;
    if (push == "thread") return run(list_of<Software<How, Push::thread>>());
    if (push == "warp") return run(list_of<Software<How, Push::warp>>());
    if (push == "chunk") return run(list_of<Software<How, Push::chunk>>());
    return run(list_of<Software<How, Push::block>>());
  }
};

}  // namespace raddle::workloads
