#include "experiments/record/source_texts.h"

#include <optional>
#include <set>

#include "experiments/prepare/data_directory.h"
#include "support/input_file.h"

namespace nplab::experiments {
namespace {

// Generated programs include the library by its whole path, which differs between checkouts.
std::string without_data_directory(std::string text) {
  const std::string folder =
      std::filesystem::absolute(data_directory()).lexically_normal().string() + "/";
  for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
    text.erase(at, folder.size());
  return text;
}

std::optional<std::string> text_of(const std::string& name,
                                   const std::vector<CompiledProgram>& programs) {
  for (const CompiledProgram& program : programs)
    if (program.composed.name == name && !program.composed.source.empty())
      return without_data_directory(program.composed.source);
  const auto shipped = data_directory() / name;
  Diagnostics unreadable;
  const auto file =
      read_input_file(std::filesystem::exists(shipped) ? shipped.string() : name, unreadable);
  return file ? std::optional(file->bytes) : std::nullopt;
}

}  // namespace

std::vector<reports::Source> source_texts(const std::vector<reports::Line>& lines,
                                          const std::vector<CompiledProgram>& programs) {
  std::set<std::string> names;
  for (const reports::Line& line : lines)
    if (line.line != 0)
      names.insert(line.file);
  std::vector<reports::Source> sources;
  for (const std::string& name : names)
    if (auto text = text_of(name, programs))
      sources.push_back({name, std::move(*text)});
  return sources;
}

}  // namespace nplab::experiments
