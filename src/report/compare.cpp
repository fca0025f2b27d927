#include "report/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "isa/kernel_name.h"
#include "report/names.h"
#include "report/numbers.h"
#include "report/provenance.h"
#include "report/statistics_document.h"

namespace raddle::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view kKernels = "kernels.";

/// The statistics of all runs by name, in the order of their first appearance.
class Values {
 public:
  explicit Values(std::size_t runs) : runs_(runs) {}

  /// `kernel_end`: as in ComparedValue.
  void add(const std::string& name, std::size_t run, double value, std::size_t kernel_end = 0) {
    const auto [at, fresh] = index_.try_emplace(name, list_.size());
    if (fresh) list_.push_back({name, std::vector<double>(runs_), 0, kernel_end});
    list_[at->second].values[run] += value;
  }
  std::vector<ComparedValue> take() { return std::move(list_); }

 private:
  std::size_t runs_;
  std::map<std::string, std::size_t> index_;
  std::vector<ComparedValue> list_;
};

/// Fails with the wrong value of a document, and its place.
[[noreturn]] void fail_in(const LabelledRun& run, const std::string& place, const char* wanted) {
  fail("{}: {}: should be {}; not a statistics file of raddle run --stats, or a damaged one",
       run.label, place, wanted);
}

/// A count or a ratio, which is not negative.
double number(const LabelledRun& run, const std::string& place, const Json& json) {
  const double value = json.is_number() ? json.get<double>() : -1;
  if (!(value >= 0) || std::isinf(value)) fail_in(run, place, "a number of 0 or more");
  return value;
}

/// A number of a unit; formulas may be negative.
double any_number(const LabelledRun& run, const std::string& place, const Json& json) {
  if (!json.is_number() || std::isinf(json.get<double>())) fail_in(run, place, "a number");
  return json.get<double>();
}

/// The allowed numbers of a tree.
enum class Numbers { not_negative, any_or_none };

constexpr unsigned kMostLevels = 32;  // of units in units: a document has fewer than ten

void add_tree(Values& values, const LabelledRun& run, std::size_t index, const std::string& path,
              const Json& json, Numbers numbers, std::size_t kernel_end = 0, unsigned level = 0) {
  if (level > kMostLevels) fail_in(run, path.substr(0, 60) + "...", "nested less deeply");
  if (!json.is_structured()) {
    if (numbers == Numbers::not_negative) {
      return values.add(path, index, number(run, path, json));
    }
    if (!json.is_null()) values.add(path, index, any_number(run, path, json), kernel_end);
    return;
  }
  for (const auto& [name, child] : json.items()) {
    add_tree(values, run, index, json.is_array() ? path : path + "." + name, child, numbers,
             kernel_end, level + 1);
  }
}

/// A member that the document must have.
const Json& member(const LabelledRun& run, const std::string& place, const Json& json,
                   const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) fail_in(run, place + "." + name, "there");
  return *found;
}

/// The statistics of one launch, or of all launches of a kernel.
void add_kernel(Values& values, const LabelledRun& run, std::size_t index, const std::string& place,
                const Json& kernel, bool sum, Kernels detail) {
  if (!kernel.is_object()) fail_in(run, place, "an object");
  const Json& name = member(run, place, kernel, "name");
  if (!name.is_string()) fail_in(run, place + ".name", "a text");
  const std::string path = std::string(kKernels) + isa::kernel_name(name.get<std::string>());
  const auto add = [&](const char* of) {
    values.add(path + "." + of, index,
               number(run, place + "." + of, member(run, place, kernel, of)), path.size());
  };
  if (sum) {
    add("launches");
  } else {
    values.add(path + ".launches", index, 1, path.size());
  }
  if (kernel.contains("time_us")) add("time_us");
  for (const char* of : {"cycles", "warp_instructions", "thread_instructions"}) add(of);
  if (detail == Kernels::sums || !kernel.contains("statistics")) return;
  for (const auto& [unit, statistics] : kernel["statistics"].items()) {
    // Statistics of the GPU as a whole are already above.
    if (!statistics.is_structured()) continue;
    add_tree(values, run, index, path + "." + unit, statistics, Numbers::any_or_none, path.size());
  }
}

