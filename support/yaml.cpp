#include "support/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "support/near_miss.h"

namespace nplab::yaml {

// Bounds on a document. Without aliases no document has more values than bytes.
constexpr unsigned kDeepestNesting = 64;
constexpr std::size_t kMoreValuesThanBytes = 1000;

// Turns yaml-cpp's tree into ours, keeping the positions and refusing duplicate keys. Aliases are
// copied, so that a few bytes may stand for any number of values, or contain themselves.
class Builder {
 public:
  Builder(const std::string& file, std::size_t bytes, Diagnostics& diagnostics)
      : file_(file), values_left_(bytes + kMoreValuesThanBytes), diagnostics_(diagnostics) {}

  Node build(const YAML::Node& from) {
    Node node;
    if (!is_within_bounds(from))
      return node;
    ++depth_;
    node.location_ = {file_, from.Mark().line + 1, from.Mark().column + 1};
    switch (from.Type()) {
      case YAML::NodeType::Scalar:
        node.kind_ = Node::Kind::kScalar;
        node.scalar_ = from.Scalar();
        break;
      case YAML::NodeType::Sequence:
        node.kind_ = Node::Kind::kList;
        for (const auto& item : from)
          node.items_.push_back(build(item));
        break;
      case YAML::NodeType::Map:
        node.kind_ = Node::Kind::kMap;
        add_entries(node, from);
        break;
      default: break;
    }
    --depth_;
    return node;
  }

 private:
  bool is_within_bounds(const YAML::Node& from) {
    const bool is_deep = depth_ == kDeepestNesting;
    if (!is_deep && values_left_ > 0) {
      --values_left_;
      return true;
    }
    if (!is_refused_) {
      diagnostics_.error({file_, from.Mark().line + 1, from.Mark().column + 1},
                         is_deep ? fmt::format("lists and maps are nested more than {} deep, or "
                                               "contain themselves through an alias",
                                               kDeepestNesting)
                                 : "aliases make this file many times as large; write it out");
    }
    is_refused_ = true;
    values_left_ = 0;
    return false;
  }

  void add_entries(Node& map, const YAML::Node& from) {
    std::set<std::string> given;
    for (const auto& entry : from)
      add_entry(map, given, entry.first, entry.second);
  }

  void add_entry(Node& map, std::set<std::string>& given, const YAML::Node& key,
                 const YAML::Node& value) {
    const SourceLocation at{file_, key.Mark().line + 1, key.Mark().column + 1};
    if (!key.IsScalar()) {
      diagnostics_.error(at, "a key must be a string");
      return;
    }
    if (!given.insert(key.Scalar()).second) {
      diagnostics_.error(
          at, fmt::format("key '{}' is given twice in this map; keep one", key.Scalar()));
      return;
    }
    Node child = build(value);
    if (child.kind_ == Node::Kind::kNull)
      child.location_ = at;  // an empty value has no place of its own
    map.keys_.push_back(key.Scalar());
    map.items_.push_back(std::move(child));
  }

  const std::string& file_;
  std::size_t values_left_;
  unsigned depth_ = 0;
  bool is_refused_ = false;
  Diagnostics& diagnostics_;
};

namespace {

struct Line {
  std::size_t indent = 0;
  std::string_view text;  // without indent, comment and blanks at the end
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t comment = line.find(" #");
    line = line.starts_with('#') ? "" : line.substr(0, comment);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(indent);
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    lines.push_back({indent, line});
  }
  return lines;
}

// The parser notices a key without a colon only at the next colon, which may be lines further on.
Diagnostic syntax_error(std::string_view text, const std::string& file,
                        const YAML::Exception& problem) {
  Diagnostic as_found{{file, problem.mark.line + 1, problem.mark.column + 1},
                      "not valid YAML: " + problem.msg};
  if (problem.msg != YAML::ErrorMsg::MAP_VALUE && problem.msg != YAML::ErrorMsg::END_OF_MAP)
    return as_found;
  const std::vector<Line> lines = lines_of(text);
  const auto at = static_cast<std::size_t>(problem.mark.line);
  for (std::size_t i = std::min(at + 1, lines.size()); i-- > 0;) {
    const std::string_view line = lines[i].text;
    const bool is_key = line.find_first_of(":[]{}\"'|>-") == line.npos;
    if (!is_key && i < at)
      break;
    if (line.empty() || !is_key)
      continue;
    if (lines[i].indent > lines[std::min(at, lines.size() - 1)].indent)
      break;  // goes on with the value of the line before it
    return {{file, static_cast<int>(i) + 1, static_cast<int>(lines[i].indent) + 1},
            fmt::format("a ':' is missing after the key '{}'", line.substr(0, line.find(' ')))};
  }
  return as_found;
}

}  // namespace

