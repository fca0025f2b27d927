// Numbers in hand-written texts: {{METRIC/VARIANT}} is filled from results and never typed.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "experiment/hand_text.h"
#include "experiment/results.h"

namespace raddle::experiment {

/// The data that a text may take numbers from.
struct Source {
  Experiment experiment;
  Results results;
  Statistics statistics;
  std::vector<StoredRun> runs;
};

/// The source of another experiment. Throws Error when there is no experiment of that name, or it
/// has no results.
using OtherSource = std::function<const Source&(const std::string& name)>;

/// The number for the text between {{ and }}:
///
///   METRIC/VARIANT             the average; with /median, /least, /most, /programs ("14 of 16"),
///                              /paper, /paper_least, /paper_most
///   METRIC/VARIANT/PROGRAM     a program's number; with /paper the paper's statement on it
///   run/PROGRAM/VARIANT/PATH   a statistic of a run
///   order/N                    the number of programs with the paper's N-th order ("5 of 16")
///   sides                      how many of the paper's numbers are on the same side ("12 of 45")
///   runs, programs, variants, minutes (of all runs, one after the other), commit, date, computer
///
/// NAME: in front takes it from another experiment. A format may follow: .N digits (without it 2),
/// +.N with a sign, percent (of 0.5: 50 %), gain (of 1.08: 8 %), loss (of 0.93: 7 %), each also
/// with .N. Throws Error naming an unknown part.
std::string value_of(const std::string& placeholder, const Source& source,
                     const OtherSource& other);

/// The line with its placeholders filled. Throws InputError with file, line and column for an
/// unknown placeholder, and for a typed number: one with a decimal point or a percent sign, unless
/// it is within backticks or names a place ("section 4.3").
std::string filled(const HandText& text, const HandLine& line, const Source& source,
                   const OtherSource& other);

/// The statistics that a text uses from runs of its own experiment.
std::set<std::string> paths_in(const HandText& text);

}  // namespace raddle::experiment
