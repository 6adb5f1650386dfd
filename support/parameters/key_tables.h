// The description of a file's keys as text: tables for a page of docs/, and what `nplab explain`
// says of a key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/parameters/description.h"
#include "support/yaml.h"

namespace nplab::parameters {

// Makes the tables of a page. Between a line `<!-- keys of KIND: PATH -->` (without PATH: the
// file's own keys) and the next `<!-- end of keys -->` stands the table of the keys below the
// dotted path.
struct PageTables {
  std::string kind;
  const KeyMap* keys;
  // A file whose values the tables show, and the title of that column; none when null.
  const yaml::Node* example = nullptr;
  std::string example_name = {};
};

// The page with its tables of this kind made new. A path that is not described, or a marker without
// its end, is reported at its line.
std::optional<std::string> with_tables(const std::string& page, const std::string& file,
                                       const PageTables& tables, Diagnostics& diagnostics);

// A key in a few lines: sentence, values, default, unit, source. `kind` names the file.
std::string explained(const KeyPath& path, std::string_view kind);

}  // namespace nplab::parameters
