// What the paper says, number by number, beside what came out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/figures.h"

namespace raddle::experiment {

/// A number of the paper: an average, or that of a single program.
struct Comparison {
  const Figure* figure = nullptr;
  std::string variant;
  std::string program;  // empty: the average
  std::optional<double> here;
  std::optional<double> median;      // beside an average
  std::size_t programs = 0, of = 0;  // an average: of so many programs, and of those that there are
  std::optional<double> paper;       // nothing: it says it in words
  std::string words;                 // "little change"
};

/// Every average and every number of a program that the experiment's file has of the paper.
std::vector<Comparison> compare_with_paper(const Experiment& experiment,
                                           const std::vector<Series>& series);

/// Whether more (or less) than nothing came out where the paper has more (or less): on the same side
/// of 1, of ratios and speedups, or of 0, of differences and reductions. Nothing where there are no
/// sides, or the paper's number lies on neither.
std::optional<bool> same_side(const Comparison& comparison);

/// In how many programs the statistic grows from variant to variant as it does in the paper.
struct OrderCount {
  const Order* order = nullptr;
  std::size_t programs = 0;           // that have run in all of the variants
  std::vector<std::size_t> pairs;     // of them, those in which each is before the one after it
  std::vector<std::string> agreeing;  // those in which all are
};

std::vector<OrderCount> count_orders(const Experiment& experiment, const Statistics& statistics);

/// Both as tables of at most 80 columns; empty when there is nothing to show.
std::string agreement_text(const std::vector<Comparison>& comparisons,
                           const std::vector<OrderCount>& orders);

/// "average of 14 of 16 programs", or the program's name.
std::string what_is_compared(const Comparison& comparison);

}  // namespace raddle::experiment
