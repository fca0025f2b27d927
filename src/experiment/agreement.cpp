#include "experiment/agreement.h"

#include <fmt/core.h>

#include <algorithm>

namespace raddle::experiment {
namespace {

const Series* series_of(const std::vector<Series>& series, const Figure& figure,
                        const std::string& variant) {
  const auto found = std::find_if(series.begin(), series.end(), [&](const Series& one) {
    return one.metric == figure.metric && one.variant == variant;
  });
  return found == series.end() ? nullptr : &*found;
}

Comparison average_of(const Figure& figure, const Series& series) {
  Comparison one;
  one.figure = &figure;
  one.variant = series.variant;
  one.here = series.average;
  one.median = series.median;
  one.programs = series.values.size();
  one.of = series.programs;
  one.paper = series.published;
  return one;
}

void add_said(const Figure& figure, const std::vector<Series>& series,
              std::vector<Comparison>& all) {
  for (const Said& said : figure.said) {
    for (const std::string& program : said.programs) {
      for (const std::string& variant : said.variants) {
        const Series* own = series_of(series, figure, variant);
        if (own == nullptr) continue;
        Comparison one;
        one.figure = &figure;
        one.variant = variant;
        one.program = program;
        const auto value = own->values.find(program);
        if (value != own->values.end()) one.here = value->second;
        one.paper = said.value;
        one.words = said.words;
        all.push_back(std::move(one));
      }
    }
  }
}

std::string paper_text(const Comparison& one) {
  if (!one.paper) return one.words;
  return number_text(one.paper) + (one.program.empty() && one.programs < one.of ? "*" : "");
}

/// A list of names, on lines of at most 78 columns.
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 78;
  std::string text, line = "     ";
  for (const std::string& name : names) {
    if (line.size() + 1 + name.size() > kMost) {
      text += line + "\n";
      line = "     ";
    }
    line += " " + name;
  }
  return names.empty() ? "" : text + line + "\n";
}

std::string order_text(const OrderCount& count) {
  const std::vector<std::string>& variants = count.order->variants;
  std::string text = fmt::format("\n{}\n", count.order->title);
  for (std::size_t i = 0; i < count.pairs.size(); ++i) {
    text += fmt::format("  {:<44}{:>4} of {} programs\n",
                        fmt::format("{} before {}", variants[i], variants[i + 1]), count.pairs[i],
                        count.programs);
  }
  if (count.pairs.size() > 1) {
    text += fmt::format("  {:<44}{:>4} of {} programs\n", "all of these", count.agreeing.size(),
                        count.programs);
  }
  return text + names_text(count.agreeing);
}

/// The program's statistic in each of the variants; nullopt when one of them is missing.
std::optional<std::vector<double>> values_in(const Order& order, const Program& program,
                                             const Statistics& statistics) {
  std::vector<double> values;
  for (const std::string& variant : order.variants) {
    const auto* numbers = statistics.numbers(program.name, variant);
    const auto value = numbers == nullptr ? std::nullopt : order.statistic.value(*numbers);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

}  // namespace

std::vector<Comparison> compare_with_paper(const Experiment& experiment,
                                           const std::vector<Series>& series) {
  std::vector<Comparison> all;
  for (const Figure& figure : experiment.figures) {
    for (const Series& one : series) {
      if (one.metric == figure.metric && one.published) all.push_back(average_of(figure, one));
    }
    add_said(figure, series, all);
  }
  return all;
}

std::optional<bool> same_side(const Comparison& one) {
  const Relation relation = one.figure->relation;
  if (relation == Relation::value || !one.here || !one.paper) return std::nullopt;
  const bool of_one = relation == Relation::ratio || relation == Relation::speedup;
  const double between = of_one ? one.figure->factor : 0;
  if (*one.paper == between) return std::nullopt;
  return (*one.here > between) == (*one.paper > between) && *one.here != between;
}

std::vector<OrderCount> count_orders(const Experiment& experiment, const Statistics& statistics) {
  std::vector<OrderCount> all;
  for (const Order& order : experiment.orders) {
    OrderCount count;
    count.order = &order;
    count.pairs.resize(order.variants.size() - 1);
    for (const Program& program : experiment.programs) {
      const auto values = values_in(order, program, statistics);
      if (!values) continue;
      ++count.programs;
      bool agrees = true;
      for (std::size_t i = 0; i + 1 < values->size(); ++i) {
        const bool before = (*values)[i] < (*values)[i + 1];
        count.pairs[i] += before;
        agrees &= before;
      }
      if (agrees) count.agreeing.push_back(program.name);
    }
    all.push_back(std::move(count));
  }
  return all;
}

std::string what_is_compared(const Comparison& one) {
  return one.program.empty() ? fmt::format("average of {} of {}", one.programs, one.of)
                             : one.program;
}

std::string agreement_text(const std::vector<Comparison>& comparisons,
                           const std::vector<OrderCount>& orders) {
  std::string text;
  const Figure* figure = nullptr;
  std::size_t same = 0, sides = 0;
  bool subset = false;
  for (const Comparison& one : comparisons) {
    if (figure == nullptr) {
      text += fmt::format("\n{:<46}{:>10}{:>10}{:>11}\n", "Numbers of the paper", "here", "median",
                          "paper");
    }
    if (one.figure != figure) {
      text += fmt::format("Figure {}: {}\n", one.figure->id, one.figure->title);
    }
    figure = one.figure;
    text += fmt::format(
        "  {:<44}{:>10}{:>10}{:>11}\n", fmt::format("{}, {}", one.variant, what_is_compared(one)),
        number_text(one.here), one.program.empty() ? number_text(one.median) : "", paper_text(one));
    subset |= one.program.empty() && one.programs < one.of;
    const std::optional<bool> agrees = same_side(one);
    sides += agrees.has_value();
    same += agrees.value_or(false);
  }
  if (subset) text += "* The paper's is of all programs.\n";
  if (sides != 0) {
    text += fmt::format(
        "{} of {} are on the paper's side of 1 (ratios, speedups) or 0 (differences).\n", same,
        sides);
  }
  for (const OrderCount& order : orders) text += order_text(order);
  return text;
}

}  // namespace raddle::experiment
