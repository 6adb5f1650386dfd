#include "tools/source_texts.h"

#include <optional>
#include <set>

#include "support/input_file.h"
#include "tools/data_directory.h"

namespace nplab::tools {
namespace {

std::optional<std::string> text_of(const std::string& name, const std::vector<EngineProgram>& programs) {
  for (const EngineProgram& program : programs)
    if (program.composed.name == name && !program.composed.source.empty()) return program.composed.source;
  const auto shipped = data_directory() / name;
  Diagnostics unreadable;
  const auto file = read_input_file(std::filesystem::exists(shipped) ? shipped.string() : name, unreadable);
  return file ? std::optional(file->bytes) : std::nullopt;
}

}  // namespace

std::vector<reports::Source> source_texts(const std::vector<reports::Line>& lines,
                                          const std::vector<EngineProgram>& programs) {
  std::set<std::string> names;
  for (const reports::Line& line : lines)
    if (line.line != 0) names.insert(line.file);
  std::vector<reports::Source> sources;
  for (const std::string& name : names)
    if (auto text = text_of(name, programs)) sources.push_back({name, std::move(*text)});
  return sources;
}

}  // namespace nplab::tools
