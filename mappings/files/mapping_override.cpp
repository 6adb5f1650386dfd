#include "mappings/files/mapping_override.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "support/near_miss.h"

namespace nplab::mappings {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

struct Step {
  const yaml::Node* child = nullptr;
  std::string key;                 // as yaml::Node::set takes it
  std::vector<std::string> known;  // what could stand here
};

// One step down a list: by number, or by the `name` of an item.
Step step_into_list(const yaml::Node& list, const std::string& key) {
  Step step;
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    const yaml::Node* name = list.items()[i].is_map() ? list.items()[i].find("name") : nullptr;
    const std::string number = std::to_string(i);
    step.known.push_back(name != nullptr ? name->scalar() : number);
    if (key == number || (name != nullptr && name->scalar() == key && !is_number(key))) {
      step.child = &list.items()[i];
      step.key = number;
    }
  }
  return step;
}

Step step_into(const yaml::Node& node, const std::string& key) {
  if (node.is_list())
    return step_into_list(node, key);
  if (node.is_map())
    return {node.find(key), key, node.keys()};
  return {};
}

bool is_absent(const Step& step) {
  return step.child == nullptr || step.child->kind() == yaml::Node::Kind::kNull;
}

// Keys of a mapping whose value is a map of names and values; a mapping that sets none leaves them
// out.
bool is_map_key(std::string_view key) {
  constexpr std::string_view kKeys[] = {"parameters", "tables", "memory", "variables", "tuning"};
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

// `b.c` and a value: `{b: {c: value}}`.
std::string nested(std::string_view path, const std::string& value) {
  const auto dot = path.find('.');
  const std::string key(path.substr(0, dot));
  const std::string inner =
      dot == std::string_view::npos ? value : nested(path.substr(dot + 1), value);
  return fmt::format("{{{}: {}}}", key, inner);
}

}  // namespace

void apply_override(const MappingOverride& override, yaml::Node& root, Diagnostics& diagnostics) {
  const yaml::Node* at = &root;
  std::string path;
  std::string_view rest = override.path;
  const auto top = rest.find('.');
  while (true) {
    const auto dot = rest.find('.');
    const std::string key(rest.substr(0, dot));
    const Step step = step_into(*at, key);
    const bool is_last = dot == std::string_view::npos;
    // The schema judges new keys, and what lies below a key that takes any name.
    const bool is_new_key =
        at->is_map() && (is_last || is_map_key(std::string_view(override.path).substr(0, top)));
    if (step.child == nullptr && !is_new_key) {
      const std::string hint = step.known.empty() ? "it has no parts" : suggestion(key, step.known);
      diagnostics.error(override.location,
                        fmt::format("there is no '{}' in '{}'; {}", key, override.path, hint));
      return;
    }
    path += step.key.empty() ? key : step.key;
    if (is_last)
      break;
    if (is_absent(step)) {
      root.set(path, nested(rest.substr(dot + 1), override.value), override.location, diagnostics);
      return;
    }
    path += '.';
    at = step.child;
    rest.remove_prefix(dot + 1);
  }
  root.set(path, override.value, override.location, diagnostics);
}

}  // namespace nplab::mappings
