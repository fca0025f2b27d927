// Resources of one multiprocessor, and the units in which it allocates them.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct SmConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> warps{*this, "warps", 64, "warps", {1, 64}, "resident warps"};
  Field<unsigned> threads{*this, "threads", 2048, "threads", {32, 2048}, "resident threads"};
  Field<unsigned> blocks{*this, "blocks", 16, "blocks", {1, 32}, "resident thread blocks"};
  Field<unsigned> threads_per_block{*this,     "threads_per_block", 1024,
                                    "threads", {32, 1024},          "largest thread block"};
  Field<unsigned> registers{
      *this, "registers", 65536, "32-bit registers", {1024, 1u << 20}, "register file"};
  Field<unsigned> registers_per_thread{*this,     "registers_per_thread", 255, "32-bit registers",
                                       {16, 255}, "maximum per thread"};
  Field<unsigned> register_unit{*this,     "register_unit",
                                256,       "32-bit registers",
                                {1, 4096}, "a warp's registers are rounded up to multiples of it"};
  Field<unsigned> warp_unit{
      *this,   "warp_unit", 4,
      "warps", {1, 32},     "registers are allocated to a block for a multiple of this many warps"};
  Field<unsigned> shared_bytes{*this,   "shared_bytes", 49152,
                               "bytes", {0, 1u << 20},  "shared memory"};
  Field<unsigned> shared_per_block{*this,         "shared_per_block",
                                   49152,         "bytes",
                                   {0, 1u << 20}, "maximum per block without opting in"};
  Field<unsigned> shared_per_block_optin{*this,         "shared_per_block_optin",
                                         49152,         "bytes",
                                         {0, 1u << 20}, "maximum per block if the program opts in"};
  Field<unsigned> shared_unit{
      *this,   "shared_unit", 256,
      "bytes", {1, 4096},     "a block's shared memory is rounded up to multiples of it"};
  Field<unsigned> shared_reserved{*this,     "shared_reserved",
                                  0,         "bytes",
                                  {0, 4096}, "shared memory reserved by the system for each block"};
  Field<unsigned> shared_begin{*this,
                               "shared_begin",
                               0,
                               "bytes",
                               {0, 4096},
                               "address at which a block's shared memory begins; what is before "
                               "it, the system has reserved"};
};

}  // namespace raddle::machine
