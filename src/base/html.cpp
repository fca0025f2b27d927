#include "base/html.h"

namespace raddle {

namespace {

unsigned byte(char letter) { return static_cast<unsigned char>(letter); }

/// Bytes of the character that `text` begins with; 0 when it begins with none (Unicode Standard, table
/// 3-7, "Well-Formed UTF-8 Byte Sequences").
std::size_t character_bytes(std::string_view text) {
  const unsigned first = byte(text[0]);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return 0;
  // Neither longer than needed, nor a surrogate, nor beyond U+10FFFF.
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(text[1]) < low || byte(text[1]) > high) return 0;
  for (const char next : text.substr(2, bytes - 2)) {
    if ((byte(next) & 0xc0) != 0x80) return 0;
  }
  return bytes;
}

}  // namespace

std::string escaped_for_html(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_bytes(text.substr(at));
    if (bytes != 1) {
      result += bytes == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(at, bytes);
      at += bytes == 0 ? 1 : bytes;
      continue;
    }
    const char letter = text[at++];
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

}  // namespace raddle
