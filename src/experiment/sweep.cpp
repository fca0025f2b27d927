#include "experiment/sweep.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <list>
#include <map>
#include <thread>

#include "base/error.h"
#include "experiment/interrupts.h"
#include "experiment/process.h"

namespace raddle::experiment {
namespace {

constexpr std::size_t kKeptOutput = 4000;  // bytes; a failure's message is at the end
constexpr auto kPollInterval = std::chrono::milliseconds(20);

struct RunningRun {
  std::size_t index;
  TemporaryFile statistics;
  Process process;
  bool timed_out = false;
};

/// The number of processes that wrote statistics. Their documents follow each other; a document is
/// an object whose outermost braces alone begin lines.
unsigned count_documents(std::string_view statistics) {
  constexpr std::string_view kBetween = "\n}\n{";
  unsigned number = 1;
  for (std::size_t at = 0; (at = statistics.find(kBetween, at)) != statistics.npos; ++at) ++number;
  return number;
}

/// Work shared among the jobs. It takes at least the time of the longest run, which one job runs.
struct Work {
  double sum = 0, longest = 0;

  void add(double seconds) {
    sum += seconds;
    longest = std::max(longest, seconds);
  }
  double seconds(unsigned jobs) const { return std::max(longest, sum / jobs); }
};

std::vector<Run> distinct_runs(const std::vector<Run>& runs,
                               std::map<RunIdentity, std::size_t>& places) {
  std::vector<Run> distinct;
  for (const Run& run : runs) {
    if (places.try_emplace(run.identity, distinct.size()).second) distinct.push_back(run);
  }
  return distinct;
}

class Sweep {
 public:
  Sweep(const std::vector<Run>& runs, const Place& place, Store* store, const SweepOptions& options)
      : runs_(runs), place_(place), store_(store), options_(options), records_(runs.size()) {
    progress_.total = runs.size();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto stored = store == nullptr ? std::nullopt : store->find(runs[i].identity);
      if (stored && stored->exit_code == 0) {
        records_[i] = *stored;
        ++progress_.known;
      } else {
        waiting_.push_back(i);
      }
    }
    expected_.resize(runs.size(), -1);
    if (store != nullptr) longest_first();
  }

  std::vector<StoredRun> go(const std::function<void(const SweepProgress&)>& tell) {
    const CatchInterrupts interrupts;
    while (!waiting_.empty() || !running_.empty()) {
      if (options_.stop_at_failure && progress_.failed > 0) break;
      while (running_.size() < options_.jobs && !waiting_.empty()) start();
      collect();
      progress_.running = static_cast<unsigned>(running_.size());
      progress_.seconds_left = seconds_left();
      tell(progress_);
      if (interrupts.came()) {
        if (store_ == nullptr) fail("interrupted");
        fail("interrupted: {} of {} runs are stored; the same command continues from there",
             progress_.known + progress_.ended - progress_.failed, progress_.total);
      }
      std::this_thread::sleep_for(kPollInterval);
    }
    return std::move(records_);
  }

 private:
  /// Long runs first, so that no long run starts when the others have ended.
  void longest_first() {
    for (const std::size_t i : waiting_) {
      const Run& run = runs_[i];
      expected_[i] =
          store_->seconds_before(run.program->name, run.variant->name, run.scale).value_or(-1);
    }
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [&](std::size_t a, std::size_t b) { return expected_[a] > expected_[b]; });
  }

  void start() {
    const std::size_t index = waiting_.front();
    waiting_.erase(waiting_.begin());
    TemporaryFile statistics;
    // Figures use whole runs and kernels: the launches' own statistics are not needed.
    std::vector<std::string> command = {
        place_.tool.string(), "run", "--quiet", "--stats", statistics.path(),
        "--launch-stats",     "0"};
    command.insert(command.end(), runs_[index].arguments.begin(), runs_[index].arguments.end());
    Process process(command);
    running_.push_back({index, std::move(statistics), std::move(process)});
  }

  void collect() {
    for (auto run = running_.begin(); run != running_.end();) {
      const auto exit_code = run->process.poll();
      if (exit_code) {
        end(*run, *exit_code);
        run = running_.erase(run);
        continue;
      }
      if (options_.timeout_seconds > 0 && run->process.seconds() > options_.timeout_seconds) {
        run->timed_out = true;
        run->process.kill();
      }
      ++run;
    }
  }