std::optional<Node> parse(std::string_view text, const std::string& file,
                          Diagnostics& diagnostics) {
  try {
    const YAML::Node document = YAML::Load(std::string(text));
    const auto errors_before = diagnostics.errors().size();
    Node node = Builder(file, text.size(), diagnostics).build(document);
    if (diagnostics.errors().size() != errors_before)
      return std::nullopt;
    return node;
  } catch (const YAML::Exception& problem) {
    diagnostics.error(syntax_error(text, file, problem));
    return std::nullopt;
  }
}

const Node* Node::find(std::string_view key) const {
  const auto at = std::find(keys_.begin(), keys_.end(), key);
  return at == keys_.end() ? nullptr : &items_[static_cast<std::size_t>(at - keys_.begin())];
}

namespace {

std::string found(const Node& node) {
  switch (node.kind()) {
    case Node::Kind::kNull: return "nothing";
    case Node::Kind::kScalar: return fmt::format("'{}'", node.scalar());
    case Node::Kind::kList: return "a list";
    case Node::Kind::kMap: return "a map";
  }
  return "";
}

void expected(const char* what, const Node& node, Diagnostics& diagnostics) {
  diagnostics.error(node.location(), fmt::format("expected {}, found {}", what, found(node)));
}

std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t sign = 1, scale = 1;
  if (!text.empty() && text.front() == '-')
    sign = -1, text.remove_prefix(1);
  constexpr std::string_view kSuffixes = "KMG";  // each 2^10 times the one before
  if (const auto suffix = text.empty() ? std::string_view::npos : kSuffixes.find(text.back());
      suffix != std::string_view::npos) {
    scale = std::int64_t{1} << 10 * (suffix + 1);
    text.remove_suffix(1);
  }
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16)
    text.remove_prefix(2);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  std::int64_t scaled = 0;
  if (error != std::errc() || end != text.data() + text.size() || text.empty() ||
      text.front() == '-' || __builtin_mul_overflow(value, scale, &scaled)) {
    return std::nullopt;
  }
  return sign * scaled;
}

}  // namespace

std::optional<std::string> Node::as_string(Diagnostics& diagnostics) const {
  if (is_scalar())
    return scalar_;
  expected("a string", *this, diagnostics);
  return std::nullopt;
}

std::optional<std::int64_t> Node::as_integer(Diagnostics& diagnostics) const {
  if (is_scalar()) {
    if (const auto value = integer_of(scalar_))
      return value;
  }
  expected("an integer", *this, diagnostics);
  return std::nullopt;
}

std::optional<double> Node::as_number(Diagnostics& diagnostics) const {
  if (is_scalar() && !scalar_.empty()) {
    double value = 0;
    const char* last = scalar_.data() + scalar_.size();
    const auto [end, error] = std::from_chars(scalar_.data(), last, value);
    if (error == std::errc() && end == last && std::isfinite(value))
      return value;
  }
  expected("a number", *this, diagnostics);
  return std::nullopt;
}

std::optional<bool> Node::as_boolean(Diagnostics& diagnostics) const {
  if (is_scalar() && (scalar_ == "true" || scalar_ == "false"))
    return scalar_ == "true";
  expected("true or false", *this, diagnostics);
  return std::nullopt;
}

