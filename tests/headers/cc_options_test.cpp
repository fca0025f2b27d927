// Does `raddle cc` read nvcc's command line as nvcc does? Cases are from the option descriptions of
// the CUDA Compiler Driver manual, and lines of real makefiles.
#include "../../cli/cc_options.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace raddle::cc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::vector<std::string>& arguments) {
  try {
    parse_options(arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Options, NameValueAndInputInAnyForm) {
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"-arch=sm_75", "-c", "a.cu", "-o", "a.o"},
        {"--gpu-architecture", "sm_75", "--compile", "a.cu", "--output-file=a.o"},
        {"-gencode", "arch=compute_75,code=sm_75", "-c", "-oa.o", "a.cu"}}) {
    const Options options = parse_options(line);
    EXPECT_EQ(options.architecture, 75);
    EXPECT_EQ(options.stage, Stage::Object);
    EXPECT_EQ(options.output, "a.o");
    ASSERT_EQ(options.inputs.size(), 1u);
    EXPECT_EQ(options.inputs[0].language, Language::Cuda);
  }
}

TEST(Options, NewestOfSeveralArchitectures) {
  EXPECT_EQ(parse_options(
                {"-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_70,code=sm_70"})
                .architecture,
            80);
  EXPECT_EQ(parse_options({"-arch=native"}).architecture, 0);
  EXPECT_EQ(parse_options({"-arch=sm_90a"}).architecture, 90);
}

TEST(Options, HostOptionsAreSplitAtCommas) {
  EXPECT_THAT(parse_options({"-Xcompiler", "-fopenmp,-Wall"}).host,
              ElementsAre("-fopenmp", "-Wall"));
  EXPECT_THAT(parse_options({"--compiler-options=-fPIC"}).host, ElementsAre("-fPIC"));
  EXPECT_THAT(parse_options({"-Xcompiler", "-Wl,-rpath,lib"}).host, ElementsAre("-Wl,-rpath,lib"));
}

TEST(Options, PreprocessorOptionsGoToBothPasses) {
  EXPECT_THAT(parse_options({"-Iinclude", "-I", "../common", "-DN=4", "-std", "c++17"}).common,
              ElementsAre("-Iinclude", "-I../common", "-DN=4", "-std=c++17"));
}

TEST(Options, FastMathIsWhatTheManualSays) {
  const Options options = parse_options({"-use_fast_math"});
  EXPECT_TRUE(options.flush_denormals);
  EXPECT_FALSE(options.precise_division);
  EXPECT_FALSE(options.precise_root);
  EXPECT_TRUE(options.contract);
}

TEST(Options, OptionsOfOtherToolsHaveNoEffect) {
  const Options options = parse_options({"-O3", "-lineinfo", "-Xptxas", "-v", "-maxrregcount=32",
                                         "--expt-relaxed-constexpr", "-ccbin", "g++", "a.cu"});
  EXPECT_EQ(options.inputs.size(), 1u);
  EXPECT_EQ(options.optimisation, "-O3");
}

TEST(Options, LibrariesOfTheRuntimeAreOurs) {
  EXPECT_THAT(parse_options({"-lcudart_static", "-lcudadevrt", "-lm"}).linker,
              ElementsAre("-lcudart", "-lm"));
  EXPECT_THAT(
      parse_options({"-lcublas_static", "-lcublasLt_static", "-lculibos", "-lcufft"}).linker,
      ElementsAre("-lcublas", "-lcublasLt", "-lcufft"));
}

TEST(Options, MistakesAreNamed) {
  EXPECT_THAT(error_of({"--no-such-option"}), HasSubstr("unknown option --no-such-option"));
  EXPECT_THAT(error_of({"-o"}), HasSubstr("-o needs a value"));
  EXPECT_THAT(error_of({"-arch=volta"}), HasSubstr("'volta' is not a GPU architecture"));
  EXPECT_THAT(error_of({"-arch=sm_999"}), HasSubstr("'sm_999' is not a GPU architecture"));
  EXPECT_THAT(error_of({"-arch=sm_999"}), HasSubstr("sm_70, sm_72, sm_75"));
  EXPECT_THAT(error_of({"notes.txt"}), HasSubstr("notes.txt"));
  EXPECT_THAT(error_of({"-default-stream", "per-thread"}), HasSubstr("legacy default stream"));
}

}  // namespace
}  // namespace raddle::cc
