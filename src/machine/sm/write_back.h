// Results on their way to the register file, and the paths that wait for them.
#pragma once

#include "machine/execute/units.h"
#include "machine/operands/operands.h"
#include "machine/sm/formed_issue.h"
#include "machine/sm/warp_progress.h"

namespace raddle::machine {

/// A result takes a result bus of its scheduler. When it has been written, the scoreboard lets its
/// users continue.
class WriteBack {
 public:
  struct Parts {
    WarpTable& warps;
    WarpSchedulers& schedulers;
    Scoreboard& scoreboard;
    Operands& operands;
    WarpEvents& events;
    WarpProgress& progress;
    FormedIssue& formed;
  };
  explicit WriteBack(const Parts& parts) : p_(parts) {}

  /// Books the result of an instruction of the path, which comes at `at`. Its users wait from now
  /// on.
  void book(PathId id, std::uint32_t code, bool fixed_latency, Cycle at, Cycle now) {
    p_.scoreboard.reserve_execution(id, p_.warps.of(id).program->writes[code]);
    const Cycle written = p_.formed.book_once(
        [&] { return p_.operands.write(p_.schedulers.of(warp_of(id)), fixed_latency, at, now); });
    p_.events.put({WarpEvent::Kind::result, id, code}, written);
  }

  /// A `result` event: an arithmetic result has been written.
  void result(PathId id, std::uint32_t code, Cycle now) {
    p_.scoreboard.release_execution(id, p_.warps.of(id).program->writes[code]);
    p_.progress.reconsider(id, now);
  }
  /// The data of a memory instruction have come.
  void memory_completed(PathId id, std::uint32_t code, Cycle now) {
    if (FormedIssue::is_joint(code)) [[unlikely]]
      return joint_completed(id, code, now);
    const Cycle written = book_load(id, p_.warps.of(id).program->writes[code], now);
    write_load(id, code, written, now);
  }
  /// A `memory_write` event: these data have been written.
  void memory_written(PathId id, std::uint32_t code, Cycle now) {
    p_.scoreboard.release_memory(id, p_.warps.of(id).program->writes[code]);
    p_.progress.reconsider(id, now);
  }

 private:
  Cycle book_load(PathId id, const isa::RegisterSet& writes, Cycle now) {
    if (writes.empty()) return now;
    return p_.operands.write(p_.schedulers.of(warp_of(id)), false, now, now);
  }
  void write_load(PathId id, std::uint32_t code, Cycle written, Cycle now) {
    if (written == now) return memory_written(id, code, now);
    p_.events.put({WarpEvent::Kind::memory_write, id, code}, written);
    p_.progress.reconsider(id, now);
  }
  void joint_completed(PathId id, std::uint32_t code, Cycle now);

  Parts p_;
};

}  // namespace raddle::machine
