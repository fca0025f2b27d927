#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/numbers.h"
#include "report/profile.h"
#include "report/profile_cells.h"
#include "report/provenance.h"

namespace raddle::report {

using Json = nlohmann::ordered_json;

namespace {

using profile::number;
using profile::ratio;
using profile::share;

/// A short form of a long path: "kernels/bfs.cu:45".
std::string place(const Json& line) {
  const auto file = line["file"].get<std::string>();
  std::size_t from = file.rfind('/');
  if (from != std::string::npos && from != 0) from = file.rfind('/', from - 1);
  return fmt::format("{}:{}", from == std::string::npos ? file : file.substr(from + 1),
                     line["line"].get<std::uint32_t>());
}

/// The counts of a line, in the columns of header().
std::string row(const Json& line, const Json& totals, bool functional) {
  const std::string instructions =
      share(number(line, "warp_instructions"), number(totals, "warp_instructions"));
  const std::string lanes =
      ratio(number(line, "thread_instructions"), number(line, "warp_instructions"));
  if (functional) return fmt::format("{:>9} {:>6}", instructions, lanes);
  return fmt::format("{:>9} {:>9} {:>6} {:>6} {:>6}  {}",
                     share(number(line, "cycles"), number(totals, "cycles")), instructions, lanes,
                     ratio(number(line, "transactions"), number(line, "requests")),
                     ratio(number(line, "shared_passes"), number(line, "shared_requests")),
                     profile::waits(line, 2));
}

std::string header(bool functional) {
  if (functional) return fmt::format("{:>9} {:>6}", "instr.", "lanes");
  return fmt::format("{:>9} {:>9} {:>6} {:>6} {:>6}  {}", "cycles", "instr.", "lanes", "trans.",
                     "passes", "of its cycles, waits for");
}

/// The title of the table, with the profiled run: "6,173.5 us on Tesla K20c".
std::string title(const Json& document) {
  std::string text = "Hottest lines";
  if (document.contains("time_us")) {
    text += fmt::format(" of {} us", microseconds(number(document, "time_us")));
  }
  return text + " on " + document.value("gpu", "");
}

}  // namespace

std::string profile_table(const std::string& json_text, unsigned lines, bool colour) {
  const Json document = Json::parse(json_text);
  const bool functional = document.value("functional", false);
  const char* strong = colour ? "\033[1m" : "";
  const char* dim = colour ? "\033[2m" : "";
  const char* plain = colour ? "\033[0m" : "";
  constexpr std::size_t kWidth = 80;
  std::string text = fmt::format("{}{}{}\n", strong, title(document), plain);
  text += ending_line(json_text);
  text += fmt::format("  {}\n", header(functional));
  const Json& all = document["lines"];
  const std::size_t shown = std::min<std::size_t>(lines, all.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string where = place(all[i]) + "  ";
    const auto code = all[i]["text"].get<std::string>();
    const std::size_t room = kWidth - std::min(kWidth, where.size() + 2);
    text += fmt::format("  {}{}{}{}\n  {}\n", where, dim, code.substr(0, room), plain,
                        row(all[i], document["totals"], functional));
  }
  if (all.size() > shown) text += fmt::format("  and {} more lines\n", all.size() - shown);
  return text;
}

}  // namespace raddle::report
