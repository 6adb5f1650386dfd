// Where tests find the checkout and a folder to write to.
#pragma once

#include <string>

namespace nplab {

// A file or folder of the checkout, by its path from the root; the root itself by default.
std::string source_path(const std::string& relative = "");
// The nplab program under test.
std::string program_path();
// The build folder.
std::string binary_path();

}  // namespace nplab
