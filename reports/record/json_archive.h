// A writer and a reader of JSON objects for the key lists of reports/record/run_record_fields.h.
// Private to reports.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>
#include <charconv>
#include <cmath>
#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "reports/record/count_series.h"
#include "reports/record/thread_name.h"

namespace nplab::reports {

using Json = nlohmann::ordered_json;

class JsonWriter {
 public:
  template <class T>
  void key(const char* name, const T& value) {
    object_[name] = to_value(value);
  }
  template <class T>
  void extra(const char* name, const T& value) {
    key(name, value);
  }
  template <class T>
  void extra(const char* name, const std::optional<T>& value) {
    if (value)
      key(name, *value);
  }

  // A list as one text, entries separated by blanks: where there are many, and few digits each.
  template <class T>
  void column(const char* name, const std::vector<T>& values, std::size_t /*entries*/) {
    key(name, fmt::format("{}", fmt::join(values, " ")));
  }
  // Counts by name that are left out when there are none.
  void counts(const char* name, const std::map<std::string, std::uint64_t>& values) {
    if (!values.empty())
      key(name, values);
  }

  template <class Record>
  static Json to_value(const Record& record)
    requires requires(JsonWriter& writer) { describe(writer, record); }
  {
    JsonWriter writer;
    describe(writer, record);
    return std::move(writer.object_);
  }
  static Json to_value(std::uint64_t value) { return value; }
  static Json to_value(std::same_as<bool> auto value) { return value; }
  static Json to_value(const std::string& value) { return value; }
  static Json to_value(const CountSeries& series) { return to_text(series); }
  static Json to_value(const ThreadName& thread) { return to_string(thread); }
  static Json to_value(std::same_as<double> auto value) {
    assert(std::isfinite(value) && "a run record holds finite figures only");
    return value;
  }
  template <class T>
  static Json to_value(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values)
      list.push_back(to_value(value));
    return list;
  }
  static Json to_value(const std::map<std::string, std::uint64_t>& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values)
      object[name] = value;
    return object;
  }

 private:
  Json object_ = Json::object();
};

// A value as an error names it. Lists and objects are not spelled out: they may be large, and
// nested without limit.
inline std::string found_text(const Json& value) {
  constexpr std::size_t kLongest = 40;
  if (value.is_array())
    return "a list";
  if (value.is_object())
    return "an object";
  const std::string text = value.dump();
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

// One step of a JSON path: a key, or an index into a list.
struct PathStep {
  std::string key;
  std::optional<std::size_t> index;
};
using JsonPath = std::vector<PathStep>;

struct JsonError {
  JsonPath path;
  std::string message;
};

// Reads one value and all below it; what does not fit is added to `errors` and leaves its field as
// it was.
class JsonReader {
 public:
  JsonReader(const Json& value, JsonPath path, std::vector<JsonError>& errors)
      : value_(value), path_(std::move(path)), errors_(errors) {}

  template <class T>
  void key(const char* name, T& field) {
    const auto found = value_.find(name);
    if (found == value_.end()) {
      errors_.push_back({path_, std::string("lacks the key '") + name + "'"});
    } else {
      below({name, std::nullopt}, *found).read(field);
    }
  }
  template <class T>
  void extra(const char* name, T& field) {
    if (value_.contains(name))
      key(name, field);
  }
  void counts(const char* name, std::map<std::string, std::uint64_t>& values) {
    extra(name, values);
  }
  template <class T>
  void column(const char* name, std::vector<T>& values, std::size_t entries) {
    std::string text;
    const std::size_t errors = errors_.size();
    key(name, text);
    if (errors_.size() != errors)
      return;
    std::istringstream in(text);
    for (std::string entry; in >> entry;)
      if (!read_entry(entry, values.emplace_back()))
        errors_.push_back(
            {path_, fmt::format("'{}' holds '{}', which is not a count", name, entry)});
    if (values.size() == entries)
      return;
    errors_.push_back(
        {path_, fmt::format("'{}' has {} entries for {} words", name, values.size(), entries)});
  }

  template <class Record>
  void read(Record& record)
    requires requires(JsonReader& reader) { describe(reader, record); }
  {
    if (expect(value_.is_object(), "an object"))
      describe(*this, record);
  }
  void read(std::uint64_t& field) {
    if (expect(value_.is_number_unsigned(), "a non-negative integer"))
      field = value_.get<std::uint64_t>();
  }
  void read(double& field) {
    if (expect(value_.is_number(), "a number"))
      field = value_.get<double>();
  }
  void read(bool& field) {
    if (expect(value_.is_boolean(), "true or false"))
      field = value_.get<bool>();
  }
  void read(std::string& field) {
    if (expect(value_.is_string(), "a string"))
      field = value_.get<std::string>();
  }
  void read(CountSeries& field) {
    const auto series = value_.is_string()
                            ? parse_count_series(value_.get_ref<const std::string&>())
                            : std::nullopt;
    if (expect(series.has_value(), "a series of counts such as \"12 0*3 4\""))
      field = *series;
  }
  void read(ThreadName& field) {
    const auto thread =
        value_.is_string() ? parse_thread_name(value_.get_ref<const std::string&>()) : std::nullopt;
    if (expect(thread.has_value(), "a thread such as \"2.0\""))
      field = *thread;
  }
  template <class T>
  void read(std::optional<T>& field) {
    read(field.emplace());
  }
  // Lists of counts are long: the path of an entry is made only to complain of it.
  void read(std::vector<std::uint64_t>& field) {
    if (!expect(value_.is_array(), "a list"))
      return;
    field.reserve(value_.size());
    for (std::size_t i = 0; i < value_.size(); ++i) {
      field.push_back(0);
      if (value_[i].is_number_unsigned())
        field.back() = value_[i].get<std::uint64_t>();
      else
        below({"", i}, value_[i]).read(field.back());
    }
  }
  template <class T>
  void read(std::vector<T>& field) {
    if (!expect(value_.is_array(), "a list"))
      return;
    for (std::size_t i = 0; i < value_.size(); ++i)
      below({"", i}, value_[i]).read(field.emplace_back());
  }
  void read(std::map<std::string, std::uint64_t>& field) {
    if (!expect(value_.is_object(), "an object of counts"))
      return;
    for (const auto& [name, value] : value_.items())
      below({name, std::nullopt}, value).read(field[name]);
  }

 private:
  static bool read_entry(const std::string& entry, std::string& value) {
    value = entry;
    return true;
  }
  static bool read_entry(const std::string& entry, std::uint64_t& value) {
    const auto [end, status] = std::from_chars(entry.data(), entry.data() + entry.size(), value);
    return status == std::errc() && end == entry.data() + entry.size();
  }
  JsonReader below(PathStep step, const Json& value) const {
    JsonPath path = path_;
    path.push_back(std::move(step));
    return {value, std::move(path), errors_};
  }
  bool expect(bool fits, const char* wanted) {
    if (!fits)
      errors_.push_back(
          {path_, std::string("expected ") + wanted + ", found " + found_text(value_)});
    return fits;
  }

  const Json& value_;
  JsonPath path_;
  std::vector<JsonError>& errors_;
};

}  // namespace nplab::reports
