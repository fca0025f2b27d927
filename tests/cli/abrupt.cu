// Programs that end in other ways than by exit(), after a kernel has ended. The first argument says
// how. The script `abrupt` checks the results of such runs.
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

__global__ void add_one(int* out) { out[threadIdx.x] += 1; }

__global__ void long_loop(int* out, int rounds) {
  int value = out[threadIdx.x];
  for (int i = 0; i < rounds; ++i) value = value * 3 + i;
  out[threadIdx.x] = value;
}

__global__ void stops(int* out) {
  if (out != nullptr) asm("trap;");
}

static int* memory() {
  static int* made = nullptr;
  if (made == nullptr) cudaMalloc(&made, 4096);
  return made;
}

static void run() {
  add_one<<<1, 64>>>(memory());
  cudaDeviceSynchronize();
}

/// A kernel that takes long, and returns when it is under way.
static std::thread run_long() {
  std::thread thread([] {
    long_loop<<<8, 256>>>(memory(), 1 << 26);
    cudaDeviceSynchronize();
  });
  usleep(300'000);
  return thread;
}

static volatile int* nothing = nullptr;
static int crash() { return *nothing; }

static int overflow(int depth) {
  volatile char room[4096];
  room[depth % 4096] = 1;
  return overflow(depth + 1) + room[0];
}

/// A kernel that takes long, and a signal meanwhile, whose handler does `what`.
static void in_handler(void (*what)(int), int rounds = 1 << 26) {
  signal(SIGALRM, what);
  const itimerval soon{{0, 0}, {0, 300'000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  long_loop<<<8, 256>>>(memory(), rounds);
  cudaDeviceSynchronize();
}

static sigjmp_buf behind_handler;

static void in_callback(void (*what)(void*)) {
  cudaLaunchHostFunc(nullptr, what, nullptr);
  cudaDeviceSynchronize();
}

static sigjmp_buf behind_abort;

static bool g_at_end = false;
static struct AtEnd {
  ~AtEnd() {
    if (g_at_end) crash();
  }
} at_end;

static void limit(int which, rlim_t most, bool for_good) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource>(which), &now);
  now.rlim_cur = most;
  if (for_good) now.rlim_max = most;
  setrlimit(static_cast<__rlimit_resource>(which), &now);
}

/// For good, and as a user who may not take it back.
static bool limits_itself(const std::string& how) {
  constexpr uid_t kNobody = 65534;
  if (how == "no_descriptors") limit(RLIMIT_NOFILE, 0, true);
  if (how == "no_file_size") limit(RLIMIT_FSIZE, 0, true);
  if (how == "small_file_size") limit(RLIMIT_FSIZE, 100, true);
  if (how == "another_user_again") return seteuid(kNobody) == 0;
  const bool known = how == "no_descriptors" || how == "no_file_size" || how == "small_file_size";
  if (known && getuid() != 0) return true;
  return (known || how == "another_user") && setuid(kNobody) == 0;
}

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  if (how.find("_first") != std::string::npos) limits_itself(how.substr(0, how.size() - 6));
  if (how == "daemon_first" && daemon(1, 1) != 0) return 6;  // its child alone uses the GPU
  run();
  if (how == "return") return 5;
  if (how == "exit_in_thread") std::thread([] { exit(5); }).join();
  if (how == "_exit") _exit(5);
  if (how == "_Exit") _Exit(5);
  if (how == "quick_exit") quick_exit(5);
  if (how == "crash") return crash();
  if (how == "abort") abort();
  // What ends the process all the same.
  if (how.rfind("ignored_", 0) == 0) signal(SIGABRT, SIG_IGN);
  if (how.rfind("handled_", 0) == 0) signal(SIGABRT, [](int) {});
  if (how == "ignored_abort" || how == "handled_abort") abort();
  if (how == "ignored_assert" || how == "handled_assert") assert(argc == 0);
  if (how == "ignored_throw") throw 5;
  if (how == "exit_group") syscall(SYS_exit_group, 5);
  if (how == "abort_left_by_a_jump") {
    signal(SIGABRT, [](int) { siglongjmp(behind_abort, 1); });
    if (sigsetjmp(behind_abort, 1) == 0) abort();
    run();
    return 5;
  }
  if (how == "pthread_exit" || how == "pthread_exit_in_both") {
    std::thread([how] {
      usleep(200'000);  // the main thread has ended
      run();
      if (how == "pthread_exit_in_both") pthread_exit(nullptr);
    }).detach();
    pthread_exit(nullptr);
  }
  if (how == "pthread_exit_before_exit") {
    std::thread([] {
      usleep(200'000);
      run();
      exit(5);
    }).detach();
    pthread_exit(nullptr);
  }
  if (how == "throw") throw std::runtime_error("nobody catches this");
  if (how == "raise") raise(SIGUSR1);
  if (how == "raise_real_time") raise(SIGRTMIN + 2);
  if (how == "cleared_environment") return clearenv() == 0 ? 5 : 6;
  if (how == "terminate") kill(getpid(), SIGTERM);
  if (how == "alarm") {
    alarm(1);
    sleep(20);
    return 9;  // a sleep that the signal ends does not return
  }
  if (how == "overflow") return overflow(0);
  if (how == "overflow_in_thread") {
    std::thread([] {
      run();
      overflow(0);
    }).join();
  }
  if (how == "double_free") {
    void* one = malloc(5000);
    void* volatile two = one;
    free(one);
    free(two);
  }
  if (how == "crash_in_printf") printf("%s\n", reinterpret_cast<const char*>(8));
  if (how == "crash_in_handler") {
    signal(SIGALRM, [](int) { crash(); });
    raise(SIGALRM);
  }
  if (how == "crash_at_exit") atexit([] { crash(); });
  if (how == "crash_in_destructor") g_at_end = true;
  if (how == "abort_in_callback") in_callback([](void*) { abort(); });
  if (how == "_exit_in_callback") in_callback([](void*) { _exit(5); });
  if (how == "exit_in_callback") in_callback([](void*) { exit(5); });
  if (how == "throw_in_callback") in_callback([](void*) { throw 5; });
  if (how == "crash_beside_a_kernel") {
    std::thread other = run_long();
    crash();
  }
  if (how == "_exit_beside_a_kernel") {
    std::thread other = run_long();
    _exit(5);
  }
  if (how == "exit_beside_a_kernel") {
    run_long().detach();
    exit(5);
  }
  if (how == "exit_in_thread_beside_a_kernel") {
    std::thread([] {
      usleep(300'000);
      exit(5);
    }).detach();
    long_loop<<<8, 256>>>(memory(), 1 << 26);
    cudaDeviceSynchronize();
  }
  if (how == "exit_in_handler") in_handler([](int) { exit(5); });
  if (how == "_exit_in_handler") in_handler([](int) { _exit(5); });
  if (how == "abort_in_handler") in_handler([](int) { abort(); });
  if (how == "handler_raises_again") {
    in_handler([](int which) {
      signal(which, SIG_DFL);
      raise(which);
    });
  }
  if (how == "handler_returns") {
    static volatile bool came = false;
    in_handler([](int) { came = true; }, 1 << 17);
    run();
    return came ? 5 : 6;
  }
  if (how == "handler_calls_cuda") {
    static volatile bool refused = false;
    in_handler([](int) {
      refused = cudaDeviceSynchronize() == cudaErrorNotPermitted;
      exit(refused ? 5 : 6);
    });
  }
  if (how == "handler_left_by_a_jump") {
    if (sigsetjmp(behind_handler, 1) == 0) in_handler([](int) { siglongjmp(behind_handler, 1); });
    return 5;
  }
  if (how == "trap") {
    stops<<<1, 32>>>(memory());
    cudaDeviceSynchronize();
    abort();
  }
  if (how == "reset") {
    cudaDeviceReset();
    _exit(5);
  }
  if (how == "fork") {
    if (fork() == 0) _exit(3);
    if (fork() == 0) abort();
    if (vfork() == 0) _exit(3);
    for (int i = 0; i < 3; ++i) wait(nullptr);
    run();
    return 5;
  }
  if (how == "fork_calls") {
    const pid_t child = fork();
    if (child == 0) exit(cudaDeviceSynchronize() == cudaErrorInitializationError ? 3 : 4);
    int status = 0;
    waitpid(child, &status, 0);
    run();
    return WIFEXITED(status) && WEXITSTATUS(status) == 3 ? 5 : 6;
  }
  if (how == "exec_fails") {
    execlp("no_such_program", "program", nullptr);
    execl("/", "program", nullptr);
    run();
    execve("/no/such/program", argv, environ);
    run();
    return 5;
  }
  if (how == "exec") {
    execl("/no/such/program", "program", nullptr);
    run();
    execl(argv[0], argv[0], "return", nullptr);
  }
  if (how == "exec_by_number" || how == "execveat_by_number") {
    char* const again[] = {argv[0], const_cast<char*>("return"), nullptr};
    syscall(SYS_execve, "/no/such/program", again, environ);
    run();
    if (how == "exec_by_number") syscall(SYS_execve, argv[0], again, environ);
    syscall(SYS_execveat, AT_FDCWD, argv[0], again, environ, 0);
  }
  if (how == "exit_by_number") {  // of the main thread alone
    std::thread([] {
      usleep(200'000);
      run();
    }).detach();
    syscall(SYS_exit, 5);
  }
  if (how == "daemon") {  // its parent ends with 0
    if (daemon(1, 1) == 0) _exit(cudaDeviceSynchronize() == cudaErrorInitializationError ? 5 : 6);
  }
  if (how == "fork_goes_on") {
    if (fork() != 0) _exit(5);
    usleep(200'000);
    exit(6);
  }
  if (how == "assembly") {  // no function of the C library
    asm volatile("syscall" : : "a"(SYS_exit_group), "D"(argc - 2) : "rcx", "r11", "memory");
  }
  if (how == "closed_stderr") {
    fclose(stderr);
    close(2);
    return 5;
  }
  if (how == "kill") kill(getpid(), SIGKILL);
  if (how == "own_handler") {
    signal(SIGSEGV, [](int) {
      signal(SIGSEGV, SIG_DFL);
      raise(SIGSEGV);
    });
    crash();
  }
  if (how == "removes") return std::system((std::string("rm -r ") + argv[2]).c_str());
  if (how == "few_descriptors") limit(RLIMIT_NOFILE, 0, false);
  if (how.find("_first") != std::string::npos || limits_itself(how)) return 0;
  if (how == "default_is_seen") {  // what a program has set, and what it has not
    struct sigaction before{}, none{};
    none.sa_handler = SIG_DFL;
    bool right = signal(SIGUSR1, [](int) {}) == SIG_DFL;
    right &= signal(SIGUSR1, SIG_DFL) != SIG_DFL && signal(SIGUSR1, SIG_DFL) == SIG_DFL;
    right &= sigaction(SIGUSR2, &none, &before) == 0 && before.sa_handler == SIG_DFL;
    right &= signal(SIGINT, SIG_IGN) == SIG_DFL && signal(SIGINT, SIG_DFL) == SIG_IGN;
    return right ? 5 : 6;
  }
  return 5;
}
