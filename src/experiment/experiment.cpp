#include "experiment/experiment.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/config.h"
#include "base/error.h"
#include "base/parse_toml.h"
#include "experiment/read_figures.h"
#include "experiment/section.h"
#include "experiment/variants.h"

namespace raddle::experiment {
namespace fs = std::filesystem;

namespace {

/// Reads a program. If the file inherits it, the given keys replace the inherited ones.
void read_program(Section& section, Experiment& experiment) {
  Program program;
  program.name = section.text("name");
  const auto before = std::find_if(experiment.programs.begin(), experiment.programs.end(),
                                   [&](const Program& one) { return one.name == program.name; });
  const bool inherits =
      before != experiment.programs.end() && before->place.file != section.place().file;
  if (inherits) program = *before;
  program.place = section.place();
  if (!inherits || section.has("workload")) program.workload = section.text("workload");
  for (const std::string& scale : experiment.scales) {
    if (section.has(scale.c_str())) {
      program.arguments[scale] = section.texts(scale.c_str());
    } else if (program.arguments.count(scale) == 0) {
      fail_at(section.place(), "the program {} has no arguments for the scale '{}'", program.name,
              scale);
    }
  }
  section.finish();
  if (inherits) {
    *before = std::move(program);
  } else {
    experiment.programs.push_back(std::move(program));
  }
}

template <class Item>
void require_unique(const std::string& file, const std::vector<Item>& items,
                    std::string Item::* name, const char* what) {
  std::set<std::string> seen;
  for (const Item& item : items) {
    if (!seen.insert(item.*name).second) {
      fail_at({file, 0, 0}, "two {}s are called {}", what, item.*name);
    }
  }
}

/// Keeps only the inherited items that the list names by `name`, in its order ('*' stands for any
/// text); keeps all without a list.
template <class Item>
void select(Section& root, const char* key, std::vector<Item>& items, std::string Item::* name) {
  if (!root.has(key)) return;
  std::vector<Item> selected;
  for (const std::string& pattern : root.texts(key)) {
    const std::size_t before = selected.size();
    for (const Item& item : items) {
      if (!star_of(pattern, item.*name)) continue;
      const bool twice = std::any_of(selected.begin(), selected.end(),
                                     [&](const Item& other) { return other.*name == item.*name; });
      if (!twice) selected.push_back(item);
    }
    if (selected.size() != before || pattern.find('*') != pattern.npos) continue;
    std::vector<std::string> names;
    for (const Item& item : items) names.push_back(item.*name);
    const std::vector<std::string> near = near_names(pattern, names);
    fail_at(root.place(key), "'{}' names '{}', which is not inherited{}{}", key, pattern,
            near.empty() ? "" : "; did you mean ", near.empty() ? "" : near.front());
  }
  items = std::move(selected);
}

/// `below`: the files that extend this one.
Experiment read(const std::string& file, std::vector<std::string> below);

/// The experiment that the file extends.
Experiment inherited(Section& root, const std::string& file, std::vector<std::string> below) {
  if (!root.has("extends")) return {};
  const std::string name = root.text("extends");
  const fs::path other = fs::path(file).parent_path() / (name + ".toml");
  below.push_back(fs::path(file).lexically_normal().string());
  if (std::count(below.begin(), below.end(), other.lexically_normal().string()) != 0) {
    fail_at(root.place("extends"), "{} extends itself", name);
  }
  if (!fs::exists(other)) {
    fail_at(root.place("extends"), "there is no experiment {}", other.string());
  }
  Experiment experiment = read(other.string(), below);
  experiment.extends = name;
  return experiment;
}

void read_variants(Section& root, Experiment& experiment) {
  if (root.has("gpu")) experiment.gpu = root.text("gpu");
  for (Variant& variant : experiment.variants) {
    if (!variant.names_gpu) variant.gpu = experiment.gpu;
  }
  // Variants, and variants that a [[vary]] adds, in the order of the file: `like` may name either.
  // A [[vary]] of all variants comes last.
  std::multimap<unsigned, Section> in_order;  // by line
  std::vector<Section> of_all;
  for (Section& section : root.sections("variant")) {
    in_order.emplace(section.place().line, section);
  }
  for (Section& section : root.sections("vary")) {
    if (section.has("variants")) {
      in_order.emplace(section.place().line, section);
    } else {
      of_all.push_back(section);
    }
  }
  for (auto& [line, section] : in_order) {
    if (section.has("variants")) {
      vary(section, experiment.variants);
    } else {
      read_variant(section, experiment.gpu, experiment.variants);
    }
  }
  for (Section& section : of_all) vary(section, experiment.variants);
}

bool has_program(const Experiment& experiment, const std::string& name) {
  return std::any_of(experiment.programs.begin(), experiment.programs.end(),
                     [&](const Program& program) { return program.name == name; });
}

/// Inherited variants keep only programs that still exist; variants without any are removed.
void drop_programs(Experiment& experiment) {
  std::erase_if(experiment.variants, [&](Variant& variant) {
    if (variant.programs.empty()) return false;
    std::erase_if(variant.programs,
                  [&](const std::string& name) { return !has_program(experiment, name); });
    return variant.programs.empty();
  });
}

void check_programs(const Experiment& experiment) {
  for (const Variant& variant : experiment.variants) {
    for (const std::string& name : variant.programs) {
      if (has_program(experiment, name)) continue;
      fail_at(variant.place, "there is no [[program]] called '{}'", name);
    }
  }
}

Experiment read(const std::string& file, std::vector<std::string> below) {
  const toml::table table = parse_toml(file);
  Section root(file, table, "an experiment");
  Experiment experiment = inherited(root, file, std::move(below));
  experiment.name = fs::path(file).stem().string();
  experiment.title = root.text("title");
  experiment.source = root.text("source", experiment.source);
  experiment.picture = root.text("picture", "");
  if (root.has("scales")) experiment.scales = root.texts("scales");
  if (experiment.scales.empty()) experiment.scales = {"small"};
  select(root, "programs", experiment.programs, &Program::name);
  select(root, "variants", experiment.variants, &Variant::name);
  select(root, "figures", experiment.figures, &Figure::metric);
  if (root.has("figures")) {
    experiment.orders.clear();
    experiment.timelines.clear();
  }
  drop_programs(experiment);
  read_variants(root, experiment);
  for (Section& section : root.sections("program")) read_program(section, experiment);
  check_programs(experiment);
  drop_what_is_gone(experiment);
  for (Section& section : root.sections("figure")) read_figure(section, experiment);
  for (Section& section : root.sections("order")) {
    experiment.orders.push_back(read_order(section, experiment));
  }
  for (Section& section : root.sections("timeline")) {
    experiment.timelines.push_back(read_timeline(section, experiment));
  }
  root.finish();
  if (experiment.programs.empty()) fail_at({file, 0, 0}, "has no [[program]]");
  if (experiment.variants.empty()) fail_at({file, 0, 0}, "has no [[variant]]");
  require_unique(file, experiment.programs, &Program::name, "program");
  require_unique(file, experiment.variants, &Variant::name, "variant");
  require_unique(file, experiment.figures, &Figure::metric, "figure");
  return experiment;
}

}  // namespace

bool runs_program(const Variant& variant, const std::string& program) {
  return variant.programs.empty() ||
         std::count(variant.programs.begin(), variant.programs.end(), program) != 0;
}

bool Figure::shows(const std::string& program) const {
  return programs.empty() || std::count(programs.begin(), programs.end(), program) != 0;
}

std::vector<const Program*> Experiment::programs_of(const Figure& figure) const {
  std::vector<const Program*> rows;
  for (const Program& program : programs) {
    const bool runs = std::any_of(
        figure.variants.begin(), figure.variants.end(),
        [&](const std::string& name) { return runs_program(*variant(name), program.name); });
    if (runs && figure.shows(program.name)) rows.push_back(&program);
  }
  return rows;
}

const Variant* Experiment::variant(const std::string& wanted) const {
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& variant) { return variant.name == wanted; });
  return found == variants.end() ? nullptr : &*found;
}

Experiment read_experiment(const std::string& file) { return read(file, {}); }

}  // namespace raddle::experiment
