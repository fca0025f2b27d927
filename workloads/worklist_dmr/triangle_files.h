#pragma once

#include <string>
#include <string_view>

#include "worklist_dmr/delaunay.h"

namespace raddle::workloads::dmr {

/// The formats of the program Triangle (J. Shewchuk, "Triangle: Engineering a 2D Quality Mesh
/// Generator", 1996): .node lists points, .poly points, segments and holes. Attributes and boundary
/// markers are skipped. `name` stands for the file in messages. Throws InputError for a wrong file.
Drawing read_node(const std::string& name, std::string_view text);
Drawing read_poly(const std::string& name, std::string_view text);

/// Reads a file of either format, by its ending. If a .poly has no points, they are in the .node of
/// the same name.
Drawing read_drawing(const std::string& path);

}  // namespace raddle::workloads::dmr
