// How copies of structures in device code are rewritten, as LLVM text (LLVM Language Reference,
// "llvm.memcpy").
#include "cc_copies.h"

#include <gmock/gmock-matchers.h>

namespace raddle::cc {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string call(const std::string& arguments, const std::string& behind = "") {
  return "  tail call void @llvm.memcpy.p0.p0.i64(" + arguments + ")" + behind + "\n";
}

TEST(CopyByWords, AllWordsAreLoadedAndThenStored) {
  const std::string text = copy_by_words(call(
      "ptr noundef nonnull align 16 dereferenceable(12) %10, ptr align 4 %9, i64 12, i1 false"));
  EXPECT_EQ(text,
            "  %copy.0.from.0 = getelementptr inbounds i8, ptr %9, i64 0\n"
            "  %copy.0.word.0 = load i32, ptr %copy.0.from.0, align 4\n"
            "  %copy.0.from.1 = getelementptr inbounds i8, ptr %9, i64 4\n"
            "  %copy.0.word.1 = load i32, ptr %copy.0.from.1, align 4\n"
            "  %copy.0.from.2 = getelementptr inbounds i8, ptr %9, i64 8\n"
            "  %copy.0.word.2 = load i32, ptr %copy.0.from.2, align 4\n"
            "  %copy.0.to.0 = getelementptr inbounds i8, ptr %10, i64 0\n"
            "  store i32 %copy.0.word.0, ptr %copy.0.to.0, align 16\n"
            "  %copy.0.to.1 = getelementptr inbounds i8, ptr %10, i64 4\n"
            "  store i32 %copy.0.word.1, ptr %copy.0.to.1, align 4\n"
            "  %copy.0.to.2 = getelementptr inbounds i8, ptr %10, i64 8\n"
            "  store i32 %copy.0.word.2, ptr %copy.0.to.2, align 8\n");
}

TEST(CopyByWords, AddressSpacesAndConstantExpressionsStay) {
  const std::string text = copy_by_words(
      call("ptr addrspace(3) align 4 getelementptr inbounds (i8, ptr addrspace(3) @s, i64 8), "
           "ptr addrspace(1) align 4 %a.b, i64 4, i1 false"));
  EXPECT_THAT(text, HasSubstr("load i32, ptr addrspace(1) %copy.0.from.0"));
  EXPECT_THAT(text, HasSubstr("i8, ptr addrspace(1) %a.b, i64 0"));
  EXPECT_THAT(text, HasSubstr("ptr addrspace(3) getelementptr inbounds (i8, ptr addrspace(3) @s, "
                              "i64 8), i64 0"));
}

TEST(CopyByWords, TheSourceLineStaysAndAliasInformationGoes) {
  const std::string text = copy_by_words(
      call("ptr align 4 %1, ptr align 4 %2, i64 4, i1 false", ", !dbg !42, !tbaa.struct !7"));
  EXPECT_THAT(text, HasSubstr("align 4, !dbg !42\n"));
  EXPECT_THAT(text, Not(HasSubstr("!7")));
}

TEST(CopyByWords, EachCopyHasNamesOfItsOwn) {
  const std::string one = call("ptr align 4 %1, ptr align 4 %2, i64 4, i1 false");
  EXPECT_THAT(copy_by_words(one + one), HasSubstr("%copy.1.word.0 = load"));
}

TEST(CopyByWords, MovesAreWrittenOutToo) {
  const std::string text = copy_by_words(
      "  tail call void @llvm.memmove.p0.p0.i64(ptr align 4 %1, ptr align 4 %2, i64 4, i1 "
      "false)\n");
  EXPECT_THAT(text, HasSubstr("store i32"));
}

class LeftAlone : public testing::TestWithParam<const char*> {};

TEST_P(LeftAlone, Call) { EXPECT_EQ(copy_by_words(call(GetParam())), call(GetParam())); }

INSTANTIATE_TEST_SUITE_P(
    CopyByWords, LeftAlone,
    testing::Values(
        "ptr align 4 %1, ptr align 4 %2, i64 4, i1 true",       // volatile
        "ptr align 4 %1, ptr align 4 %2, i64 %3, i1 false",     // of unknown length
        "ptr align 4 %1, ptr align 2 %2, i64 4, i1 false",      // not of words
        "ptr %1, ptr align 4 %2, i64 4, i1 false",              // as good as unaligned
        "ptr align 4 %1, ptr align 4 %2, i64 6, i1 false",      // half a word more
        "ptr align 4 %1, ptr align 4 %2, i64 0, i1 false",      // nothing
        "ptr align 8 %1, ptr align 16 %2, i64 16, i1 false",    // 8 bytes are the widest
        "ptr align 16 %1, ptr align 16 %2, i64 144, i1 false",  // the backend makes a loop
        "ptr align 4 %1, ptr null, i64 4, i1 false"));

TEST(CopyByWords, OtherTextStays) {
  const std::string text = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg) #1\nend";
  EXPECT_EQ(copy_by_words(text), text);
}

}  // namespace
}  // namespace raddle::cc
