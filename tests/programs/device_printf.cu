// What kernels print arrives on standard output, formatted as C's printf does.
#include <unistd.h>

#include <algorithm>
#include <string>

#include "check.h"

__global__ void speak() {
  if (threadIdx.x < 2) {
    printf("thread %d of %u: %5.2f|%-6s|%08x|%c|%lld|%%\n", threadIdx.x, blockDim.x,
           1.5 * threadIdx.x, threadIdx.x == 0 ? "zero" : "one", 0xbeefu + threadIdx.x, 'x',
           -(1LL << 40));
  }
}
__global__ void count_characters(int* count) { *count = printf("four%s\n", ""); }

int main() {
  int* const count = device_array<int>(1);
  std::fflush(stdout);
  std::FILE* const capture = std::tmpfile();
  const int screen = dup(1);
  dup2(fileno(capture), 1);
  speak<<<1, 64>>>();
  count_characters<<<1, 1>>>(count);
  CHECK(cudaDeviceSynchronize());
  std::fflush(stdout);
  dup2(screen, 1);
  std::rewind(capture);
  std::string text(1000, '\0');
  text.resize(std::fread(&text[0], 1, text.size(), capture));
  EXPECT(text.find("thread 0 of 64:  0.00|zero  |0000beef|x|-1099511627776|%\n") !=
         std::string::npos);
  EXPECT(text.find("thread 1 of 64:  1.50|one   |0000bef0|x|-1099511627776|%\n") !=
         std::string::npos);
  EXPECT(text.find("four\n") != std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_EQ(to_host(count, 1)[0], 1);  // the number of arguments, not of characters
  return finish();
}
