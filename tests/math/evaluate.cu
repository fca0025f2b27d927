// Calls every row of functions.inc with many arguments and writes the results (record.h) for
// judge.cpp. With RADDLE_HOST_ROWS it calls the host's functions.
//
//   evaluate FILE
#include <cstdio>
#include <cstdlib>

#include "arguments.h"
#include "parts.h"
#include "record.h"

static std::FILE* output;
static std::uint32_t row = 0;

template <class T>
static void write(const Arguments<T>& at, const double* result) {
  for (int i = 0; i < at.size(); ++i) {
    const Record record = {row, 0, {at.x[i], at.y[i], at.z[i], at.w[i]}, result[i]};
    std::fwrite(&record, sizeof record, 1, output);
  }
}

// What evaluates is compiled once for each type; of each row, no more than its call in a loop.
#ifdef RADDLE_HOST_ROWS
#define SIDE
template <class T>
using CallAll = void (*)(const Arguments<T>&, double*);
template <class Function, class T>
void call_all(const Arguments<T>& at, double* result) {
  for (int i = 0; i < at.size(); ++i) {
    result[i] = Function::call(at.x[i], at.y[i], at.z[i], at.w[i]);
  }
}

template <class T>
void evaluate(CallAll<T> call, const char*, int count, double low, double high) {
  const Arguments<T> at = choose_arguments<T>(count, low, high);
  std::vector<double> result(at.size());
  call(at, result.data());
  write(at, result.data());
}
#else
#define SIDE __device__
template <class T>
using CallAll = void (*)(const T*, double*, int);
template <class Function, class T>
__global__ void call_all(const T* values, double* result, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  result[i] =
      Function::call(values[i], values[size + i], values[2 * size + i], values[3 * size + i]);
}

template <class T>
void evaluate(CallAll<T> kernel, const char* name, int count, double low, double high) {
  const Arguments<T> at = choose_arguments<T>(count, low, high);
  const int size = at.size();
  T* values;
  double* result;
  cudaMallocManaged(&values, sizeof(T) * size * 4);
  cudaMallocManaged(&result, sizeof(double) * size);
  const std::vector<T>* columns[4] = {&at.x, &at.y, &at.z, &at.w};
  for (int c = 0; c < 4; ++c) std::memcpy(values + c * size, columns[c]->data(), sizeof(T) * size);
  const int blocks = (size + 127) / 128;
  // clang-format off
  kernel<<<blocks, 128>>>(values, result, size);
  // clang-format on
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", name, cudaGetErrorString(error));
    std::exit(1);
  }
  write(at, result);
  cudaFree(values);
  cudaFree(result);
}
#endif

#define ROW(T, label, count, expression, reference, bound, absolute, low, high)  \
  struct row_##label {                                                           \
    SIDE static double call(T x, T y, T z, T w) { return (double)(expression); } \
  };
#include "functions.inc"
#undef ROW

int main(int arguments, char** words) {
  if (arguments != 2 || (output = std::fopen(words[1], "wb")) == nullptr) return 2;
#define ROW(T, label, count, expression, reference, bound, absolute, low, high) \
  evaluate<T>(call_all<row_##label, T>, #label, count, low, high);              \
  ++row;
#include "functions.inc"
  return std::fclose(output) != 0;
}
