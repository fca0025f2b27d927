// Register file and result buses of a multiprocessor.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct OperandsConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  TextField style{
      *this, "style", "collectors", "collectors|fixed",
      "how operands are read: collected by operand collectors, in any order and time; or "
      "in a fixed time after issue, which a bank conflict delays for all (Volta and "
      "later)"};
  Field<unsigned> banks{
      *this,
      "banks",
      4,
      "banks",
      {1, 16},
      "of a scheduler's part of the register file, a power of two; a bank's words are a warp's "
      "registers. Register numbers are those of raddle's allocator, which does not avoid conflicts "
      "as the vendor's compiler does"};
  Field<unsigned> read_ports{*this,       "read_ports", 2,
                             "registers", {1, 2},       "that a bank delivers in a cycle"};
  Field<unsigned> collectors{*this,
                             "collectors",
                             8,
                             "collectors",
                             {1, 16},
                             "of a scheduler: instructions whose operands are not "
                             "complete; for style collectors"};
  Field<unsigned> window{*this,
                         "window",
                         3,
                         "SM cycles",
                         {1, 8},
                         "within which an instruction reads its operands; for style "
                         "fixed"};
  Field<bool> reuse{*this,
                    "reuse",
                    false,
                    "",
                    {},
                    "each operand position remembers the register last read there from each "
                    "bank; the same warp does not read it again"};
  Field<unsigned> result_buses{*this,
                               "result_buses",
                               3,
                               "results",
                               {1, 8},
                               "that a scheduler's part of the register file "
                               "takes in a cycle"};
};

}  // namespace raddle::machine
