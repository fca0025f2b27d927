// A timeline on disk: trace events in Chrome's JSON format, which ui.perfetto.dev opens
// ("Trace Event Format", JSON object format).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace raddle::report {

/// Written while the program runs, and complete JSON (a complete gzip file when the name ends in
/// .gz) after each write: the closing brackets are behind the events, and the next events overwrite
/// them. A killed program therefore leaves a timeline that opens, and memory is bounded. A file
/// that is not regular, such as a pipe, gets the closing brackets once, from finish().
class TraceFile {
 public:
  /// The file of process number `process` of a run, from 1. `other`: a JSON object with the origin
  /// of the run, for the member "otherData"; "" for none. Throws Error, naming the file, when it
  /// cannot be written.
  explicit TraceFile(const std::string& path, unsigned process = 1, const std::string& other = "");
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  /// Adds an event, one JSON object. After an error, which finish() reports, events are dropped.
  void add(std::string_view event);
  /// Bytes written or waiting to be written; the waiting ones only if the file is not compressed.
  std::uint64_t bytes() const { return end_ + (compressor_ == nullptr ? events_.size() : 0); }
  /// Called at good moments for writing the added events. A compressed file is written only at
  /// intervals.
  void flush();
  /// Writes the added events. Throws Error when any write failed.
  void finish();

 private:
  struct Compressor;

  void write();
  void write_at_end(const std::string& events, const std::string& closing);
  void restore_end();
  void close_stream();
  void note(int error);

  std::string path_;
  int file_ = -1;
  bool stream_ = false;    // written bytes cannot be changed
  bool named_ = false;     // a regular file that still has its name
  std::uint64_t end_ = 0;  // end of the events: the closing brackets begin here
  std::string closing_;    // the text behind it
  std::string events_;     // not yet written
  bool first_ = true;
  std::string error_;
  std::unique_ptr<Compressor> compressor_;  // nullptr: plain text
  std::chrono::steady_clock::time_point written_;
};

/// Whether the file at `path` is a timeline that process number `process`, from 2, has written.
bool is_timeline_of(const std::string& path, unsigned process);

}  // namespace raddle::report
