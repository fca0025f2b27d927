#include "cc_copies.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace raddle::cc {
namespace {

/// Longer copies stay calls, which the backend turns into loops.
constexpr std::uint64_t kMostBytes = 128;

/// An argument that is a pointer: "ptr addrspace(1) noundef align 16 %5".
struct Pointer {
  std::string_view type, value;
  std::uint64_t alignment = 1;
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

/// The texts between commas outside of parentheses.
std::vector<std::string_view> arguments_of(std::string_view text) {
  std::vector<std::string_view> all;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char letter = at == text.size() ? ',' : text[at];
    if (letter == '(') ++depth;
    if (letter == ')') --depth;
    if (letter != ',' || (depth != 0 && at != text.size())) continue;
    std::string_view one = text.substr(begin, at - begin);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    all.push_back(one);
    begin = at + 1;
  }
  return all;
}

/// Takes the first word, and the blank after it, off `text`.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

std::optional<Pointer> pointer(std::string_view text) {
  const std::string_view whole = text;
  Pointer result;
  if (take_word(text) != "ptr") return std::nullopt;
  if (text.starts_with("addrspace(")) take_word(text);
  result.type = whole.substr(0, whole.size() - text.size() - 1);
  for (;;) {
    if (text.empty()) return std::nullopt;
    if (text[0] == '%' || text[0] == '@' || text.starts_with("getelementptr ") ||
        text.starts_with("addrspacecast ")) {
      break;
    }
    const std::string_view word = take_word(text);
    if (word == "null" || word == "undef" || word == "poison" || word == "inttoptr") {
      return std::nullopt;
    }
    if (word != "align") continue;
    result.alignment = number(take_word(text)).value_or(1);
  }
  result.value = text;
  return result;
}

struct Copy {
  std::string_view indent, behind;  // the call: ", !dbg !7"
  Pointer to, from;
  std::uint64_t words = 0;
};

/// The call on this line, if it can be replaced by loads and stores.
std::optional<Copy> copy_on(std::string_view line) {
  const std::size_t call =
      std::min(line.find("call void @llvm.memcpy."), line.find("call void @llvm.memmove."));
  if (call == line.npos) return std::nullopt;
  const std::size_t open = line.find('(', call), close = line.rfind(')');
  if (open == line.npos || close < open) return std::nullopt;
  const auto arguments = arguments_of(line.substr(open + 1, close - open - 1));
  if (arguments.size() != 4 || arguments[3] != "i1 false") return std::nullopt;
  const auto to = pointer(arguments[0]), from = pointer(arguments[1]);
  if (!to || !from || !arguments[2].starts_with("i64 ")) return std::nullopt;
  const std::uint64_t bytes = number(arguments[2].substr(4)).value_or(0);
  if (bytes == 0 || bytes > kMostBytes || bytes % 4 != 0) return std::nullopt;
  // If one element of a float4 was changed, the rest of it is 12 bytes long.
  const std::uint64_t alignment = std::min(to->alignment, from->alignment);
  const bool rest = alignment == 4 && (bytes == 4 || bytes == 12);
  if (alignment < 16 && !rest) return std::nullopt;
  Copy copy{line.substr(0, line.find_first_not_of(' ')), {}, *to, *from, bytes / 4};
  const std::size_t debug = line.find(", !dbg ", close);
  if (debug != line.npos) {
    copy.behind = line.substr(debug, line.find(',', debug + 1) - debug);
  }
  return copy;
}

/// Alignment of the address `offset` bytes after one with this alignment, a power of two.
std::uint64_t alignment_at(std::uint64_t offset, std::uint64_t alignment) {
  return offset == 0 ? alignment : std::min(alignment, offset & ~(offset - 1));
}

/// All loads come before the stores: the sides of a memmove may overlap. `number` makes names
/// unique in the file.
std::string written_out(const Copy& copy, unsigned number) {
  std::string text;
  const auto place = [&](const char* side, const Pointer& pointer, std::uint64_t word) {
    const std::string name = fmt::format("%copy.{}.{}.{}", number, side, word);
    text += fmt::format("{}{} = getelementptr inbounds i8, {} {}, i64 {}{}\n", copy.indent, name,
                        pointer.type, pointer.value, 4 * word, copy.behind);
    return name;
  };
  for (std::uint64_t word = 0; word < copy.words; ++word) {
    const std::string from = place("from", copy.from, word);
    text +=
        fmt::format("{}%copy.{}.word.{} = load i32, {} {}, align {}{}\n", copy.indent, number, word,
                    copy.from.type, from, alignment_at(4 * word, copy.from.alignment), copy.behind);
  }
  for (std::uint64_t word = 0; word < copy.words; ++word) {
    const std::string to = place("to", copy.to, word);
    text +=
        fmt::format("{}store i32 %copy.{}.word.{}, {} {}, align {}{}\n", copy.indent, number, word,
                    copy.to.type, to, alignment_at(4 * word, copy.to.alignment), copy.behind);
  }
  return text;
}

}  // namespace

std::string copy_by_words(const std::string& ir) {
  std::string result;
  result.reserve(ir.size());
  unsigned copies = 0;
  for (std::size_t begin = 0; begin < ir.size();) {
    const std::size_t end = std::min(ir.find('\n', begin), ir.size() - 1) + 1;
    const std::string_view line(ir.data() + begin, end - begin);
    if (const auto copy = copy_on(line.substr(0, line.find('\n')))) {
      result += written_out(*copy, copies++);
    } else {
      result += line;
    }
    begin = end;
  }
  return result;
}

}  // namespace raddle::cc
