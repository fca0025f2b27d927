#include "base/output_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>

#include "base/error.h"

namespace raddle {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail_writing(const std::string& file, int error) {
  fail("cannot write {}: {}", file, std::strerror(error));
}

/// The descriptor of the open file that a name means.
std::optional<int> open_file(std::string_view name) {
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int number = 0;
    const char* const end = name.data() + name.size();
    if (!name.starts_with(folder)) continue;
    const auto [rest, error] = std::from_chars(name.data() + folder.size(), end, number);
    if (error == std::errc{} && rest == end) return number;
  }
  return std::nullopt;
}

/// An unused name in the same folder.
std::string beside(const std::string& place) {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.{}-{}.new", place, getpid(), ++count);
}

/// A file beside `place` that gets its name when it is complete: one without a name where the file
/// system has such, so that nothing is left when we are killed.
class NewFile {
 public:
  explicit NewFile(const std::string& place, mode_t mode) : place_(place), name_(beside(place)) {
    const fs::path folder = fs::path(place).parent_path();
    descriptor_ =
        open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (descriptor_ < 0) {
      descriptor_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      named_ = descriptor_ >= 0;
    }
    error_ = descriptor_ < 0 ? errno : 0;
  }
  ~NewFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (named_) unlink(name_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  int descriptor() const { return descriptor_; }
  int error() const { return error_; }  // of the constructor
  /// 0, or the error's number.
  int put_in_place() {
    if (!named_) {
      const std::string own = fmt::format("/proc/self/fd/{}", descriptor_);
      if (linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
        return errno;
      }
      named_ = true;
    }
    if (rename(name_.c_str(), place_.c_str()) != 0) return errno;
    named_ = false;
    return 0;
  }

 private:
  const std::string place_, name_;
  int descriptor_ = -1, error_ = 0;
  bool named_ = false;  // in the folder
};

/// Returns false when the folder allows no new file.
bool replace(const std::string& file, const std::string& place, const struct stat* before,
             std::string_view bytes) {
  NewFile fresh(place, 0666);
  if (fresh.descriptor() < 0) {
    const bool refused =
        fresh.error() == EACCES || fresh.error() == EPERM || fresh.error() == EROFS;
    if (before != nullptr && refused) return false;
    fail_writing(file, fresh.error());
  }
  if (before != nullptr) fchmod(fresh.descriptor(), before->st_mode & 07777);
  int error = write_bytes(fresh.descriptor(), bytes);
  // Some file systems find out that there is no space, or no quota, only here.
  if (error == 0 && fsync(fresh.descriptor()) != 0 && errno != EINVAL) error = errno;
  if (error == 0) error = fresh.put_in_place();
  if (error != 0) fail_writing(file, error);
  return true;
}

}  // namespace

WithoutWriteSignals::WithoutWriteSignals() {
  sigemptyset(&raised_);
  sigset_t pending;
  sigpending(&pending);
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    if (sigismember(&pending, signal) == 0) sigaddset(&raised_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &raised_, &before_);
}

WithoutWriteSignals::~WithoutWriteSignals() {
  const timespec now{};
  while (sigtimedwait(&raised_, nullptr, &now) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int write_bytes(int descriptor, std::string_view bytes) {
  const WithoutWriteSignals quiet;
  while (!bytes.empty()) {
    const ssize_t n = write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

int open_past_limit(const char* file, int flags) {
  const int descriptor = open(file, flags);
  rlimit before{};
  if (descriptor >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &before) != 0) {
    return descriptor;
  }
  const rlimit all{before.rlim_max, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &all);
  const int past = open(file, flags);
  const int error = errno;
  setrlimit(RLIMIT_NOFILE, &before);
  errno = error;
  return past;
}

bool names_open_file(const std::string& file) { return open_file(file).has_value(); }

int open_output(const std::string& file, Reader reader) {
  const std::optional<int> ours = open_file(file);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  const int now = reader == Reader::is_there ? O_NONBLOCK : 0;
  const int descriptor =
      ours ? fcntl(*ours, F_DUPFD_CLOEXEC, 0) : open(file.c_str(), flags | now, 0666);
  if (descriptor < 0 && errno == ENXIO) fail("cannot write {}: nobody reads it", file);
  if (descriptor < 0) fail_writing(file, errno);
  if (now != 0 && !ours) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~now);
  return descriptor;
}

void write_file(const std::string& file, std::string_view bytes, Reader reader) {
  struct stat before{};
  const bool there = stat(file.c_str(), &before) == 0;
  if (!there && errno != ENOENT) fail_writing(file, errno);
  // A file without a name exists only through its descriptors.
  std::error_code none;
  const bool leads_nowhere = !there && fs::is_symlink(fs::symlink_status(file, none));
  const bool plain = there ? S_ISREG(before.st_mode) && before.st_nlink > 0 : !leads_nowhere;
  if (plain && !open_file(file)) {
    std::error_code ignored;
    const fs::path real = fs::weakly_canonical(file, ignored);  // behind symbolic links
    const std::string place = ignored ? file : real.string();
    // A file without write permission must not be replaced either.
    if (there && access(file.c_str(), W_OK) != 0) fail_writing(file, errno);
    if (replace(file, place, there ? &before : nullptr, bytes)) return;
  }
  const int descriptor = open_output(file, reader);
  int error = write_bytes(descriptor, bytes);
  // A later reader of a file without a name would take a part of it for the whole.
  const bool nameless = there && S_ISREG(before.st_mode) && before.st_nlink == 0;
  if (error != 0 && nameless) [[maybe_unused]]
    const int emptied = ftruncate(descriptor, 0);
  if (close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) fail_writing(nameless ? "a temporary file" : file, error);
}

void check_writable(const std::string& file) {
  if (file.empty()) return;
  struct stat state{};
  if (const std::optional<int> ours = open_file(file)) {
    const int flags = fcntl(*ours, F_GETFL);
    if (flags < 0) fail_writing(file, errno);
    if ((flags & O_ACCMODE) == O_RDONLY) fail_writing(file, EBADF);
    return;
  }
  if (stat(file.c_str(), &state) == 0) {
    if (S_ISDIR(state.st_mode)) fail_writing(file, EISDIR);
    if (access(file.c_str(), W_OK) != 0) fail_writing(file, errno);
    return;
  }
  if (errno != ENOENT) fail_writing(file, errno);
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(file, ignored);
  const fs::path folder = (ignored ? fs::path(file) : real).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) fail_writing(file, errno);
}

}  // namespace raddle
