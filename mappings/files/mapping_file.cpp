#include "mappings/files/mapping_file.h"

#include <fmt/format.h>

#include <limits>

#include "mappings/files/mapping_override.h"
#include "mappings/files/tuning.h"
#include "mappings/files/wiring_reader.h"
#include "support/input_file.h"
#include "support/near_miss.h"
#include "support/yaml.h"

namespace nplab::mappings {
namespace {

constexpr std::string_view kSetOption = "--set";  // how the locations of overrides begin
constexpr std::uint32_t kDefaultBuffers = 1024;
constexpr std::uint32_t kMostBuffers = 1 << 17;  // 2048 bytes each fill the 256 MB of SDRAM
constexpr std::uint32_t kDefaultScratchVariables =
    64;  // bytes a thread: 24 threads take 1.5 of the 4 KB
constexpr std::uint32_t kDefaultSramVariables = 256;  // bytes a thread

class MappingReader {
 public:
  MappingReader(const yaml::Node& root, Diagnostics& diagnostics)
      : root_(root), diagnostics_(diagnostics) {}

  MappingFile read(const std::string& path) {
    mapping_.file = path;
    root_.reject_unknown_keys(
        {"mapping", "algorithm", "summary", "chip", "workload", "optimize", "parameters", "buffers",
         "tables", "stages", "queues", "egress", "no_match", "memory", "variables", "tuning"},
        diagnostics_);
    if (!root_.is_map())
      return std::move(mapping_);
    mapping_.name = require_word(root_, "mapping", diagnostics_);
    mapping_.summary = optional_word(root_, "summary", diagnostics_);
    mapping_.algorithm = required(root_, "algorithm");
    mapping_.chip = required(root_, "chip");
    mapping_.workload = required(root_, "workload");
    read_policies();
    read_parameters();
    read_memory_use();
    read_pins();
    read_tuning();
    read_wiring(root_, mapping_, diagnostics_);
    return std::move(mapping_);
  }

 private:
  Located<std::string> required(const yaml::Node& map, std::string_view key) {
    const yaml::Node* node = map.require(key, diagnostics_);
    if (node == nullptr)
      return {"", map.location()};
    return {node->as_string(diagnostics_).value_or(""), node->location()};
  }

  void read_policies() {
    mapping_.optimize =
        read_enum(root_, "optimize", optimize_words(), Optimize::full, diagnostics_);
    mapping_.egress =
        read_enum(root_, "egress", {"same_port", "by_action"}, Egress::same_port, diagnostics_);
    mapping_.no_match =
        read_enum(root_, "no_match", {"drop", "allow"}, NoMatch::drop, diagnostics_);
  }

  // Calls `action(key, value)` for every entry of the map under `key`, if there is one.
  template <typename Action>
  void each_entry(const yaml::Node& parent, std::string_view key, Action action) {
    const yaml::Node* map = parent.find(key);
    if (map == nullptr || map->kind() == yaml::Node::Kind::kNull)
      return;
    if (!map->is_map()) {
      diagnostics_.error(map->location(), fmt::format("'{}' is a map of names and values", key));
      return;
    }
    for (const std::string& name : map->keys())
      action(name, *map->find(name));
  }

  void read_parameters() {
    each_entry(root_, "parameters", [&](const std::string& name, const yaml::Node& node) {
      const auto value = node.as_integer(diagnostics_);
      if (value)
        mapping_.parameters[name] = {*value, node.location()};
    });
  }

