// A timeline's file is complete after each write, so that the file of a killed program can be
// opened.
#include "report/trace_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "trace_help.h"

namespace raddle::report {
namespace {

using namespace test;

class TraceFileTest : public testing::TestWithParam<const char*> {};

TEST_P(TraceFileTest, IsWholeAtAnyTime) {
  const Scratch scratch(GetParam());
  TraceFile file(scratch.path());
  EXPECT_EQ(events_of(scratch.path()).size(), 0u);
  file.add(R"({"n":0})");
  file.finish();
  EXPECT_EQ(events_of(scratch.path()).size(), 1u);
  // Enough for the file to be written in between, unasked.
  for (int i = 1; i < 100000; ++i) file.add("{\"n\":" + std::to_string(i) + "}");
  const std::size_t some = events_of(scratch.path()).size();
  EXPECT_GT(some, 1u);
  EXPECT_LT(some, 100000u);
  file.finish();
  const nlohmann::json all = events_of(scratch.path());
  ASSERT_EQ(all.size(), 100000u);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i]["n"], i);
}

INSTANTIATE_TEST_SUITE_P(Formats, TraceFileTest, testing::Values(".json", ".json.gz"));

TEST(TraceFile, TellsWhenItCannotBeWritten) {
  EXPECT_THROW(TraceFile("/nonexistent/t.json"), Error);
  TraceFile full("/dev/full");
  full.add("{}");
  EXPECT_THROW(full.finish(), Error);
}

}  // namespace
}  // namespace raddle::report
