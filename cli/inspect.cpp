// Shows a program's device code: kernels, their resources, their instructions.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/print_error.h"
#include "commands.h"
#include "cuda/runtime/too_new.h"
#include "device_code.h"
#include "isa/kernel_name.h"
#include "isa/program.h"
#include "machine/chip.h"
#include "machine/loader.h"
#include "machine/occupancy.h"
#include "machine/settings.h"
#include "memory/address_space.h"
#include "merge_listing.h"
#include "paths.h"
#include "ptx/print_graph.h"
#include "ptx/target.h"
#include "report/names.h"

namespace raddle::cli {

namespace {

struct InspectOptions {
  std::string file, gpu = "k20c", kernel, with, annotated;
  std::vector<std::string> settings;
  bool graph = false, dot = false, code = false, json = false, passes = false, merge = false,
       lenient = false;
  bool gpu_named = false;
  unsigned threads = 256;
};

/// The control flow of decoded code; instructions are counted from the function's first one.
ptx::FlowFunction flow_of(const isa::Program& program, const isa::Function& function) {
  ptx::FlowFunction flow;
  for (std::uint32_t at = function.first; at < function.end; ++at) {
    const isa::Instruction& instruction = program.code[at];
    const bool guarded = instruction.guard != isa::kTruePredicate || instruction.guard_flip != 0;
    ptx::FlowInstruction step;
    switch (instruction.kind) {
      case isa::Kind::branch: {
        if (instruction.extra == isa::kJointBranch) break;  // lanes continue together
        // A branch for lanes of one side lets the others fall through; one for no lanes ends a
        // sequence.
        step.falls_through =
            guarded || (instruction.of_side && instruction.side != isa::kTruePredicate);
        const bool indexed = instruction.extra == isa::kBranchTable;
        const auto targets = indexed ? program.branch_tables[instruction.target]
                                     : std::vector<std::uint32_t>{instruction.target};
        for (std::uint32_t target : targets) step.targets.push_back(target - function.first);
        break;
      }
      case isa::Kind::ret:
      case isa::Kind::exit:
        step.falls_through = guarded;
        break;
      default:
        break;
    }
    flow.instructions.push_back(std::move(step));
  }
  if (!flow.instructions.empty()) flow.instructions.back().falls_through = false;
  return flow;
}

void print_code(const isa::Program& program, const isa::Function& function) {
  for (std::uint32_t at = function.first; at < function.end; ++at) {
    fmt::print("  {:>6}  {:<60} {}\n", at - function.first, program.info[at].text,
               program.source_of(at));
  }
}

void print_graph(const isa::Program& program, const isa::Function& function, bool dot) {
  const ptx::ControlFlowGraph graph = ptx::build_cfg(flow_of(program, function));
  auto text = [&](std::uint32_t at) { return program.info[function.first + at].text; };
  fmt::print(
      "{}", dot ? ptx::print_graph_dot(function.name, graph, text) : ptx::print_graph(graph, text));
}

machine::Occupancy occupancy_of(const machine::GpuConfig& config, const isa::Function& kernel,
                                unsigned threads) {
  return machine::occupancy(config, kernel, std::min(threads, kernel.max_threads), 0);
}

nlohmann::ordered_json kernel_json(const isa::Function& kernel, const machine::GpuConfig& config,
                                   unsigned threads) {
  if (!kernel.unsupported.empty()) {
    return {{"name", kernel.name}, {"unsupported", kernel.unsupported}};
  }
  const machine::Occupancy occupancy = occupancy_of(config, kernel, threads);
  return {{"name", kernel.name},
          {"registers", machine::registers_of_thread(config.sm, kernel)},
          {"shared_bytes", kernel.static_shared_bytes},
          {"local_bytes", kernel.local_bytes_per_thread},
          {"parameter_bytes", kernel.parameter_bytes},
          {"max_threads", kernel.max_threads},
          {"instructions", kernel.end - kernel.first},
          {"threads_per_block", std::min(threads, kernel.max_threads)},
          {"blocks_per_sm", occupancy.blocks_per_sm},
          {"limited_by", occupancy.limited_by}};
}

/// Prints why launches of kernels would be refused.
void print_refused(const std::vector<const isa::Function*>& kernels) {
  for (const isa::Function* kernel : kernels) {
    if (kernel->unsupported.empty()) continue;
    fmt::print("\n{} cannot be launched: {}\n", isa::kernel_name(kernel->name),
               kernel->unsupported);
  }
}

/// Prints 80 columns; JSON has the full names.
void print_kernels(const std::vector<const isa::Function*>& kernels,
                   const machine::GpuConfig& config, unsigned threads) {
  constexpr std::size_t kName = 24;
  fmt::print("Blocks per SM: of {} threads, on {}\n", threads, machine::gpu_name(config));
  fmt::print("{:>5} {:>8} {:>8} {:>6} {:>6}  {:<15}  {}\n", "regs", "shared", "local", "params",
             "instr.", "blocks (limit)", "kernel");
  for (const isa::Function* kernel : kernels) {
    if (!kernel->unsupported.empty()) {
      fmt::print("{:>38}  {:<15}  {}\n", "", "cannot launch",
                 report::short_kernel_name(kernel->name, kName));
      continue;
    }
    const machine::Occupancy occupancy = occupancy_of(config, *kernel, threads);
    // "shared memory" is the longest of the limits.
    std::string limit = occupancy.limited_by;
    limit = limit.substr(0, limit.find(' '));
    fmt::print("{:>5} {:>8} {:>8} {:>6} {:>6}  {:<15}  {}\n",
               machine::registers_of_thread(config.sm, *kernel), kernel->static_shared_bytes,
               kernel->local_bytes_per_thread, kernel->parameter_bytes, kernel->end - kernel->first,
               fmt::format("{} ({})", occupancy.blocks_per_sm, limit),
               report::short_kernel_name(kernel->name, kName));
  }
}

std::vector<const isa::Function*> chosen_kernels(const isa::Program& program,
                                                 const std::string& wanted) {
  std::vector<const isa::Function*> kernels;
  for (const isa::Function& function : program.functions) {
    const bool fits = wanted.empty() || function.name.find(wanted) != std::string::npos;
    if (function.entry && fits) kernels.push_back(&function);
  }
  return kernels;
}

void inspect_program(const isa::Program& program, const machine::GpuConfig& config,
                     const InspectOptions& options, nlohmann::ordered_json& json) {
  const auto kernels = chosen_kernels(program, options.kernel);
  if (options.json) {
    for (const isa::Function* kernel : kernels) {
      json.push_back(kernel_json(*kernel, config, options.threads));
    }
    return;
  }
  if (!options.dot) {
    print_kernels(kernels, config, options.threads);
    print_refused(kernels);
  }
  for (const isa::Function* kernel : kernels) {
    if (!options.dot && (options.code || options.graph))
      fmt::print("\n{}:\n", isa::kernel_name(kernel->name));
    if (options.code) print_code(program, *kernel);
    if (options.graph || options.dot) print_graph(program, *kernel, options.dot);
  }
}

std::unique_ptr<machine::GpuConfig> configure(const InspectOptions& options) {
  auto config = machine::load_gpu(options.gpu);
  std::string with = options.with;
  if (options.merge) with += with.empty() ? "merge" : ",merge";
  machine::change(*config, options.settings, with);
  return config;
}

/// Prints what a pass did to a function: the code before, and after it if there is any.
void print_pass(const isa::PassRecord& record) {
  fmt::print("\n{}, pass {}: {} instructions before, {} after\n", isa::kernel_name(record.function),
             record.pass->name(), record.instructions_before, record.instructions_after);
  for (const std::string& note : record.notes) fmt::print("  {}\n", note);
  if (record.before == record.after) {
    fmt::print("  unchanged\n");
  } else {
    fmt::print("before:\n{}after:\n{}", record.before, record.after);
  }
}

/// Whether code is for a later or another GPU than the named one: none of its kernels can run
/// there. Without --gpu, code for any GPU is shown.
bool is_unfit(const ptx::Module& module, const machine::GpuConfig& config,
              const InspectOptions& options) {
  const auto target = ptx::target_from_name(module.target);
  if (!options.gpu_named || options.lenient || !target ||
      ptx::runs_on(config.sm_version(), *target)) {
    return false;
  }
  print_error("raddle: {}\n",
              cuda::too_new({*target, module.file, false}, config, options.gpu_named));
  return true;
}

int inspect(const InspectOptions& options) {
  const auto config = configure(options);
  isa::Loader loader = machine::make_loader(*config);
  if (options.lenient) {
    loader.be({.lenient = true,
               .gpu_name = machine::gpu_name(*config),
               .tell = [](const std::string& text) { fmt::print(stderr, "raddle: {}\n", text); }});
  }
  if (options.passes) {
    if (loader.passes().empty()) {
      fail(
          "no pass is switched on: --set passes.dead_code=true, or --with a mechanism that has "
          "one (raddle gpus {} lists the settings)",
          options.gpu);
    }
    loader.observe([&](const isa::PassRecord& record) {
      if (record.function.find(options.kernel) != std::string::npos) print_pass(record);
    });
  }
  MergeListing merging;
  if (options.merge) {
    loader.observe([&](const isa::PassRecord& record) {
      if (record.function.find(options.kernel) != std::string::npos) merging.note(record);
    });
  }
  memory::AddressSpace space(memory_bytes(*config));
  const auto bundled = workload_program(options.file);
  const auto modules =
      read_device_code(bundled ? bundled->string() : options.file, config->sm_version(), loader);
  auto json = nlohmann::ordered_json::array();
  std::size_t found = 0, refused = 0;
  for (const ptx::Module& module : modules) {
    const bool unfit = is_unfit(module, *config, options);
    merging.begin(module);
    const auto program = loader.load(std::span(&module, 1), space);
    for (const isa::Function* kernel : chosen_kernels(*program, options.kernel)) {
      ++found;
      if (unfit || !kernel->unsupported.empty()) ++refused;
    }
    if (!options.merge) inspect_program(*program, *config, options, json);
  }
  if (found == 0)
    fail("{}: no kernel{}", options.file,
         options.kernel.empty() ? "" : " whose name contains '" + options.kernel + "'");
  if (options.merge && !options.json) merging.print();
  if (options.json) fmt::print("{}\n", (options.merge ? merging.json() : json).dump(2));
  if (!options.annotated.empty()) merging.write_annotated(options.annotated);
  return refused == 0 ? 0 : 1;
}

}  // namespace

void add_inspect(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("inspect",
                                         "Show the kernels of a PTX file or program: registers, "
                                         "memory, control flow. The exit code is 1 "
                                         "if one of them cannot be launched");
  command->add_option("FILE", options->file, "A .ptx file, a program, or a bundled workload")
      ->required();
  command->add_option("--gpu", options->gpu, "GPU description for the occupancy")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Block size for the occupancy")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--kernel", options->kernel, "Only kernels whose name contains this");
  command->add_flag("--code", options->code, "List instructions with their source lines");
  command->add_flag("--graph", options->graph, "Print each kernel's control-flow graph");
  command->add_flag("--dot", options->dot,
                    "The graph in Graphviz format (raddle inspect --dot F | dot -Tpng)");
  command->add_flag("--passes", options->passes,
                    "Show what each pass over the program does to each function");
  command->add_flag("--merge", options->merge,
                    "Show what opcode merging (--with merge) joins: both sides of each branch "
                    "beside each other, and why others stay");
  command
      ->add_option("--annotated", options->annotated,
                   "With --merge: write the PTX to this file, with a comment at each instruction "
                   "that is merged")
      ->needs("--merge");
  command->add_flag("--lenient", options->lenient,
                    "Show also what the assembler would refuse, as for raddle run");
  command->add_option("--with", options->with, "Mechanisms to switch on, separated by commas");
  command->add_option("--set", options->settings, "unit.field=value, as for raddle run");
  command->add_flag("--json", options->json, "As JSON");
  command->callback([command, options, &exit_code] {
    options->gpu_named = command->count("--gpu") != 0;
    exit_code = inspect(*options);
  });
}

}  // namespace raddle::cli
