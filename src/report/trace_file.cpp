#include "report/trace_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace raddle::report {
namespace {

constexpr std::string_view kOpening = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
constexpr std::string_view kClosing = "\n]}\n";
constexpr std::size_t kMostUnwritten = 1 << 18;               // bytes
constexpr std::chrono::milliseconds kCompressedInterval{20};  // closing a compressed file costs

}  // namespace

/// One gzip stream that can be closed again and again: the state before closing is kept.
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

TraceFile::TraceFile(const std::string& path) : path_(path) {
  file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail("cannot write {}: {}", path, std::strerror(errno));
  if (path.ends_with(".gz")) compressor_ = std::make_unique<Compressor>();
  events_ = kOpening;
  write();
}

TraceFile::~TraceFile() { close(file_); }

void TraceFile::add(std::string_view event) {
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
  if (!error_.empty()) fail("cannot write {}: {}", path_, error_);
}

void TraceFile::write() {
  if (events_.empty() || !error_.empty()) return;
  if (compressor_ == nullptr) {
    write_at_end(events_, std::string(kClosing));
  } else {
    const std::string packed = Compressor::run(compressor_->state, events_, Z_SYNC_FLUSH);
    write_at_end(packed, compressor_->closed(kClosing));
    written_ = std::chrono::steady_clock::now();
  }
  events_.clear();
}

/// One call, so that a program killed at any moment leaves either the old or the new end.
void TraceFile::write_at_end(const std::string& events, const std::string& closing) {
  const std::string bytes = events + closing;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n =
        pwrite(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(end_ + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      error_ = std::strerror(errno);
      return;
    }
    done += static_cast<std::size_t>(n);
  }
  end_ += events.size();
}

}  // namespace raddle::report
