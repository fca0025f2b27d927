// The figures of an experiment's file: [[figure]], [[order]] and [[timeline]].
#pragma once

#include "experiment/section.h"

namespace raddle::experiment {

/// Reads a [[figure]] into the experiment. Of one with the metric of a figure that the file inherits,
/// what is named takes the place of what was there.
void read_figure(Section& section, Experiment& experiment);

Order read_order(Section& section, const Experiment& experiment);
TimelineFigure read_timeline(Section& section, const Experiment& experiment);

/// Takes out of inherited figures what the experiment has no more: programs, variants, and figures that
/// have lost all of their variants, or what they are against.
void drop_what_is_gone(Experiment& experiment);

}  // namespace raddle::experiment
