#include "report/statistics_document.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace raddle::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr unsigned kMostLevels = 32;  // of units in units: a document has fewer than ten

/// The members of the open objects, to find a member that occurs twice.
class Members {
 public:
  bool operator()(int, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key) add(parsed.get_ref<const std::string&>());
    return true;
  }

 private:
  struct Object {
    std::vector<std::size_t> names;  // hashes: a document may have many million, an object few
    std::string last;
  };
  void add(const std::string& name) {
    Object& object = open_.back();
    const std::size_t hashed = std::hash<std::string>{}(name);
    if (std::find(object.names.begin(), object.names.end(), hashed) != object.names.end()) {
      std::string path;
      for (std::size_t i = 0; i + 1 < open_.size(); ++i) path += open_[i].last + ".";
      fail("{}: it is there twice; this statistics file is damaged", path + name);
    }
    object.names.push_back(hashed);
    object.last = name;
  }

  std::vector<Object> open_;
};

[[noreturn]] void fail_no_statistics(const std::string& why) {
  fail("this is no statistics file of raddle run --stats, or a damaged one ({})", why);
}

Json parse(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) fail_no_statistics("it is empty");
  try {
    return Json::parse(text, Members());
  } catch (const Json::parse_error& error) {
    fail_no_statistics(error.byte >= text.size()
                           ? fmt::format("it is cut off after {} bytes", text.size())
                           : fmt::format("no JSON at byte {} of {}", error.byte, text.size()));
  } catch (const Json::exception&) {
    fail_no_statistics("numbers that are too large");
  }
}

/// Checks the counts and figures of units: numbers or null. Counts are whole and not negative.
void check_tree(const Json& json, const std::string& path, unsigned level = 0) {
  if (level > kMostLevels) fail_member(path.substr(0, 60) + "...", "nested less deeply");
  if (json.is_structured()) {
    for (const auto& [name, child] : json.items()) {
      check_tree(child, path + "." + name, level + 1);
    }
    return;
  }
  if (json.is_null()) return;
  if (!json.is_number()) fail_member(path, "a number or null");
  if (json.is_number_integer() && !json.is_number_unsigned() && json.get<std::int64_t>() < 0) {
    fail_member(path, "0 or more");
  }
  if (!std::isfinite(json.get<double>())) fail_member(path, "a finite number");
}

/// The required form of a member, if the document has it.
struct Rule {
  const char* name;
  bool (*is)(const Json& value);
  const char* wanted;
};

bool is_text(const Json& value) { return value.is_string(); }
bool is_object(const Json& value) { return value.is_object(); }
bool is_list(const Json& value) { return value.is_array(); }
bool is_flag(const Json& value) { return value.is_boolean(); }
bool is_count(const Json& value) { return value.is_number_unsigned(); }
bool is_amount(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0;
}

constexpr const char* kAmount = "a number of 0 or more";
constexpr const char* kCount = "a whole number of 0 or more";

constexpr Rule kDocument[] = {
    {"process", is_count, kCount},
    {"interrupted", is_flag, "true or false"},
    {"version", is_count, kCount},
    {"program", is_text, "a text"},
    {"gpu", is_text, "a text"},
    {"core_mhz", is_amount, kAmount},
    {"functional", is_flag, "true or false"},
    {"mechanisms", is_list, "a list"},
    {"kernel_sums", is_list, "a list"},
    {"kernels", is_list, "a list"},
    {"values", is_object, "an object"},
    {"totals", is_object, "an object"},
    {"units", is_object, "an object"},
    {"merged", is_object, "an object"},
    {"host", is_object, "an object"},
    {"run", is_object, "an object"},
};
constexpr Rule kKernel[] = {
    {"name", is_text, "a text"},
    {"launches", is_count, kCount},
    {"stream", is_count, kCount},
    {"queued_cycle", is_count, kCount},
    {"start_cycle", is_count, kCount},
    {"time_us", is_amount, kAmount},
    {"cycles", is_amount, kAmount},
    {"warp_instructions", is_amount, kAmount},
    {"thread_instructions", is_amount, kAmount},
    {"completed", is_flag, "true or false"},
    {"statistics", is_object, "an object"},
};
constexpr Rule kRun[] = {
    {"command", is_text, "a text"},       {"raddle", is_text, "a text"},
    {"commit", is_text, "a text"},        {"date", is_text, "a text"},
    {"host", is_text, "a text"},          {"program", is_text, "a text"},
    {"arguments", is_list, "a list"},     {"description", is_text, "a text"},
    {"settings", is_object, "an object"}, {"ended", is_text, "a text"},
    {"fault", is_text, "a text"},
};

template <std::size_t N>
void check_members(const Json& object, const std::string& path, const Rule (&rules)[N]) {
  for (const Rule& rule : rules) {
    const auto found = object.find(rule.name);
    if (found != object.end() && !rule.is(*found)) fail_member(path + rule.name, rule.wanted);
  }
}

void check_kernels(const Json& document, const char* part) {
  const auto kernels = document.find(part);
  if (kernels == document.end()) return;
  for (std::size_t i = 0; i < kernels->size(); ++i) {
    const std::string path = fmt::format("{}[{}]", part, i);
    const Json& kernel = (*kernels)[i];
    if (!kernel.is_object()) fail_member(path, "an object");
    if (!kernel.contains("name")) fail_member(path + ".name", "there");
    check_members(kernel, path + ".", kKernel);
    // In sums it is a number of launches; in a launch it says whether that launch overlapped.
    const bool sums = part == std::string_view("kernel_sums");
    const Rule overlapped[] = {
        {"overlapped", sums ? is_count : is_flag, sums ? kCount : "true or false"}};
    check_members(kernel, path + ".", overlapped);
    if (kernel.contains("statistics")) check_tree(kernel["statistics"], path + ".statistics");
  }
}

}  // namespace

void fail_member(const std::string& member, const std::string& wanted) {
  fail("{}: should be {}; not a statistics file of raddle run --stats, or a damaged one", member,
       wanted);
}

Json statistics_document(const std::string& text) {
  Json document = parse(text);
  if (!document.is_object()) fail_no_statistics("no JSON object");
  constexpr std::string_view kEssential[] = {"totals", "merged", "kernel_sums"};
  if (std::none_of(std::begin(kEssential), std::end(kEssential),
                   [&](std::string_view name) { return document.contains(name); })) {
    fail_no_statistics("no member totals, merged or kernel_sums");
  }
  check_members(document, "", kDocument);
  for (const char* tree : {"units", "merged"}) {
    if (document.contains(tree)) check_tree(document[tree], tree);
  }
  for (const char* numbers : {"totals", "values"}) {
    if (!document.contains(numbers)) continue;
    for (const auto& [name, value] : document[numbers].items()) {
      const bool right = numbers == std::string_view("values")
                             ? value.is_number() || value.is_null()
                             : is_amount(value);
      if (!right) fail_member(fmt::format("{}.{}", numbers, name), kAmount);
    }
  }
  for (const char* part : {"kernel_sums", "kernels"}) check_kernels(document, part);
  if (document.contains("run")) check_members(document["run"], "run.", kRun);
  return document;
}

}  // namespace raddle::report
