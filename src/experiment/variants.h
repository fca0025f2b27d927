// The variants of an experiment's file: [[variant]] and [[vary]].
#pragma once

#include <string>
#include <vector>

#include "experiment/section.h"

namespace raddle::experiment {

/// Reads a [[variant]] into `variants`. One of the same name takes over what is named; `like` begins
/// with what another one has, and adds to it. `gpu`: of the file.
void read_variant(Section& section, const std::string& gpu, std::vector<Variant>& variants);

/// Reads a [[vary]]: every variant once for each value of a setting, or of a program's option; or
/// those that it names, in addition to themselves.
void vary(Section& section, std::vector<Variant>& variants);

/// The names that `pattern` means, in their order: '*' stands for any text.
std::vector<std::string> matching(const std::string& pattern, const std::vector<Variant>& variants);

/// What the '*' of `pattern` stands for in `name`; nothing when they do not match. Of a pattern without
/// '*' it is "".
std::optional<std::string> star_of(const std::string& pattern, const std::string& name);

/// `pattern` with `text` for its '*'.
std::string with_star(const std::string& pattern, const std::string& text);

}  // namespace raddle::experiment
