// Numbers in texts by hand: {{METRIC/VARIANT}} is filled from results, never typed.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "experiment/hand_text.h"
#include "experiment/results.h"

namespace raddle::experiment {

/// All that a text may take numbers from.
struct Source {
  Experiment experiment;
  Results results;
  Statistics statistics;
  std::vector<StoredRun> runs;
};

/// Another experiment's; throws Error when there is none of that name, or it has no results.
using OtherSource = std::function<const Source&(const std::string& name)>;

/// What stands between {{ and }}:
///
///   METRIC/VARIANT             the average; with /median, /least, /most, /programs ("14 of 16"),
///                              /paper, /paper_least, /paper_most
///   METRIC/VARIANT/PROGRAM     of a program; with /paper what the paper says of it
///   run/PROGRAM/VARIANT/PATH   a statistic of a run
///   order/N                    the N-th order: in how many programs it is the paper's ("5 of 16")
///   sides                      how many of the paper's numbers are on the same side ("12 of 45")
///   runs, programs, variants, minutes (that they took, one after the other), commit, date, computer
///
/// each with NAME: before it for another experiment, and a format behind it: .N digits (2 without it),
/// +.N with a sign, percent (of 0.5: 50 %), gain (of 1.08: 8 %), loss (of 0.93: 7 %), with .N behind these.
/// Throws Error naming what is unknown.
std::string value_of(const std::string& placeholder, const Source& source,
                     const OtherSource& other);

/// The line with its placeholders filled. Throws InputError with file, line and column for one that is
/// unknown, and for a number that is typed: one with a decimal point or a percent sign, unless it is
/// within backticks or names a place ("section 4.3").
std::string filled(const HandText& text, const HandLine& line, const Source& source,
                   const OtherSource& other);

/// The statistics that a text takes from runs of its own experiment.
std::set<std::string> paths_in(const HandText& text);

}  // namespace raddle::experiment
