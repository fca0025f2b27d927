#pragma once

#include "worklist_dmr/mesh.h"

namespace raddle::workloads::dmr {

/// Compares the refined mesh with the original one. Prints each kind of fault with its first place.
/// Returns true when it is a Delaunay mesh of the same domain and segments, its neighbours are
/// mutual, and no angle is below `degrees`, except those that `spans_sharp_angle` admits. Signs of
/// determinants are exact. A point may lie inside a circle by less than the error of double
/// precision.
bool check_refined(Mesh& refined, Mesh& start, double degrees);

}  // namespace raddle::workloads::dmr
