#include "isa/builtins/printf_format.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace raddle::isa {
namespace {

/// Lays arguments out as a kernel does for vprintf: each at its natural alignment.
class Arguments {
 public:
  template <class T>
  Arguments& add(T value) {
    bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
    return *this;
  }
  std::string format(std::string_view text) const {
    return format_printf(text, bytes_, [](std::uint64_t address) {
      return address == 0x100 ? std::string("text") : std::string("?");
    });
  }

 private:
  std::vector<std::byte> bytes_;
};

TEST(PrintfFormat, PrintsIntegersOfEachSize) {
  EXPECT_EQ(Arguments().add(-5).add(7u).add(-1LL).format("%d %u %lld"), "-5 7 -1");
  EXPECT_EQ(Arguments().add(0xabc).add(8).format("%08X %#o"), "00000ABC 010");
  EXPECT_EQ(Arguments().add(70000).format("%hd"), "4464");
}

TEST(PrintfFormat, AlignsEightByteArguments) {
  EXPECT_EQ(Arguments().add(1).add(2.5).add(3).format("%d %.1f %d"), "1 2.5 3");
}

TEST(PrintfFormat, TakesWidthAndPrecisionFromArguments) {
  EXPECT_EQ(Arguments().add(8).add(2).add(3.14159).format("[%*.*f]"), "[    3.14]");
}

TEST(PrintfFormat, PrintsStringsCharactersAndPercent) {
  EXPECT_EQ(Arguments().add(std::uint64_t{0x100}).add(int{'x'}).format("%6s%c 100%%"),
            "  textx 100%");
}

TEST(PrintfFormat, PrintsAnUnknownConversionAsWritten) {
  EXPECT_EQ(Arguments().add(1).format("%y %d"), "%y 1");
}

TEST(PrintfFormat, AMissingArgumentPrintsNothing) {
  EXPECT_EQ(Arguments().add(1).format("%d,%d,"), "1,,");
}

TEST(PrintfFormat, ATruncatedConversionAtTheEndIsHarmless) {
  EXPECT_EQ(Arguments().format("abc%-5"), "abc%-5");
  EXPECT_EQ(Arguments().format("abc%"), "abc%");
}

}  // namespace
}  // namespace raddle::isa
