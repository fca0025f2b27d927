// The buffer of printf in kernels is circular (CUDA C++ Programming Guide, "Formatted Output",
// "Limitations"): when it overflows, the oldest output is lost. Launches and waits empty it.
#include <unistd.h>

#include <algorithm>
#include <string>

#include "check.h"

__global__ void speak(int first, int count) {
  for (int i = 0; i < count; ++i) printf("line %d\n", first + i);
}

__global__ void silent() {}

// What `work` makes kernels print.
template <typename Work>
std::string printed(Work work) {
  std::fflush(stdout);
  std::FILE* const capture = std::tmpfile();
  const int screen = dup(1);
  dup2(fileno(capture), 1);
  work();
  CHECK(cudaDeviceSynchronize());
  std::fflush(stdout);
  dup2(screen, 1);
  std::rewind(capture);
  std::string text(1 << 20, '\0');
  text.resize(std::fread(&text[0], 1, text.size(), capture));
  std::fclose(capture);
  return text;
}

bool has(const std::string& text, int line) {
  const std::string whole = "line " + std::to_string(line) + "\n";
  return text.rfind(whole, 0) == 0 || text.find("\n" + whole) != std::string::npos;
}
long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

int main() {
  std::size_t bytes = 0;
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
  EXPECT_EQ(bytes, 1 << 20);
  EXPECT_EQ(lines(printed([] { speak<<<1, 1>>>(0, 2000); })), 2000);
  // Its size is not changed once a kernel that prints was launched (CUDA runtime API,
  // cudaDeviceSetLimit), until the device is as new.
  EXPECT(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 8192) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
  EXPECT_EQ(bytes, 1 << 20);
  CHECK(cudaDeviceReset());

  silent<<<1, 1>>>();
  CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 8192));
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
  EXPECT(bytes >= 8192);
  // However a call is stored, it takes its argument and no more than a hundred bytes.
  std::string text = printed([] { speak<<<1, 1>>>(0, 2000); });
  EXPECT(lines(text) >= 8192 / 100);
  EXPECT(lines(text) <= static_cast<long>(bytes / 4));
  EXPECT(!has(text, 0));
  EXPECT(has(text, 1999));
  for (int line = 2000 - static_cast<int>(lines(text)); line < 2000; ++line) {
    EXPECT(has(text, line));
  }

  // Each of these fits.
  text = printed([] {
    for (int i = 0; i < 20; ++i) {
      speak<<<1, 1>>>(20 * i, 20);
      CHECK(cudaDeviceSynchronize());
    }
  });
  EXPECT_EQ(lines(text), 400);
  return finish();
}
