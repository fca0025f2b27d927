#include "isa/builtins/printf_format.h"

#include <cstdio>
#include <cstring>

namespace raddle::isa {

namespace {

/// One `%...` of the format: "%-8.3lld" is flags "-", width, precision, size and conversion.
struct Conversion {
  std::string head;  // "%-8.3", with `*` already replaced
  std::string_view size;
  char letter = 0;
};

class ArgumentReader {
 public:
  explicit ArgumentReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// Reads the next argument of 4 or 8 bytes; false when there is none.
  template <class T>
  bool next(T& value) {
    const std::size_t at = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    if (at + sizeof(T) > bytes_.size() || taken_ == kMostArguments) return false;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    at_ = at + sizeof(T);
    ++taken_;
    return true;
  }

 private:
  static constexpr int kMostArguments = 32;
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  int taken_ = 0;
};

template <class T>
void print(std::string& out, const Conversion& conversion, const char* size, T value) {
  const std::string format = conversion.head + size + conversion.letter;
  const int length = std::snprintf(nullptr, 0, format.c_str(), value);
  if (length < 0) return;
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(length) + 1);
  std::snprintf(out.data() + before, static_cast<std::size_t>(length) + 1, format.c_str(), value);
  out.resize(before + static_cast<std::size_t>(length));
}

/// Appends to `head` the digits, or the value of an argument for `*`.
void take_number(std::string_view format, std::size_t& at, ArgumentReader& arguments,
                 std::string& head) {
  if (at < format.size() && format[at] == '*') {
    std::int32_t value = 0;
    arguments.next(value);
    head += std::to_string(value);
    ++at;
    return;
  }
  while (at < format.size() && format[at] >= '0' && format[at] <= '9') head += format[at++];
}

/// Parses from the character after `%`; sets `at` behind the conversion letter.
Conversion take_conversion(std::string_view format, std::size_t& at, ArgumentReader& arguments) {
  Conversion conversion;
  conversion.head = "%";
  while (at < format.size() && std::strchr("-+ #0", format[at]) != nullptr) {
    conversion.head += format[at++];
  }
  take_number(format, at, arguments, conversion.head);
  if (at < format.size() && format[at] == '.') {
    conversion.head += format[at++];
    take_number(format, at, arguments, conversion.head);
  }
  const std::size_t size_begin = at;
  while (at < format.size() && std::strchr("hlLjzt", format[at]) != nullptr) ++at;
  conversion.size = format.substr(size_begin, at - size_begin);
  if (at < format.size()) conversion.letter = format[at++];
  return conversion;
}

bool is_wide(std::string_view size) {
  return size == "l" || size == "ll" || size == "j" || size == "z" || size == "t" || size == "L";
}

void print_integer(std::string& out, const Conversion& conversion, ArgumentReader& arguments) {
  if (is_wide(conversion.size)) {
    long long value = 0;
    if (arguments.next(value)) print(out, conversion, "ll", value);
    return;
  }
  int value = 0;
  if (!arguments.next(value)) return;
  print(out, conversion, conversion.size == "hh" ? "hh" : conversion.size == "h" ? "h" : "", value);
}

/// False when the letter is not a conversion.
bool print_conversion(std::string& out, const Conversion& conversion, ArgumentReader& arguments,
                      const std::function<std::string(std::uint64_t)>& text_at) {
  switch (conversion.letter) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      print_integer(out, conversion, arguments);
      return true;
    case 'c': {
      int value = 0;
      if (arguments.next(value)) print(out, conversion, "", value);
      return true;
    }
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': {
      double value = 0;
      if (arguments.next(value)) print(out, conversion, "", value);
      return true;
    }
    case 'p': {
      std::uint64_t value = 0;
      if (arguments.next(value)) print(out, conversion, "", reinterpret_cast<void*>(value));
      return true;
    }
    case 's': {
      std::uint64_t address = 0;
      if (arguments.next(address)) print(out, conversion, "", text_at(address).c_str());
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

std::string format_printf(std::string_view format, std::span<const std::byte> arguments,
                          const std::function<std::string(std::uint64_t)>& text_at) {
  ArgumentReader reader(arguments);
  std::string out;
  std::size_t at = 0;
  while (at < format.size()) {
    if (format[at] != '%') {
      out += format[at++];
      continue;
    }
    const std::size_t begin = at++;
    if (at < format.size() && format[at] == '%') {
      out += format[at++];
      continue;
    }
    const Conversion conversion = take_conversion(format, at, reader);
    if (!print_conversion(out, conversion, reader, text_at))
      out += format.substr(begin, at - begin);
  }
  return out;
}

}  // namespace raddle::isa
