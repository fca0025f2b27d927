#include "common/image.h"

#include <gmock/gmock-matchers.h>

#include <filesystem>

#include "message_of.h"

namespace raddle::workloads {
namespace {

using testing::ElementsAre;

TEST(Image, GreyPixels) {
  const Image image = parse_image("i.pgm", "P5\n# comment\n2 1\n255\n\x01\xff");
  EXPECT_EQ(image.width, 2u);
  EXPECT_EQ(image.height, 1u);
  EXPECT_EQ(image.channels, 1u);
  EXPECT_THAT(image.pixels, ElementsAre(1, 255));
}

// The first pixel is a space: only one white-space character ends the header.
TEST(Image, PixelsMayLookLikeBlanks) {
  EXPECT_THAT(parse_image("i.ppm", "P6 1 1 255\n \n ").pixels, ElementsAre(' ', '\n', ' '));
}

TEST(Image, WhatIsWrittenIsRead) {
  const std::string path = testing::TempDir() + "raddle_image_test.ppm";
  write_image(path, {1, 2, 3, {1, 2, 3, 4, 5, 6}});
  const Image image = read_image(path);
  std::filesystem::remove(path);
  EXPECT_EQ(image.height, 2u);
  EXPECT_THAT(image.pixels, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(ImageDamage, OtherFormat) {
  EXPECT_EQ(message_of([] { parse_image("i.pgm", "GIF89a"); }),
            "i.pgm:1:1: expected P5 or P6, a binary PGM or PPM image, found 'GIF89a'");
}

TEST(ImageDamage, SixteenBitValues) {
  EXPECT_EQ(message_of([] { parse_image("i.pgm", "P5 1 1 65535\n  "); }),
            "i.pgm:1:8: expected the largest value from 1 to 255, found '65535'");
}

TEST(ImageDamage, PixelsMissing) {
  EXPECT_EQ(message_of([] { parse_image("i.pgm", "P5 2 2 255\nabc"); }),
            "i.pgm: expected 4 bytes of pixels, found 3");
}

}  // namespace
}  // namespace raddle::workloads