/// Adds `kernel_sums`, or the single launches of an older document.
void add_kernels(Values& values, const LabelledRun& run, std::size_t index, const Json& document,
                 Kernels detail) {
  const bool sums = document.contains("kernel_sums");
  const char* const part = sums ? "kernel_sums" : "kernels";
  const Json& kernels = member(run, "the document", document, part);
  if (!kernels.is_array()) fail_in(run, part, "a list");
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    add_kernel(values, run, index, fmt::format("{}[{}]", part, i), kernels[i], sums, detail);
  }
}

bool is_total(const ComparedValue& value) { return value.name.starts_with("totals."); }

bool is_shown(const ComparedValue& value, Shown shown) {
  if (shown == Shown::totals) return is_total(value);
  return shown == Shown::all || value.differs();
}

constexpr double kNoRatio = std::numeric_limits<double>::infinity();

double distance(const ComparedValue& value) {
  const double offset = is_total(value) ? 0 : 1;
  const double first = value.values.front() + offset;
  double most = 0;
  for (const double one : value.values) {
    if (one == value.values.front()) continue;
    // Without a ratio for opposite signs, or for a value of 0.
    const double ratio = (one + offset) / first;
    most = std::max(most, ratio > 0 ? std::abs(std::log(ratio)) : kNoRatio);
  }
  return most;
}

Json parse(const LabelledRun& run) {
  try {
    return statistics_document(run.json);
  } catch (const std::bad_alloc&) {
    fail("{}: there is not enough memory for what it holds ({} bytes of text)", run.label,
         run.json.size());
  } catch (const Error& error) {
    fail("{}: {}", run.label, error.what());
  }
}

std::string value_text(double value) {
  if (value >= 0 && value == std::floor(value) && value < 1e15) {
    return grouped(static_cast<std::uint64_t>(value));
  }
  return value >= 1000 && value < 1e15 ? microseconds(value) : fmt::format("{:.4g}", value);
}

std::string ratio_text(double value, double first) {
  if (value == first) return "=";
  if (first == 0) return "-";
  if (value == 0) return "0x";
  const double ratio = value / first;
  if (ratio >= 0.1 && ratio < 10) return fmt::format("{:.3f}x", ratio);
  if (ratio >= 1000 && ratio < 1e6) return fmt::format("{:.0f}x", ratio);
  return ratio >= 0.001 && ratio < 1000 ? fmt::format("{:.3g}x", ratio)
                                        : fmt::format("{:.0e}x", ratio);
}

/// Keeps the end of a long label: runs often differ in the options there.
std::string cell(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : ".." + text.substr(text.size() - width + 2);
}

/// The name of a statistic. In a kernel's statistic, the kernel's name is the part that is
/// shortened.
std::string name_cell(const ComparedValue& value, std::size_t width) {
  const std::string& name = value.name;
  if (name.size() <= width || value.kernel_end == 0) return cell(name, width);
  const std::size_t rest = kKernels.size() + name.size() - value.kernel_end;
  const std::string kernel = name.substr(kKernels.size(), value.kernel_end - kKernels.size());
  const std::size_t room = width > rest + 4 ? width - rest : 4;
  return cell(
      std::string(kKernels) + short_kernel_name(kernel, room) + name.substr(value.kernel_end),
      width);
}

// Widths of a table's columns in characters, without the blank before each.
constexpr std::size_t kLeastName = 26, kMostName = 44, kValue = 17, kRatio = 8;

/// The width of the columns of runs `first` to `past` - 1; the first run of all has no ratio.
std::size_t columns_width(std::size_t first, std::size_t past) {
  return (past - first) * (kValue + kRatio + 2) - (first == 0 ? kRatio + 1 : 0);
}

/// One past the last run that fits in the width, from `first` on: at least one fits.
std::size_t last_that_fits(std::size_t runs, std::size_t first, std::size_t width) {
  std::size_t past = first + 1;
  while (past < runs && kLeastName + columns_width(first, past + 1) <= width) ++past;
  return past;
}

/// Headings of columns: the labels, or numbers if two shortened labels would be the same.
std::vector<std::string> headings(const std::vector<LabelledRun>& runs) {
  std::vector<std::string> all;
  bool alike = false;
  for (const LabelledRun& run : runs) {
    const std::string one = cell(run.label, kValue);
    alike |= one != run.label && std::find(all.begin(), all.end(), one) != all.end();
    all.push_back(one);
  }
  if (!alike) return all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = fmt::format("run {}", i + 1);
  return all;
}

/// Explains numbered headings.
std::string legend(const std::vector<LabelledRun>& runs) {
  const std::vector<std::string> names = headings(runs);
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (names[i] != cell(runs[i].label, kValue)) {
      text += fmt::format("{}: {}\n", names[i], runs[i].label);
    }
  }
  return text;
}

