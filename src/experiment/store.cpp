#include "experiment/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <filesystem>

#include "base/error.h"
#include "base/output_file.h"

namespace raddle::experiment {
namespace fs = std::filesystem;

namespace {

// `finished` orders the runs of one program for seconds_before().
constexpr const char* kSchema = R"(
create table if not exists runs (
  key text primary key,
  program text not null, variant text not null, scale text not null, command text not null,
  exit_code integer not null, seconds real not null,
  statistics text not null, output text not null,
  finished text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
))";

/// Another sweep may be writing to the same file: its transaction takes a moment.
constexpr int kBusyMilliseconds = 20000;

/// Does `work`, and names the file in what goes wrong.
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

Store::Store(const std::string& file) : file_(file) {
  with_file(file, [&] {
    const fs::path folder = fs::path(file).parent_path();
    if (!folder.empty()) fs::create_directories(folder);
    database_ = std::make_unique<SQLite::Database>(
        file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyMilliseconds);
    database_->exec(kSchema);
  });
}

Store::~Store() = default;

std::optional<StoredRun> Store::find(const std::string& key) const {
  return with_file(file_, [&] { return found(key); });
}

std::optional<StoredRun> Store::found(const std::string& key) const {
  SQLite::Statement query(*database_,
                          "select program, variant, scale, command, exit_code, seconds, "
                          "statistics, output from runs where key = ?");
  query.bind(1, key);
  if (!query.executeStep()) return std::nullopt;
  return StoredRun{key,
                   query.getColumn(0).getString(),
                   query.getColumn(1).getString(),
                   query.getColumn(2).getString(),
                   query.getColumn(3).getString(),
                   query.getColumn(4).getInt(),
                   query.getColumn(5).getDouble(),
                   query.getColumn(6).getString(),
                   query.getColumn(7).getString()};
}

void Store::keep(const StoredRun& run) {
  with_file(file_, [&] {
    SQLite::Statement insert(*database_,
                             "insert or replace into runs (key, program, variant, scale, command, "
                             "exit_code, seconds, statistics, output) values (?,?,?,?,?,?,?,?,?)");
    SQLite::bind(insert, run.key, run.program, run.variant, run.scale, run.command, run.exit_code,
                 run.seconds, run.statistics, run.output);
    insert.exec();
  });
}

std::optional<double> Store::seconds_before(const std::string& program, const std::string& variant,
                                            const std::string& scale) const {
  return with_file(file_, [&]() -> std::optional<double> {
    SQLite::Statement query(*database_,
                            "select seconds from runs where program = ? and variant = ? and "
                            "scale = ? and exit_code = 0 order by finished desc limit 1");
    SQLite::bind(query, program, variant, scale);
    if (!query.executeStep()) return std::nullopt;
    return query.getColumn(0).getDouble();
  });
}

}  // namespace raddle::experiment
