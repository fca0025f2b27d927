#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace raddle::workloads {

/// Texts one after the other: text i is bytes offsets[i] to offsets[i + 1].
struct Texts {
  std::vector<std::uint32_t> offsets = {0};
  std::vector<std::uint8_t> bytes;

  /// Throws InputError when offsets no longer fit in 32 bits.
  void add(const char* begin, std::size_t size);
  std::size_t count() const { return offsets.size() - 1; }
};

/// The packets of a capture file (classic libpcap format, either byte order), without the first
/// `skipped` bytes of each: link, network and transport headings. Throws InputError with the
/// offset.
Texts parse_capture(const std::string& name, const std::string& bytes, std::size_t skipped);

/// `times` copies of the texts one after the other, as a capture is replayed to load a network.
/// Each text keeps its first `snap` bytes (tcpdump's snapshot length). Throws InputError when the
/// copies would be too many, before it makes any.
Texts replayed(const Texts& texts, std::uint32_t times, std::size_t snap);

/// Texts of random length from `shortest` to `longest` over small letters and digits.
Texts random_texts(std::size_t count, std::size_t shortest, std::size_t longest,
                   std::uint64_t seed);

}  // namespace raddle::workloads
