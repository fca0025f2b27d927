#include "base/html.h"

#include <gtest/gtest.h>

namespace raddle {
namespace {

constexpr const char* kReplaced = "\xef\xbf\xbd";  // U+FFFD

std::string replaced(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += kReplaced;
  return text;
}

TEST(Html, WritesMarksOut) {
  EXPECT_EQ(escaped_for_html("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
}

// The Unicode Standard, table 3-7: the first and the last character of each length, and those beside
// the surrogates.
TEST(Html, LeavesCharactersAsTheyAre) {
  for (const char* text :
       {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(escaped_for_html(text), text);
  }
}

TEST(Html, ReplacesBytesThatAreNoCharacter) {
  EXPECT_EQ(escaped_for_html("f\xfcr"), "f" + replaced(1) + "r");  // Latin-1
  EXPECT_EQ(escaped_for_html("\x80"), replaced(1));                // goes on with nothing
  EXPECT_EQ(escaped_for_html("\xc3"), replaced(1));                // is cut off
  EXPECT_EQ(escaped_for_html("\xe2\x82"), replaced(2));
  EXPECT_EQ(escaped_for_html("\xe2\x82z"), replaced(2) + "z");
  EXPECT_EQ(escaped_for_html("\xc0\xaf"), replaced(2));  // longer than needed
  EXPECT_EQ(escaped_for_html("\xe0\x9f\xbf"), replaced(3));
  EXPECT_EQ(escaped_for_html("\xf0\x8f\xbf\xbf"), replaced(4));
  EXPECT_EQ(escaped_for_html("\xed\xa0\x80"), replaced(3));      // a surrogate
  EXPECT_EQ(escaped_for_html("\xf4\x90\x80\x80"), replaced(4));  // beyond U+10FFFF
  EXPECT_EQ(escaped_for_html("\xff<"), replaced(1) + "&lt;");
}

}  // namespace
}  // namespace raddle
