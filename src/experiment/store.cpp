#include "experiment/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <filesystem>

#include "base/error.h"
#include "base/output_file.h"
#include "experiment/kept_results.h"
#include "experiment/machine_settings.h"

namespace raddle::experiment {
namespace fs = std::filesystem;

namespace {

// `finished` orders the runs of one program for seconds_before().
constexpr const char* kSchema = R"(
create table if not exists outcomes (
  identity text not null, settings text not null, behaviour text not null,
  program text not null, variant text not null, scale text not null, command text not null,
  exit_code integer not null, seconds real not null,
  statistics text not null, output text not null,
  made_by text not null, computer text not null, made_on text not null,
  finished text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  primary key (identity, settings, behaviour)
))";

/// Another sweep may be writing to the same file; its transactions are short.
constexpr int kBusyMilliseconds = 20000;

/// Runs `work`, and names the file in its errors.
template <class Work>
auto with_file(const std::string& file, const Work& work) {
  const WithoutWriteSignals quiet;
  try {
    return work();
  } catch (const std::exception& error) {
    fail("cannot store results in {}: {}", file, error.what());
  }
}

}  // namespace

Store::Store(const std::string& file, const KeptResults* kept) : file_(file), kept_(kept) {
  with_file(file, [&] {
    const fs::path folder = fs::path(file).parent_path();
    if (!folder.empty()) fs::create_directories(folder);
    database_ = std::make_unique<SQLite::Database>(
        file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyMilliseconds);
    database_->exec(kSchema);
  });
}

Store::~Store() = default;

std::optional<StoredRun> Store::find(const RunIdentity& identity) const {
  std::optional<StoredRun> run = with_file(file_, [&] { return found(identity); });
  if ((run && run->exit_code == 0) || kept_ == nullptr) return run;
  std::optional<StoredRun> kept = kept_->find(identity);
  return kept ? kept : run;
}

std::optional<StoredRun> Store::found(const RunIdentity& identity) const {
  SQLite::Statement query(*database_,
                          "select settings, program, variant, scale, command, exit_code, seconds, "
                          "statistics, output, made_by, computer, made_on from outcomes "
                          "where identity = ? and behaviour = ? order by settings = ? desc");
  SQLite::bind(query, identity.program, identity.behaviour, identity.settings);
  while (query.executeStep()) {
    const std::string settings = query.getColumn(0).getString();
    if (!same_machine(settings, identity.settings)) continue;
    return StoredRun{{identity.program, settings, identity.behaviour},
                     query.getColumn(1).getString(),
                     query.getColumn(2).getString(),
                     query.getColumn(3).getString(),
                     query.getColumn(4).getString(),
                     query.getColumn(5).getInt(),
                     query.getColumn(6).getDouble(),
                     query.getColumn(7).getString(),
                     query.getColumn(8).getString(),
                     {query.getColumn(9).getString(), query.getColumn(10).getString(),
                      query.getColumn(11).getString()}};
  }
  return std::nullopt;
}

void Store::keep(const StoredRun& run) {
  with_file(file_, [&] {
    SQLite::Statement insert(
        *database_,
        "insert or replace into outcomes (identity, settings, behaviour, program, variant, scale, "
        "command, exit_code, seconds, statistics, output, made_by, computer, made_on) "
        "values (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    SQLite::bind(insert, run.identity.program, run.identity.settings, run.identity.behaviour,
                 run.program, run.variant, run.scale, run.command, run.exit_code, run.seconds,
                 run.statistics, run.output, run.maker.commit, run.maker.computer, run.maker.date);
    insert.exec();
  });
}

std::optional<double> Store::seconds_before(const std::string& program, const std::string& variant,
                                            const std::string& scale) const {
  const std::optional<double> own = with_file(file_, [&]() -> std::optional<double> {
    SQLite::Statement query(*database_,
                            "select seconds from outcomes where program = ? and variant = ? and "
                            "scale = ? and exit_code = 0 order by finished desc limit 1");
    SQLite::bind(query, program, variant, scale);
    if (!query.executeStep()) return std::nullopt;
    return query.getColumn(0).getDouble();
  });
  if (own || kept_ == nullptr) return own;
  return kept_->seconds_of(program, variant, scale);
}

}  // namespace raddle::experiment
