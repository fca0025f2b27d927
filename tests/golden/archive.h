// Cases for a real or simulated GPU in one file: what to load, launch and pass, and the meaning of
// each part of the result. Uses only the standard library, because the recording program has
// nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace raddle::golden {

/// What to pass for one parameter of a kernel.
struct Argument {
  enum Kind : std::uint8_t { in, out, inout, value } kind = in;
  std::string initial;  // bytes; zeros of the buffer's size where the kernel only writes
  bool recorded() const { return kind == out || kind == inout; }
};

/// Where the operands of a field's numbers are: that of number n at `offset` + n * `stride`.
struct Operand {
  std::uint32_t argument = 0, offset = 0, stride = 0, bytes = 0;
};

/// Numbers in a buffer: `count` of them, `stride` bytes apart, all results of one instruction.
struct Field {
  std::string name;  // of the instruction's form
  std::string type;  // as PTX calls it
  std::uint32_t argument = 0, offset = 0, count = 0, stride = 0;
  std::vector<Operand> operands = {};  // in the order of the instruction's; not of every field
};

struct Case {
  std::string name, kernel, ptx, cubin;
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {32, 1, 1}, shared = 0;
  bool cooperative = false;
  std::vector<Argument> arguments;
  std::vector<Field> fields;
};

struct Archive {
  std::vector<Case> cases;
  std::vector<std::string> refused;  // forms that the assembler does not have for this GPU
};

/// Throws std::runtime_error for a file that cannot be written, read or understood.
std::string read_file(const std::string& path);
void write_archive(const std::string& path, const Archive& archive);
Archive read_archive(const std::string& path);

/// How a case ended, and the bytes of its recorded arguments one after the other.
struct Outcome {
  enum Kind : std::uint32_t { done, load_error, launch_error, fault, hang, died } kind = done;
  std::string text;  // the driver's name of an error
  std::string bytes;
};
struct Results {
  std::string machine;                        // GPU, driver, command: a line each
  std::map<std::uint32_t, Outcome> outcomes;  // by number of the case
};
Results read_results(const std::string& path);

// The file of results is written piece by piece, so that what a dying process has done is kept.
void start_results(const std::string& path, const std::string& machine);
void append_outcome(const std::string& path, std::uint32_t number, const Outcome& outcome);

const char* name_of(Outcome::Kind kind);

}  // namespace raddle::golden
