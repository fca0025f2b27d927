// No redistribution: only the lanes of a bank pull the bank's work.
#include "mechanisms/hwwl/scheme.h"

namespace raddle::mechanisms::hwwl {

SchemeKind none() {
  SchemeKind kind;
  kind.name = "none";
  kind.meaning = "no redistribution";
  kind.source = "hardware-worklists, section III.B";
  return kind;
}

}  // namespace raddle::mechanisms::hwwl
