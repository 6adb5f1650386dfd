#include "support/parameters/conditional_keys.h"

namespace nplab::parameters {
namespace {

bool is_of_command_line(const yaml::Node& node) {
  return node.location().line == kNoLines;
}

}  // namespace

void drop_replaced_keys(yaml::Node& base, const yaml::Node& over, const KeyMap& map) {
  if (!base.is_map() || !over.is_map())
    return;
  for (const Key& key : map.keys) {
    const Key::Condition& condition = key.only_with;
    if (!condition.choice.empty() && over.find(condition.choice) != nullptr &&
        chosen_word(over, map, condition) != condition.word)
      base.take(key.name);
    const auto* section = std::get_if<Section>(&key.value.type);
    yaml::Node* below = base.child(key.name);
    const yaml::Node* above = over.find(key.name);
    if (section != nullptr && below != nullptr && above != nullptr)
      drop_replaced_keys(*below, *above, *section->map);
  }
}

void drop_overridden_keys(yaml::Node& root, const KeyMap& map) {
  if (!root.is_map())
    return;
  for (const Key& key : map.keys) {
    const Key::Condition& condition = key.only_with;
    yaml::Node* node = root.child(key.name);
    if (node == nullptr)
      continue;
    if (const auto* section = std::get_if<Section>(&key.value.type))
      drop_overridden_keys(*node, *section->map);
    if (condition.choice.empty() || is_of_command_line(*node))
      continue;
    const yaml::Node* choice = root.find(condition.choice);
    if (choice != nullptr && is_of_command_line(*choice) && choice->scalar() != condition.word)
      root.take(key.name);
  }
}

}  // namespace nplab::parameters
