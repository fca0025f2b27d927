// A fault as a multiprocessor detected it.
#pragma once

#include "machine/fault.h"
#include "machine/gpu.h"

namespace raddle::machine {

struct SmFault {
  isa::Fault fault;
  GridId grid = 0;
  FaultSite site;
  unsigned client = 0;  // Launch::client
};

}  // namespace raddle::machine
