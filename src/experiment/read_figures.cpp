#include "experiment/read_figures.h"

#include <algorithm>

#include "experiment/variants.h"

namespace raddle::experiment {
namespace {

template <class Value>
Value choice(Section& section, const char* key, const std::map<std::string, Value>& choices,
             Value otherwise) {
  if (!section.has(key)) return otherwise;
  const std::string word = section.text(key);
  const auto found = choices.find(word);
  if (found != choices.end()) return found->second;
  std::string all;
  for (const auto& [name, value] : choices) all.append(all.empty() ? "" : ", ").append(name);
  fail_at(section.place(), "'{}' is '{}'; it should be one of {}", key, word, all);
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::count(list.begin(), list.end(), word) != 0;
}

bool has_program(const Experiment& experiment, const std::string& name) {
  return std::any_of(experiment.programs.begin(), experiment.programs.end(),
                     [&](const Program& program) { return program.name == name; });
}

bool is_signed(const Figure& figure) {
  return figure.relation == Relation::difference || figure.relation == Relation::reduction;
}

void check_published(const Figure& figure, const SourcePosition& place) {
  for (const auto& [key, numbers] : {std::pair("published", &figure.published),
                                     std::pair("published_least", &figure.published_least),
                                     std::pair("published_most", &figure.published_most)}) {
    for (const auto& [variant, number] : *numbers) {
      if (contains(figure.variants, variant)) continue;
      fail_at(place, "'{}' has '{}', which is not among the figure's variants", key, variant);
    }
  }
}

void check_figure(const Figure& figure, const Experiment& experiment, const SourcePosition& place) {
  if ((figure.relation == Relation::value) != figure.against.empty()) {
    fail_at(place, "a relation other than 'value' needs 'against', and 'value' must not have it");
  }
  if (figure.average == Average::geometric && is_signed(figure)) {
    fail_at(place, "numbers of this relation may be negative: they have no geometric average");
  }
  if (figure.variants.empty()) fail_at(place, "the figure {} shows no variants", figure.metric);
  for (const std::string& variant : figure.variants) {
    std::vector<std::string> named = figure.against_for(variant);
    named.push_back(variant);
    for (const std::string& name : named) {
      if (experiment.variant(name) != nullptr) continue;
      fail_at(place, "the figure {} names a variant '{}' which is not described", figure.metric,
              name);
    }
  }
  for (const std::string& program : figure.programs) {
    if (has_program(experiment, program)) continue;
    fail_at(place, "there is no [[program]] called '{}'", program);
  }
  check_published(figure, place);
}

/// The variants that the figure names, with '*' replaced. A pattern without a '*' is taken as it
/// is: a later check finds unknown variants.
void set_variants(Figure& figure, const std::vector<std::string>& patterns,
                  const Experiment& experiment) {
  figure.variants.clear();
  figure.against_of.clear();
  for (const std::string& pattern : patterns) {
    const bool has_star = pattern.find('*') != pattern.npos;
    std::vector<std::string> names =
        has_star ? matching(pattern, experiment.variants) : std::vector<std::string>{pattern};
    for (const std::string& name : names) {
      if (contains(figure.variants, name)) continue;
      std::vector<std::string> own;
      bool replaced = false;
      for (const std::string& other : figure.against) {
        const std::string star = star_of(pattern, name).value_or("");
        own.push_back(has_star ? with_star(other, star) : other);
        replaced |= own.back() != other;
      }
      // With "*", a variant is not compared with itself.
      if (contains(own, name) && has_star) continue;
      if (has_star && replaced && !std::all_of(own.begin(), own.end(), [&](const std::string& one) {
            return experiment.variant(one) != nullptr;
          })) {
        continue;
      }
      figure.variants.push_back(name);
      if (replaced) figure.against_of[name] = own;
    }
  }
}

void add_said(Section& section, const Experiment& experiment, Figure& figure) {
  Said said;
  said.programs = section.text_or_texts("program");
  said.variants = section.text_or_texts("variant");
  const std::map<std::string, double> values = section.numbers("values");
  if (section.has("value")) said.value = section.number("value", 0);
  said.words = section.text("words", "");
  section.finish();
  if (said.variants.empty()) said.variants = figure.variants;
  for (const std::string& name : said.variants) {
    if (contains(figure.variants, name)) continue;
    fail_at(section.place("variant"), "the figure {} shows no variant '{}'", figure.metric, name);
  }
  const char* const named = values.empty() ? "program" : "values";
  if (!values.empty()) {
    if (!said.programs.empty() || said.value || !said.words.empty()) {
      fail_at(section.place(), "'values' stands alone: it has a number for each program");
    }
    for (const Program& program : experiment.programs) {  // in the programs' order
      const auto value = values.find(program.name);
      if (value == values.end()) continue;
      figure.said.push_back({{program.name}, said.variants, value->second, ""});
    }
    for (const auto& [name, value] : values) said.programs.push_back(name);
  } else if (said.programs.empty()) {
    fail_at(section.place(), "what is said is of no program");
  } else if (!said.value && said.words.empty()) {
    fail_at(section.place(), "there is neither a 'value' nor 'words'");
  } else {
    figure.said.push_back(said);
  }
  for (const std::string& name : said.programs) {
    if (has_program(experiment, name)) continue;
    fail_at(section.place(named), "there is no [[program]] called '{}'", name);
  }
}

void read_relation(Section& section, Figure& figure) {
  figure.relation = choice<Relation>(section, "relation",
                                     {{"value", Relation::value},
                                      {"ratio", Relation::ratio},
                                      {"speedup", Relation::speedup},
                                      {"difference", Relation::difference},
                                      {"reduction", Relation::reduction}},
                                     figure.relation);
  if (section.has("against")) figure.against = section.text_or_texts("against");
  figure.factor = section.number("factor", figure.factor);
  figure.average = choice<Average>(
      section, "average", {{"arithmetic", Average::arithmetic}, {"geometric", Average::geometric}},
      figure.average);
}

template <class Item>
void keep_known(std::vector<Item>& list, const std::vector<std::string>& known) {
  std::erase_if(list, [&](const Item& item) { return !contains(known, item); });
}

}  // namespace

void read_figure(Section& section, Experiment& experiment) {
  const std::string metric = section.text("metric");
  const auto before = std::find_if(experiment.figures.begin(), experiment.figures.end(),
                                   [&](const Figure& one) { return one.metric == metric; });
  const bool inherits =
      before != experiment.figures.end() && before->place.file != section.place().file;
  Figure figure = inherits ? *before : Figure();
  figure.metric = metric;
  figure.id = inherits ? section.text("id", figure.id) : section.text("id");
  figure.title = inherits ? section.text("title", figure.title) : section.text("title");
  figure.axis = section.text("axis", figure.axis);
  if (!inherits || section.has("statistic")) {
    figure.statistic = section.formula("statistic");
    figure.place = section.place("statistic");
  }
  read_relation(section, figure);
  if (!inherits || section.has("variants")) {
    set_variants(figure, section.texts("variants"), experiment);
  }
  if (section.has("programs")) figure.programs = section.texts("programs");
  for (const auto& [key, member] : {std::pair("published", &Figure::published),
                                    std::pair("published_least", &Figure::published_least),
                                    std::pair("published_most", &Figure::published_most)}) {
    if (section.has(key)) figure.*member = section.numbers(key);
  }
  if (section.has("said")) figure.said.clear();
  for (Section& said : section.sections("said")) add_said(said, experiment, figure);
  section.finish();
  check_figure(figure, experiment, section.place());
  if (inherits) {
    *before = std::move(figure);
  } else {
    experiment.figures.push_back(std::move(figure));
  }
}

Order read_order(Section& section, const Experiment& experiment) {
  Order order;
  order.title = section.text("title");
  order.statistic = section.formula("statistic");
  order.place = section.place("statistic");
  order.variants = section.texts("variants");
  section.finish();
  if (order.variants.size() < 2) fail_at(section.place(), "an order is of two variants or more");
  for (const std::string& name : order.variants) {
    if (experiment.variant(name) != nullptr) continue;
    fail_at(section.place(), "the order names a variant '{}' which is not described", name);
  }
  return order;
}

TimelineFigure read_timeline(Section& section, const Experiment& experiment) {
  TimelineFigure figure;
  figure.id = section.text("id");
  figure.title = section.text("title");
  figure.statistic = section.text("statistic");
  figure.place = section.place("statistic");
  figure.program = section.text("program");
  figure.factor = section.number("factor", 1);
  figure.variants = section.texts("variants");
  section.finish();
  for (const std::string& name : figure.variants) {
    if (experiment.variant(name) != nullptr) continue;
    fail_at(section.place(), "the timeline {} names a variant '{}' which is not described",
            figure.id, name);
  }
  if (!has_program(experiment, figure.program)) {
    fail_at(section.place("program"), "there is no [[program]] called '{}'", figure.program);
  }
  return figure;
}

void drop_what_is_gone(Experiment& experiment) {
  std::vector<std::string> variants, programs;
  for (const Variant& one : experiment.variants) variants.push_back(one.name);
  for (const Program& one : experiment.programs) programs.push_back(one.name);
  const auto all_known = [&](const std::vector<std::string>& names) {
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return contains(variants, name); });
  };
  for (Figure& figure : experiment.figures) {
    keep_known(figure.variants, variants);
    std::erase_if(figure.variants, [&](const std::string& variant) {
      return !all_known(figure.against_for(variant));
    });
    keep_known(figure.programs, programs);
    for (auto* numbers : {&figure.published, &figure.published_least, &figure.published_most}) {
      std::erase_if(*numbers,
                    [&](const auto& number) { return !contains(figure.variants, number.first); });
    }
    for (Said& said : figure.said) {
      keep_known(said.programs, programs);
      keep_known(said.variants, figure.variants);
    }
    std::erase_if(figure.said,
                  [](const Said& said) { return said.programs.empty() || said.variants.empty(); });
  }
  std::erase_if(experiment.figures, [](const Figure& figure) { return figure.variants.empty(); });
  std::erase_if(experiment.orders, [&](const Order& order) { return !all_known(order.variants); });
  for (TimelineFigure& figure : experiment.timelines) keep_known(figure.variants, variants);
  std::erase_if(experiment.timelines, [&](const TimelineFigure& figure) {
    return figure.variants.empty() || !contains(programs, figure.program);
  });
}

}  // namespace raddle::experiment
