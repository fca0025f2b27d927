#include "experiment/evidence.h"

#include <algorithm>

#include "experiment/chart.h"
#include "experiment/kept_results.h"

namespace raddle::experiment {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kColumns = 110;  // of the text
constexpr const char* kFolder = "docs/evidence/";

/// Folds a text into lines of at most kColumns characters, broken between words.
std::string folded(const std::string& text, const std::string& indent = "") {
  std::string all, line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      all += line + "\n";
      line = indent;
    } else if (!line.empty()) {
      line += " ";
    }
    line += word;
    at = end + 1;
  }
  return all + line + "\n";
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Escapes a text for a cell of a table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string number(std::optional<double> value, double factor) {
  if (!value) return "-";
  return fmt::format("{:.{}f}", *value, factor == 100 || std::abs(*value) >= 100 ? 1 : 3);
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& one : cells) text += " " + cell(one) + " |";
  return text + "\n";
}

/// A row for a statement of the paper on several programs: with our smallest and largest number.
std::string said_row(const Figure& figure, const Said& said, const std::string& variant,
                     const Series& series) {
  std::optional<double> least, most;
  std::string programs;
  for (const std::string& program : said.programs) {
    programs.append(programs.empty() ? "" : ", ").append(program);
    const auto value = series.values.find(program);
    if (value == series.values.end()) continue;
    least = std::min(least.value_or(value->second), value->second);
    most = std::max(most.value_or(value->second), value->second);
  }
  std::string here = number(least, figure.factor);
  if (least != most) here += " to " + number(most, figure.factor);
  std::string paper = said.value ? number(said.value, figure.factor) : said.words;
  if (said.value && !said.words.empty()) paper += ", " + said.words;
  return row({figure.id, fmt::format("{}: {}", figure.title, variant), programs, here, "", paper});
}

std::string figure_rows(const Figure& figure, const std::vector<Series>& all) {
  std::string text;
  for (const Series& series : all) {
    if (series.metric != figure.metric) continue;
    const std::string title = fmt::format("{}: {}", figure.title, series.variant);
    const std::string of = fmt::format("{} of {}", series.values.size(), series.programs);
    if (series.published) {
      text += row({figure.id, title, of, number(series.average, figure.factor),
                   number(series.median, figure.factor), number(series.published, figure.factor)});
    }
    for (const auto& [what, published] :
         {std::pair("least", series.published_least), std::pair("most", series.published_most)}) {
      if (!published) continue;
      std::optional<double> own;
      for (const auto& [program, value] : series.values) {
        const bool further = std::string_view(what) == "least" ? value < own.value_or(value + 1)
                                                               : value > own.value_or(value - 1);
        if (further) own = value;
      }
      text += row({figure.id, title + ", the " + what, of, number(own, figure.factor), "",
                   number(published, figure.factor)});
    }
    for (const Said& said : figure.said) {
      if (std::count(said.variants.begin(), said.variants.end(), series.variant) != 0) {
        text += said_row(figure, said, series.variant, series);
      }
    }
  }
  return text;
}

std::string numbers_table(const Source& source) {
  std::string text =
      "| figure | | programs | here: mean | median | the paper |\n|---|---|---|--:|--:|--:|\n";
  for (const Figure& figure : source.experiment.figures) {
    text += figure_rows(figure, source.results.series);
  }
  return text;
}

std::string orders_text(const Source& source) {
  std::string text;
  for (const OrderCount& count : source.results.orders) {
    text += fmt::format("- {}: {} of {} programs\n", count.order->title, count.agreeing.size(),
                        count.programs);
  }
  return text.empty() ? "" : "\nOrders that the paper has:\n\n" + text;
}

const Figure& picture_of(const Experiment& experiment) {
  if (experiment.picture.empty()) return experiment.figures.front();
  for (const Figure& figure : experiment.figures) {
    if (figure.metric == experiment.picture) return figure;
  }
  fail("{}: 'picture' names no figure: {}", experiment.name, experiment.picture);
}

std::string made_by(const Source& source) {
  const auto none = [](const std::string&) -> const Source& { fail("no other experiment"); };
  const std::string name = source.experiment.name;
  const auto value = [&](const char* word) { return value_of(word, source, none); };
  return folded(fmt::format(
             "{} runs ({} programs) by commit {} on {}. `./raddle "
             "reproduce "
             "{} --stored` shows every figure from `results/{}.json` without a run; without "
             "`--stored` it runs what is not valid any more. Computer: {}.",
             value("runs"), value("programs"), value("commit"), value("date"), name, name,
             value("computer"))) +
         folded(fmt::format("This page is generated (`./raddle reproduce {0} --page`) from those "
                            "results, `experiments/{0}.toml` and `experiments/{0}.md`.",
                            name));
}

/// The kept runs of the experiment's present programs and variants, at its first scale.
std::vector<StoredRun> runs_of(const Experiment& experiment, const KeptResults& kept) {
  std::vector<StoredRun> runs;
  for (const Program& program : experiment.programs) {
    for (const Variant& variant : experiment.variants) {
      if (!runs_program(variant, program.name)) continue;
      const auto at =
          std::find_if(kept.runs().begin(), kept.runs().end(), [&](const StoredRun& run) {
            return run.program == program.name && run.variant == variant.name &&
                   run.scale == experiment.scales.front();
          });
      if (at == kept.runs().end()) {
        fail("{} has no run of {}/{}: raddle reproduce {} --keep", kept.file(), program.name,
             variant.name, experiment.name);
      }
      runs.push_back(*at);
    }
  }
  return runs;
}