  void read_memory_use() {
    const yaml::Node* buffers = root_.find("buffers");
    mapping_.buffers = buffers == nullptr
                           ? Located<std::uint32_t>{kDefaultBuffers, root_.location()}
                           : read_count(*buffers, 1, kMostBuffers, diagnostics_);
    each_entry(root_, "tables", [&](const std::string& name, const yaml::Node& node) {
      const auto memory = mappings::read_memory(node, diagnostics_);
      if (memory)
        mapping_.tables[name] = {*memory, node.location()};
    });
    mapping_.variables[isa::MemorySpace::kScratch] = {kDefaultScratchVariables, root_.location()};
    mapping_.variables[isa::MemorySpace::kSram] = {kDefaultSramVariables, root_.location()};
    mapping_.variables[isa::MemorySpace::kSdram] = {0, root_.location()};
    each_memory("variables", [&](isa::MemorySpace space, const yaml::Node& node) {
      constexpr std::uint32_t kMostVariables = 1 << 20;
      mapping_.variables[space] = read_count(node, 0, kMostVariables, diagnostics_);
      if (mapping_.variables[space].value % 8 != 0) {
        diagnostics_.error(node.location(), "the bytes a thread are a multiple of 8");
      }
    });
  }

  template <typename Action>
  void each_memory(std::string_view key, Action action) {
    if (const yaml::Node* map = root_.find(key))
      map->reject_unknown_keys({"sram", "sdram", "scratch"}, diagnostics_);
    each_entry(root_, key, [&](const std::string& name, const yaml::Node& node) {
      if (name == "sram")
        action(isa::MemorySpace::kSram, node);
      if (name == "sdram")
        action(isa::MemorySpace::kSdram, node);
      if (name == "scratch")
        action(isa::MemorySpace::kScratch, node);
    });
  }

  void read_pins() {
    each_memory("memory", [&](isa::MemorySpace space, const yaml::Node& names) {
      if (!names.is_map()) {
        diagnostics_.error(names.location(), "expected a map of purposes and base addresses");
        return;
      }
      for (const std::string& name : names.keys()) {
        const yaml::Node& node = *names.find(name);
        mapping_.pins[space][name] =
            read_count(node, 0, std::numeric_limits<std::uint32_t>::max(), diagnostics_);
      }
    });
  }

  void read_tuning() {
    each_entry(root_, "tuning", [&](const std::string& name, const yaml::Node& node) {
      const TuningKey* key = find_tuning_key(name);
      if (key == nullptr) {
        diagnostics_.error(node.location(), fmt::format("unknown tuning key '{}'; {}", name,
                                                        suggestion(name, tuning_key_names())));
        return;
      }
      TuningEntry entry;
      // On a command line the value alone will do.
      if (node.is_scalar() && node.location().file.starts_with(kSetOption)) {
        entry.value = read_integer(node, key->min, key->max, diagnostics_).value_or(key->min);
        entry.reason = "given on the command line";
        mapping_.tuning[name] = entry;
        return;
      }
      node.reject_unknown_keys({"value", "reason"}, diagnostics_);
      if (!node.is_map())
        return;
      if (const yaml::Node* value = node.require("value", diagnostics_)) {
        entry.value = read_integer(*value, key->min, key->max, diagnostics_).value_or(key->min);
      }
      entry.reason = require_word(node, "reason", diagnostics_);
      mapping_.tuning[name] = entry;
    });
  }

  const yaml::Node& root_;
  Diagnostics& diagnostics_;
  MappingFile mapping_;
};

}  // namespace

const std::vector<std::string>& optimize_words() {
  static const std::vector<std::string> kWords{"published", "0", "1", "2", "s"};
  return kWords;
}

std::optional<MappingFile> read_mapping_file(const std::string& path,
                                             const std::vector<MappingOverride>& overrides,
                                             Diagnostics& diagnostics) {
  const auto file = read_input_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  auto root = yaml::parse(file->bytes, path, diagnostics);
  if (!root)
    return std::nullopt;
  for (const MappingOverride& override : overrides)
    apply_override(override, *root, diagnostics);
  MappingFile mapping = MappingReader(*root, diagnostics).read(path);
  mapping.sha256 = file->sha256;
  for (const auto* name : {&mapping.algorithm, &mapping.chip, &mapping.workload}) {
    if (name->value.empty())
      return std::nullopt;
  }
  return mapping;
}

}  // namespace nplab::mappings
