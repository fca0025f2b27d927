// A registry whose one mechanism preempts blocks when a test says so, and kernels for it.
#pragma once

#include <string>
#include <vector>

#include "kernels.h"
#include "machine/mechanism.h"

namespace raddle::machine::test {

// What the one that was made last has seen.
extern std::vector<Departure> answers;  // of LaunchPath::request()
extern std::vector<Cycle> left_at;      // when blocks were told to have left
extern std::vector<Cycle> restored_at;  // when they went on

// What it asks for.
extern StatePath state;
extern bool drop;

std::uint64_t of_preemption(Machine& machine, const char* counter);

/// With a block `number` of the first grid preempted at that cycle.
Settings preempting(const std::string& at, const char* number = "0");

/// A kernel called kernel(in, out), and a function inc that it may call: `text`, which leaves a
/// thread's result in %r2. There are %r1: the thread; %rd4, %rd5: its words of in and out; %r21: its
/// word of the shared tile[1024]; %r22: its local array[64].
std::string body(const std::string& text);

/// The first words of `out`, and how long it took.
struct Result {
  std::vector<std::uint32_t> out;
  Cycle cycles = 0;
  bool operator==(const Result& other) const { return out == other.out; }
};

/// `left`: how many blocks have left is added to it.
Result run(const std::string& kernels, const char* kernel, unsigned blocks, unsigned threads,
           const Settings& settings, std::uint64_t* left = nullptr);

}  // namespace raddle::machine::test
