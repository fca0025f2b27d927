#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "nbody/reference.h"

namespace raddle::workloads {

/// The `count` brightest stars of the Bright Star Catalogue (5th revised edition, D. Hoffleit and
/// W. Warren, 1991) that have a positive parallax: places in parsecs from the Sun, x to the vernal
/// equinox, z to the north celestial pole. Each has one solar mass. Returns fewer when the
/// catalogue has fewer. Columns are those of the catalogue's ReadMe: right ascension 76-83,
/// declination 84-90 (J2000), visual magnitude 103-107, parallax in arc seconds 162-166. `name`
/// stands for the file in messages. Throws InputError with line and column for a damaged field.
std::vector<Body> read_stars(const std::string& name, std::string_view text, std::size_t count);

}  // namespace raddle::workloads
