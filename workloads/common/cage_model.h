#pragma once

#include "common/graph.h"

namespace raddle::workloads {

constexpr unsigned least_cage_monomers = 3;
constexpr unsigned most_cage_monomers = 15;

/// The transition matrix of the cage model of DNA electrophoresis for a polymer of `monomers`
/// monomers: entry (i, j) is the probability that state j becomes state i in one step. The vertices
/// are the states, and entry (i, j) is an arc from i to j. For 8 monomers this is the matrix cage8
/// of the SuiteSparse collection, with the states in the same order. 10 monomers have 11,397
/// states, 12 have 130,228, 15 have 5,154,859 (cage15). Source: A. van Heukelum, G. Barkema, R.
/// Bisseling, "DNA Electrophoresis Studied with the Cage Model", J. Comput. Phys. 180, 2002; the
/// order of the states was found from cage8 itself.
ArcList cage_graph(unsigned monomers);

}  // namespace raddle::workloads