void Node::reject_unknown_keys(const std::vector<std::string>& known,
                               Diagnostics& diagnostics) const {
  if (!is_map()) {
    expected("a map", *this, diagnostics);
    return;
  }
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (std::find(known.begin(), known.end(), keys_[i]) != known.end())
      continue;
    const std::string& key = keys_[i];
    const std::string first = key.substr(0, key.find(' '));
    const bool lacks_colon = first != key && items_[i].kind() == Kind::kNull &&
                             std::find(known.begin(), known.end(), first) != known.end();
    diagnostics.error(items_[i].location(),
                      lacks_colon
                          ? fmt::format("a ':' is missing after the key '{}'", first)
                          : fmt::format("unknown key '{}'; {}", key, suggestion(key, known)));
  }
}

const Node* Node::require(std::string_view key, Diagnostics& diagnostics) const {
  if (!is_map()) {
    expected("a map", *this, diagnostics);
    return nullptr;
  }
  const Node* node = find(key);
  if (node == nullptr)
    diagnostics.error(location_, fmt::format("the key '{}' is missing here", key));
  return node;
}

bool Node::set(std::string_view path, std::string_view value, const SourceLocation& location,
               Diagnostics& diagnostics) {
  const auto dot = path.find('.');
  const std::string key(path.substr(0, dot));
  Node* child = nullptr;
  if (kind_ == Kind::kList) {
    const auto index = integer_of(key);
    if (index && *index >= 0 && *index < static_cast<std::int64_t>(items_.size()))
      child = &items_[static_cast<std::size_t>(*index)];
  } else if (kind_ == Kind::kMap) {
    child = this->child(key);
  }
  if (dot != std::string_view::npos) {
    return child != nullptr && child->set(path.substr(dot + 1), value, location, diagnostics);
  }
  if (child == nullptr && kind_ != Kind::kMap)
    return false;
  Diagnostics found;
  auto replacement = parse(value, location.file, found);
  for (const Diagnostic& error : found.errors())
    diagnostics.error(location, error.message);
  if (!replacement)
    return false;
  replacement->place_at(location);
  if (child != nullptr) {
    *child = std::move(*replacement);
  } else {
    keys_.push_back(key);
    items_.push_back(std::move(*replacement));
  }
  return true;
}

void Node::place_at(const SourceLocation& location) {
  location_ = location;
  for (Node& item : items_)
    item.place_at(location);
}

void Node::overlay(const Node& over) {
  if (kind_ != Kind::kMap || over.kind_ != Kind::kMap) {
    *this = over;
    return;
  }
  for (std::size_t i = 0; i < over.keys_.size(); ++i) {
    const auto known = std::find(keys_.begin(), keys_.end(), over.keys_[i]);
    if (known != keys_.end()) {
      items_[static_cast<std::size_t>(known - keys_.begin())].overlay(over.items_[i]);
    } else {
      keys_.push_back(over.keys_[i]);
      items_.push_back(over.items_[i]);
    }
  }
}

std::optional<Node> Node::take(std::string_view key) {
  const auto known = std::find(keys_.begin(), keys_.end(), key);
  if (kind_ != Kind::kMap || known == keys_.end())
    return std::nullopt;
  const auto item = items_.begin() + (known - keys_.begin());
  Node taken = std::move(*item);
  items_.erase(item);
  keys_.erase(known);
  return taken;
}

void Node::rename(std::string_view key, std::string_view new_name) {
  const auto known = std::find(keys_.begin(), keys_.end(), key);
  if (known != keys_.end())
    *known = new_name;
}

Node* Node::child(std::string_view key) {
  const auto known = std::find(keys_.begin(), keys_.end(), key);
  return known == keys_.end() ? nullptr : child(static_cast<std::size_t>(known - keys_.begin()));
}

}  // namespace nplab::yaml
