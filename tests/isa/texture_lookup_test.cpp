// Texture lookups, computed by hand from the CUDA C++ Programming Guide, "Texture Fetching", and
// the block-linear layout, from the Linux kernel's drm_fourcc.h.
#include "isa/texture/lookup.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <set>
#include <vector>

#include "isa/texture/cube.h"
#include "isa/texture/layout.h"

namespace raddle::isa {
namespace {

/// A float image and a sampler on it.
class Texture {
 public:
  Texture(std::uint32_t width, std::uint32_t height, std::vector<float> texels)
      : texels_(std::move(texels)) {
    Image& image = descriptor_.image;
    image.base = 0x1000;
    image.layout = ImageLayout::array;
    image.format = {ChannelKind::floating, 1, 32};
    image.dimensions = 2;
    image.width = width;
    image.height = height;
    image.bytes = texels_.size() * sizeof(float);
  }

  Sampler& sampler() { return descriptor_.sampler; }
  Image& image() { return descriptor_.image; }

  float at(float x, float y, float level = 0) {
    return std::bit_cast<float>(lookup(Geometry::d2).sample({{x, y, 0}, {}, 0, {}}, level)[0]);
  }
  Lookup lookup(Geometry geometry) {
    bound_ = {&descriptor_, reinterpret_cast<std::byte*>(texels_.data())};
    return {geometry, bound_, descriptor_.sampler, nullptr};
  }

