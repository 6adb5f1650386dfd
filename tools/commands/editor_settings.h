// Settings with which an editor debugs, checks and completes what nplab reads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::tools {

struct Editor {
  const char* name;
  const char* what;  // is written for it: a phrase that goes on after "Write"
  const char* next;  // what the user does with it
};
const std::vector<Editor>& editors();

// Writes them to the folder, for a mapping (a file or a listed name) and programs, and returns what
// was written, by its path within the folder. Files that exist already are errors, and nothing is
// written.
std::vector<std::string> write_editor_settings(const std::string& editor,
                                               const std::string& mapping,
                                               const std::filesystem::path& folder,
                                               Diagnostics& diagnostics);

}  // namespace nplab::tools
