#include "base/result_pipe.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/document_file.h"

namespace raddle {
namespace {

/// Of several pieces, and of more than a pipe holds.
std::string long_text(char letter) { return std::string(300'000, letter); }

/// What processes hand over of which each does `what`, given its number from 1.
std::vector<Document> statistics_of(ResultPipe& pipe, unsigned processes,
                                    void (*what)(unsigned number)) {
  setenv(kResultVariable, pipe.text().c_str(), 1);
  std::vector<pid_t> children;
  for (unsigned number = 1; number <= processes; ++number) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    what(number);
    _exit(0);
  }
  pipe.receive();
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  pipe.finish();
  unsetenv(kResultVariable);
  return split_documents(pipe.statistics().content());
}

TEST(ResultPipe, ResultsOfProcessesStayApart) {
  ResultPipe pipe;
  const auto documents = statistics_of(pipe, 4, [](unsigned number) {
    send_result(Result::statistics, number, long_text(static_cast<char>('a' + number)));
    if (number == 2) send_result(Result::statistics, number, "again");
  });
  ASSERT_EQ(documents.size(), 4u);
  for (unsigned number = 1; number <= 4; ++number) {
    EXPECT_EQ(documents[number - 1].text,
              number == 2 ? "again" : long_text(static_cast<char>('a' + number)));
  }
  EXPECT_FALSE(pipe.lost_any());
}

TEST(ResultPipe, TwoProcessesOfOneNumberLoseNothing) {
  ResultPipe pipe;
  EXPECT_EQ(
      statistics_of(pipe, 3, [](unsigned) { send_result(Result::statistics, 1, "{}"); }).size(),
      3u);
}

TEST(ResultPipe, LimitsOfTheProcessDoNotReachIt) {
  ResultPipe pipe;
  const auto documents = statistics_of(pipe, 1, [](unsigned) {
    hold_result_pipe();
    const rlimit none{0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    send_result(Result::statistics, 1, long_text('a'));
  });
  ASSERT_EQ(documents.size(), 1u);
  EXPECT_EQ(documents[0].text, long_text('a'));
}

TEST(ResultPipe, CountsErrorsAndTellsLosses) {
  ResultPipe pipe;
  testing::internal::CaptureStderr();
  statistics_of(pipe, 2, [](unsigned number) {
    note_error();
    if (number == 1) tell_failed_output("the statistics are lost: no room");
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "raddle: the statistics are lost: no room\n");
  EXPECT_EQ(pipe.errors(), 2u);
  EXPECT_TRUE(pipe.lost_any());
}

}  // namespace
}  // namespace raddle