struct Look {
  bool colour;
  std::size_t width;
};

std::string part_of_table(const std::vector<LabelledRun>& runs,
                          const std::vector<ComparedValue>& rows, std::size_t first,
                          std::size_t past, Look look) {
  const std::size_t columns = columns_width(first, past);
  const std::size_t room = look.width > columns ? look.width - columns : 0;
  const std::size_t name = std::clamp(room, kLeastName, kMostName);
  std::string text = fmt::format("{}{:<{}}", look.colour ? "\033[1m" : "", "statistic", name);
  const std::vector<std::string> names = headings(runs);
  for (std::size_t i = first; i < past; ++i) {
    text += fmt::format(" {:>{}}", names[i], kValue);
    if (i != 0) text += fmt::format(" {:>{}}", "ratio", kRatio);
  }
  text += fmt::format("{}\n", look.colour ? "\033[0m" : "");
  for (const ComparedValue& value : rows) {
    text += fmt::format("{:<{}}", name_cell(value, name), name);
    for (std::size_t i = first; i < past; ++i) {
      text += fmt::format(" {:>{}}", value_text(value.values[i]), kValue);
      if (i == 0) continue;
      text += fmt::format(" {:>{}}", ratio_text(value.values[i], value.values[0]), kRatio);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

bool ComparedValue::differs() const {
  return std::any_of(values.begin(), values.end(),
                     [this](double value) { return value != values.front(); });
}

std::vector<ComparedValue> compare(const std::vector<LabelledRun>& runs, Kernels detail) {
  Values values(runs.size());
  std::vector<Json> documents;
  for (const LabelledRun& run : runs) {
    documents.push_back(parse(run));
    for (const char* part : {"totals", "units"})
      member(run, "the document", documents.back(), part);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    add_tree(values, runs[i], i, "totals", documents[i]["totals"], Numbers::not_negative);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    add_kernels(values, runs[i], i, documents[i], detail);
    // An older document has only the counters of each unit; their sums are made here.
    const char* const part = documents[i].contains("merged") ? "merged" : "units";
    add_tree(values, runs[i], i, "units", documents[i][part], Numbers::any_or_none);
  }
  std::vector<ComparedValue> list = values.take();
  for (ComparedValue& value : list) value.distance = distance(value);
  std::stable_sort(list.begin(), list.end(), [](const ComparedValue& a, const ComparedValue& b) {
    if (is_total(a) || is_total(b)) return is_total(a) && !is_total(b);
    return a.distance > b.distance;
  });
  return list;
}

std::string comparison_table(const std::vector<LabelledRun>& runs, Shown shown, bool colour,
                             std::size_t width, Kernels detail) {
  std::size_t left_out = 0;
  std::vector<ComparedValue> rows = compare(runs, detail);
  std::erase_if(rows, [&](const ComparedValue& value) {
    const bool hidden = !is_shown(value, shown);
    left_out += hidden;
    return hidden;
  });
  std::string text = legend(runs);
  for (const LabelledRun& run : runs) {
    const std::string ending = ending_line(run.json);
    if (!ending.empty()) text += fmt::format("{}: {}", run.label, ending);
  }
  for (std::size_t first = 0; first < runs.size();) {
    const std::size_t past = last_that_fits(runs.size(), first, width);
    if (first != 0) text += '\n';
    text += part_of_table(runs, rows, first, past, {colour, width});
    first = past;
  }
  if (shown == Shown::differing && left_out != 0) {
    text += fmt::format("{} statistics are the same in all runs (--all)\n", left_out);
  }
  return text;
}

std::string comparison_json(const std::vector<LabelledRun>& runs, Shown shown, Kernels detail) {
  Json json{{"runs", Json::array()}, {"origins", Json::array()}, {"statistics", Json::array()}};
  for (const LabelledRun& run : runs) {
    json["runs"].push_back(run.label);
    json["origins"].push_back(Json::parse(origin_json(run.json)));
  }
  for (const ComparedValue& value : compare(runs, detail)) {
    if (!is_shown(value, shown)) continue;
    Json ratios = Json::array();
    for (const double one : value.values) {
      const double first = value.values.front();
      ratios.push_back(first == 0 ? Json() : Json(one / first));
    }
    json["statistics"].push_back(
        {{"name", value.name}, {"values", value.values}, {"ratios", ratios}});
  }
  // Names of files need not be UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace raddle::report
