// No redistribution: what a bank has, its lanes pull.
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
