#include "workloads/rules/formats/positioned_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>

namespace nplab::workloads {
namespace {

using Json = nlohmann::json;

// Characters of the text; every copy tells the same place how far the parser has read.
class CountedCharacter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountedCharacter(const char* at, const char** read) : at_(at), read_(read) {}
  reference operator*() const { return *at_; }
  CountedCharacter& operator++() {
    *read_ = ++at_;
    return *this;
  }
  CountedCharacter operator++(int) {
    CountedCharacter before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountedCharacter& a, const CountedCharacter& b) {
    return a.at_ == b.at_;
  }
  friend bool operator!=(const CountedCharacter& a, const CountedCharacter& b) {
    return a.at_ != b.at_;
  }

 private:
  const char* at_;
  const char** read_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto at = std::find(keys_.begin(), keys_.end(), key);
  return at == keys_.end() ? nullptr : &items_[static_cast<std::size_t>(at - keys_.begin())];
}

std::string JsonValue::text_of(std::string_view key) const {
  const JsonValue* value = find(key);
  return value == nullptr ? "" : value->text();
}

const JsonValue* JsonValue::only(std::string_view key) const {
  return keys_.size() == 1 ? find(key) : nullptr;
}

// Receives the parser's events, in the order of the text.
class JsonBuilder : public nlohmann::json_sax<Json> {
 public:
  JsonBuilder(std::string_view text, std::string file, const char* const& read,
              Diagnostics& diagnostics)
      : begin_(text.data()),
        line_start_(text.data()),
        counted_(text.data()),
        read_(read),
        file_(std::move(file)),
        diagnostics_(diagnostics) {}

  bool null() override { return add(JsonValue::Kind::kNull, "null"); }
  bool boolean(bool value) override {
    return add(JsonValue::Kind::kBoolean, value ? "true" : "false");
  }
  bool number_integer(Json::number_integer_t value) override {
    return number(std::to_string(value));
  }
  bool number_unsigned(Json::number_unsigned_t value) override {
    return number(std::to_string(value));
  }
  bool number_float(Json::number_float_t, const Json::string_t& text) override {
    return number(text);
  }
  bool string(Json::string_t& value) override { return add(JsonValue::Kind::kString, value); }
  bool binary(Json::binary_t&) override { return false; }  // not in text
  bool start_object(std::size_t) override { return open(JsonValue::Kind::kMap); }
  bool start_array(std::size_t) override { return open(JsonValue::Kind::kList); }
  bool key(Json::string_t& value) override {
    open_.back().keys_.push_back(value);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string&,
                   const Json::exception& error) override {
    const char* at = begin_ + (position == 0 ? 0 : position - 1);
    diagnostics_.error(location_at(at), fmt::format("is not JSON: {}", plain(error.what())));
    return false;
  }

  JsonValue take() && { return std::move(result_); }

 private:
  // After the library's own prefix `[json.exception...] parse error at line ..., column ...: `.
  static std::string_view plain(std::string_view text) {
    const std::size_t at = text.find(": ");
    return at == std::string_view::npos ? text : text.substr(at + 2);
  }

  // Places come in ascending order, so lines are counted once.
  SourceLocation location_at(const char* at) {
    for (; counted_ < at; ++counted_) {
      if (*counted_ != '\n')
        continue;
      ++line_;
      line_start_ = counted_ + 1;
    }
    return {file_, line_, static_cast<int>(std::max<std::ptrdiff_t>(0, at - line_start_)) + 1};
  }

  JsonValue made(JsonValue::Kind kind) {
    JsonValue value;
    value.kind_ = kind;
    value.location_ = location_at(read_ - 1);
    return value;
  }
  bool add(JsonValue::Kind kind, std::string text) {
    JsonValue value = made(kind);
    value.text_ = std::move(text);
    return put(std::move(value));
  }
  bool number(std::string text) { return add(JsonValue::Kind::kNumber, std::move(text)); }
  bool open(JsonValue::Kind kind) {
    open_.push_back(made(kind));
    return true;
  }
  bool close() {
    JsonValue value = std::move(open_.back());
    open_.pop_back();
    return put(std::move(value));
  }
  bool put(JsonValue value) {
    (open_.empty() ? result_ : open_.back().items_.emplace_back()) = std::move(value);
    return true;
  }

  const char* begin_;
  const char* line_start_;
  const char* counted_;
  const char* const& read_;  // how far the parser has read
  int line_ = 1;
  std::string file_;
  Diagnostics& diagnostics_;
  std::vector<JsonValue> open_;
  JsonValue result_;
};

std::optional<JsonValue> parse_json(std::string_view text, const std::string& file,
                                    Diagnostics& diagnostics) {
  const char* read = text.data();
  JsonBuilder builder(text, file, read, diagnostics);
  const CountedCharacter begin(text.data(), &read), end(text.data() + text.size(), &read);
  if (!Json::sax_parse(begin, end, &builder))
    return std::nullopt;
  return std::move(builder).take();
}

}  // namespace nplab::workloads
