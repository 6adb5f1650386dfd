// What a compilation read besides its source: the files that it included, and the places where it
// looked for them in vain.
#pragma once

#include <string>
#include <vector>

#include "support/byte_stream.h"

namespace nplab::compiler {

struct SourceInput {
  std::string path;
  std::string content;  // SHA-256 of a file; else one of these:

  static constexpr const char* kAbsent = "absent";
  static constexpr const char* kFolder = "folder";
  static constexpr const char* kUnstable = "unstable";  // may give another program each time
};

// Of a source or a file: whether it names the time of compiling.
bool names_the_time(std::string_view text);

// Whether another compilation that reads the same gives the same.
bool are_stable(const std::vector<SourceInput>& inputs);

// Whether a compilation that read this would read the same now.
bool are_unchanged(const std::vector<SourceInput>& inputs);

void write_inputs(ByteWriter& to, const std::vector<SourceInput>& inputs);
std::vector<SourceInput> read_inputs(ByteReader& from);

}  // namespace nplab::compiler
