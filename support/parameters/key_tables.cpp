#include "support/parameters/key_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>
#include <vector>

#include "support/parameters/check.h"

namespace nplab::parameters {
namespace {

constexpr std::string_view kEndOfKeys = "<!-- end of keys -->";

using Row = std::vector<std::string>;

const yaml::Node* node_at(const yaml::Node* node, std::string_view path) {
  while (node != nullptr && !path.empty()) {
    const auto dot = path.find('.');
    node = node->is_map() ? node->find(path.substr(0, dot)) : nullptr;
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return node;
}

// The value's type in a table's cell. Maps and lists of maps have a table of their own.
std::string type_cell(const Key& key) {
  const KeyMap* below = keys_of(key.value);
  if (below == nullptr)
    return type_text(key.value);
  return std::holds_alternative<List>(key.value.type) ? "a list of maps" : "a map";
}

std::string need_cell(const Key& key) {
  if (key.need != Need::kOptional)
    return "required";
  return key.default_text.empty() ? "" : fmt::format("`{}`", key.default_text);
}

Row row_of(const Key& key, const yaml::Node* section, bool has_example) {
  Row row{fmt::format("`{}`", key.name), type_cell(key), key.unit};
  if (has_example) {
    const yaml::Node* value = section != nullptr ? section->find(key.name) : nullptr;
    row.push_back(value != nullptr && value->is_scalar() ? value->scalar()
                  : key.default_text.empty()             ? ""
                                                         : "default " + key.default_text);
  } else {
    row.push_back(need_cell(key));
  }
  const auto& [choice, word] = key.only_with;
  row.push_back(choice.empty() ? key.sentence
                               : fmt::format("`{}: {}`: {}", choice, word, key.sentence));
  row.push_back(key.source);
  return row;
}

std::string line_of(const Row& row, const std::vector<bool>& shown) {
  std::string line = "|";
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (shown[i])
      line += fmt::format(" {} |", row[i]);
  }
  return line + '\n';
}

// Columns that have nothing to say are left out.
std::string table_of(const KeyMap& keys, const PageTables& tables, std::string_view path) {
  const bool has_example = tables.example != nullptr;
  const yaml::Node* section = node_at(tables.example, path);
  const Row head{"key",     "value",   "unit", has_example ? tables.example_name : "default",
                 "meaning", "rests on"};
  std::vector<Row> rows;
  for (const Key& key : keys.keys)
    rows.push_back(row_of(key, section, has_example));
  std::vector<bool> shown(head.size(), false);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      shown[i] = shown[i] || !row[i].empty();
  }
  std::string text = line_of(head, shown) + line_of(Row(head.size(), "---"), shown);
  for (const Row& row : rows)
    text += line_of(row, shown);
  return text;
}

// `<!-- keys of KIND: PATH -->` gives PATH, which may be empty; other lines nothing.
std::optional<std::string> path_of_marker(std::string_view line, const std::string& kind) {
  const std::string begin = fmt::format("<!-- keys of {}", kind);
  constexpr std::string_view kEnd = " -->";
  if (!line.starts_with(begin) || !line.ends_with(kEnd))
    return std::nullopt;
  line.remove_prefix(begin.size());
  line.remove_suffix(kEnd.size());
  if (line.empty())
    return "";
  if (!line.starts_with(": "))
    return std::nullopt;
  return std::string(line.substr(2));
}

std::vector<std::string> lines_of(const std::string& page) {
  std::vector<std::string> lines;
  std::istringstream text(page);
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  return lines;
}

}  // namespace

std::optional<std::string> with_tables(const std::string& page, const std::string& file,
                                       const PageTables& tables, Diagnostics& diagnostics) {
  const std::vector<std::string> lines = lines_of(page);
  std::string result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    result += lines[i] + '\n';
    const auto path = path_of_marker(lines[i], tables.kind);
    if (!path)
      continue;
    const SourceLocation at{file, static_cast<int>(i) + 1, 1};
    const KeyMap* keys = find_keys(*tables.keys, *path);
    const auto end =
        std::find(lines.begin() + static_cast<std::ptrdiff_t>(i), lines.end(), kEndOfKeys);
    if (keys == nullptr)
      diagnostics.error(at, fmt::format("{} files have no keys below '{}'", tables.kind, *path));
    if (end == lines.end())
      diagnostics.error(at, fmt::format("'{}' is missing after this line", kEndOfKeys));
    if (keys == nullptr || end == lines.end())
      return std::nullopt;
    result += table_of(*keys, tables, *path);
    i = static_cast<std::size_t>(end - lines.begin()) - 1;
  }
  return result;
}

std::string explained(const KeyPath& path, std::string_view kind) {
  const Key& key = *path.key;
  std::string text = fmt::format("{} (key of a {} file)\n  {}\n", path.path, kind, key.sentence);
  const auto& [choice, word] = key.only_with;
  const std::array<std::pair<const char*, std::string>, 5> facts{
      {{"value", type_cell(key)},
       {"default", need_cell(key)},
       {"unit", key.unit},
       {"rests on", key.source},
       {"only with", choice.empty() ? "" : fmt::format("{}: {}", choice, word)}}};
  for (const auto& [title, fact] : facts) {
    if (!fact.empty())
      text += fmt::format("  {}: {}\n", title, fact);
  }
  for (const std::string& old_name : key.old_names)
    text += fmt::format("  old name, deprecated: {}\n", old_name);
  return text;
}

}  // namespace nplab::parameters
