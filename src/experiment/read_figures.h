// The figures of an experiment's file: [[figure]], [[order]] and [[timeline]].
#pragma once

#include "experiment/section.h"

namespace raddle::experiment {

/// Reads a [[figure]] into the experiment. If the file inherits a figure with this metric, the
/// given keys replace the inherited ones.
void read_figure(Section& section, Experiment& experiment);

Order read_order(Section& section, const Experiment& experiment);
TimelineFigure read_timeline(Section& section, const Experiment& experiment);

/// Removes from inherited figures the programs and variants that the experiment lacks, and figures
/// without any variant left, or without the variants that they compare with.
void drop_what_is_gone(Experiment& experiment);

}  // namespace raddle::experiment
