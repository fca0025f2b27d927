// Errors: their reported places, and their messages.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "parse_help.h"

namespace raddle::ptx {
namespace {

struct Mistake {
  const char* text;   // begins in line 4
  const char* error;  // the beginning of the message
};

class Error : public ::testing::TestWithParam<Mistake> {};

TEST_P(Error, NamesPlaceFoundAndExpected) {
  EXPECT_THAT(error_of(kHeader + GetParam().text), ::testing::StartsWith(GetParam().error))
      << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, Error,
    ::testing::Values(
        Mistake{"foo", "test.ptx:4:1: expected a directive, found 'foo'"},
        Mistake{".global .u32", "test.ptx:4:13: expected a name to declare, found end of file"},
        Mistake{".global .u33 x;", "test.ptx:4:9: expected a type, "},
        Mistake{".entry k { .reg .u32 a;\nadd.u32 a a, 1; }",
                "test.ptx:5:11: expected ',' or ';', found 'a'"},
        Mistake{".entry k { .reg .u32 a;\n\tmov.u32 a, [a; }",
                "test.ptx:5:15: expected ']', found ';'"},
        Mistake{".entry k {\n\n ret;",
                "test.ptx:6:6: end of file in the body that '{' opened in line 4"},
        Mistake{".entry k { ret; } }", "test.ptx:4:19: expected a directive, found '}'"},
        Mistake{".entry k { .reg .u64 a, b; ld.u32 a, [a+b]; }",
                "test.ptx:4:41: expected a constant offset, found 'b'"},
        Mistake{".section .debug_str {", "test.ptx:4:1: section is not closed by '}'"},
        Mistake{".entry k /* never closed", "test.ptx:4:10: comment is not closed by '*/'"}));

INSTANTIATE_TEST_SUITE_P(
    Names, Error,
    ::testing::Values(
        Mistake{".entry k { .reg .u32 %r<3>; mov.u32 %r3, 1; }",
                "test.ptx:4:37: register '%r3' is not declared; declared are %r0 to %r2"},
        Mistake{".entry k { .reg .u32 count; mov.u32 cuont, 1; }",
                "test.ptx:4:37: name 'cuont' is not declared; did you mean 'count'"},
        Mistake{".entry k {\n bra $L_lop; $L_loop: ret; }",
                "test.ptx:5:6: name '$L_lop' is not declared in this scope; did you mean label "
                "'$L_loop'?"},
        Mistake{".entry k(.param .u64 p) { .reg .u64 a; ld.param.u64 a, [q]; }",
                "test.ptx:4:57: name 'q' is not declared"},
        Mistake{".entry k { call f, (1); }", "test.ptx:4:17: name 'f' is not declared"},
        Mistake{".entry k(.param .u64 p) { bra p; }", "test.ptx:4:31: 'p' is not a label"},
        Mistake{".entry k { .reg .u32 a; @a ret; }",
                "test.ptx:4:26: guard 'a' is not a predicate register"},
        Mistake{".entry k { L: ret;\nL: ret; }",
                "test.ptx:5:1: 'L' is already declared in this scope"},
        Mistake{".entry k(.param .u32 a, .param .u32 a) { ret; }",
                "test.ptx:4:37: 'a' is already a parameter"}));

INSTANTIATE_TEST_SUITE_P(
    Declarations, Error,
    ::testing::Values(
        Mistake{".global .u32 x;\n.global .u32 x;",
                "test.ptx:5:14: 'x' is already defined in line 4"},
        Mistake{".extern .global .u32 x;\n.visible .global .u64 x;",
                "test.ptx:5:23: 'x' differs from its declaration in line 4"},
        Mistake{".func f { ret; }\n.func f { ret; }",
                "test.ptx:5:7: 'f' is already defined in line 4"},
        Mistake{".func f(.param .u32 a);\n.func f(.param .u64 a) { ret; }",
                "test.ptx:5:7: 'f' differs from its declaration in line 4"},
        Mistake{".shared .b8 x[-4];", "test.ptx:4:15: array size -4 is out of range"},
        Mistake{".shared .b8 x[2][0];", "test.ptx:4:18: array size 0 is out of range"},
        Mistake{".shared .b8 x[1<<30][1<<30];", "test.ptx:4:13: 'x' is larger than "},
        Mistake{".shared .b8 x[];", "test.ptx:4:13: array 'x' needs a size"},
        Mistake{".global .u32 x[2] = {1, 2, 3};",
                "test.ptx:4:28: too many initial values for 'x': there is room for 2"},
        Mistake{".global .align 3 .u32 x;", "test.ptx:4:16: alignment 3 is not a power of two"},
        Mistake{".global .pred x;", "test.ptx:4:1: predicates live in registers only"},
        Mistake{".reg .u32 x;", "test.ptx:4:1: '.reg' variables can only be declared inside"},
        Mistake{".entry k { .reg .u32 %r<99999999999>; }",
                "test.ptx:4:25: number of names is out of range"},
        Mistake{".entry k .maxntid 0 { ret; }", "test.ptx:4:19: expected a positive number"}));

TEST(Header, MustComeFirst) {
  EXPECT_THAT(error_of(""), ::testing::StartsWith("test.ptx:1:1: expected '.version'"));
  EXPECT_THAT(error_of(".target sm_70"),
              ::testing::StartsWith("test.ptx:1:1: expected '.version'"));
  EXPECT_THAT(error_of(".version 8"), ::testing::StartsWith("test.ptx:1:10: expected a version"));
  EXPECT_THAT(error_of(".version 8.0\n.func f;"),
              ::testing::StartsWith("test.ptx:2:1: expected '.target'"));
  EXPECT_THAT(error_of(".version 8.0\n.target g70\n"),
              ::testing::StartsWith("test.ptx:2:9: 'g70' is neither a target"));
}

TEST(Nesting, HasAnEnd) {
  const std::string many(100000, '{'), parens(100000, '(');
  for (const std::string& text :
       {".entry k {" + many, ".global .u32 x[1] = " + many, ".entry k { mov.u32 a, " + many,
        ".entry k { call " + parens, ".global .u32 x = " + parens}) {
    EXPECT_NE(error_of(kHeader + text), "");
  }
}

/// Whatever a file is cut down to, reading it ends in a module or an error with a place.
TEST(Truncation, IsAnErrorAndNothingElse) {
  const std::string whole =
      kHeader +
      ".global .align 8 .u64 t[2] = {f+8, generic(x)}; .extern .func f(.param .b64 a);\n"
      ".entry k(.param .u64 p) .maxntid 1,2,3 {\n.reg .b32 %r<3>; @!%p bra L; // c\n"
      "{ call.uni (%r1), f, (%r2, 0f3F800000); } L: ld.v2.u32 {%r1,%r2}, [p+-4]; }\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      parse("test.ptx", whole.substr(0, length));
    } catch (const InputError& error) {
      EXPECT_GT(error.where().line, 0u);
      EXPECT_GT(error.where().column, 0u);
    }
  }
}

}  // namespace
}  // namespace raddle::ptx
