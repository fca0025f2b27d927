// Messages between a simulated program and the process that has the GPU (raddle corun).
//
// The program sends requests. It waits for the answer to each request except Interrupt:
//
//   Hello      -> Welcome    with the descriptors of its memory
//   Load       -> Loaded     device code
//   Advance    -> Progress   launches, and a time limit; answered when a launch has ended, or
//                            when the time limit has come
//   Interrupt                makes the answer to Advance come soon
//   Reset      -> Progress   cudaDeviceReset: frees the memory that kernels have allocated
//
// Times are cycles of the GPU since the program's Hello.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"
#include "isa/warp_context.h"
#include "machine/gpu.h"
#include "memory/address_space.h"

namespace raddle::corun {

enum class Tag : std::uint8_t { hello, load, advance, interrupt, reset, welcome, loaded, progress };

struct Hello {
  unsigned program = 0;  // its position in the command, from 0 on
  int pid = 0;
  bool lenient = false;
  template <class F>
  void fields(F&& f) {
    f(program, pid, lenient);
  }
};

/// The message carries the descriptors of memory::SharedWindows, and of the file for the program's
/// own pages (host_pages.h).
struct Welcome {
  unsigned client = 0;
  std::string refused;  // the reason why it cannot take part; "": it takes part
  template <class F>
  void fields(F&& f) {
    f(client, refused);
  }
};

/// A part of the file for the program's own pages.
struct FilePart {
  std::uint64_t offset = 0, bytes = 0;
  template <class F>
  void fields(F&& f) {
    f(offset, bytes);
  }
};

/// memory::SpaceChange. For host memory, `pages` are the whole pages that contain it.
struct Change {
  memory::SpaceChange::What what{};
  memory::Kind kind{};
  bool freed = false;
  Address base = 0;
  std::uint64_t bytes = 0, alignment = 0;
  std::string name;
  std::vector<FilePart> pages;
  template <class F>
  void fields(F&& f) {
    f(what, kind, freed, base, bytes, alignment, name, pages);
  }
};

struct ModuleText {
  std::string file, text;
  template <class F>
  void fields(F&& f) {
    f(file, text);
  }
};

/// A variable whose values are in the program's memory (isa::Loader::load, `homes`).
struct Home {
  std::string name;
  Address address = 0;
  std::vector<FilePart> pages;
  std::uint64_t bytes = 0;  // bytes of memory from `address` on
  template <class F>
  void fields(F&& f) {
    f(name, address, pages, bytes);
  }
};

struct Load {
  std::vector<Change> changes;  // changes before the load
  std::uint64_t program = 0;    // isa::Program::id in the program; 0: it could not load the code
  std::vector<ModuleText> modules;
  std::vector<Home> homes;
  template <class F>
  void fields(F&& f) {
    f(changes, program, modules, homes);
  }
};

/// With these values, both ends check that they have loaded the same code.
struct Loaded {
  std::string error;  // "": it was loaded
  Address code_base = 0;
  std::uint64_t instructions = 0, functions = 0;
  std::vector<Address> variables;
  template <class F>
  void fields(F&& f) {
    f(error, code_base, instructions, functions, variables);
  }
};

struct LaunchRequest {
  machine::GridId grid = 0;
  std::uint64_t program = 0;
  std::uint32_t function = 0;
  std::uint32_t grid_size[3] = {}, block_size[3] = {};
  std::uint32_t dynamic_shared_bytes = 0;
  std::string parameters;
  bool cooperative = false;
  Address sync_workspace = 0;
  std::uint32_t stream = 0, queue = 0;
  int priority = 0;
  Cycle issued = 0, not_before = 0;
  template <class F>
  void fields(F&& f) {
    f(grid, program, function, grid_size[0], grid_size[1], grid_size[2], block_size[0],
      block_size[1], block_size[2], dynamic_shared_bytes, parameters, cooperative, sync_workspace,
      stream, queue, priority, issued, not_before);
  }
};

struct Advance {
  std::vector<Change> changes;
  std::vector<LaunchRequest> launches;
  Cycle limit = 0;
  std::uint64_t print_bytes = 0, heap_bytes = 0;  // limits that the program sets
  std::uint32_t stack_bytes = 0;
  bool alone = true;  // no other thread of the program can do anything during the wait
  template <class F>
  void fields(F&& f) {
    f(changes, launches, limit, print_bytes, heap_bytes, stack_bytes, alone);
  }
};

struct EndedGrid {
  machine::GridId grid = 0;
  Cycle queued = 0, start = 0, end = 0, counted_before = 0;
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  bool completed = true;
  template <class F>
  void fields(F&& f) {
    f(grid, queued, start, end, counted_before, warp_instructions, thread_instructions, completed);
  }
};

struct FaultText {
  isa::Fault::Kind kind{};
  machine::GridId grid = 0;
  std::string text;
  template <class F>
  void fields(F&& f) {
    f(kind, grid, text);
  }
};

struct Progress {
  Cycle now = 0;
  std::vector<EndedGrid> ended;
  std::vector<FaultText> faults;
  std::string printed;
  std::uint64_t lost_prints = 0;
  std::vector<std::string> told;
  Cycle busy = 0;  // cycles in which one of its grids was queued or running
  template <class F>
  void fields(F&& f) {
    f(now, ended, faults, printed, lost_prints, told, busy);
  }
};

}  // namespace raddle::corun
