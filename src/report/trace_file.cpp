#include "report/trace_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/output_file.h"

namespace raddle::report {
namespace {

constexpr std::string_view kClosing = "\n]}\n";
constexpr std::size_t kMostUnwritten = 1 << 18;               // bytes
constexpr std::chrono::milliseconds kCompressedInterval{20};  // closing costs time

/// The file of a second or further process has its number, by which is_timeline_of() knows the
/// file.
std::string opening(unsigned process) {
  const std::string number = process == 1 ? "" : fmt::format("\"process\":{},", process);
  return "{" + number + "\"displayTimeUnit\":\"ns\",";
}

}  // namespace

/// One gzip stream that can be closed repeatedly: the state before closing is kept.
struct TraceFile::Compressor {
  Compressor() {
    constexpr int kGzip = 15 + 16, kMemory = 8;
    if (deflateInit2(&state, Z_BEST_SPEED, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Compressor() { deflateEnd(&state); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  static std::string run(z_stream& stream, std::string_view text, int flush) {
    std::string out;
    char buffer[1 << 14];
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer);
      stream.avail_out = sizeof buffer;
      deflate(&stream, flush);
      out.append(buffer, sizeof buffer - stream.avail_out);
    } while (stream.avail_out == 0);
    return out;
  }
  std::string closed(std::string_view text) {
    z_stream copy{};
    if (deflateCopy(&copy, &state) != Z_OK) throw std::bad_alloc();
    std::string out = run(copy, text, Z_FINISH);
    deflateEnd(&copy);
    return out;
  }

  z_stream state{};
};

TraceFile::TraceFile(const std::string& path, unsigned process, const std::string& other)
    : path_(path) {
  file_ = open_output(path);
  struct stat state{};
  named_ = fstat(file_, &state) == 0 && S_ISREG(state.st_mode) && state.st_nlink != 0;
  stream_ = names_open_file(path) || fstat(file_, &state) != 0 || !S_ISREG(state.st_mode);
  if (path.ends_with(".gz")) compressor_ = std::make_unique<Compressor>();
  events_ = opening(process) + (other.empty() ? "" : "\"otherData\":" + other + ",") +
            "\"traceEvents\":[\n";
  write();
}

TraceFile::~TraceFile() { close(file_); }

void TraceFile::add(std::string_view event) {
  if (!error_.empty()) return;
  if (!first_) events_ += ",\n";
  first_ = false;
  events_ += event;
  if (events_.size() > kMostUnwritten) write();
}

void TraceFile::flush() {
  if (compressor_ != nullptr && std::chrono::steady_clock::now() - written_ < kCompressedInterval) {
    return;
  }
  write();
}

void TraceFile::finish() {
  write();
  if (stream_) close_stream();
  if (!error_.empty()) fail("cannot write {}: {}", path_, error_);
  struct stat now{};
  if (named_ && fstat(file_, &now) == 0 && now.st_nlink == 0) {
    fail("cannot write {}: the file was removed while the program ran", path_);
  }
}

void TraceFile::write() {
  if (events_.empty() || !error_.empty()) return;
  if (stream_) {
    const std::string packed = compressor_ == nullptr
                                   ? events_
                                   : Compressor::run(compressor_->state, events_, Z_SYNC_FLUSH);
    note(write_bytes(file_, packed));
    end_ += packed.size();
    written_ = std::chrono::steady_clock::now();
  } else if (compressor_ == nullptr) {
    write_at_end(events_, std::string(kClosing));
  } else {
    const std::string packed = Compressor::run(compressor_->state, events_, Z_SYNC_FLUSH);
    write_at_end(packed, compressor_->closed(kClosing));
    written_ = std::chrono::steady_clock::now();
  }
  events_.clear();
}

/// Writes in one call, so that a program killed at any moment leaves either the old or the new end.
void TraceFile::write_at_end(const std::string& events, const std::string& closing) {
  if (lseek(file_, static_cast<off_t>(end_), SEEK_SET) < 0) return note(errno);
  const int error = write_bytes(file_, events + closing);
  if (error != 0) {
    restore_end();
    return note(error);
  }
  end_ += events.size();
  closing_ = closing;
}

/// Writes the old end again: a full disk still has room for it.
void TraceFile::restore_end() {
  const WithoutWriteSignals quiet;
  if (lseek(file_, static_cast<off_t>(end_), SEEK_SET) < 0) return;
  write_bytes(file_, closing_);
  [[maybe_unused]] const int cut = ftruncate(file_, static_cast<off_t>(end_ + closing_.size()));
}

/// Ends a stream: no events may follow.
void TraceFile::close_stream() {
  if (!error_.empty()) return;
  const std::string closing(kClosing);
  note(write_bytes(file_, compressor_ == nullptr ? closing : compressor_->closed(closing)));
}

void TraceFile::note(int error) {
  if (error != 0) error_ = std::strerror(error);
}

bool is_timeline_of(const std::string& path, unsigned process) {
  const std::string expected = opening(process);
  std::string begin(expected.size(), '\0');
  const gzFile in = gzopen(path.c_str(), "rb");  // also reads uncompressed files
  if (in == nullptr) return false;
  const int size = gzread(in, begin.data(), static_cast<unsigned>(begin.size()));
  gzclose(in);
  return size == static_cast<int>(begin.size()) && begin == expected;
}

}  // namespace raddle::report
