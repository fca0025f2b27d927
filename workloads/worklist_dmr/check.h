#pragma once

#include "worklist_dmr/mesh.h"

namespace raddle::workloads::dmr {

/// Compares the refined mesh with the one it was made from; prints each kind of fault with its
/// first place. True when it is a Delaunay mesh of the same domain and segments, its neighbours are
/// mutual, and no angle is below `degrees` but those that `spans_sharp_angle` admits. Signs of
/// determinants are exact; a point may lie inside a circle by what double precision cannot see.
bool check_refined(Mesh& refined, Mesh& start, double degrees);

}  // namespace raddle::workloads::dmr
