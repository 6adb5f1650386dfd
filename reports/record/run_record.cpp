#include "reports/record/run_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/record/json_archive.h"
#include "reports/record/run_record_fields.h"
#include "reports/record/run_record_schema.h"
#include "support/yaml.h"

namespace nplab::reports {
namespace {

constexpr const char* kCompareSchema = "nplab.compare/1";

Json to_value(const RunRecord& record) {
  Json value = Json::object();
  value["schema"] = kRunSchema;
  Json fields = JsonWriter::to_value(record);
  for (auto& [name, field] : fields.get_ref<Json::object_t&>())
    value[name] = std::move(field);
  return value;
}

// A file name that is not UTF-8 is written with replacement characters and must not end the run.
std::string to_text(const Json& value, JsonLayout layout = JsonLayout::kIndented) {
  const int indent = layout == JsonLayout::kIndented ? 2 : -1;
  return value.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

SourceLocation location_of_byte(const std::string& text, std::size_t byte,
                                const std::string& file) {
  const std::string_view before = std::string_view(text).substr(0, std::min(byte, text.size()));
  const auto newline = before.rfind('\n');
  const std::size_t column =
      newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
  return {file, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(column) + 1};
}

std::string to_string(const JsonPath& path) {
  std::string text;
  for (const PathStep& step : path) {
    if (step.index) {
      text += fmt::format("[{}]", *step.index);
    } else {
      text += (text.empty() ? "" : ".") + step.key;
    }
  }
  return text.empty() ? "the record" : text;
}

const yaml::Node* follow(const yaml::Node& root, const JsonPath& path) {
  const yaml::Node* node = &root;
  for (const PathStep& step : path) {
    if (step.index) {
      node = node->is_list() && *step.index < node->items().size() ? &node->items()[*step.index]
                                                                   : nullptr;
    } else {
      node = node->is_map() ? node->find(step.key) : nullptr;
    }
    if (!node)
      return nullptr;
  }
  return node;
}

// The JSON library keeps no positions. JSON is YAML too, so the places of errors are looked up in a
// second parse, made only when there are errors; a text that only a JSON parser accepts is reported
// without places.
void report(const std::vector<JsonError>& errors, const std::string& text, const std::string& file,
            Diagnostics& diagnostics) {
  if (errors.empty())
    return;
  Diagnostics ignored;
  const auto root = yaml::parse(text, file, ignored);
  for (const JsonError& error : errors) {
    const yaml::Node* node = root ? follow(*root, error.path) : nullptr;
    diagnostics.error(node ? node->location() : SourceLocation{file, 0, 0},
                      fmt::format("{}: {}", to_string(error.path), error.message));
  }
}

// The place where lists and objects first nest deeper than any record does; the JSON library
// recurses into values when it copies them, so that a hostile text must be refused before.
std::optional<std::size_t> too_deep_at(const std::string& text) {
  constexpr int kDeepest = 64;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest)
        return i;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return std::nullopt;
}

std::optional<Json> parse(const std::string& text, const std::string& file,
                          Diagnostics& diagnostics) {
  if (const auto deep = too_deep_at(text)) {
    diagnostics.error(location_of_byte(text, *deep, file),
                      "nests lists and objects more deeply than any run record");
    return std::nullopt;
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    diagnostics.error(location_of_byte(text, error.byte == 0 ? 0 : error.byte - 1, file),
                      "is not JSON; expected a run record, as `--json` writes it");
  } catch (const Json::out_of_range&) {
    diagnostics.error(
        {file, 0, 0},
        "contains a number that is too large for any count or figure of a run record");
  }
  return std::nullopt;
}

std::string schema_of(const Json& value) {
  if (!value.is_object() || !value.contains("schema"))
    return "none";
  const Json& schema = value["schema"];
  return schema.is_string() ? schema.get<std::string>() : found_text(schema);
}

void read_run(const Json& value, const JsonPath& path, std::vector<RunRecord>& records,
              std::vector<JsonError>& errors) {
  if (const std::string schema = schema_of(value); schema != kRunSchema) {
    JsonPath place = path;
    if (schema != "none")
      place.push_back({"schema", std::nullopt});
    errors.push_back(
        {place, fmt::format("expected the schema '{}', found '{}'", kRunSchema, schema)});
    return;
  }
  JsonReader(value, path, errors).read(records.emplace_back());
}

void read_comparison(const Json& value, std::vector<RunRecord>& records,
                     std::vector<JsonError>& errors) {
  if (!value.contains("runs") || !value["runs"].is_array() || value["runs"].empty()) {
    errors.push_back(
        {{}, "expected a list of one or more run records under 'runs' in a comparison"});
    return;
  }
  const Json& runs = value["runs"];
  for (std::size_t i = 0; i < runs.size(); ++i) {
    read_run(runs[i], {{"runs", std::nullopt}, {"", i}}, records, errors);
  }
}

}  // namespace

std::string to_json(const RunRecord& record, JsonLayout layout) {
  return to_text(to_value(record), layout);
}

std::string reproducible_json(const RunRecord& record) {
  Json value = to_value(record);
  value.erase("host");
  return to_text(value);
}

std::string compare_json(const std::vector<RunRecord>& records,
                         const std::optional<VerdictRecord>& verdict) {
  Json value = Json::object();
  value["schema"] = kCompareSchema;
  value["runs"] = Json::array();
  for (const RunRecord& record : records)
    value["runs"].push_back(to_value(record));
  if (verdict)
    value["verdict"] = JsonWriter::to_value(*verdict);
  return to_text(value);
}

std::optional<RunRecord> from_json(const std::string& text, const std::string& file,
                                   Diagnostics& diagnostics) {
  const auto value = parse(text, file, diagnostics);
  if (!value)
    return std::nullopt;
  std::vector<RunRecord> records;
  std::vector<JsonError> errors;
  read_run(*value, {}, records, errors);
  report(errors, text, file, diagnostics);
  if (!errors.empty())
    return std::nullopt;
  return std::move(records.front());
}

std::vector<RunRecord> read_records(const std::string& text, const std::string& file,
                                    Diagnostics& diagnostics) {
  const auto value = parse(text, file, diagnostics);
  if (!value)
    return {};
  std::vector<RunRecord> records;
  std::vector<JsonError> errors;
  if (schema_of(*value) == kCompareSchema) {
    read_comparison(*value, records, errors);
  } else {
    read_run(*value, {}, records, errors);
  }
  report(errors, text, file, diagnostics);
  if (!errors.empty())
    return {};
  return records;
}

}  // namespace nplab::reports
