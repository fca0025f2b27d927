#include "nbody/star_catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "message_of.h"

namespace raddle::workloads {
namespace {

// A line with the catalogue's columns: right ascension and declination J2000 in 76-90, visual
// magnitude in 103-107, parallax in 162-166, all counted from 1.
std::string line(const std::string& place, const std::string& magnitude,
                 const std::string& parallax) {
  std::string text(197, ' ');
  std::copy(place.begin(), place.end(), text.begin() + 75);
  std::copy(magnitude.begin(), magnitude.end(), text.begin() + 102);
  std::copy(parallax.begin(), parallax.end(), text.begin() + 161);
  return text + "\n";
}

// Sirius: 6h 45m 08.9s, -16 42' 58", parallax 0.375".
const std::string sirius = line("064508.9-164258", "-1.46", "+.375");

TEST(StarCatalogue, PlaceFollowsFromCoordinatesAndParallax) {
  const auto stars = read_stars("b", sirius, 10);
  ASSERT_EQ(stars.size(), 1u);
  const double parsecs = std::hypot(stars[0].x, stars[0].y, stars[0].z);
  EXPECT_NEAR(parsecs, 1 / 0.375, 1e-5);
  EXPECT_NEAR(stars[0].z / parsecs, std::sin(-(16 + 42 / 60.0 + 58 / 3600.0) * M_PI / 180), 1e-6);
  const double hours = 6 + 45 / 60.0 + 8.9 / 3600;
  EXPECT_NEAR(std::atan2(stars[0].y, stars[0].x), hours * M_PI / 12, 1e-6);
}

TEST(StarCatalogue, BrightestFirst) {
  const std::string vega = line("183656.3+384701", " 0.03", "+.123");
  const auto stars = read_stars("b", vega + sirius, 1);
  ASSERT_EQ(stars.size(), 1u);
  EXPECT_LT(stars[0].z, 0) << "Sirius is brighter, and south of the equator";
}

TEST(StarCatalogue, EntriesWithoutPlaceOrParallaxAreLeftOut) {
  const std::string nova = line("", " 9.00", "+.100");
  const std::string far = line("183656.3+384701", " 4.00", "");
  const std::string negative = line("183656.3+384701", " 4.00", "-.006");
  EXPECT_EQ(read_stars("b", nova + far + negative + sirius, 10).size(), 1u);
}

TEST(StarCatalogue, DamagedNumberNamesLineAndColumn) {
  const std::string damaged = line("064508.9-16x258", "-1.46", "+.375");
  EXPECT_EQ(message_of([&] { read_stars("b", sirius + damaged, 10); }),
            "b:2:87: expected a number in columns 87 to 88, found 'x2'");
}

}  // namespace
}  // namespace raddle::workloads
