#include "experiment/placeholders.h"

#include <algorithm>
#include <cmath>
#include <regex>

#include "base/config.h"

namespace raddle::experiment {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char letter : text) {
    if (letter == at) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

[[noreturn]] void fail_unknown(const char* what, const std::string& name,
                               const std::vector<std::string>& known) {
  const std::vector<std::string> near = near_names(name, known);
  fail("there is no {} '{}'{}{}", what, name, near.empty() ? "" : "; did you mean ",
       near.empty() ? "" : near.front());
}

template <class Item, class Name>
std::vector<std::string> names_of(const std::vector<Item>& items, Name Item::* name) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.*name);
  return names;
}

std::string of(std::size_t part, std::size_t all) { return fmt::format("{} of {}", part, all); }

/// The format of a number.
struct Format {
  int digits = 2;
  bool sign = false;
  std::string kind;  // "", "percent", "gain", "loss"

  std::string text(double value) const {
    const double shown = kind == "percent" ? 100 * value
                         : kind == "gain"  ? 100 * (value - 1)
                         : kind == "loss"  ? 100 * (1 - value)
                                           : value;
    const std::string number =
        sign ? fmt::format("{:+.{}f}", shown, digits) : fmt::format("{:.{}f}", shown, digits);
    return kind.empty() ? number : number + " %";
  }
};

/// Removes the format, the last word, from the placeholder.
Format take_format(std::string& placeholder) {
  static const std::regex kFormat(R"((.*\S)\s+(\+?)(percent|gain|loss)?(?:\.(\d))?)");
  std::smatch found;
  Format format;
  if (!std::regex_match(placeholder, found, kFormat)) return format;
  if (found[2].length() == 0 && !found[3].matched && !found[4].matched) return format;
  format.sign = found[2].length() != 0;
  format.kind = found[3].str();
  format.digits = found[4].matched ? std::stoi(found[4].str()) : format.kind.empty() ? 2 : 0;
  placeholder = found[1].str();
  return format;
}

const Series& series_of(const Source& source, const std::string& metric,
                        const std::string& variant) {
  std::vector<std::string> variants;
  for (const Series& one : source.results.series) {
    if (one.metric != metric) continue;
    if (one.variant == variant) return one;
    variants.push_back(one.variant);
  }
  if (variants.empty()) {
    fail_unknown("figure", metric, names_of(source.experiment.figures, &Figure::metric));
  }
  fail_unknown(("variant of the figure " + metric).c_str(), variant, variants);
}

double needed(std::optional<double> value, const std::string& what) {
  if (!value) fail("there is no number: {}", what);
  return *value;
}

std::optional<double> least_or_most(const Series& series, bool most) {
  std::optional<double> found;
  for (const auto& [program, value] : series.values) {
    if (!found || (most ? value > *found : value < *found)) found = value;
  }
  return found;
}

std::optional<double> paper_of(const Source& source, const Series& series,
                               const std::string& program) {
  for (const Comparison& one : source.results.comparisons) {
    if (one.figure->metric == series.metric && one.variant == series.variant &&
        one.program == program && one.paper) {
      return one.paper;
    }
  }
  return std::nullopt;
}

std::string of_program(const Source& source, const Series& series,
                       const std::vector<std::string>& words, const Format& format,
                       const std::string& whole) {
  const std::string& program = words[2];
  const auto programs = names_of(source.experiment.programs, &Program::name);
  if (std::count(programs.begin(), programs.end(), program) == 0) {
    fail_unknown("program", program, programs);
  }
  if (words.size() == 4 && words[3] == "paper") {
    return format.text(needed(paper_of(source, series, program), whole));
  }
  if (words.size() == 4) fail_unknown("number of a program", words[3], {"paper"});
  const auto value = series.values.find(program);
  return format.text(
      needed(value == series.values.end() ? std::nullopt : std::optional(value->second), whole));
}

std::string of_series(const Source& source, const std::vector<std::string>& words,
                      const Format& format, const std::string& whole) {
  const Series& series = series_of(source, words[0], words[1]);
  const std::string what = words.size() == 2 ? "average" : words[2];
  const std::map<std::string, std::optional<double>> numbers = {
      {"average", series.average},
      {"median", series.median},
      {"least", least_or_most(series, false)},
      {"most", least_or_most(series, true)},
      {"paper", series.published},
      {"paper_least", series.published_least},
      {"paper_most", series.published_most}};
  if (what == "programs") return of(series.values.size(), series.programs);
  const auto number = numbers.find(what);
  if (number == numbers.end()) return of_program(source, series, words, format, whole);
  return format.text(needed(number->second, whole));
}

std::string of_run(const Source& source, const std::vector<std::string>& words,
                   const Format& format) {
  const auto* numbers = source.statistics.numbers(words[1], words[2]);
  if (numbers == nullptr) fail("there is no run of {} with {}", words[1], words[2]);
  const auto value = numbers->find(words[3]);
  if (value == numbers->end()) {
    std::vector<std::string> known;
    for (const auto& [path, number] : *numbers) known.push_back(path);
    fail_unknown("statistic that was kept", words[3], known);
  }
  return format.text(value->second);
}

std::string of_order(const Source& source, const std::string& number) {
  const std::vector<OrderCount>& orders = source.results.orders;
  for (std::size_t n = 0; n < orders.size(); ++n) {
    if (fmt::format("{}", n + 1) == number) {
      return of(orders[n].agreeing.size(), orders[n].programs);
    }
  }
  fail("there is no order {}: there are {}", number, orders.size());
}

