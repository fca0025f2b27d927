#include "nbody/star_catalogue.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/text_scanner.h"

namespace raddle::workloads {
namespace {

constexpr double pi = 3.14159265358979323846;

struct Star {
  double magnitude;
  Body body;
};

// One line of the catalogue; fields have fixed columns, counted from 1, and may be blank.
class Record {
 public:
  Record(const std::string& name, std::size_t line, std::string_view text)
      : name_(name), line_(line), text_(text) {}

  bool blank(std::size_t first, std::size_t last) const {
    return field(first, last).find_first_not_of(' ') == std::string_view::npos;
  }
  double number(std::size_t first, std::size_t last) const {
    std::string_view digits = field(first, last);
    digits.remove_prefix(std::min(digits.find_first_not_of(" +"), digits.size()));
    const std::size_t blank = digits.find(' ');
    if (blank != std::string_view::npos) digits = digits.substr(0, blank);
    double value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    if (digits.empty() || error != std::errc{} || rest != end || !std::isfinite(value)) {
      throw InputError(name_ + ":" + std::to_string(line_) + ":" + std::to_string(first) +
                       ": expected a number in columns " + std::to_string(first) + " to " +
                       std::to_string(last) + ", found '" + std::string(field(first, last)) + "'");
    }
    return value;
  }
  bool minus(std::size_t column) const { return field(column, column) == "-"; }

 private:
  std::string_view field(std::size_t first, std::size_t last) const {
    return first <= text_.size() ? text_.substr(first - 1, last - first + 1) : std::string_view();
  }

  const std::string& name_;
  std::size_t line_;
  std::string_view text_;
};

Star place_star(const Record& record) {
  const double hours =
      record.number(76, 77) + record.number(78, 79) / 60 + record.number(80, 83) / 3600;
  const double degrees =
      record.number(85, 86) + record.number(87, 88) / 60 + record.number(89, 90) / 3600;
  const double right_ascension = hours * pi / 12;
  const double declination = (record.minus(84) ? -degrees : degrees) * pi / 180;
  const double parsecs = 1 / record.number(162, 166);
  const Body body = {
      static_cast<float>(parsecs * std::cos(declination) * std::cos(right_ascension)),
      static_cast<float>(parsecs * std::cos(declination) * std::sin(right_ascension)),
      static_cast<float>(parsecs * std::sin(declination)), 1.0f};
  return {record.number(103, 107), body};
}

}  // namespace

std::vector<Body> read_stars(const std::string& name, std::string_view text, std::size_t count) {
  std::vector<Star> stars;
  std::size_t line = 0;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const Record record(name, ++line, text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    // A few entries are novae or clusters without a place, and most faint stars have no parallax.
    if (record.blank(76, 83) || record.blank(162, 166) || record.number(162, 166) <= 0) continue;
    stars.push_back(place_star(record));
  }
  std::stable_sort(stars.begin(), stars.end(),
                   [](const Star& a, const Star& b) { return a.magnitude < b.magnitude; });
  stars.resize(std::min(count, stars.size()));
  std::vector<Body> bodies;
  bodies.reserve(stars.size());
  for (const Star& star : stars) bodies.push_back(star.body);
  return bodies;
}

}  // namespace raddle::workloads
