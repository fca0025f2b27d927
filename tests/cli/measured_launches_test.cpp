#include "measured_launches.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/temporary_file.h"

namespace raddle::cli {
namespace {

constexpr const char* kColumns = "program,arguments,kernel,grid,block,launch_index,cycles";

std::vector<MeasuredLaunch> read(const std::string& text) {
  const TemporaryFile file;
  std::ofstream(file.path()) << text;
  return read_measured_launches(file.path());
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string complaint_about(const std::string& row) {
  return complaint(std::string(kColumns) + "\n" + row);
}

/// RFC 4180, 2.5 to 2.7.
TEST(MeasuredLaunches, QuotesKeepCommasLineEndsAndQuotes) {
  const auto launches =
      read(std::string(kColumns) + "\r\nsort,1 2,\"f(\"\"a\"\",\nint)\",2x3x1,64x1x1,4,99\r\n");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].kernel, "f(\"a\",\nint)");
  EXPECT_EQ(launches[0].arguments, "1 2");
  EXPECT_EQ(launches[0].grid, (Dim3{2, 3, 1}));
  EXPECT_EQ(launches[0].block, (Dim3{64, 1, 1}));
  EXPECT_EQ(launches[0].index, 4u);
  EXPECT_EQ(launches[0].cycles, 99);
  EXPECT_EQ(launches[0].nanoseconds, 0);
}

TEST(MeasuredLaunches, ColumnsStandInAnyOrder) {
  const auto launches = read(
      "cycles,duration_ns,block,grid,l2_sectors,kernel,launch_index,arguments,program\n"
      "7,1500,1x1x1,2x1x1,12,f,0,,p");
  EXPECT_EQ(launches.at(0).cycles, 7);
  EXPECT_EQ(launches.at(0).nanoseconds, 1500);
  EXPECT_EQ(launches.at(0).counts.at("l2_sectors"), 12);
  EXPECT_EQ(launches.at(0).program, "p");
}

TEST(MeasuredLaunches, AnErrorNamesTheLine) {
  EXPECT_NE(complaint(std::string(kColumns) + "\np,,f,1x1x1,1x1x1,0,5\np,,f,1x1x1,1x1x1,0,-5\n")
                .find(":3: cycles = '-5': should be a number"),
            std::string::npos);
}

TEST(MeasuredLaunches, RowsThatCannotBeMeantAreRefused) {
  EXPECT_NE(complaint_about("p,,f,1x1,1x1x1,0,5").find("grid = '1x1': should be as 4x1x1"),
            std::string::npos);
  EXPECT_NE(complaint_about("p,,f,1x1x1,0x1x1,0,5").find("block = '0x1x1'"), std::string::npos);
  EXPECT_NE(complaint_about("p,,f,1x1x1,1x1x1x1,0,5").find("block = '1x1x1x1'"), std::string::npos);
  EXPECT_NE(complaint_about("p,,f,1x1x1,1x1x1,0").find("6 values: should be 7"), std::string::npos);
  EXPECT_NE(complaint_about("p,,f,1x1x1,1x1x1,0,0").find("cycles is 0"), std::string::npos);
  EXPECT_NE(complaint_about(",,f,1x1x1,1x1x1,0,5").find("no name"), std::string::npos);
  EXPECT_NE(complaint_about("p,,\"f,1x1x1,1x1x1,0,5").find("never closed"), std::string::npos);
}

TEST(MeasuredLaunches, ATableWithoutAColumnOrARowIsRefused) {
  EXPECT_NE(complaint("program,kernel\n").find("no column 'arguments'"), std::string::npos);
  EXPECT_NE(complaint(std::string(kColumns) + ",cycles\n").find("the same name"),
            std::string::npos);
  EXPECT_NE(complaint(std::string(kColumns) + "\n\n").find("no launches"), std::string::npos);
  EXPECT_NE(complaint("").find("no column"), std::string::npos);
}

}  // namespace
}  // namespace raddle::cli
