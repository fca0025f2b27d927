#include "runs.h"

#include <cstring>

#include "base/error.h"
#include "machine/config.h"
#include "machine/gpu.h"
#include "machine/lane_controls.h"
#include "machine/loader.h"
#include "machine/mechanism.h"
#include "machine/passes_config.h"
#include "memory/address_space.h"
#include "ptx/module.h"

namespace raddle::tests {
namespace {

using machine::GpuConfig;

constexpr std::uint32_t kStackBytes = 8192;

std::unique_ptr<GpuConfig> configuration(const std::string& gpu, const Way& way) {
  std::unique_ptr<GpuConfig> config = machine::load_gpu(gpu);
  config->set("gpu.max_cycles", "50000000");
  for (const auto& [path, value] : way.settings) config->set(path, value);
  if (!way.passes) {
    for (const auto& entry : config->passes.entries) entry.on->set("false");
  }
  return config;
}

/// A program on a GPU.
class Machine {
 public:
  Machine(const RandomProgram& program, const std::string& gpu, const Way& way)
      : config_(configuration(gpu, way)) {
    const ptx::Module module = ptx::parse(program.name, program.text);
    program_ = machine::make_loader(*config_).load({&module, 1}, space_);
    gpu_ = std::make_unique<machine::Gpu>(*config_, space_);
    gpu_->set_stack_bytes(kStackBytes);
  }

  LaunchOutcome run(const ProgramLaunch& what) {
    const std::uint64_t threads = what.grid.count() * what.block.count();
    const Buffer in = buffer(program_input());
    const Buffer results[] = {
        buffer(std::vector<std::uint32_t>(threads * kOutWords, 0xeeeeeeee)),
        buffer(std::vector<std::uint32_t>(kGlobalWords)),
        buffer(std::vector<std::uint32_t>(threads * kScratchWords, 0x11111111))};
    machine::Launch launch;
    launch.program = program_.get();
    launch.kernel = program_->find_kernel(what.kernel);
    if (launch.kernel == nullptr) return {"there is no kernel " + what.kernel, {}};
    launch.grid = what.grid;
    launch.block = what.block;
    launch.parameters.resize(launch.kernel->parameter_bytes);
    const Address addresses[] = {in.at, results[0].at, results[1].at, results[2].at};
    std::memcpy(launch.parameters.data(), addresses, sizeof addresses);
    std::memcpy(launch.parameters.data() + sizeof addresses, &what.seed, sizeof what.seed);

    LaunchOutcome outcome;
    const Cycle begin = gpu_->now();
    outcome.fault = carry_out(std::move(launch));
    outcome.cycles = gpu_->now() - begin;
    for (unsigned n = 0; n < 3; ++n) outcome.words[n] = values(results[n]);
    for (const Buffer& each : {in, results[0], results[1], results[2]}) space_.free(each.at);
    return outcome;
  }

 private:
  struct Buffer {
    Address at;
    std::size_t words;
  };

  Buffer buffer(const std::vector<std::uint32_t>& words) {
    const Buffer made = {space_.allocate(4 * words.size(), memory::Kind::device, "buffer"),
                         words.size()};
    std::memcpy(space_.values(made.at, 4 * words.size()), words.data(), 4 * words.size());
    return made;
  }

  std::vector<std::uint32_t> values(const Buffer& buffer) const {
    std::vector<std::uint32_t> words(buffer.words);
    std::memcpy(words.data(), space_.values(buffer.at, 4 * buffer.words), 4 * buffer.words);
    return words;
  }

  /// Why the launch failed; empty: it did not.
  std::string carry_out(machine::Launch launch) {
    if (const auto error = gpu_->launch_error(launch)) return error.text;
    gpu_->launch(std::move(launch), 0);
    while (!gpu_->idle()) {
      gpu_->advance(kNever);
      for (const machine::FaultReport& fault : gpu_->take_faults()) return fault.text;
    }
    gpu_->take_ended();
    return "";
  }

  std::unique_ptr<GpuConfig> config_;
  memory::AddressSpace space_{std::uint64_t{1} << 28};
  std::unique_ptr<isa::Program> program_;
  std::unique_ptr<machine::Gpu> gpu_;
};

}  // namespace

ResultHashes LaunchOutcome::hashes() const {
  ResultHashes hashes;
  for (unsigned n = 0; n < 3; ++n) hashes.of[n] = hash_words(words[n].data(), words[n].size());
  return hashes;
}

Way functional_way() { return {"functional", {{"gpu.functional", "true"}}}; }
Way timed_way() { return {"timed", {}}; }

std::vector<Way> further_ways(const std::string& gpu, bool independent, Cycle longest) {
  using Setting = std::pair<std::string, std::string>;
  const Setting few_sms = {"gpu.sms", "4"}, functional = {"gpu.functional", "true"};
  const auto preempted = [&](Cycle at_least) {
    return Setting{"gpu.preempt_every", std::to_string(std::max(at_least, longest / 50))};
  };
  std::vector<Way> ways;
  ways.push_back({"functional, two threads", {functional, {"gpu.threads", "2"}}});
  ways.push_back({"timed, two threads", {{"gpu.threads", "2"}}});
  ways.push_back({"functional, no passes", {functional}, false});
  ways.push_back({"timed, no passes", {few_sms}, false});
  ways.push_back({"preempted", {few_sms, preempted(1000)}});
  ways.push_back(
      {"preempted, no cycle skipped",
       {few_sms, preempted(3000), {"gpu.preempt_seed", "2"}, {"gpu.skip_idle", "false"}}});
  for (const machine::MechanismKind& kind : machine::mechanism_kinds()) {
    if (kind.passes == nullptr) continue;
    const Setting on = {"gpu.mechanisms", kind.name};
    const std::string name(kind.name);
    ways.push_back({name + ", functional", {functional, on}});
    ways.push_back({name, {few_sms, on}});
    ways.push_back(
        {name + ", no short branches guarded", {few_sms, on, {"passes.short_branches", "false"}}});
    ways.push_back({name + ", preempted", {few_sms, on, preempted(2000)}});
  }
  for (const machine::LaneControlKind* kind : machine::all_lane_controls()) {
    if (independent && kind->whole_warps_at_barriers) continue;
    const std::string name(kind->name);
    const Setting scheme = {"scheduler.divergence", name};
    ways.push_back({name, {few_sms, scheme}});
    ways.push_back({name + ", preempted", {few_sms, scheme, preempted(2000)}});
    const auto config = configuration(gpu, {"", {scheme}});
    if (machine::functional_lane_control(*config).name == name) {
      ways.push_back({name + ", functional", {scheme, functional}});
    }
  }
  return ways;
}

std::vector<LaunchOutcome> run_program(const RandomProgram& program, const std::string& gpu,
                                       const Way& way) {
  std::vector<LaunchOutcome> outcomes;
  std::string fault;
  try {
    Machine machine(program, gpu, way);
    for (const ProgramLaunch& launch : program.launches) {
      if (fault.empty()) outcomes.push_back(machine.run(launch));
      fault = outcomes.back().fault;
      if (!fault.empty()) break;
    }
  } catch (const Error& error) {
    fault = error.what();
  }
  outcomes.resize(program.launches.size(), {fault, {}});
  return outcomes;
}

}  // namespace raddle::tests
