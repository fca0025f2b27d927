// A kernel that never ends. The argument says how the program treats signals and processes:
// "ignore" or "block" signals, "fork" a child that computes, become a "daemon".
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

__global__ void endless(const volatile int* stop) {
  while (*stop == 0 && clock64() >= 0) {
  }
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "ignore") == 0) {
      for (const int signal : {SIGTERM, SIGHUP, SIGINT}) std::signal(signal, SIG_IGN);
    } else if (std::strcmp(argv[i], "block") == 0) {
      sigset_t all;
      sigfillset(&all);
      sigprocmask(SIG_BLOCK, &all, nullptr);
    } else if (std::strcmp(argv[i], "fork") == 0) {
      const pid_t child = fork();
      if (child != 0) return waitpid(child, nullptr, 0) == child ? 0 : 1;
    } else if (std::strcmp(argv[i], "daemon") == 0) {
      if (daemon(1, 1) != 0) return 9;
    }
  }
  int* stop = nullptr;
  cudaMalloc(&stop, sizeof *stop);
  cudaMemset(stop, 0, sizeof *stop);
  endless<<<1, 32>>>(stop);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
