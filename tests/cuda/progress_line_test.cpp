// What the line of progress says, and when.
#include "cuda/device/progress_line.h"

#include <gtest/gtest.h>

namespace raddle::cuda {
namespace {

using std::chrono::milliseconds;

struct ProgressLineTest : ::testing::Test {
  ProgressLineTest() {
    record.id = 1;
    record.kernel = "_Z6vecaddPfS_i";
    progress.grid = &record;
    progress.blocks = 80;
  }
  ~ProgressLineTest() override {
    line.clear();
    std::fclose(file);
  }

  void at(int ms, std::uint64_t blocks, std::uint64_t instructions) {
    progress.blocks_ended = blocks;
    progress.warp_instructions = instructions;
    line.update(progress, 1.5e6, ProgressLine::Clock::time_point{} + milliseconds(ms));
  }
  std::string written() {
    std::rewind(file);
    std::string text(1000, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file));
    return text;
  }

  std::FILE* file = std::tmpfile();
  machine::GridRecord record;
  machine::Progress progress;
  ProgressLine line{file};
};

TEST_F(ProgressLineTest, ShortRunsShowNothing) {
  at(0, 0, 0);
  at(1900, 40, 1000);
  line.clear();
  EXPECT_EQ(written(), "");
}

TEST_F(ProgressLineTest, TellsBlocksSpeedAndTheTimeLeft) {
  at(0, 0, 0);
  at(2000, 20, 4000000);  // 20 of 80 blocks in 2 s: 6 s for the rest
  EXPECT_EQ(written(),
            "\r\x1b[2K0 kernels ended; vecadd 20/80 blocks (25 %), 6 s left; "
            "2.0 M warp instr./s; 1.500 ms simulated");
}

TEST_F(ProgressLineTest, LeavesTheNamespacesOfLongNamesOut) {
  record.kernel = "raddle::workloads::multiply_tiled<raddle::Half>";
  at(0, 0, 0);
  at(2000, 20, 4000000);
  EXPECT_NE(written().find("; multiply_tiled<raddle... 20/80"), std::string::npos) << written();
}

TEST_F(ProgressLineTest, IsRewrittenTwiceASecondAndTakenAway) {
  at(0, 0, 0);
  at(2000, 20, 4000000);
  const std::size_t once = written().size();
  at(2400, 21, 5000000);
  EXPECT_EQ(written().size(), once);
  at(2500, 22, 6000000);
  EXPECT_GT(written().size(), once);
  line.clear();
  EXPECT_TRUE(written().ends_with("\r\x1b[2K"));
}

}  // namespace
}  // namespace raddle::cuda
