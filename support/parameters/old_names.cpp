#include "support/parameters/old_names.h"

#include <fmt/format.h>

namespace nplab::parameters {
namespace {

void rename_below(yaml::Node& node, const Value& value, Diagnostics& diagnostics) {
  if (const auto* section = std::get_if<Section>(&value.type)) {
    rename_old_keys(node, *section->map, diagnostics);
  } else if (const auto* list = std::get_if<List>(&value.type)) {
    for (std::size_t i = 0; node.is_list() && i < node.items().size(); ++i)
      rename_below(*node.child(i), *list->item, diagnostics);
  } else if (const auto* names = std::get_if<Names>(&value.type)) {
    for (std::size_t i = 0; node.is_map() && i < node.items().size(); ++i)
      rename_below(*node.child(i), *names->value, diagnostics);
  } else if (const auto* one_of = std::get_if<OneOf>(&value.type)) {
    for (const Value& type : one_of->types)
      rename_below(node, type, diagnostics);
  }
}

void rename(yaml::Node& map, const std::string& old_name, const Key& key,
            Diagnostics& diagnostics) {
  const yaml::Node* old = map.find(old_name);
  if (old == nullptr)
    return;
  const yaml::Node* present = map.find(key.name);
  if (present != nullptr && present->location().file == old->location().file) {
    diagnostics.error(old->location(), fmt::format("'{}' is the old name of '{}', which is given "
                                                   "too; keep '{}'",
                                                   old_name, key.name, key.name));
    map.take(old_name);
    return;
  }
  diagnostics.warning(old->location(),
                      fmt::format("'{}' is deprecated; its name is now '{}'", old_name, key.name));
  if (present != nullptr)
    map.take(key.name);
  map.rename(old_name, key.name);
}

}  // namespace

void rename_old_keys(yaml::Node& root, const KeyMap& map, Diagnostics& diagnostics) {
  if (!root.is_map())
    return;
  for (const Key& key : map.keys) {
    for (const std::string& old_name : key.old_names)
      rename(root, old_name, key, diagnostics);
    if (yaml::Node* node = root.child(key.name))
      rename_below(*node, key.value, diagnostics);
  }
}

}  // namespace nplab::parameters