std::string sides_of(const Source& source) {
  std::size_t same = 0, sides = 0;
  for (const Comparison& one : source.results.comparisons) {
    const std::optional<bool> agrees = same_side(one);
    sides += agrees.has_value();
    same += agrees.value_or(false);
  }
  return of(same, sides);
}

/// The values of all makers, each once.
std::string of_makers(const Source& source, std::string Maker::* member, std::size_t most) {
  std::string text;
  for (const Maker& maker : source.results.provenance.makers) {
    const std::string own = (maker.*member).substr(0, most);
    if (text.find(own) == text.npos) text.append(text.empty() ? "" : ", ").append(own);
  }
  return text;
}

std::string of_all(const Source& source, const std::string& word) {
  constexpr std::size_t kShortCommit = 12, kAll = 1000;
  if (word == "sides") return sides_of(source);
  if (word == "runs") return fmt::format("{}", source.runs.size());
  if (word == "programs") return fmt::format("{}", source.experiment.programs.size());
  if (word == "variants") return fmt::format("{}", source.experiment.variants.size());
  if (word == "commit") return of_makers(source, &Maker::commit, kShortCommit);
  if (word == "date") return of_makers(source, &Maker::date, kAll);
  if (word == "computer") return of_makers(source, &Maker::computer, kAll);
  if (word == "minutes") {
    double seconds = 0;
    for (const StoredRun& run : source.runs) seconds += run.seconds;
    return fmt::format("{:.0f}", std::ceil(seconds / 60));
  }
  fail_unknown("number", word,
               {"sides", "runs", "programs", "variants", "commit", "date", "computer", "minutes"});
}

/// The position in the line of digits with a point or a percent sign; npos: none.
std::size_t typed_number(const std::string& line) {
  // Texts that may have a point: code, links, and places of a publication.
  static const std::regex kAllowed(
      R"(`[^`]*`|\]\([^)]*\)|\{\{[^}]*\}\}|)"
      R"(\b(?:[Ss]ections?|[Cc]hapters?|[Ff]igures?|[Tt]ables?|[Aa]ppendix|version|capability)\s+)"
      R"((?:[A-Z]\.)?(?:\d[\d.]*|[A-Z]\b)(?:(?:,| and| or| to)\s+(?:[A-Z]\.)?(?:\d[\d.]*|[A-Z]\b))*)");
  static const std::regex kNumber(R"(\d\.\d|\d\s?%)");
  std::string rest = line;
  for (auto at = std::sregex_iterator(line.begin(), line.end(), kAllowed);
       at != std::sregex_iterator(); ++at) {
    const auto begin = static_cast<std::size_t>(at->position());
    rest.replace(begin, static_cast<std::size_t>(at->length()),
                 std::string(static_cast<std::size_t>(at->length()), ' '));
  }
  std::smatch found;
  return std::regex_search(rest, found, kNumber) ? static_cast<std::size_t>(found.position())
                                                 : line.npos;
}

}  // namespace

std::string value_of(const std::string& placeholder, const Source& source,
                     const OtherSource& other) {
  const std::size_t colon = placeholder.find(':');
  if (colon != placeholder.npos && placeholder.find('/') > colon) {
    return value_of(placeholder.substr(colon + 1), other(placeholder.substr(0, colon)), other);
  }
  std::string rest = placeholder;
  const Format format = take_format(rest);
  const std::vector<std::string> words = split(rest, '/');
  if (words.size() == 1) return of_all(source, words[0]);
  if (words[0] == "order") return of_order(source, words[1]);
  if (words[0] == "run" && words.size() == 4) return of_run(source, words, format);
  if (words.size() > 4) fail("'{}' has too many parts", rest);
  return of_series(source, words, format, rest);
}

std::string filled(const HandText& text, const HandLine& line, const Source& source,
                   const OtherSource& other) {
  const auto place = [&](std::size_t column) {
    return SourcePosition{text.file(), line.number, static_cast<unsigned>(column + 1)};
  };
  const std::size_t typed = typed_number(line.text);
  if (typed != line.text.npos) {
    fail_at(place(typed),
            "a number is typed: write {{{{METRIC/VARIANT}}}}, which is filled from results "
            "(docs/experiments.md)");
  }
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = line.text.find("{{", done)) != line.text.npos;) {
    const std::size_t end = line.text.find("}}", at);
    if (end == line.text.npos) fail_at(place(at), "'{{{{' without '}}}}'");
    result += line.text.substr(done, at - done);
    try {
      result += value_of(line.text.substr(at + 2, end - at - 2), source, other);
    } catch (const InputError&) {
      throw;
    } catch (const Error& error) {
      throw InputError(place(at), error.what());
    }
    done = end + 2;
  }
  return result + line.text.substr(done);
}

std::set<std::string> paths_in(const HandText& text) {
  std::set<std::string> paths;
  static const std::regex kRun(R"(\{\{run/[^/}]+/[^/}]+/([^/} ]+))");
  for (const HandLine& line : text.lines()) {
    for (auto at = std::sregex_iterator(line.text.begin(), line.text.end(), kRun);
         at != std::sregex_iterator(); ++at) {
      paths.insert((*at)[1].str());
    }
  }
  return paths;
}

}  // namespace raddle::experiment
