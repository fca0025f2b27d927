#include "measured_launches.h"

#include <fmt/core.h>

#include <charconv>
#include <fstream>
#include <optional>
#include <set>

#include "base/error.h"

namespace raddle::cli {
namespace {

using Row = std::map<std::string, std::string>;  // by column

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file), in_(file) {
    if (!in_) fail("cannot read {}", file);
  }

  std::vector<MeasuredLaunch> read() {
    std::vector<std::string> columns = fields();
    const std::set<std::string> names(columns.begin(), columns.end());
    for (const char* needed :
         {"program", "arguments", "kernel", "grid", "block", "launch_index", "cycles"}) {
      if (!names.contains(needed)) refuse("there is no column '{}'", needed);
    }
    if (names.size() != columns.size()) refuse("two columns have the same name");
    std::vector<MeasuredLaunch> launches;
    while (in_.peek() != std::ifstream::traits_type::eof()) {
      const std::vector<std::string> values = fields();
      if (values.size() == 1 && values[0].empty()) continue;
      if (values.size() != columns.size()) {
        refuse("{} values: should be {}", values.size(), columns.size());
      }
      Row row;
      for (std::size_t n = 0; n < columns.size(); ++n) row[columns[n]] = values[n];
      launches.push_back(launch(row));
    }
    if (launches.empty()) refuse("there are no launches");
    return launches;
  }

 private:
  template <typename... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) const {
    fail("{}:{}: {}", file_, line_, fmt::format(text, std::forward<Values>(values)...));
  }

  /// The values of the next line. A quoted value may contain commas, line ends, and doubled quotes.
  std::vector<std::string> fields() {
    ++line_;
    std::vector<std::string> values(1);
    bool quoted = false;
    const unsigned first = line_;
    for (char letter = 0; in_.get(letter);) {
      if (letter == '"' && quoted && in_.peek() == '"') {
        values.back() += static_cast<char>(in_.get());
      } else if (letter == '"') {
        quoted = !quoted;
      } else if (letter == ',' && !quoted) {
        values.emplace_back();
      } else if (letter == '\n' && !quoted) {
        return values;
      } else if (letter != '\r' || quoted) {
        if (letter == '\n') ++line_;
        values.back() += letter;
      }
    }
    line_ = quoted ? first : line_;
    if (quoted) refuse("a quotation mark is never closed");
    return values;
  }

  double number(const Row& row, const std::string& column) const {
    const std::string& text = row.at(column);
    const std::optional<double> value = number_in(text);
    if (!value || *value < 0) refuse("{} = '{}': should be a number", column, text);
    return *value;
  }

  double positive(const Row& row, const std::string& column) const {
    const double value = number(row, column);
    if (value == 0) refuse("{} is 0: should be more", column);
    return value;
  }

  Dim3 shape(const Row& row, const std::string& column) const {
    const std::string& text = row.at(column);
    unsigned extents[3] = {};
    const char *at = text.data(), *end = at + text.size();
    for (unsigned& extent : extents) {
      const auto [next, error] = std::from_chars(at, end, extent);
      const bool last = &extent == &extents[2];
      if (error != std::errc() || extent == 0 ||
          (last ? next != end : next == end || *next != 'x')) {
        refuse("{} = '{}': should be as 4x1x1", column, text);
      }
      at = next + 1;
    }
    return {extents[0], extents[1], extents[2]};
  }

  MeasuredLaunch launch(const Row& row) const {
    MeasuredLaunch launch;
    launch.program = row.at("program");
    if (launch.program.empty()) refuse("the program has no name");
    launch.arguments = row.at("arguments");
    launch.kernel = row.at("kernel");
    launch.grid = shape(row, "grid");
    launch.block = shape(row, "block");
    launch.index = static_cast<unsigned>(number(row, "launch_index"));
    launch.cycles = positive(row, "cycles");
    if (row.contains("duration_ns")) launch.nanoseconds = positive(row, "duration_ns");
    for (const auto& [column, text] : row) {
      if (const auto value = number_in(text)) launch.counts[column] = *value;
    }
    return launch;
  }

  const std::string& file_;
  std::ifstream in_;
  unsigned line_ = 0;
};

}  // namespace

std::vector<MeasuredLaunch> read_measured_launches(const std::string& file) {
  return Reader(file).read();
}

}  // namespace raddle::cli