  void end(RunningRun& run, int exit_code) {
    const Run& what = runs_[run.index];
    StoredRun record{what.identity,
                     what.program->name,
                     what.variant->name,
                     what.scale,
                     command_text(what),
                     exit_code,
                     run.process.seconds(),
                     run.statistics.content(),
                     "",
                     options_.maker};
    const unsigned processes = count_documents(record.statistics);
    if (processes > 1 && exit_code == 0) {
      record.exit_code = 2;
      record.output = fmt::format(
          "{} processes of the program used the GPU, and which of them is meant is unknown: take "
          "the statistics of each from raddle run --stats",
          processes);
    } else if (exit_code == 0 && record.statistics.empty()) {
      record.exit_code = 2;
      record.output = "the program did not use the simulated GPU";
    } else if (exit_code != 0) {
      record.output = run.process.output_end(kKeptOutput);
      if (run.timed_out) record.output += "\nended after the time limit";
    }
    if (store_ != nullptr) store_->keep(record);
    ++progress_.ended;
    progress_.failed += record.exit_code != 0;
    seconds_ended_ += record.seconds;
    records_[run.index] = std::move(record);
  }

  double expected(std::size_t index) const {
    if (expected_[index] >= 0) return expected_[index];
    return progress_.ended > 0 ? seconds_ended_ / static_cast<double>(progress_.ended) : -1;
  }

  /// Seconds left. For a run that has taken longer than expected: its excess so far, once more.
  double left_of(const RunningRun& run) const {
    return std::abs(expected(run.index) - run.process.seconds());
  }

  /// Negative while unknown.
  double seconds_left() const {
    Work work;
    for (const std::size_t index : waiting_) {
      if (expected(index) < 0) return -1;
      work.add(expected(index));
    }
    for (const RunningRun& run : running_) {
      if (expected(run.index) < 0) return -1;
      work.add(left_of(run));
    }
    return work.seconds(options_.jobs);
  }

  const std::vector<Run>& runs_;
  const Place& place_;
  Store* store_;
  const SweepOptions options_;
  std::vector<StoredRun> records_;
  std::vector<std::size_t> waiting_;
  std::vector<double> expected_;  // seconds by run; negative = unknown
  std::list<RunningRun> running_;
  SweepProgress progress_;
  double seconds_ended_ = 0;
};

}  // namespace

SweepPlan plan_sweep(const std::vector<Run>& runs, const Store& store, unsigned jobs) {
  std::map<RunIdentity, std::size_t> places;
  SweepPlan plan;
  Work work;
  std::size_t timed = 0;
  for (const Run& run : distinct_runs(runs, places)) {
    ++plan.total;
    const auto stored = store.find(run.identity);
    if (stored && stored->exit_code == 0) {
      ++plan.stored;
      continue;
    }
    const auto seconds = store.seconds_before(run.program->name, run.variant->name, run.scale);
    if (seconds) work.add(*seconds);
    ++(seconds ? timed : plan.untimed);
  }
  if (timed > 0)
    work.sum += work.sum / static_cast<double>(timed) * static_cast<double>(plan.untimed);
  plan.seconds = work.seconds(jobs);
  return plan;
}

std::vector<StoredRun> sweep(const std::vector<Run>& runs, const Place& place, Store* store,
                             const SweepOptions& options,
                             const std::function<void(const SweepProgress&)>& tell) {
  std::map<RunIdentity, std::size_t> places;  // in `distinct`
  const std::vector<Run> distinct = distinct_runs(runs, places);
  const std::vector<StoredRun> outcomes = Sweep(distinct, place, store, options).go(tell);
  std::vector<StoredRun> records;
  for (const Run& run : runs) {
    // The store has a run under the names that it had when it ran.
    StoredRun& record = records.emplace_back(outcomes[places.at(run.identity)]);
    record.program = run.program->name;
    record.variant = run.variant->name;
    record.scale = run.scale;
    record.command = command_text(run);
  }
  return records;
}

}  // namespace raddle::experiment
