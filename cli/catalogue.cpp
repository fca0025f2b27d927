// Lists the available GPUs, mechanisms and workloads.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/parse_toml.h"
#include "commands.h"
#include "machine/config.h"
#include "machine/mechanism.h"
#include "paths.h"
#include "terminal.h"

namespace raddle::cli {
namespace fs = std::filesystem;

namespace {

struct Workload {
  std::string name, summary, category;
  std::vector<std::string> variants;
};

Workload read_workload(const fs::path& file) {
  const toml::table table = parse_toml(file.string());
  Workload workload;
  workload.name = file.parent_path().filename().string();
  workload.summary = table["summary"].value_or(std::string());
  workload.category = table["category"].value_or(std::string());
  if (const toml::array* variants = table["variants"].as_array()) {
    for (const auto& variant : *variants) {
      workload.variants.push_back(variant.value_or(std::string()));
    }
  }
  return workload;
}

std::vector<Workload> workloads() {
  std::vector<Workload> list;
  for (const std::string& name : workload_names()) {
    list.push_back(read_workload(root() / "workloads" / name / "workload.toml"));
  }
  return list;
}

void print_workloads(bool names_only) {
  for (const Workload& workload : workloads()) {
    if (names_only) {
      fmt::print("{}\n", workload.name);
      continue;
    }
    std::string variants;
    for (const std::string& variant : workload.variants) {
      variants += (variants.empty() ? " [" : ", ") + variant;
    }
    if (!variants.empty()) variants += "]";
    fmt::print("  {:<12} {}\n", workload.name, wrapped(workload.summary + variants, 15));
  }
  if (!names_only) fmt::print("\nRun one: raddle run NAME; its options: raddle run NAME --help\n");
}

void print_group(const ConfigGroup& group) {
  for (const FieldBase* field : group.fields()) {
    // Names and values in columns; a source that is too long for the line follows below.
    std::string line =
        fmt::format("{:<34} {:>14} {:<12}", field->path(), field->text(), field->unit());
    const std::string source(field->source());
    const bool fits = line.size() + 1 + source.size() <= 80;
    if (fits && !source.empty()) line += " " + source;
    line.resize(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
    if (!fits) fmt::print("    {}\n", wrapped(source, 4));
  }
  for (const ConfigGroup* child : group.groups()) print_group(*child);
}

nlohmann::json group_json(const ConfigGroup& group) {
  nlohmann::json json = nlohmann::json::object();
  for (const FieldBase* field : group.fields()) {
    json[std::string(field->name())] = {
        {"value", field->text()}, {"unit", field->unit()}, {"source", field->source()}};
  }
  for (const ConfigGroup* child : group.groups()) json[child->name()] = group_json(*child);
  return json;
}

void print_gpu(const std::string& name, bool json) {
  const auto config = machine::load_gpu(name);
  if (json) {
    fmt::print("{}\n", group_json(*config).dump(2));
  } else {
    print_group(*config);
  }
}

void print_gpus() {
  for (const std::string& name : machine::gpu_names()) {
    const auto config = machine::load_gpu(name);
    fmt::print("  {:<16} {}\n", name, wrapped(machine::one_line(*config), 19));
  }
  fmt::print("\n{}\n", wrapped("Every value and its source: raddle gpus NAME. To change one, copy "
                               "gpus/NAME.toml and pass the copy to --gpu.",
                               0));
}

/// The descriptions that switch the mechanism on by themselves.
std::string gpus_with(const std::string& mechanism) {
  std::string with;
  for (const std::string& name : machine::gpu_names()) {
    const std::vector<std::string> on = machine::mechanism_names(*machine::load_gpu(name));
    if (std::find(on.begin(), on.end(), mechanism) == on.end()) continue;
    with.append(with.empty() ? "" : ", ").append(name);
  }
  return with.empty() ? "none" : with;
}

/// Prints its settings with their values, and first the papers or guides that they name.
void print_mechanism(const machine::MechanismKind& kind) {
  machine::GpuConfig config;
  fmt::print("  {:<12} {}\n", kind.name, wrapped(kind.meaning, 15));
  if (*kind.needs != '\0') fmt::print("{:15}switches on: {}\n", "", kind.needs);
  fmt::print("{:15}on without --with: {}\n", "", wrapped(gpus_with(kind.name), 34));
  for (const ConfigGroup* group : config.groups()) {
    if (group->name() != kind.name || group->fields().empty()) continue;
    std::string settings;
    for (const FieldBase* field : group->fields()) {
      settings.append(settings.empty() ? "" : ", ").append(field->path());
    }
    fmt::print("{:15}settings: {}\n", "", wrapped(settings, 25));
  }
  fmt::print("{:15}sources, statistics: raddle reference mechanism-{}\n", "", kind.name);
}

}  // namespace

void add_mechanisms(CLI::App& app) {
  app.add_subcommand("mechanisms", "List what --with switches on, with settings and GPUs")
      ->callback([] {
        for (const machine::MechanismKind& kind : machine::mechanism_kinds()) print_mechanism(kind);
      });
}

void add_gpus(CLI::App& app, int&) {
  auto name = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App* gpus = app.add_subcommand("gpus", "List the GPU descriptions, or show one in full");
  gpus->add_option("NAME", *name, "Show every setting of this GPU with its source");
  gpus->add_flag("--json", *json, "As JSON (with NAME)");
  gpus->callback([name, json] { name->empty() ? print_gpus() : print_gpu(*name, *json); });
}

void add_workloads(CLI::App& app, int&) {
  auto names = std::make_shared<bool>(false);
  CLI::App* list = app.add_subcommand("workloads", "List the bundled workloads");
  list->add_flag("--names", *names, "Names only, one per line");
  list->callback([names] { print_workloads(*names); });
}

}  // namespace raddle::cli
