#include "reports/record/run_record_schema.h"

#include "reports/record/json_archive.h"
#include "reports/record/run_record_fields.h"

namespace nplab::reports {
namespace {

// Walks the same key lists as the writer and the reader; the values of the record do not matter.
class SchemaArchive {
 public:
  template <class T>
  void key(const char* name, const T& field) {
    required_.push_back(name);
    extra(name, field);
  }
  template <class T>
  void extra(const char* name, const T& field) {
    properties_[name] = schema_of(field);
  }
  // Entries as one text, separated by blanks.
  template <class T>
  void column(const char* name, const std::vector<T>& /*field*/, std::size_t /*entries*/) {
    key(name, std::string());
  }
  void counts(const char* name, const std::map<std::string, std::uint64_t>& field) {
    extra(name, field);
  }

  template <class Record>
  static Json schema_of(const Record& record)
    requires requires(SchemaArchive& archive) { describe(archive, record); }
  {
    SchemaArchive archive;
    describe(archive, record);
    Json schema{{"type", "object"}, {"properties", archive.properties_}};
    if (!archive.required_.empty())
      schema["required"] = archive.required_;
    return schema;
  }

 private:
  static Json schema_of(const std::uint64_t& /*field*/) {
    return {{"type", "integer"}, {"minimum", 0}};
  }
  static Json schema_of(std::same_as<double> auto /*field*/) { return {{"type", "number"}}; }
  static Json schema_of(std::same_as<bool> auto /*field*/) { return {{"type", "boolean"}}; }
  static Json schema_of(const std::string& /*field*/) { return {{"type", "string"}}; }
  static Json schema_of(const CountSeries& /*field*/) { return {{"type", "string"}}; }
  static Json schema_of(const ThreadName& /*field*/) {
    return {{"type", "string"}, {"pattern", "^[0-9]+\\.[0-9]+$"}};
  }
  static Json schema_of(const std::map<std::string, std::uint64_t>& /*field*/) {
    return {{"type", "object"}, {"additionalProperties", schema_of(std::uint64_t{})}};
  }
  template <class T>
  static Json schema_of(const std::vector<T>& /*field*/) {
    return {{"type", "array"}, {"items", schema_of(T{})}};
  }
  template <class T>
  static Json schema_of(const std::optional<T>& /*field*/) {
    return schema_of(T{});
  }

  Json properties_ = Json::object();
  std::vector<std::string> required_;
};

}  // namespace

std::string run_record_schema() {
  const Json record = SchemaArchive::schema_of(RunRecord{});
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "nplab run record"},
              {"type", "object"}};
  schema["properties"]["schema"] = {{"const", kRunSchema}};
  schema["properties"].update(record["properties"]);
  schema["required"] = record["required"];
  schema["required"].push_back("schema");
  return schema.dump(2) + '\n';
}

}  // namespace nplab::reports
