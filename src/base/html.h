// Text in HTML pages.
#pragma once

#include <string>
#include <string_view>

namespace raddle {

/// With what is a mark in HTML written out: for text, and for the values of attributes. Bytes that are
/// no UTF-8 become U+FFFD each.
std::string escaped_for_html(std::string_view text);

}  // namespace raddle
