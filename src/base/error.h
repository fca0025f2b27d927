// Errors before a run, with messages for people: exceptions whose text names file, line or address.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace raddle {

/// A place in a text file; lines and columns count from 1, 0 means unknown.
struct SourcePosition {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  /// "file:line:column", without unknown parts.
  std::string text() const;
};

/// A request cannot be fulfilled; the message is complete and for people.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file or text has the wrong form.
class InputError : public Error {
 public:
  InputError(SourcePosition where, const std::string& what)
      : Error(where.text() + ": " + what), where_(std::move(where)) {}
  const SourcePosition& where() const { return where_; }

 private:
  SourcePosition where_;
};

/// The input is of a later version than this program knows.
class LaterVersionError : public InputError {
 public:
  using InputError::InputError;
};

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(fmt::format(text, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void fail_at(SourcePosition where, fmt::format_string<Args...> text, Args&&... args) {
  throw InputError(std::move(where), fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace raddle
