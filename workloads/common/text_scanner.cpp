#include "common/text_scanner.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace raddle::workloads {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string shown(word.substr(0, longest));
  // A message must not contain control characters, even if the file is binary.
  std::replace_if(shown.begin(), shown.end(), [](unsigned char c) { return c < 32; }, '?');
  return "'" + shown + (word.size() > longest ? "...'" : "'");
}

}  // namespace

std::string read_file(const std::string& path) {
  const auto fail = [&] { throw InputError(path + ": " + std::strerror(errno)); };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                       &std::fclose);
  if (!file) fail();
  std::string bytes;
  constexpr std::size_t chunk = 1 << 20;
  std::size_t got = 0;
  do {
    const std::size_t old_size = bytes.size();
    bytes.resize(old_size + chunk);
    got = std::fread(bytes.data() + old_size, 1, chunk, file.get());
    bytes.resize(old_size + got);
  } while (got == chunk);
  if (std::ferror(file.get())) fail();
  return bytes;
}

TextScanner::TextScanner(std::string name, std::string_view text)
    : name_(std::move(name)), text_(text) {}

char TextScanner::peek() {
  while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
  return at_file_end() ? '\n' : text_[position_];
}

bool TextScanner::at_line_end() { return peek() == '\n'; }

bool TextScanner::at_comment(std::string_view markers) {
  return markers.find(peek()) != std::string_view::npos;
}

void TextScanner::next_line() {
  const std::size_t newline = text_.find('\n', position_);
  if (newline == std::string_view::npos) {
    position_ = text_.size();
    return;
  }
  position_ = line_start_ = newline + 1;
  ++line_;
}

void TextScanner::finish_line(std::string_view line_kind) {
  if (!at_line_end()) fail_expected("the end of " + std::string(line_kind));
  next_line();
}

std::string_view TextScanner::peek_word() {
  if (at_line_end()) return {};
  std::size_t end = position_;
  while (end < text_.size() && text_[end] != '\n' && !is_blank(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

std::string_view TextScanner::read_word(std::string_view what) {
  const std::string_view word = peek_word();
  if (word.empty()) fail_expected(what);
  word_start_ = position_;
  position_ += word.size();
  return word;
}

bool TextScanner::accept(std::string_view word) {
  if (peek_word() != word) return false;
  read_word(word);
  return true;
}

std::uint64_t TextScanner::read_unsigned(std::string_view what, std::uint64_t low,
                                         std::uint64_t high) {
  const std::string_view word = peek_word();
  std::uint64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  if (word.empty() || (error != std::errc{} && error != std::errc::result_out_of_range) ||
      rest != end) {
    fail_expected(what);
  }
  if (error != std::errc{} || value < low || value > high) {
    fail_expected(std::string(what) + " from " + std::to_string(low) + " to " +
                  std::to_string(high));
  }
  read_word(what);
  return value;
}

std::int64_t TextScanner::read_signed(std::string_view what) {
  const std::string_view word = peek_word();
  std::int64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  if (word.empty() || error != std::errc{} || rest != end) fail_expected(what);
  read_word(what);
  return value;
}

double TextScanner::read_real(std::string_view what) {
  std::string_view word = peek_word();
  // from_chars takes no plus sign, which Fortran programs print.
  const bool plus = word.size() > 1 && word.front() == '+' && word[1] != '-';
  const char* const begin = word.data() + (plus ? 1 : 0);
  const char* const end = word.data() + word.size();
  double value = 0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (word.empty() || error != std::errc{} || rest != end) fail_expected(what);
  if (!std::isfinite(value)) fail_expected(std::string(what) + " that is finite");
  read_word(what);
  return value;
}

void TextScanner::fail_expected(std::string_view what) {
  const std::string_view word = peek_word();
  const std::string found = !word.empty()   ? quoted(word)
                            : at_file_end() ? "the end of the file"
                                            : "the end of the line";
  fail_at(position_, "expected " + std::string(what) + ", found " + found);
}

void TextScanner::fail_at_word(std::string_view message) const { fail_at(word_start_, message); }

void TextScanner::fail_at(std::size_t position, std::string_view message) const {
  throw InputError(name_ + ":" + std::to_string(line_) + ":" +
                   std::to_string(position - line_start_ + 1) + ": " + std::string(message));
}

}  // namespace raddle::workloads