 private:
  std::vector<float> texels_;
  TextureDescriptor descriptor_;
  BoundTexture bound_;
};

TEST(TextureLookup, AFilterTakesTheFourNeighboursByTheirDistance) {
  Texture texture(2, 2, {0, 100, 200, 300});
  texture.sampler().linear = true;
  // xB = 0.75, alpha = 0.75; yB = 0.25, beta = 0.25:
  // .25*.75*0 + .75*.75*100 + .25*.25*200 + .75*.25*300 = 56.25 + 12.5 + 56.25.
  EXPECT_EQ(texture.at(1.25F, 0.75F), 125.0F);
}

TEST(TextureLookup, WeightsHaveEightFractionalBits) {
  Texture texture(2, 1, {0, 256});
  texture.sampler().linear = true;
  // alpha = 0.3 is 76.8 / 256, rounded 77.
  EXPECT_EQ(texture.at(0.8F, 0.5F), 77.0F);
  EXPECT_EQ(texture.at(0.5F + 0.4F / 256, 0.5F), 0.0F);
}

TEST(TextureLookup, UnnormalizedCoordinatesClampWhereTheyWouldWrap) {
  Texture texture(4, 1, {1, 2, 3, 4});
  texture.sampler().address = {AddressMode::wrap, AddressMode::wrap, AddressMode::wrap};
  EXPECT_EQ(texture.at(5.5F, 0.5F), 4.0F);
  EXPECT_EQ(texture.at(-3.0F, 0.5F), 1.0F);
}

TEST(TextureLookup, NormalizedCoordinatesWrapAndMirror) {
  Texture texture(4, 1, {1, 2, 3, 4});
  texture.sampler().normalized = true;
  texture.sampler().address[0] = AddressMode::wrap;
  EXPECT_EQ(texture.at(1.30F, 0), 2.0F);   // frac 0.3 * 4 = 1.2
  EXPECT_EQ(texture.at(-0.05F, 0), 4.0F);  // frac 0.95 * 4 = 3.8
  texture.sampler().address[0] = AddressMode::mirror;
  EXPECT_EQ(texture.at(1.30F, 0), 3.0F);   // 1 - 0.3 = 0.7 * 4 = 2.8
  EXPECT_EQ(texture.at(-0.05F, 0), 1.0F);  // floor is odd: 1 - 0.95 = 0.05
  EXPECT_EQ(texture.at(1.25F, 0), 3.0F);   // place 5, which mirrors 2 (an NVIDIA H200)
}

// The rest of this group is what an NVIDIA H200 gave (CUDA 13.0).
TEST(TextureLookup, NormalizedCoordinatesAreCutTo21Bits) {
  Texture texture(7, 1, {0, 1, 2, 3, 4, 5, 6});
  texture.sampler().normalized = true;
  EXPECT_EQ(texture.at(std::bit_cast<float>(0x3e124940u), 0), 1.0F);
  EXPECT_EQ(texture.at(std::bit_cast<float>(0x3e12493fu), 0), 0.0F);  // 1/7 is 0x3e124925
  EXPECT_EQ(texture.at(std::bit_cast<float>(0x3e924930u), 0), 2.0F);
  EXPECT_EQ(texture.at(std::bit_cast<float>(0x3e92492fu), 0), 1.0F);
}

TEST(TextureLookup, SubnormalCoordinatesAreZero) {
  Texture texture(2, 1, {10, 20});
  texture.sampler().address[0] = AddressMode::border;
  texture.sampler().border[0] = 7;
  EXPECT_EQ(texture.at(-1e-40F, 0), 10.0F);
  EXPECT_EQ(texture.at(-1e-20F, 0), 7.0F);
}

TEST(TextureLookup, ALineIsTheUpperEdgeOfARowWithABorder) {
  Texture texture(2, 1, {10, 20});
  texture.image().dimensions = 1;
  texture.sampler().linear = true;
  texture.sampler().address = {AddressMode::border, AddressMode::border, AddressMode::border};
  texture.sampler().border[0] = 4;
  const Lookup line = texture.lookup(Geometry::d1);
  EXPECT_EQ(std::bit_cast<float>(line.sample({{0.5F, 0, 0}, {}, 0, {}}, 0)[0]), 7.0F);
}

TEST(TextureLookup, WeightsOfPairsOfAxesAreRoundedToEightBits) {
  const auto flat = texel_weights({192, 102, 0});
  EXPECT_EQ(flat[3], 77U);  // 76.5
  EXPECT_EQ(flat[2], 25U);  // 25.5
  EXPECT_EQ(flat[1], 115U);
  EXPECT_EQ(flat[0], 39U);
  unsigned sum = 0;
  for (const unsigned weight : texel_weights({135, 80, 103})) sum += weight;
  EXPECT_EQ(sum, 256U);
}

TEST(TextureLookup, SumsRoundHalvesAwayFromZeroAndCutSmallTexels) {
  const TexelFormat format = {ChannelKind::floating, 1, 32};
  const auto sum = [&](std::uint32_t a, std::uint32_t b, unsigned weight) {
    WeightedTexels texels;
    texels[0][0] = {{std::bit_cast<float>(a)}, 256 - weight};
    texels[0][1] = {{std::bit_cast<float>(b)}, weight};
    return std::bit_cast<std::uint32_t>(weighted_sum(format, {}, texels)[0]);
  };
  EXPECT_EQ(sum(0x4b7fffff, 0x3f800000, 160), 0x4ac00001U);  // 6291456.25
  EXPECT_EQ(sum(0x40555555, 0x3a83126f, 205), 0x3f2a347aU);  // ...b, were it exact
  EXPECT_EQ(sum(0x00800000, 0, 1), 0U);
  EXPECT_EQ(sum(0x80000000, 0x80000000, 4), 0x80000000U);
  EXPECT_EQ(sum(0x7f800000, 0xff800000, 1), 0x7fffffffU);
  EXPECT_EQ(sum(0x7fc00000, 0x3f800000, 256), 0x3f800000U);
}

TEST(TextureLookup, NarrowTexelsAreAddedAsSixteenBits) {
  WeightedTexels texels;
  texels[0][0] = {{28 / 255.0F}, 251};
  texels[0][1] = {{155 / 255.0F}, 5};
  const TexelFormat bytes = {ChannelKind::unsigned_normalized, 1, 8};
  EXPECT_EQ(weighted_sum(bytes, {}, texels)[0], 7833 / 65535.0F);
  texels[0][0] = {{1.0F}, 126};
  texels[0][1] = {{0x1p-24F}, 130};
  const TexelFormat half = {ChannelKind::floating, 1, 16};
  EXPECT_EQ(weighted_sum(half, {}, texels)[0], 0.4921875F);
}

TEST(TextureLookup, LevelsAreCutToEightBits) {
  Texture texture(2, 2, {0, 0, 0, 0, 8});
  texture.image().levels = 2;
  texture.image().level_offset[1] = 4 * sizeof(float);
  texture.sampler().greatest_level = 5;
  texture.sampler().linear_levels = true;
  EXPECT_EQ(texture.at(0.5F, 0.5F, 0.3F), 8 * 76 / 256.0F);
  EXPECT_EQ(texture.at(0.5F, 0.5F, std::numeric_limits<float>::quiet_NaN()), 0.0F);
}

TEST(TextureLookup, TheBorderHasItsColour) {
  Texture texture(2, 1, {10, 20});
  texture.sampler().address[0] = AddressMode::border;
  texture.sampler().border[0] = 7;
  EXPECT_EQ(texture.at(-0.5F, 0.5F), 7.0F);
  EXPECT_EQ(texture.at(2.0F, 0.5F), 7.0F);
  texture.sampler().linear = true;
  EXPECT_EQ(texture.at(2.0F, 0.5F), 13.5F);  // xB = 1.5: half of 20, half of 7
}

TEST(TextureLookup, LevelsAreHalvesAndMayBeBlended) {
  Texture texture(2, 2, {0, 0, 0, 0, 8});
  texture.image().levels = 2;
  texture.image().level_offset[1] = 4 * sizeof(float);
  texture.sampler().greatest_level = 5;
  EXPECT_EQ(texture.at(0.5F, 0.5F, 0.4F), 0.0F);
  EXPECT_EQ(texture.at(0.5F, 0.5F, 0.6F), 8.0F);
  EXPECT_EQ(texture.at(0.5F, 0.5F, 9.0F), 8.0F);
  texture.sampler().linear_levels = true;
  EXPECT_EQ(texture.at(0.5F, 0.5F, 0.25F), 2.0F);
}

TEST(TextureLookup, DerivativesOfATexelAStepAskForLevelZero) {
  Texture texture(64, 64, std::vector<float>(64 * 64, 0));
  texture.sampler().normalized = true;
  const Lookup lookup = texture.lookup(Geometry::d2);
  EXPECT_EQ(lookup.level_of({}, {1.0F / 64, 0, 0}, {0, 1.0F / 64, 0}), 0.0F);
  EXPECT_EQ(lookup.level_of({}, {4.0F / 64, 0, 0}, {0, 1.0F / 64, 0}), 2.0F);
}

TEST(TextureLookup, GatherGoesRoundFromTheLowerLeft) {
  Texture texture(2, 2, {1, 2, 3, 4});
  const Texel found = texture.lookup(Geometry::d2).gather({{1, 1, 0}, {}, 0, {}}, 0);
  const float expected[] = {3, 4, 2, 1};  // (0,1) (1,1) (1,0) (0,0)
  for (unsigned n = 0; n < 4; ++n) EXPECT_EQ(std::bit_cast<float>(found[n]), expected[n]) << n;
}

TEST(TextureLookup, WildCoordinatesStayInside) {
  Texture texture(3, 1, {1, 2, 3});
  texture.sampler().linear = true;
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(texture.at(infinity, 0), 3.0F);
  EXPECT_EQ(texture.at(-3e38F, 0), 1.0F);
  texture.sampler().normalized = true;
  texture.sampler().address[0] = AddressMode::wrap;
  const float wrapped = texture.at(std::numeric_limits<float>::quiet_NaN(), 0);
  EXPECT_GE(wrapped, 1.0F);
  EXPECT_LE(wrapped, 3.0F);
}

TEST(TextureLookup, DirectionsFallOnTheFacesOfTheGuidesTable) {
  // "Cubemap Textures": face, m, s, t of each major axis.
  EXPECT_EQ(cube_place({2, 1, -1}).face, 0U);  // s = -z = 1, t = -y = -1, m = 2
  EXPECT_EQ(cube_place({2, 1, -1}).s, 0.75F);
  EXPECT_EQ(cube_place({2, 1, -1}).t, 0.25F);
  EXPECT_EQ(cube_place({-2, 1, -1}).face, 1U);  // s = z = -1
  EXPECT_EQ(cube_place({-2, 1, -1}).s, 0.25F);
  EXPECT_EQ(cube_place({1, 2, 1}).face, 2U);  // s = x = 1, t = z = 1
  EXPECT_EQ(cube_place({1, 2, 1}).t, 0.75F);
  EXPECT_EQ(cube_place({1, -2, 1}).face, 3U);  // t = -z = -1
  EXPECT_EQ(cube_place({1, -2, 1}).t, 0.25F);
  EXPECT_EQ(cube_place({1, 1, 2}).face, 4U);
  EXPECT_EQ(cube_place({1, 1, -2}).face, 5U);  // s = -x
  EXPECT_EQ(cube_place({1, 1, -2}).s, 0.25F);
}

TEST(TextureLookup, BlockLinearAddressesFollowTheKernelsDescription) {
  // Within a GOB of 64 bytes x 8 rows, 16 GOBs a block: x3..0, y0, x4, y2..1, x5.
  EXPECT_EQ(block_linear_offset(16, 0, 64, 128), 32U);
  EXPECT_EQ(block_linear_offset(0, 1, 64, 128), 16U);
  EXPECT_EQ(block_linear_offset(0, 2, 64, 128), 64U);
  EXPECT_EQ(block_linear_offset(32, 0, 64, 128), 256U);
  EXPECT_EQ(block_linear_offset(0, 8, 64, 128), 512U);
  EXPECT_EQ(block_linear_offset(64, 0, 128, 128), 16 * 512U);
}

TEST(TextureLookup, BlockLinearAddressesAreDistinctAndInside) {
  std::set<std::uint64_t> seen;
  for (std::uint32_t y = 0; y < 20; ++y) {
    for (std::uint64_t x = 0; x < 100; ++x) {
      const std::uint64_t offset = block_linear_offset(x, y, 100, 20);
      EXPECT_LT(offset, block_linear_bytes(100, 20));
      EXPECT_TRUE(seen.insert(offset).second);
    }
  }
}

}  // namespace
}  // namespace raddle::isa
