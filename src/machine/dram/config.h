// Settings of DRAM channels: organisation, timing, scheduling.
#pragma once

#include "base/config.h"

namespace raddle::machine {

/// Times are in ticks of the command clock, which is gpu.dram_mhz divided by clock_divisor. The
/// names of the timing parameters are the names in the JEDEC standards (GDDR5: JESD212; HBM:
/// JESD235).
struct DramConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> channels{*this,
                           "channels",
                           10,
                           "channels",
                           {1, 512},
                           "each with its own command and data bus",
                           "320 bits (deviceQuery) of 32 each"};
  Field<unsigned> clock_divisor{*this,
                                "clock_divisor",
                                2,
                                "",
                                {1, 8},
                                "gpu.dram_mhz over the command clock",
                                "GDDR5 (JESD212): four transfers per command clock"};
  Field<unsigned> banks{*this,
                        "banks",
                        16,
                        "banks",
                        {1, 64},
                        "of a channel, a power of two",
                        "GPGPU-Sim tested configurations"};
  Field<unsigned> bank_groups{*this,
                              "bank_groups",
                              4,
                              "groups",
                              {1, 16},
                              "of the banks, a power of two",
                              "GPGPU-Sim tested configurations"};
  Field<unsigned> row_bytes{*this,
                            "row_bytes",
                            2048,
                            "bytes",
                            {256, 65536},
                            "of a bank that one activation opens, a power of two",
                            "GDDR5 (JESD212): 2 KB page"};
  Field<unsigned> burst{*this,
                        "burst",
                        2,
                        "ticks",
                        {1, 64},
                        "for which 32 bytes keep the data bus busy",
                        "32 pins, four transfers per tick"};
  Field<bool> two_command_buses{*this,
                                "two_command_buses",
                                false,
                                "",
                                {},
                                "row and column commands can go in one tick",
                                "GDDR5 has one bus; HBM (JESD235) has two"};
  Field<unsigned> path_latency{*this,
                               "path_latency",
                               127,
                               "SM cycles",
                               {1, 10000},
                               "from the L2 cache to the channel's scheduler and back",
                               "with l2.latency: DRAM in 331 cycles on a K40 (PPT)"};
  TextField row_policy{*this, "row_policy", "open", "open|closed",
                       "closed: a row is closed once no request in the window wants it"};
  Field<unsigned> input_queue{
      *this, "input_queue", 128, "requests", {2, 4096}, "on the way to the scheduler", "assumed"};
  Field<unsigned> window{
      *this, "window", 32, "requests", {1, 64}, "among which the scheduler chooses", "assumed"};
  Field<unsigned> starvation{
      *this,    "starvation", 1500,
      "ticks",  {1, 1000000}, "after which the oldest request takes precedence over row hits",
      "assumed"};

  static constexpr const char* kScaled =
      "GPGPU-Sim Kepler Titan (1502 MHz), scaled to 1300 MHz and rounded up";
  Field<unsigned> cl{*this, "cl", 14, "ticks", {1, 1000}, "read command to data", kScaled};
  Field<unsigned> wl{*this, "wl", 6, "ticks", {1, 1000}, "write command to data", kScaled};
  Field<unsigned> rcd{*this, "rcd", 14, "ticks", {1, 1000}, "activate to column command", kScaled};
  Field<unsigned> rp{*this, "rp", 14, "ticks", {1, 1000}, "precharge to activate", kScaled};
  Field<unsigned> ras{*this, "ras", 33, "ticks", {1, 1000}, "activate to precharge", kScaled};
  Field<unsigned> rc{*this,  "rc", 47, "ticks", {1, 1000}, "activate to activate of one bank",
                     kScaled};
  Field<unsigned> rrd{*this,  "rrd", 7, "ticks", {1, 1000}, "activate to activate of another bank",
                      kScaled};
  Field<unsigned> faw{*this,
                      "faw",
                      32,
                      "ticks",
                      {1, 1000},
                      "in which at most four banks are activated",
                      "DRAMsim3, GDDR5 8 Gb: 40 at 1500 MHz; scaled, not under 4 rrd"};
  Field<unsigned> ccd{*this,   "ccd",     2,
                      "ticks", {1, 1000}, "column command to the next in another bank group",
                      kScaled};
  Field<unsigned> ccd_same{
      *this,   "ccd_same", 4,
      "ticks", {1, 1000},  "column command to the next in the same bank group; not under ccd",
      kScaled};
  Field<unsigned> rtp{*this,
                      "rtp",
                      3,
                      "ticks",
                      {1, 1000},
                      "read to precharge",
                      "GDDR5 (JESD212): two ticks and a spare"};
  Field<unsigned> wr{*this,  "wr", 14, "ticks", {1, 1000}, "end of write data to precharge",
                     kScaled};
  Field<unsigned> wtr{*this,  "wtr", 7, "ticks", {1, 1000}, "end of write data to read command",
                      kScaled};
  Field<unsigned> turnaround{*this,     "turnaround",
                             2,         "ticks",
                             {0, 1000}, "the data bus idles between read and write data",
                             "assumed"};
  Field<unsigned> refi{*this,
                       "refi",
                       4940,
                       "ticks",
                       {1, 10000000},
                       "between refreshes of all banks",
                       "DRAMsim3, GDDR5: 3.8 us"};
  Field<unsigned> rfc{*this,
                      "rfc",
                      85,
                      "ticks",
                      {1, 100000},
                      "for which a refresh lasts",
                      "DRAMsim3, GDDR5: 65 ns"};
};

}  // namespace raddle::machine
