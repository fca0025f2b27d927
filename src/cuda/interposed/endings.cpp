// Functions of the C library by which a program ends, or becomes another one, past its exit handlers.
// The API libraries have them too: the program's linker finds these first, and the results of the run
// are written before. quick_exit() has handlers of its own, and exit() is as ever.
//
// They may be called in a child by vfork(), which shares our memory: save_results() leaves that alone.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <vector>

#include "cuda/runtime/endings.h"

namespace {

using raddle::cuda::Next;
using raddle::cuda::save_results;

[[noreturn]] void end(int code) {
  save_results(Next::ends, "_exit");
  while (true) syscall(SYS_exit_group, code);
}

/// The C library's own function.
template <class Function>
Function own(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void become_another() {
  const int before = errno;
  save_results(Next::may_go_on, "exec");
  errno = before;
}

/// The arguments of execl(), with the null pointer at their end; `list` stands behind it then.
std::vector<char*> arguments(const char* first, va_list list) {
  std::vector<char*> all{const_cast<char*>(first)};
  while (all.back() != nullptr) all.push_back(va_arg(list, char*));
  return all;
}

}  // namespace

extern "C" {

// The C library declares them with this attribute, and clang takes no other for it.
__attribute__((noreturn)) void _exit(int code) { end(code); }
__attribute__((noreturn)) void _Exit(int code) noexcept { end(code); }

int execve(const char* path, char* const* argv, char* const* environment) noexcept {
  become_another();
  return own(execve, "execve")(path, argv, environment);
}
int execv(const char* path, char* const* argv) noexcept {
  become_another();
  return own(execv, "execv")(path, argv);
}
int execvp(const char* file, char* const* argv) noexcept {
  become_another();
  return own(execvp, "execvp")(file, argv);
}
int execvpe(const char* file, char* const* argv, char* const* environment) noexcept {
  become_another();
  return own(execvpe, "execvpe")(file, argv, environment);
}
int fexecve(int descriptor, char* const* argv, char* const* environment) noexcept {
  become_another();
  return own(fexecve, "fexecve")(descriptor, argv, environment);
}
int execl(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  const std::vector<char*> argv = arguments(first, list);
  va_end(list);
  return execv(path, argv.data());
}
int execlp(const char* file, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  const std::vector<char*> argv = arguments(first, list);
  va_end(list);
  return execvp(file, argv.data());
}
int execle(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  const std::vector<char*> argv = arguments(first, list);
  char* const* environment = va_arg(list, char* const*);
  va_end(list);
  return execve(path, argv.data(), environment);
}

}  // extern "C"
