#include "comparison.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "tests/ptx_behaviour/behaviour_file.h"
#include "tests/ptx_forms/exact_float.h"
#include "tests/ptx_forms/references.h"

namespace raddle::golden {
namespace {

bool is_behaviour(const Case& c) { return c.name.starts_with("behaviour/"); }

/// The format of a type's elements; null for integers and bits.
const tests::FloatFormat* format_of(const std::string& type) {
  const std::string element(tests::element_of(type));
  constexpr const char* kFloats[] = {"f16", "bf16", "f32", "f64", "tf32", "e4m3", "e5m2"};
  const bool real = std::find(std::begin(kFloats), std::end(kFloats), element) != std::end(kFloats);
  return real ? &tests::float_format(element) : nullptr;
}

std::uint64_t little(const std::string& bytes, std::size_t at, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned n = 0; n < count; ++n) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes.at(at + n))) << 8 * n;
  }
  return value;
}

/// Distance in representable numbers.
std::uint64_t distance(const tests::FloatFormat& f, std::uint64_t a, std::uint64_t b) {
  const auto ordered = [&](std::uint64_t bits) {
    const std::uint64_t sign = std::uint64_t{1} << (f.bits() - 1);
    const auto magnitude = static_cast<std::int64_t>((bits & (sign - 1)) >> f.low_zeros);
    return bits & sign ? -magnitude : magnitude;
  };
  const std::int64_t x = ordered(a), y = ordered(b);
  // Subtracted as unsigned: of doubles of opposite signs the distance is beyond the signed type.
  return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
               : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
}

enum class Verdict { equal, payload, differs };

/// One element of a number: all of it, or a half of a packed one.
Verdict judge(const tests::FloatFormat& f, std::uint64_t a, std::uint64_t b, Agreement& to) {
  if (a == b) return Verdict::equal;
  const bool nan_a = is_nan(f, a), nan_b = is_nan(f, b);
  if (nan_a && nan_b) return Verdict::payload;
  to.ulps = std::max(to.ulps, nan_a != nan_b ? ~std::uint64_t{0} : distance(f, a, b));
  const auto apart = static_cast<double>(decode(f, a) - decode(f, b));
  to.absolute = std::max(to.absolute, std::isnan(apart) ? HUGE_VAL : std::fabs(apart));
  return Verdict::differs;
}

void add(Agreement& to, const std::string& type, unsigned bits, std::uint64_t a, std::uint64_t b,
         const std::function<std::string()>& where) {
  ++to.numbers;
  Verdict worst = a == b ? Verdict::equal : Verdict::differs;
  const tests::FloatFormat* f = format_of(type);
  if (a != b && f != nullptr) {
    worst = Verdict::equal;
    for (unsigned at = 0; at + f->bits() <= bits; at += f->bits()) {
      const std::uint64_t mask = tests::low_mask(f->bits());
      worst = std::max(worst, judge(*f, a >> at & mask, b >> at & mask, to));
    }
    // Bits above the type's, of registers that are wider.
    if (worst == Verdict::equal) worst = Verdict::differs;
  }
  if (worst == Verdict::equal) ++to.equal;
  if (worst == Verdict::payload) ++to.payloads;
  if (worst == Verdict::differs) ++to.differ;
  if (worst != Verdict::equal && (to.example.empty() || to.differ == 1)) {
    to.example = fmt::format("{}: {:#x}, here {:#x}", where(), a, b);
  }
}

/// Which number it is, and of which operands.
std::string place_of(const Case& c, const Field& field, std::uint32_t n) {
  std::string text = fmt::format("{}, argument {}, number {}", c.name, field.argument, n);
  for (const Operand& o : field.operands) {
    const std::string& bytes = c.arguments[o.argument].initial;
    text += fmt::format(", of {:#x}", little(bytes, o.offset + std::size_t{n} * o.stride, o.bytes));
  }
  return text;
}

/// Where each recorded argument begins in an outcome.
std::vector<std::size_t> starts(const Case& c) {
  std::vector<std::size_t> all;
  std::size_t at = 0;
  for (const Argument& argument : c.arguments) {
    all.push_back(at);
    if (argument.recorded()) at += argument.initial.size();
  }
  return all;
}

