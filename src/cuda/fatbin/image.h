// Device code inside programs: fat binaries (the container written by NVIDIA's fatbinary) and plain
// PTX text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ptx/target.h"

namespace raddle::cuda {

/// One entry of a fat binary.
struct Image {
  enum class Kind : std::uint8_t { ptx, machine_code } kind = Kind::ptx;
  unsigned sm = 0;           // 75 for compute_75
  std::string text;          // PTX: decompressed, without trailing NULs
  ptx::Target target = {};   // of PTX: the target that its text names
  bool for_any_gpu = false;  // PTX: ptx::kForAnyGpu
};

/// Entries of one fat binary, all versions of the same code. Throws Error naming `name` when the
/// container is damaged or has an unknown form.
std::vector<Image> parse_fat_binary(std::span<const std::byte> bytes, const std::string& name);

/// Bytes of the fat binary that starts at `header` in this process's memory; its header gives their
/// number. Throws Error when no fat binary starts there, or its bytes cannot all be read.
std::vector<std::byte> fat_binary_at(const void* header);

/// Reads the argument of __cudaRegisterFatBinary: the wrapper {magic, version, data, names}.
/// Version 1 points at one fat binary (or at PTX text). Version 2 (relocatable device code) has a
/// NULL-terminated array of fat binaries that form one program. The result has one element for each
/// fat binary that is not empty.
std::vector<std::vector<Image>> read_wrapper(const void* wrapper, const std::string& name);

/// Reads code given to cuModuleLoadData and similar calls: PTX text ending in NUL, a fat binary, or
/// a wrapper.
std::vector<std::vector<Image>> read_code(const void* code, const std::string& name);

/// Whether a GPU of version `sm` runs the PTX.
bool runs_on(unsigned sm, const Image& image);

/// Whether there is machine code that a GPU of version `sm` runs: of its own generation, and not
/// later (CUDA C++ Programming Guide, "Binary Compatibility"). raddle does not run machine code.
bool has_machine_code(const std::vector<Image>& images, unsigned sm);

/// The PTX that a GPU of version `sm` should run: the newest that it can run; if it can run none,
/// the oldest. Throws Error when there is only machine code.
const Image& choose_ptx(const std::vector<Image>& images, unsigned sm, const std::string& name);

}  // namespace raddle::cuda
