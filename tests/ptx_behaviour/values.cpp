#include "values.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace raddle::tests {
namespace {

/// Distance in representable values; 0 for two NaNs.
template <class T, class Bits>
std::uint64_t ulps_between(T a, T b) {
  if (a != a || b != b) return a != a && b != b ? 0 : ~std::uint64_t{0};
  const auto ordered = [](T value) {
    const auto magnitude = static_cast<std::int64_t>(std::bit_cast<Bits>(value) & (~Bits{0} >> 1));
    return std::signbit(value) ? -magnitude : magnitude;
  };
  const std::int64_t x = ordered(a), y = ordered(b);
  return static_cast<std::uint64_t>(x > y ? x - y : y - x);
}

template <class T, class Bits>
bool within(const Expected& expected, const std::byte* actual) {
  T want, got;
  std::memcpy(&want, expected.bytes.data(), sizeof want);
  std::memcpy(&got, actual, sizeof got);
  if (want != want) return got != got && expected.text == "nan";
  if (std::fabs(want - got) <= expected.absolute) return true;
  return expected.ulps != 0 && ulps_between<T, Bits>(want, got) <= expected.ulps;
}

}  // namespace

unsigned bytes_of(std::string_view type) {
  if (type.size() < 2) throw std::runtime_error("unknown type");
  const int bits = std::atoi(std::string(type.substr(1)).c_str());
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
    throw std::runtime_error(fmt::format("unknown type '{}'", type));
  }
  return static_cast<unsigned>(bits) / 8;
}

std::vector<std::byte> encode(std::string_view type, std::string_view text) {
  const std::string word(text);
  std::uint64_t bits = 0;
  char* end = nullptr;
  const bool hex = word.starts_with("0x") || word.starts_with("-0x");
  if (type[0] == 'f' && !hex) {
    const double value = std::strtod(word.c_str(), &end);
    bits = type == "f64" ? std::bit_cast<std::uint64_t>(value)
                         : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  } else if (word.starts_with('-')) {
    bits = static_cast<std::uint64_t>(std::strtoll(word.c_str(), &end, 0));
  } else {
    bits = std::strtoull(word.c_str(), &end, 0);
  }
  if (end == word.c_str() || *end != '\0') {
    throw std::runtime_error(fmt::format("'{}' is not a {}", word, type));
  }
  std::vector<std::byte> bytes(bytes_of(type));
  std::memcpy(bytes.data(), &bits, bytes.size());
  return bytes;
}

Expected expected(std::string_view type, std::string_view text) {
  Expected made;
  made.text = text;
  if (text == "*") {
    made.any = true;
    return made;
  }
  if (const auto tilde = text.find('~'); tilde != std::string_view::npos) {
    const std::string tolerance(text.substr(tilde + 1));
    if (tolerance.ends_with("ulp")) {
      made.ulps = static_cast<unsigned>(std::atoi(tolerance.c_str()));
    } else {
      made.absolute = std::atof(tolerance.c_str());
    }
    text = text.substr(0, tilde);
  }
  made.bytes = encode(type, text);
  return made;
}

bool agrees(std::string_view type, const Expected& expected, const std::byte* actual) {
  if (expected.any || std::memcmp(expected.bytes.data(), actual, expected.bytes.size()) == 0) {
    return true;
  }
  if (type == "f64") return within<double, std::uint64_t>(expected, actual);
  return type == "f32" && within<float, std::uint32_t>(expected, actual);
}

std::string show(std::string_view type, const std::byte* value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, value, bytes_of(type));
  if (type == "f32") {
    return fmt::format("{:#x} ({})", bits, std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (type == "f64") return fmt::format("{:#x} ({})", bits, std::bit_cast<double>(bits));
  return fmt::format("{:#x}", bits);
}

}  // namespace raddle::tests