void add_makers(Source& source) {
  std::vector<Maker>& makers = source.results.provenance.makers;
  for (const StoredRun& run : source.runs) {
    if (std::find(makers.begin(), makers.end(), run.maker) == makers.end()) {
      makers.push_back(run.maker);
    }
  }
}

}  // namespace

std::vector<std::string> Evidence::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(root_ / "experiments")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".md" && fs::exists(root_ / "results" / (name + ".json"))) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

const Source& Evidence::source(const std::string& name) {
  std::unique_ptr<Source>& own = sources_[name];
  if (own != nullptr) return *own;
  const fs::path file = root_ / "experiments" / (name + ".toml");
  if (!fs::exists(file)) fail("there is no experiment '{}'", name);
  const KeptResults kept((root_ / "results" / (name + ".json")).string());
  if (kept.empty()) fail("{} is not there: raddle reproduce {} --keep", kept.file(), name);
  auto source = std::make_unique<Source>();
  source->experiment = read_experiment(file.string());
  source->runs = runs_of(source->experiment, kept);
  source->statistics = statistics_of(source->runs, kept.file());
  source->results.scale = source->experiment.scales.front();
  source->results.series = make_series(source->experiment, source->statistics);
  source->results.comparisons = compare_with_paper(source->experiment, source->results.series);
  source->results.orders = count_orders(source->experiment, source->statistics);
  add_makers(*source);
  own = std::move(source);
  return *own;
}

std::string Evidence::paragraph(const HandText& text, const std::string& section,
                                const Source& source) {
  const OtherSource other = [this](const std::string& name) -> const Source& {
    return this->source(name);
  };
  std::string all;
  for (const HandLine& line : text.section(section)) {
    all.append(all.empty() ? "" : " ").append(filled(text, line, source, other));
  }
  return all;
}

std::string Evidence::head(const HandText& text, const Source& source) {
  std::string all;
  for (const auto& [section, title] :
       {std::pair("Claim", "The claim."), std::pair("Here", "Here."),
        std::pair("Agreement", "Agreement."), std::pair("Decides", "What decides."),
        std::pair("Not to conclude", "Not to conclude.")}) {
    all += folded(fmt::format("- **{}** {}", title, paragraph(text, section, source)), "  ");
  }
  if (lines_in(all) > kHeadLines) {
    fail_at(text.place(text.section("Claim").empty() ? HandLine() : text.section("Claim").front()),
            "the first five sections take {} lines of {} characters: at most {}", lines_in(all),
            kColumns, kHeadLines);
  }
  return all;
}

std::string Evidence::deviations(const HandText& text, const Source& source) {
  const OtherSource other = [this](const std::string& name) -> const Source& {
    return this->source(name);
  };
  std::vector<std::string> items;
  for (const HandLine& line : text.section("Deviations")) {
    const std::string own = filled(text, line, source, other);
    if (own.starts_with("- ")) {
      items.push_back(own);
    } else if (items.empty()) {
      fail_at(text.place(line), "deviations begin with '- '");
    } else {
      items.back().append(" ").append(own.substr(std::min(own.find_first_not_of(' '), own.size())));
    }
    if (items.size() > kDeviations) {
      fail_at(text.place(line), "more than {} deviations", kDeviations);
    }
  }
  std::string all;
  for (const std::string& item : items) all += folded(item, "  ");
  return all;
}

std::map<std::string, std::string> Evidence::page(const std::string& name) {
  const Source& own = source(name);
  const HandText text((root_ / "experiments" / (name + ".md")).string());
  const Figure& picture = picture_of(own.experiment);
  std::string page = fmt::format("# {}\n\n{}\n{}\n", own.experiment.title,
                                 folded(own.experiment.source), head(text, own));
  page += fmt::format("![{}]({}.svg)\n\n## Every number of the paper\n\n{}", picture.title, name,
                      numbers_table(own));
  page += fmt::format(
      "\n{} numbers are on the paper's side of 1 (ratios, speedups) or 0 (differences).\n",
      value_of("sides", own, [](const std::string&) -> const Source& { fail("none"); }));
  page += orders_text(own) + "\n## What differs\n\n" + deviations(text, own) + "\n## Made by\n\n" +
          made_by(own);
  if (lines_in(page) > kPageLines) {
    fail_at({text.file(), 0, 0}, "the page has {} lines: at most {}", lines_in(page), kPageLines);
  }
  return {{kFolder + name + ".md", page},
          {kFolder + name + ".svg",
           svg_of(chart_of(own.experiment, picture, own.results.series), "picture")}};
}

std::map<std::string, std::string> Evidence::overview() {
  std::string page =
      "# Evidence\n\nPublished mechanisms, run on this simulator: what their papers say beside "
      "what "
      "came out.\nEach page is generated from results in the tree "
      "([how](../experiments.md#pages-of-evidence)).\n\n"
      "| system | what | the paper | here | on the paper's side | what decides |\n"
      "|---|---|--:|--:|--:|---|\n";
  for (const std::string& name : names()) {
    const Source& own = source(name);
    const HandText text((root_ / "experiments" / (name + ".md")).string());
    const std::string cells = paragraph(text, "Row", own);
    if (std::count(cells.begin(), cells.end(), '|') != 3) {
      const std::vector<HandLine>& row = text.section("Row");
      fail_at(text.place(row.empty() ? HandLine() : row.front()),
              "a row is: what | the paper | here | what decides");
    }
    const std::size_t last = cells.rfind('|');
    page += fmt::format(
        "| [{0}]({0}.md) | {1}| {2} |{3} |\n", name, cells.substr(0, last),
        value_of("sides", own, [](const std::string&) -> const Source& { fail("none"); }),
        cells.substr(last + 1));
  }
  return {{std::string(kFolder) + "README.md", page}};
}

}  // namespace raddle::experiment
