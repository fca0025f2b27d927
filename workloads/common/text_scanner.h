#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace raddle::workloads {

/// A damaged or unreadable input file. The message reads "file:line:column: what was expected,
/// what was found"; lines and columns count from one.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The whole file as bytes. Throws InputError with the system's reason when it cannot be read.
std::string read_file(const std::string& path);

/// Reads a text file line by line and word by word. Its errors name the place in the file. Blanks
/// within a line are spaces, tabs and the carriage return of CRLF files.
class TextScanner {
 public:
  /// `name` stands in messages; `text` must outlive the scanner.
  TextScanner(std::string name, std::string_view text);

  /// Bytes before the cursor.
  std::size_t offset() const { return position_; }
  bool at_file_end() const { return position_ == text_.size(); }
  /// Skips blanks. Returns true when nothing else is left on this line.
  bool at_line_end();
  /// Moves to the start of the following line; skips the rest of this one.
  void next_line();
  /// Moves to the following line. Throws InputError if more than blanks is left on this one.
  void finish_line(std::string_view line_kind);
  /// The character at the cursor, after blanks; '\n' at the end of a line or of the file.
  char peek();
  /// If the next word is exactly `word`, skips it and returns true.
  bool accept(std::string_view word);
  /// Returns true when the next character after blanks is one of `markers`, as in a comment line.
  bool at_comment(std::string_view markers);

  /// Returns the next word of this line. `what` names the expected text in an error.
  std::string_view read_word(std::string_view what);
  std::uint64_t read_unsigned(std::string_view what, std::uint64_t low = 0,
                              std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
  std::int64_t read_signed(std::string_view what);
  double read_real(std::string_view what);

  /// Throws InputError at the cursor ("expected X, found Y").
  [[noreturn]] void fail_expected(std::string_view what);
  /// Throws InputError with the position of the last word that was read.
  [[noreturn]] void fail_at_word(std::string_view message) const;

 private:
  std::string_view peek_word();
  [[noreturn]] void fail_at(std::size_t position, std::string_view message) const;

  std::string name_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::size_t word_start_ = 0;
  std::uint64_t line_ = 1;
};

}  // namespace raddle::workloads
