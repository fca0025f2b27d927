#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::workloads {

/// 8-bit pixels, row by row from the top; `channels` is 1 (grey) or 3 (red, green, blue).
struct Image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t channels = 1;
  std::vector<std::uint8_t> pixels;
};

/// Reads a binary PGM or PPM ("P5", "P6") with at most 255 as its largest value. Throws InputError.
/// Source: the netpbm manual, pages pgm(5) and ppm(5).
Image read_image(const std::string& path);
/// The same from memory; `name` stands for the file in messages.
Image parse_image(const std::string& name, std::string_view bytes);

/// Writes P5 or P6 by the number of channels. Throws InputError when the file cannot be written.
void write_image(const std::string& path, const Image& image);

}  // namespace raddle::workloads