void compare_case(const Case& c, const std::string& real, const std::string& simulated,
                  Comparison& to) {
  const auto begins = starts(c);
  tests::BehaviourFile file;
  if (is_behaviour(c)) file = tests::read_behaviour_text(c.ptx, c.name);
  for (const Field& field : c.fields) {
    Agreement& agreement = to.forms[field.name];
    const unsigned bytes = std::min(field.stride, 8u);
    for (std::uint32_t n = 0; n < field.count; ++n) {
      const std::size_t at = begins[field.argument] + field.offset + n * field.stride;
      unsigned width = bytes;
      if (const auto* f = format_of(field.type); f != nullptr && field.type.ends_with("x2")) {
        width = std::min(bytes, 2 * f->bits() / 8);
      } else if (f != nullptr) {
        width = std::min(bytes, f->bits() / 8);
      }
      const std::uint64_t a = little(real, at, bytes), b = little(simulated, at, bytes);
      if (is_behaviour(c) && n < file.arguments[field.argument].expected.size()) {
        const tests::Expected& expected = file.arguments[field.argument].expected[n];
        if (expected.any) continue;
        if (!agrees(field.type, expected, reinterpret_cast<const std::byte*>(&real[at]))) {
          to.unexpected.push_back(fmt::format("{}: {:#x}, expected {}{}", place_of(c, field, n), a,
                                              expected.text, a == b ? " (and here)" : ""));
        }
      }
      add(agreement, field.type, 8 * width, a, b, [&] { return place_of(c, field, n); });
    }
  }
}

std::string told(const Outcome& outcome) {
  return outcome.text.empty() ? name_of(outcome.kind)
                              : fmt::format("{} ({})", name_of(outcome.kind), outcome.text);
}

/// Whether the line covers what is wrong with the form.
bool covers(const Known& known, const std::string& form, const Agreement& found) {
  if (fnmatch(known.pattern.c_str(), form.c_str(), 0) != 0) return false;
  if (known.kind == "any") return true;
  if (known.kind == "payload") return found.differ == 0;
  if (known.kind == "ulp") return static_cast<double>(found.ulps) <= known.limit;
  return known.kind == "absolute" && found.absolute <= known.limit;
}

}  // namespace

Comparison compare(const Archive& archive, const Results& hardware, const Results& simulated) {
  Comparison result;
  for (std::uint32_t n = 0; n < archive.cases.size(); ++n) {
    const auto real = hardware.outcomes.find(n), ours = simulated.outcomes.find(n);
    if (real == hardware.outcomes.end() || ours == simulated.outcomes.end()) continue;
    ++result.cases;
    const Case& c = archive.cases[n];
    if (real->second.kind != Outcome::done || ours->second.kind != Outcome::done) {
      result.outcomes.push_back(
          fmt::format("{}: {}, here {}", c.name, told(real->second), told(ours->second)));
      continue;
    }
    compare_case(c, real->second.bytes, ours->second.bytes, result);
  }
  return result;
}

std::vector<Known> read_known(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<Known> all;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto colon = line.find(" : ");
    if (colon == std::string::npos) throw std::runtime_error("no reason in: " + line);
    Known known;
    known.reason = line.substr(colon + 3);
    std::istringstream words(line.substr(0, colon));
    words >> known.pattern >> known.kind >> known.limit;
    all.push_back(known);
  }
  return all;
}

std::vector<std::string> complaints(const Comparison& comparison, const std::vector<Known>& known) {
  std::vector<std::string> all;
  std::set<const Known*> used;
  for (const auto& [form, found] : comparison.forms) {
    if (found.payloads + found.differ == 0) continue;
    bool covered = false;
    for (const Known& line : known) {
      if (line.kind == "outcome" || !covers(line, form, found)) continue;
      used.insert(&line);
      covered = true;
      break;
    }
    if (!covered) {
      all.push_back(fmt::format("{}: {} of {} differ, {} other NaNs, {} ulp; {}", form,
                                found.differ, found.numbers, found.payloads, found.ulps,
                                found.example));
    }
  }
  for (const std::string& outcome : comparison.outcomes) {
    const auto line = std::find_if(known.begin(), known.end(), [&](const Known& k) {
      const std::string name = outcome.substr(0, outcome.find(": "));
      return k.kind == "outcome" && fnmatch(k.pattern.c_str(), name.c_str(), 0) == 0;
    });
    if (line == known.end()) {
      all.push_back(outcome);
    } else {
      used.insert(&*line);
    }
  }
  for (const Known& line : known) {
    if (used.contains(&line)) continue;
    all.push_back(fmt::format("listed, but not found: {} {}", line.pattern, line.kind));
  }
  return all;
}

std::string table(const Comparison& comparison, bool all) {
  std::string text =
      "| form | numbers | equal | other NaN | differ | at most, ulp | absolute |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const auto& [form, found] : comparison.forms) {
    if (!all && found.payloads + found.differ == 0) continue;
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {:.3g} |\n", form, found.numbers,
                        found.equal, found.payloads, found.differ, found.ulps, found.absolute);
  }
  return text;
}

}  // namespace raddle::golden
