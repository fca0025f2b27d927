// Functions of the C library that end a program, or turn it into another one, without its exit
// handlers. The API libraries define them too: the program's linker finds these first, and they
// write the results of the run before. quick_exit() has handlers of its own; exit() is not
// replaced.
//
// They may be called in a child by vfork(), which shares the parent's memory: save_results() leaves
// that alone.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <vector>

#include "cuda/runtime/endings.h"
#include "cuda/runtime/main_thread.h"
#include "cuda/runtime/signal_actions.h"

namespace {

using raddle::cuda::Next;
using raddle::cuda::save_results;

/// The C library's own function.
template <class Function>
Function own(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// The C library's syscall(), looked up before any call of ours: signal handlers may call it.
using SystemCall = long (*)(long, ...) noexcept;
SystemCall g_system_call = nullptr;

__attribute__((constructor)) void find_system_call() { g_system_call = own(syscall, "syscall"); }

long call_system(long number, const long (&a)[6]) {
  if (g_system_call == nullptr) find_system_call();
  return g_system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

[[noreturn]] void end(int code) {
  save_results(Next::ends, "_exit");
  while (true) call_system(SYS_exit_group, {code});
}

/// Saves the results before abort(), which ends the process whatever the action of SIGABRT is. With
/// another action, or none, our handler does not run. A handler of the program's own may still
/// leave abort() by a jump.
void save_before_abort() {
  struct sigaction now{};
  if (raddle::cuda::system_sigaction(SIGABRT, nullptr, &now) == 0 &&
      raddle::cuda::is_of_endings(now))
    return;
  save_results(Next::may_go_on, "SIGABRT");
}

void save_and_go_on(const char* ending) {
  const int before = errno;
  save_results(Next::may_go_on, ending);
  errno = before;
}

void become_another() { save_and_go_on("exec"); }

/// The arguments of execl(), with the null pointer at their end; `list` is behind it afterwards.
std::vector<char*> arguments(const char* first, va_list list) {
  std::vector<char*> all{const_cast<char*>(first)};
  while (all.back() != nullptr) all.push_back(va_arg(list, char*));
  return all;
}

}  // namespace

extern "C" {

// The C library declares them with this attribute; clang accepts no other form.
__attribute__((noreturn)) void _exit(int code) { end(code); }
__attribute__((noreturn)) void _Exit(int code) noexcept { end(code); }

__attribute__((noreturn)) void abort() noexcept {
  save_before_abort();
  own(abort, "abort")();
  __builtin_unreachable();
}
/// For assert(): the C library's function calls its own abort().
__attribute__((noreturn)) void __assert_fail(const char* assertion, const char* file, unsigned line,
                                             const char* function) noexcept {
  save_before_abort();
  own(__assert_fail, "__assert_fail")(assertion, file, line, function);
  __builtin_unreachable();
}

/// Like the C library's function, with as many arguments as a system call can have.
long syscall(long number, ...) noexcept {
  if (number == SYS_exit_group) save_results(Next::ends, "_exit");
  if (number == SYS_execve || number == SYS_execveat) become_another();
  if (number == SYS_exit && gettid() == getpid()) raddle::cuda::main_thread_ends();
  long arguments[6];
  va_list list;
  va_start(list, number);
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  return call_system(number, arguments);
}

/// The process continues until the program's last thread ends.
__attribute__((noreturn)) void pthread_exit(void* result) {
  if (gettid() == getpid()) raddle::cuda::main_thread_ends();
  own(pthread_exit, "pthread_exit")(result);
  __builtin_unreachable();
}

/// Only a child continues, which may not use a GPU that its parent has used. The results so far
/// belong to the parent, which ends within the C library's function.
int daemon(int stay_in_folder, int keep_output) noexcept {
  save_and_go_on("daemon");
  return own(daemon, "daemon")(stay_in_folder, keep_output);
}

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
