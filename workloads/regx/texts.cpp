#include "regx/texts.h"

#include <algorithm>

#include "common/generators.h"
#include "common/text_scanner.h"

namespace raddle::workloads {
namespace {

/// 32-bit numbers at offsets of a capture file.
class Capture {
 public:
  Capture(const std::string& name, const std::string& bytes) : name_(name), bytes_(bytes) {
    if (bytes.size() < heading) fail(0, "expected a heading of 24 bytes");
    const std::uint32_t magic = word(0);
    // The last digit distinguishes microseconds from nanoseconds, which does not matter here.
    swapped_ = magic == 0xd4c3b2a1 || magic == 0x4d3cb2a1;
    if (!swapped_ && magic != 0xa1b2c3d4 && magic != 0xa1b23c4d) {
      fail(0, "expected a libpcap capture");
    }
  }

  static constexpr std::size_t heading = 24;
  static constexpr std::size_t record_heading = 16;

  std::uint32_t word(std::size_t offset) const {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t byte = static_cast<unsigned char>(bytes_[offset + i]);
      value |= byte << (8 * (swapped_ ? 3 - i : i));
    }
    return value;
  }
  [[noreturn]] void fail(std::size_t offset, const std::string& what) const {
    throw InputError(name_ + ": byte " + std::to_string(offset) + ": " + what);
  }

 private:
  const std::string& name_;
  const std::string& bytes_;
  bool swapped_ = false;
};

/// Offsets are 32-bit numbers.
void expect_offset(std::uint64_t end) {
  if (end > UINT32_MAX) throw InputError("texts: more than 4 GiB together");
}

}  // namespace

void Texts::add(const char* begin, std::size_t size) {
  expect_offset(std::uint64_t{bytes.size()} + size);
  bytes.insert(bytes.end(), begin, begin + size);
  offsets.push_back(static_cast<std::uint32_t>(bytes.size()));
}

Texts parse_capture(const std::string& name, const std::string& bytes, std::size_t skipped) {
  const Capture capture(name, bytes);
  Texts texts;
  for (std::size_t at = Capture::heading; at < bytes.size();) {
    if (bytes.size() - at < Capture::record_heading) {
      capture.fail(at, "the file ends within a packet's heading");
    }
    const std::size_t size = capture.word(at + 8);  // captured bytes
    const std::size_t data = at + Capture::record_heading;
    if (bytes.size() - data < size) capture.fail(at, "the file ends within a packet");
    if (size > skipped) texts.add(bytes.data() + data + skipped, size - skipped);
    at = data + size;
  }
  return texts;
}

Texts replayed(const Texts& texts, std::uint32_t times, std::size_t snap) {
  const auto size_of = [&](std::size_t i) {
    return std::min<std::size_t>(texts.offsets[i + 1] - texts.offsets[i], snap);
  };
  std::uint64_t once = 0;
  for (std::size_t i = 0; i < texts.count(); ++i) once += size_of(i);
  expect_offset(once * times);  // below 2^64: both are below 2^32
  Texts all;
  for (std::size_t time = 0; time < times; ++time) {
    for (std::size_t i = 0; i < texts.count(); ++i) {
      const auto* begin = reinterpret_cast<const char*>(texts.bytes.data()) + texts.offsets[i];
      all.add(begin, size_of(i));
    }
  }
  return all;
}

Texts random_texts(std::size_t count, std::size_t shortest, std::size_t longest,
                   std::uint64_t seed) {
  const std::string alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  Random random(seed);
  Texts texts;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text(shortest + random.below(longest - shortest + 1), ' ');
    for (char& c : text) c = alphabet[random.below(alphabet.size())];
    texts.add(text.data(), text.size());
  }
  return texts;
}

}  // namespace raddle::workloads
