// Long texts compressed within the page. Private to reports.
#pragma once

#include <string>
#include <string_view>

namespace nplab::reports::html {

// What unpack.js does with a text when the page is opened.
enum class Packed { kData, kScript };

// An element that holds `text` compressed; `name` is its class.
std::string packed_element(const char* name, std::string_view text, Packed kind);

}  // namespace nplab::reports::html
