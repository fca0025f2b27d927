// The images of DCT and CONV: parts of a photograph, as cameras would send them.
#pragma once

#include <cstdint>

#include "common/data_path.h"
#include "common/image.h"

namespace raddle::workloads::narrow {

/// Square parts of data/images/camera.pgm, each at a place of its own.
class Camera {
 public:
  Camera() : image_(read_image(find_input("images/camera.pgm"))) {}

  /// Copies part `number`, edge x edge pixels, to `to`; edges beyond the image repeat it.
  void part(unsigned number, unsigned edge, std::uint8_t* to) const {
    const unsigned left = number * 37 % image_.width, top = number * 61 % image_.height;
    for (unsigned y = 0; y < edge; ++y) {
      for (unsigned x = 0; x < edge; ++x) {
        to[y * edge + x] = image_.pixels[(top + y) % image_.height * std::size_t{image_.width} +
                                         (left + x) % image_.width];
      }
    }
  }

 private:
  Image image_;
};

}  // namespace raddle::workloads::narrow
