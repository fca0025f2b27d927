#include "experiment/behaviour.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/parse_toml.h"
#include "experiment/figures.h"
#include "experiment/section.h"
#include "machine/settings.h"

namespace raddle::experiment {
namespace {

using Json = nlohmann::ordered_json;

Unit read_unit(Section& section) {
  Unit unit;
  unit.name = section.text("name");
  unit.what = section.text("what");
  unit.least_capability = static_cast<unsigned>(section.number("least_capability", 0));
  unit.most_capability = static_cast<unsigned>(section.number("most_capability", 999));
  unit.mechanism = section.text("mechanism", "");
  unit.setting = section.text("setting", "");
  unit.unless = section.text_or_texts("unless");
  section.finish();
  return unit;
}

Canary read_canary(Section& section, const std::vector<Unit>& units) {
  Canary canary;
  canary.program = {section.text("name"), section.text("workload"), {}};
  canary.program.arguments["small"] = section.texts("arguments");
  canary.variant.name = "canary";
  canary.variant.gpu = section.text("gpu");
  canary.variant.mechanisms = section.texts("with");
  canary.variant.settings = section.settings("set");
  canary.variant.place = section.place();
  canary.variant.programs = {canary.program.name};
  canary.unit = section.text("unit");
  const bool known = std::any_of(units.begin(), units.end(),
                                 [&](const Unit& unit) { return unit.name == canary.unit; });
  if (!known) fail_at(section.place("unit"), "there is no [[unit]] called '{}'", canary.unit);
  section.finish();
  return canary;
}

void read_recorded(const std::string& file, Behaviour& behaviour) {
  std::ifstream in(file);
  if (!in) return;
  try {
    const Json json = Json::parse(in);
    for (Unit& unit : behaviour.units) {
      unit.version = json.at("versions").value(unit.name, 1u);
    }
    for (Canary& canary : behaviour.canaries) {
      const auto at = json.at("canaries").find(canary.program.name);
      if (at == json.at("canaries").end()) continue;
      canary.recorded = {at->at("commit"), at->at("date"), at->at("values")};
    }
  } catch (const Json::exception& error) {
    fail("{}: {}", file, error.what());
  }
}

bool uses(const Unit& unit, const machine::GpuConfig& config,
          const std::vector<std::string>& mechanisms) {
  const unsigned capability = config.sm_version();
  if (capability < unit.least_capability || capability > unit.most_capability) return false;
  if (!unit.mechanism.empty() &&
      std::find(mechanisms.begin(), mechanisms.end(), unit.mechanism) == mechanisms.end()) {
    return false;
  }
  if (unit.setting.empty()) return true;
  const auto values = machine::values_of(config);
  const auto at = std::find_if(values.begin(), values.end(), [&](const auto& value) {
    return value.first->path() == unit.setting;
  });
  if (at == values.end()) fail("the unit {} names no setting: '{}'", unit.name, unit.setting);
  return std::count(unit.unless.begin(), unit.unless.end(), at->second) == 0;
}

double part_of(double before, double now) {
  if (before == now) return 0;
  return before == 0 ? std::numeric_limits<double>::infinity() : now / before - 1;
}

/// Takes the statistic over if it moved most so far.
void compare(Move& move, const std::string& statistic, double now) {
  if (!move.known()) return;
  const auto before = move.canary->recorded->values.find(statistic);
  if (before == move.canary->recorded->values.end()) {
    move.statistic = statistic;
    move.before = 0;
    move.now = now;
    return;
  }
  if (!move.statistic.empty() && std::abs(part_of(before->second, now)) <= std::abs(move.part())) {
    return;
  }
  move.statistic = statistic;
  move.before = before->second;
  move.now = now;
}

}  // namespace

std::string Behaviour::version_for(const machine::GpuConfig& config) const {
  const std::vector<std::string> mechanisms = machine::mechanism_names(config);
  std::string text;
  for (const Unit& unit : units) {
    if (!uses(unit, config, mechanisms)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", unit.name, unit.version);
  }
  return text;
}

Behaviour read_behaviour(const std::string& described, const std::string& recorded) {
  const toml::table table = parse_toml(described);
  Section root(described, table, "a description of behaviour");
  Behaviour behaviour;
  behaviour.statistics = root.texts("statistics");
  if (behaviour.statistics.empty()) fail_at({described, 0, 0}, "has no 'statistics'");
  for (Section& section : root.sections("unit")) behaviour.units.push_back(read_unit(section));
  for (Section& section : root.sections("canary")) {
    behaviour.canaries.push_back(read_canary(section, behaviour.units));
  }
  root.finish();
  for (const Unit& unit : behaviour.units) {
    const bool watched =
        std::any_of(behaviour.canaries.begin(), behaviour.canaries.end(),
                    [&](const Canary& canary) { return canary.unit == unit.name; });
    if (!watched) fail_at({described, 0, 0}, "the unit {} has no canary", unit.name);
  }
  read_recorded(recorded, behaviour);
  return behaviour;
}

Experiment canary_experiment(const Behaviour& behaviour) {
  Experiment experiment;
  experiment.name = "canaries";
  experiment.title = "Canaries";
  experiment.scales = {"small"};
  for (const Canary& canary : behaviour.canaries) {
    experiment.programs.push_back(canary.program);
    experiment.variants.push_back(canary.variant);
    experiment.variants.back().name = canary.program.name;
  }
  return experiment;
}

double Move::part() const { return part_of(before, now); }

bool Move::too_far() const {
  return known() && std::abs(now - before) > kMostMove * std::abs(before);
}

std::vector<Move> moves(const Behaviour& behaviour, const std::vector<StoredRun>& records) {
  std::vector<Move> all;
  const Statistics statistics = statistics_of(records, "canaries");
  for (const StoredRun& record : records) {
    const auto canary =
        std::find_if(behaviour.canaries.begin(), behaviour.canaries.end(),
                     [&](const Canary& one) { return one.program.name == record.program; });
    const auto* numbers = statistics.numbers(record.program, record.variant);
    if (canary == behaviour.canaries.end() || numbers == nullptr) continue;
    Move move;
    move.canary = &*canary;
    for (const std::string& path : behaviour.statistics) {
      const auto now = numbers->find(path);
      if (now == numbers->end()) fail("the canary {} has no '{}'", record.program, path);
      move.values[path] = now->second;
      compare(move, path, now->second);
    }
    all.push_back(std::move(move));
  }
  return all;
}

std::vector<std::string> moved_units(const std::vector<Move>& moves) {
  std::vector<std::string> units;
  for (const Move& move : moves) {
    if (!move.too_far() || std::count(units.begin(), units.end(), move.canary->unit) != 0) continue;
    units.push_back(move.canary->unit);
  }
  return units;
}

void raise(Behaviour& behaviour, const std::vector<Move>& moves, const std::string& commit,
           const std::string& date) {
  const std::vector<std::string> units = moved_units(moves);
  for (Unit& unit : behaviour.units) {
    unit.version += std::count(units.begin(), units.end(), unit.name) != 0;
  }
  std::map<std::string, Recorded> fresh;
  for (const Move& move : moves) {
    if (move.known() && !move.too_far()) continue;
    fresh[move.canary->program.name] = {commit, date, move.values};
  }
  for (Canary& canary : behaviour.canaries) {
    const auto at = fresh.find(canary.program.name);
    if (at != fresh.end()) canary.recorded = at->second;
  }
}

std::string record_text(const Behaviour& behaviour) {
  Json json{{"versions", Json::object()}, {"canaries", Json::object()}};
  for (const Unit& unit : behaviour.units) json["versions"][unit.name] = unit.version;
  for (const Canary& canary : behaviour.canaries) {
    if (!canary.recorded) continue;
    json["canaries"][canary.program.name] = {{"commit", canary.recorded->commit},
                                             {"date", canary.recorded->date},
                                             {"values", canary.recorded->values}};
  }
  return json.dump(1) + "\n";
}

}  // namespace raddle::experiment
