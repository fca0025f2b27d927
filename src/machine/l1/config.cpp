#include "machine/l1/config.h"

#include <charconv>

namespace raddle::machine {

std::vector<unsigned> carve_outs(const L1Config& config) {
  std::vector<unsigned> bytes;
  const std::string& text = config.carve_outs.value();
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    unsigned kilobytes = 0;
    const auto [rest, error] = std::from_chars(at, end, kilobytes);
    const bool ends = rest == end || (*rest == ',' && rest + 1 != end);
    const bool rises = bytes.empty() || kilobytes * 1024 > bytes.back();
    if (error != std::errc{} || !ends || !rises || kilobytes > 1024) {
      fail("l1.carve_outs = {}: should be rising numbers of KB, 0..1024, with commas", text);
    }
    bytes.push_back(kilobytes * 1024);
    at = rest == end ? end : rest + 1;
  }
  return bytes;
}

}  // namespace raddle::machine
