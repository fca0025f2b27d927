// How tensor cores add the products of floating-point matrices (isa/semantics/matrix.h). Their
// latency is in the class `tensor` of execute/config.h.
#pragma once

#include "base/config.h"
#include "isa/block_context.h"

namespace raddle::machine {

struct TensorConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> fraction_bits{
      *this,    "fraction_bits",
      24,       "bits",
      {10, 25}, "of products and accumulator, below the largest exponent among them"};
  Field<unsigned> fraction_bits_of_8{*this,    "fraction_bits_of_8",        24, "bits",
                                     {10, 25}, "the same for e4m3 and e5m2"};
  Field<unsigned> block_bytes{*this,   "block_bytes", 16,
                              "bytes", {4, 64},       "of a row whose products are added at once"};
  Field<bool> halves_of_8{*this,
                          "halves_of_8",
                          false,
                          "",
                          {},
                          "e4m3 and e5m2 are added as f16 (`fraction_bits`), in two parts, and the "
                          "accumulator last"};

  isa::TensorArithmetic arithmetic() const {
    return {static_cast<std::uint8_t>(fraction_bits), static_cast<std::uint8_t>(fraction_bits_of_8),
            static_cast<std::uint8_t>(block_bytes), halves_of_8};
  }
};

}  // namespace raddle::machine
