// The text of the progress line, and when it appears.
#include "cuda/device/progress_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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
    std::string text(100000, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file));
    return text;
  }

  std::FILE* file = std::tmpfile();
  machine::GridRecord record;
  machine::Progress progress;
  ProgressLine line{file, ProgressLine::Kind::terminal};
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
            "\r\x1b[2K0 kernels ended; vecadd 20/80 blocks (25 %), about 6 s left; "
            "2.0 M warp instr./s; 1,500.0 us simulated");
}

TEST_F(ProgressLineTest, LeavesTheNamespacesOfLongNamesOut) {
  record.kernel = "raddle::workloads::multiply_tiled<raddle::Half>";
  at(0, 0, 0);
  at(2000, 20, 4000000);
  EXPECT_NE(written().find("; multiply_tiled<Half> 20/80"), std::string::npos) << written();
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

// A kernel of 1000 equal blocks of 10 s on a GPU that holds 200: 50 s. What is left is told within
// a factor of two and a half from the first block's end on, whether blocks end together or spread
// out.
TEST_F(ProgressLineTest, TheTimeLeftIsBelievable) {
  constexpr double kBlock = 10, kBlocks = 1000, kResident = 200, kTotal = 50;
  for (const bool together : {true, false}) {
    std::FILE* out = std::tmpfile();
    {
      ProgressLine one(out, ProgressLine::Kind::terminal);
      progress.blocks = static_cast<std::uint64_t>(kBlocks);
      for (int ms = 0; ms < 45000; ms += 100) {
        const double time = ms / 1000.0;
        const double spread = std::max(0.0, time - kBlock) * kResident / kBlock;
        const double ended = together ? std::floor(time / kBlock) * kResident
                                      : std::floor(time >= kBlock ? spread + 1 : 0);
        progress.blocks_ended = static_cast<std::uint64_t>(ended);
        progress.blocks_resident = static_cast<std::uint64_t>(std::min(kResident, kBlocks - ended));
        const auto from = std::ftell(out);
        one.update(progress, 0, ProgressLine::Clock::time_point{} + milliseconds(ms));
        std::fflush(out);
        std::string text(200, '\0');
        std::fseek(out, from, SEEK_SET);
        text.resize(std::fread(text.data(), 1, text.size(), out));
        const std::size_t at = text.find("about ");
        if (at == text.npos) continue;
        const double told = std::stod(text.substr(at + 6)), left = kTotal - time;
        EXPECT_LE(told, 2.5 * left + 1) << time << (together ? " together" : " spread");
        EXPECT_GE(told, left / 2.5 - 1) << time << (together ? " together" : " spread");
      }
    }
    std::fclose(out);
  }
}

// Seldom, and the seldomer the longer it takes; nothing that a terminal alone understands.
TEST_F(ProgressLineTest, AFileGetsALineNowAndThen) {
  std::FILE* out = std::tmpfile();
  ProgressLine one(out, ProgressLine::Kind::file);
  std::vector<int> told;
  for (int second = 0; second < 4 * 3600; ++second) {
    const long before = std::ftell(out);
    one.update(progress, 0, ProgressLine::Clock::time_point{} + std::chrono::seconds(second));
    if (std::ftell(out) != before) told.push_back(second);
  }
  EXPECT_EQ(told.at(0), 30);
  EXPECT_EQ(told.at(1), 60);
  EXPECT_LT(told.size(), 50u);
  EXPECT_LE(told.back() - told[told.size() - 2], 600);
  std::rewind(out);
  std::string text(100000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), out));
  EXPECT_EQ(text.find('\x1b'), text.npos);
  EXPECT_EQ(text.find('\r'), text.npos);
  EXPECT_TRUE(text.starts_with("raddle: 0 kernels ended; "));
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), told.size());
  std::fclose(out);
}

}  // namespace
}  // namespace raddle::cuda
