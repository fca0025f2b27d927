// The variants of an experiment's file: [[variant]] and [[vary]].
#pragma once

#include <string>
#include <vector>

#include "experiment/section.h"

namespace raddle::experiment {

/// Reads a [[variant]] into `variants`. If a variant of the same name exists, the given keys
/// replace its own. With `like`, it begins as a copy of another variant and adds to it. `gpu`: the
/// GPU of the file.
void read_variant(Section& section, const std::string& gpu, std::vector<Variant>& variants);

/// Reads a [[vary]]: makes each variant once for each value of a setting, or of a program's option.
/// Or makes such variants only of named ones, which stay themselves.
void vary(Section& section, std::vector<Variant>& variants);

/// The names that match `pattern`, in their order: '*' stands for any text.
std::vector<std::string> matching(const std::string& pattern, const std::vector<Variant>& variants);

/// The text for the '*' of `pattern` in `name`; nullopt when they do not match. "" for a pattern
/// without '*'.
std::optional<std::string> star_of(const std::string& pattern, const std::string& name);

/// `pattern` with `text` in place of its '*'.
std::string with_star(const std::string& pattern, const std::string& text);

}  // namespace raddle::experiment
