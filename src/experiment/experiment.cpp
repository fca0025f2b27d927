#include "experiment/experiment.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/parse_toml.h"
#include "experiment/section.h"

namespace raddle::experiment {
namespace {

Variant read_variant(Section& section, const std::string& gpu) {
  Variant variant;
  variant.name = section.text("name");
  variant.arguments = section.texts("arguments");
  variant.mechanisms = section.texts("with");
  variant.settings = section.settings("set");
  variant.gpu = section.text("gpu", gpu);
  variant.programs = section.texts("programs");
  variant.place = section.place();
  section.finish();
  return variant;
}

/// More are a slip: several [[vary]] multiply.
constexpr std::size_t kMostVariants = 100'000;

/// A [[vary]] runs every variant once for each value of a setting.
void vary(Section& section, std::vector<Variant>& variants) {
  const std::string setting = section.text("setting");
  const std::vector<std::string> values = section.texts("values");
  if (values.empty()) fail_at(section.place(), "'values' should be a list of the values to try");
  section.finish();
  if (variants.size() * values.size() > kMostVariants) {
    fail_at(section.place(), "{} variants with {} values each: at most {} variants are possible",
            variants.size(), values.size(), kMostVariants);
  }
  std::vector<Variant> varied;
  for (const Variant& variant : variants) {
    for (const std::string& value : values) {
      varied.push_back(variant);
      varied.back().settings.push_back({setting + "=" + value, section.place()});
      varied.back().name.append(fmt::format(",{}={}", setting, value));
    }
  }
  variants = std::move(varied);
}

Program read_program(Section& section, const std::vector<std::string>& scales) {
  Program program;
  program.name = section.text("name");
  program.workload = section.text("workload");
  for (const std::string& scale : scales) {
    if (!section.has(scale.c_str())) {
      fail_at(section.place(), "the program {} has no arguments for the scale '{}'", program.name,
              scale);
    }
    program.arguments[scale] = section.texts(scale.c_str());
  }
  section.finish();
  return program;
}

template <class Value>
Value choice(Section& section, const char* key, const std::map<std::string, Value>& choices,
             const std::string& otherwise) {
  const std::string word = section.text(key, otherwise);
  const auto found = choices.find(word);
  if (found != choices.end()) return found->second;
  std::string all;
  for (const auto& [name, value] : choices) all.append(all.empty() ? "" : ", ").append(name);
  fail_at(section.place(), "'{}' is '{}'; it should be one of {}", key, word, all);
}

void check_figure(const Figure& figure, const Experiment& experiment, const SourcePosition& place) {
  if ((figure.relation == Relation::value) != figure.against.empty()) {
    fail_at(place, "a relation other than 'value' needs 'against', and 'value' must not have it");
  }
  const bool signed_values =
      figure.relation == Relation::difference || figure.relation == Relation::reduction;
  if (figure.average == Average::geometric && signed_values) {
    fail_at(place, "numbers of this relation may be negative: they have no geometric average");
  }
  if (figure.variants.empty()) fail_at(place, "the figure {} shows no variants", figure.metric);
  std::vector<std::string> named = figure.variants;
  named.insert(named.end(), figure.against.begin(), figure.against.end());
  for (const std::string& name : named) {
    if (experiment.variant(name) != nullptr) continue;
    fail_at(place, "the figure {} names a variant '{}' which is not described", figure.metric,
            name);
  }
  for (const auto& [key, numbers] : {std::pair("published", &figure.published),
                                     std::pair("published_least", &figure.published_least),
                                     std::pair("published_most", &figure.published_most)}) {
    for (const auto& [variant, number] : *numbers) {
      if (std::count(figure.variants.begin(), figure.variants.end(), variant) != 0) continue;
      fail_at(place, "'{}' has '{}', which is not among the figure's variants", key, variant);
    }
  }
}

Said read_said(Section& section, const Figure& figure, const Experiment& experiment) {
  Said said;
  said.programs = section.text_or_texts("program");
  said.variants = section.text_or_texts("variant");
  if (section.has("value")) said.value = section.number("value", 0);
  said.words = section.text("words", "");
  section.finish();
  if (said.programs.empty()) fail_at(section.place(), "what is said is of no program");
  if (!said.value && said.words.empty()) {
    fail_at(section.place(), "there is neither a 'value' nor 'words'");
  }
  for (const std::string& name : said.programs) {
    const bool known = std::any_of(experiment.programs.begin(), experiment.programs.end(),
                                   [&](const Program& program) { return program.name == name; });
    if (!known) fail_at(section.place("program"), "there is no [[program]] called '{}'", name);
  }
  if (said.variants.empty()) said.variants = figure.variants;
  for (const std::string& name : said.variants) {
    if (std::count(figure.variants.begin(), figure.variants.end(), name) != 0) continue;
    fail_at(section.place("variant"), "the figure {} shows no variant '{}'", figure.metric, name);
  }
  return said;
}

Order read_order(Section& section, const Experiment& experiment) {
  Order order;
  order.title = section.text("title");
  order.statistic = section.formula("statistic");
  order.variants = section.texts("variants");
  section.finish();
  if (order.variants.size() < 2) fail_at(section.place(), "an order is of two variants or more");
  for (const std::string& name : order.variants) {
    if (experiment.variant(name) != nullptr) continue;
    fail_at(section.place(), "the order names a variant '{}' which is not described", name);
  }
  return order;
}

Figure read_figure(Section& section, const Experiment& experiment) {
  Figure figure;
  figure.id = section.text("id");
  figure.metric = section.text("metric");
  figure.title = section.text("title");
  figure.axis = section.text("axis", "");
  figure.statistic = section.formula("statistic");
  figure.place = section.place("statistic");
  figure.relation = choice<Relation>(section, "relation",
                                     {{"value", Relation::value},
                                      {"ratio", Relation::ratio},
                                      {"speedup", Relation::speedup},
                                      {"difference", Relation::difference},
                                      {"reduction", Relation::reduction}},
                                     "value");
  figure.against = section.text_or_texts("against");
  figure.factor = section.number("factor", 1);
  figure.average = choice<Average>(
      section, "average", {{"arithmetic", Average::arithmetic}, {"geometric", Average::geometric}},
      "arithmetic");
  figure.variants = section.texts("variants");
  figure.published = section.numbers("published");
  figure.published_least = section.numbers("published_least");
  figure.published_most = section.numbers("published_most");
  for (Section& said : section.sections("said")) {
    figure.said.push_back(read_said(said, figure, experiment));
  }
  section.finish();
  check_figure(figure, experiment, section.place());
  return figure;
}

TimelineFigure read_timeline(Section& section, const Experiment& experiment) {
  TimelineFigure figure;
  figure.id = section.text("id");
  figure.title = section.text("title");
  figure.statistic = section.text("statistic");
  figure.program = section.text("program");
  figure.factor = section.number("factor", 1);
  figure.variants = section.texts("variants");
  section.finish();
  for (const std::string& name : figure.variants) {
    if (experiment.variant(name) != nullptr) continue;
    fail_at(section.place(), "the timeline {} names a variant '{}' which is not described",
            figure.id, name);
  }
  const bool known =
      std::any_of(experiment.programs.begin(), experiment.programs.end(),
                  [&](const Program& program) { return program.name == figure.program; });
  if (!known) {
    fail_at(section.place("program"), "there is no [[program]] called '{}'", figure.program);
  }
  return figure;
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

}  // namespace

bool runs_program(const Variant& variant, const std::string& program) {
  return variant.programs.empty() ||
         std::count(variant.programs.begin(), variant.programs.end(), program) != 0;
}

std::vector<const Program*> Experiment::programs_of(const Figure& figure) const {
  std::vector<const Program*> rows;
  for (const Program& program : programs) {
    const bool runs = std::any_of(
        figure.variants.begin(), figure.variants.end(),
        [&](const std::string& name) { return runs_program(*variant(name), program.name); });
    if (runs) rows.push_back(&program);
  }
  return rows;
}

const Variant* Experiment::variant(const std::string& wanted) const {
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& variant) { return variant.name == wanted; });
  return found == variants.end() ? nullptr : &*found;
}

Experiment read_experiment(const std::string& file) {
  const toml::table table = parse_toml(file);
  Section root(file, table, "an experiment");
  Experiment experiment;
  experiment.name = std::filesystem::path(file).stem().string();
  experiment.title = root.text("title");
  experiment.source = root.text("source", "");
  experiment.scales = root.texts("scales");
  if (experiment.scales.empty()) experiment.scales = {"small"};
  const std::string gpu = root.text("gpu", "k20c");
  for (Section& section : root.sections("variant")) {
    experiment.variants.push_back(read_variant(section, gpu));
  }
  for (Section& section : root.sections("vary")) vary(section, experiment.variants);
  for (Section& section : root.sections("program")) {
    experiment.programs.push_back(read_program(section, experiment.scales));
  }
  for (const Variant& variant : experiment.variants) {
    for (const std::string& name : variant.programs) {
      const bool known = std::any_of(experiment.programs.begin(), experiment.programs.end(),
                                     [&](const Program& program) { return program.name == name; });
      if (!known) fail_at(variant.place, "there is no [[program]] called '{}'", name);
    }
  }
  for (Section& section : root.sections("figure")) {
    experiment.figures.push_back(read_figure(section, experiment));
  }
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

}  // namespace raddle::experiment
