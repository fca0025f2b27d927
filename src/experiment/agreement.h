// Compares the numbers of the paper with ours, one by one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/figures.h"

namespace raddle::experiment {

/// A number of the paper: an average, or the number of a single program.
struct Comparison {
  const Figure* figure = nullptr;
  std::string variant;
  std::string program;  // empty: the average
  std::optional<double> here;
  std::optional<double> median;      // beside an average
  std::size_t programs = 0, of = 0;  // of an average: programs with a number, and all programs
  std::optional<double> paper;       // nullopt: the paper says it in words
  std::string words;                 // "little change"
};

/// Every average, and every number of a program, that the experiment's file quotes from the paper.
std::vector<Comparison> compare_with_paper(const Experiment& experiment,
                                           const std::vector<Series>& series);

/// Whether our number and the paper's lie on the same side: of 1 for ratios and speedups, of 0 for
/// differences and reductions. nullopt for figures without sides, or if the paper's number lies on
/// neither side.
std::optional<bool> same_side(const Comparison& comparison);

/// The number of programs in which the statistic grows from variant to variant, as in the paper.
struct OrderCount {
  const Order* order = nullptr;
  std::size_t programs = 0;           // programs that have run in all of the variants
  std::vector<std::size_t> pairs;     // programs in which each variant is below the next one
  std::vector<std::string> agreeing;  // programs with the whole order
};

std::vector<OrderCount> count_orders(const Experiment& experiment, const Statistics& statistics);

/// Both as tables of at most 80 columns; empty when there is no row.
std::string agreement_text(const std::vector<Comparison>& comparisons,
                           const std::vector<OrderCount>& orders);

/// "average of 14 of 16 programs", or the program's name.
std::string what_is_compared(const Comparison& comparison);

}  // namespace raddle::experiment
