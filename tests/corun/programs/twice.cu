// Two processes use the GPU at the same time, but a program may have only one: the second one's
// call fails. The exit code is 0 when the child's call has failed and the parent's memory still
// works.
#include <sys/wait.h>
#include <unistd.h>

int main(int, char** argv) {
  // The child executes this program anew, after the parent has come to the GPU.
  if (argv[1] != nullptr) {
    int* memory = nullptr;
    return cudaMalloc(&memory, 64) == cudaSuccess ? 0 : 5;
  }
  int* memory = nullptr;
  if (cudaMalloc(&memory, 64) != cudaSuccess) return 1;
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", argv[0], "second", nullptr);
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 5) return 2;
  return cudaMemset(memory, 0, 64) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
