#include "common/image.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/text_scanner.h"

namespace raddle::workloads {
namespace {

// Numbers of the header may be on one line or on several, with comment lines between.
std::uint32_t read_header_number(TextScanner& in, std::string_view what, std::uint32_t high) {
  while (!in.at_file_end() && (in.at_line_end() || in.at_comment("#"))) in.next_line();
  return static_cast<std::uint32_t>(in.read_unsigned(what, 1, high));
}

}  // namespace

Image parse_image(const std::string& name, std::string_view bytes) {
  TextScanner in(name, bytes);
  const bool grey = in.accept("P5");
  if (!grey && !in.accept("P6")) in.fail_expected("P5 or P6, a binary PGM or PPM image");
  Image image;
  image.channels = grey ? 1 : 3;
  constexpr std::uint32_t widest = 1 << 20;
  image.width = read_header_number(in, "the width", widest);
  image.height = read_header_number(in, "the height", widest);
  read_header_number(in, "the largest value", 255);
  // One white-space character, no more, ends the header: pixels may look like blanks.
  const std::size_t start = in.offset() + 1;
  const std::uint64_t size = std::uint64_t{image.width} * image.height * image.channels;
  if (bytes.size() < start || bytes.size() - start < size) {
    throw InputError(name + ": expected " + std::to_string(size) + " bytes of pixels, found " +
                     std::to_string(bytes.size() < start ? 0 : bytes.size() - start));
  }
  const std::string_view pixels = bytes.substr(start, size);
  image.pixels.assign(pixels.begin(), pixels.end());
  return image;
}

Image read_image(const std::string& path) { return parse_image(path, read_file(path)); }

void write_image(const std::string& path, const Image& image) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw InputError(path + ": " + std::strerror(errno));
  std::fprintf(file, "P%c\n%u %u\n255\n", image.channels == 1 ? '5' : '6', image.width,
               image.height);
  const bool written =
      std::fwrite(image.pixels.data(), 1, image.pixels.size(), file) == image.pixels.size();
  if (std::fclose(file) != 0 || !written) throw InputError(path + ": " + std::strerror(errno));
}

}  // namespace raddle::workloads
