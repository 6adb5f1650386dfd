// The files of the page, which the program holds.
#pragma once

#include <string_view>

namespace nplab::tools {

struct PageFile {
  std::string_view name;  // "": the page itself
  std::string_view type;  // as HTTP names it
  std::string_view text;
};

// Null: there is none of this name.
const PageFile* page_file(std::string_view name);

}  // namespace nplab::tools
