#include "machine/sm/write_back.h"

namespace raddle::machine {

/// An access of several paths: one bus brings the results of all paths.
void WriteBack::joint_completed(PathId id, std::uint32_t code, Cycle now) {
  const FormedIssue::Joint joint = p_.formed.take_joint(id, code);
  const Cycle written = book_load(id, p_.warps.of(id).program->writes[joint.code], now);
  for (unsigned n = 0; n < joint.size; ++n) {
    if (written == now) {
      memory_written(joint.paths[n], joint.code, now);
    } else {
      p_.events.put({WarpEvent::Kind::memory_write, joint.paths[n], joint.code}, written);
    }
  }
}

}  // namespace raddle::machine
