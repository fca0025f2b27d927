#include "cuda/runtime/too_new.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace raddle::cuda {
namespace {

/// The year in which a compute capability came out (CUDA C++ Programming Guide, "Compute
/// Capabilities").
struct Generation {
  unsigned sm;
  const char* name;
  unsigned year;
};
constexpr Generation kGenerations[] = {
    {20, "Fermi", 2010},  {30, "Kepler", 2012},     {50, "Maxwell", 2014}, {60, "Pascal", 2016},
    {70, "Volta", 2017},  {75, "Turing", 2018},     {80, "Ampere", 2020},  {89, "Ada", 2022},
    {90, "Hopper", 2022}, {100, "Blackwell", 2024},
};

std::string described(const machine::GpuConfig& gpu) {
  const unsigned sm = gpu.sm_version();
  std::string text =
      fmt::format("{} (compute capability {}.{}", machine::gpu_name(gpu), sm / 10, sm % 10);
  const Generation* of = nullptr;
  for (const Generation& one : kGenerations) {
    if (one.sm <= sm) of = &one;
  }
  return of == nullptr ? text + ")" : fmt::format("{}, {} of {})", text, of->name, of->year);
}

/// GPUs that can run the target, oldest first.
std::vector<std::string> able(ptx::Target target) {
  std::vector<std::pair<unsigned, std::string>> found;
  for (const std::string& name : machine::gpu_names()) {
    const unsigned sm = machine::load_gpu(name)->sm_version();
    if (ptx::runs_on(sm, target)) found.emplace_back(sm, name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& [sm, name] : found) names.push_back(std::move(name));
  return names;
}

}  // namespace

std::string too_new(const Module::Unfit& code, const machine::GpuConfig& gpu, bool named) {
  const std::vector<std::string> others = able(code.target);
  const char suffix = code.target.suffix;
  std::string text = fmt::format("{}: the PTX is for {}{}, and the simulated GPU is {}: {}{}",
                                 code.name, ptx::name(code.target),
                                 suffix == 'a'   ? " alone"
                                 : suffix == 'f' ? " and its family"
                                                 : " and later",
                                 gpu.sm_version() < code.target.sm ? "older" : "another",
                                 named ? "" : "the default one, ", described(gpu));
  if (code.machine_code) {
    text += fmt::format(
        "\n  the program has machine code for this GPU, which raddle does not run; to build it "
        "with PTX "
        "for this GPU: nvcc -gencode arch=compute_{0},code=compute_{0}",
        gpu.sm_version());
  }
  if (others.empty()) return text + "\n  no description of a GPU that runs it is here";
  text += fmt::format("\n  to simulate one that does: raddle run --gpu {}", others.front());
  if (others.size() == 1) return text;
  return text + fmt::format(" (or {})", fmt::join(others.begin() + 1, others.end(), ", "));
}

}  // namespace raddle::cuda
