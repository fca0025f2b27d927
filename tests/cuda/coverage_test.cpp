// The coverage tables agree with the exports of the libraries.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "cuda/coverage.h"

namespace raddle::cuda {
namespace {

void expect_exported(const char* library, std::span<const ApiFunction> functions) {
  void* handle = dlopen((std::string(RADDLE_LIBRARIES "/") + library).c_str(), RTLD_LAZY);
  ASSERT_NE(handle, nullptr) << dlerror();
  for (const ApiFunction& function : functions) {
    EXPECT_NE(dlsym(handle, function.name), nullptr) << function.name;
  }
}

TEST(Coverage, RuntimeFunctionsAreExported) {
  expect_exported("libcudart.so.12", runtime_functions());
}

TEST(Coverage, DriverFunctionsAreExported) { expect_exported("libcuda.so.1", driver_functions()); }

TEST(Coverage, BlasFunctionsAreExported) {
  for (const char* library : {"libcublas.so.11", "libcublas.so.12", "libcublas.so.13"}) {
    expect_exported(library, blas_functions());
  }
}

TEST(Coverage, NoFunctionIsListedTwice) {
  for (const auto functions : {runtime_functions(), driver_functions(), blas_functions()}) {
    for (std::size_t i = 1; i < functions.size(); ++i) {
      EXPECT_STRNE(functions[i - 1].name, functions[i].name);
    }
  }
}

}  // namespace
}  // namespace raddle::cuda
