#include "mappings/files/mapping_file.h"

#include <fmt/format.h>

#include <limits>

#include "mappings/files/file_keys.h"
#include "mappings/files/mapping_override.h"
#include "mappings/files/tuning.h"
#include "mappings/files/wiring_reader.h"
#include "support/parameters/check.h"
#include "support/parameters/checked_map.h"
#include "support/yaml.h"
#include "support/yaml_file.h"

namespace nplab::mappings {
namespace {

using parameters::CheckedMap;

constexpr std::string_view kSetOption = "--set";  // how the locations of overrides begin

constexpr isa::MemorySpace kSpaces[] = {isa::MemorySpace::kSram, isa::MemorySpace::kSdram,
                                        isa::MemorySpace::kScratch};

// Takes a checked file's values; checks what its description cannot say.
class MappingReader {
 public:
  MappingReader(const yaml::Node& root, Diagnostics& diagnostics)
      : root_(root), map_(root, mapping_keys()), diagnostics_(diagnostics) {}

  MappingFile read(const std::string& path) {
    mapping_.file = path;
    parameters::check(root_, mapping_keys(), diagnostics_);
    if (!root_.is_map())
      return std::move(mapping_);
    mapping_.name = map_.text("mapping");
    mapping_.summary = map_.text("summary");
    mapping_.algorithm = located("algorithm");
    mapping_.chip = located("chip");
    mapping_.workload = located("workload");
    mapping_.optimize = map_.choice<Optimize>("optimize");
    mapping_.egress = map_.choice<Egress>("egress");
    mapping_.no_match = map_.choice<NoMatch>("no_match");
    mapping_.buffers = {static_cast<std::uint32_t>(map_.integer("buffers")),
                        map_.location("buffers")};
    if (map_.text("front") != "none")
      mapping_.front = located("front");
    read_parameters();
    read_tables();
    read_variables();
    read_pins();
    read_tuning();
    read_wiring(root_, mapping_, diagnostics_);
    return std::move(mapping_);
  }

 private:
  Located<std::string> located(std::string_view key) const {
    return {map_.text(key), map_.location(key)};
  }

  // Calls `action(name, value)` for every entry of a map, if there is one.
  template <typename Action>
  static void each_entry(const yaml::Node* map, Action action) {
    for (std::size_t i = 0; map != nullptr && map->is_map() && i < map->keys().size(); ++i)
      action(map->keys()[i], map->items()[i]);
  }

  void read_parameters() {
    each_entry(map_.find("parameters"), [&](const std::string& name, const yaml::Node& node) {
      Diagnostics reported;
      if (const auto value = node.as_integer(reported))
        mapping_.parameters[name] = {*value, node.location()};
    });
  }

  void read_tables() {
    each_entry(map_.find("tables"), [&](const std::string& name, const yaml::Node& node) {
      if (const auto memory = memory_named(node.scalar()))
        mapping_.tables[name] = {*memory, node.location()};
    });
  }

  void read_variables() {
    const CheckedMap variables = map_.section("variables");
    for (const isa::MemorySpace space : kSpaces) {
      const std::string name = memory_name(space);
      const auto bytes = static_cast<std::uint32_t>(variables.integer(name));
      const bool is_given = variables.find(name) != nullptr;
      mapping_.variables[space] = {bytes, is_given ? variables.location(name) : root_.location()};
      if (bytes % 8 != 0) {
        diagnostics_.error(variables.location(name), "the bytes per thread are a multiple of 8");
      }
    }
  }

  void read_pins() {
    const CheckedMap memories = map_.section("memory");
    for (const isa::MemorySpace space : kSpaces) {
      each_entry(memories.find(memory_name(space)),
                 [&](const std::string& name, const yaml::Node& node) {
                   constexpr std::int64_t kHighest = std::numeric_limits<std::uint32_t>::max();
                   const auto base = parameters::integer_or(node, {0, kHighest}, 0);
                   mapping_.pins[space][name] = {static_cast<std::uint32_t>(base), node.location()};
                 });
    }
  }

  void read_tuning() {
    const CheckedMap tuning = map_.section("tuning");
    for (const TuningKey& key : tuning_keys()) {
      if (tuning.find(key.name) == nullptr)
        continue;
      const CheckedMap choice = tuning.section(key.name);
      mapping_.tuning[key.name] = {choice.integer("value"), choice.text("reason")};
    }
  }

  const yaml::Node& root_;
  CheckedMap map_;
  Diagnostics& diagnostics_;
  MappingFile mapping_;
};

// On a command line a tuning key's value alone will do; the file has a reason too.
void give_reasons(yaml::Node& root, Diagnostics& diagnostics) {
  yaml::Node* tuning = root.is_map() ? root.child("tuning") : nullptr;
  for (std::size_t i = 0; tuning != nullptr && tuning->is_map() && i < tuning->items().size();
       ++i) {
    const yaml::Node& given = tuning->items()[i];
    if (!given.is_scalar() || !given.location().file.starts_with(kSetOption))
      continue;
    const SourceLocation at = given.location();
    const std::string both =
        fmt::format("{{value: {}, reason: given on the command line}}", given.scalar());
    tuning->set(tuning->keys()[i], both, at, diagnostics);
  }
}

}  // namespace

const std::vector<std::string>& optimize_words() {
  static const std::vector<std::string> kWords{"published", "0", "1", "2", "s"};
  return kWords;
}

std::optional<MappingFile> read_mapping_file(const std::string& path,
                                             const std::vector<MappingOverride>& overrides,
                                             Diagnostics& diagnostics) {
  auto file = read_yaml_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  for (const MappingOverride& override : overrides)
    apply_override(override, file->root, diagnostics);
  give_reasons(file->root, diagnostics);
  MappingFile mapping = MappingReader(file->root, diagnostics).read(path);
  mapping.sha256 = file->sha256;
  for (const auto* name : {&mapping.algorithm, &mapping.chip, &mapping.workload}) {
    if (!name->value.empty())
      continue;
    if (!diagnostics.has_errors())
      diagnostics.error(name->location,
                        "is empty; write a name that `nplab list` shows, or a file");
    return std::nullopt;
  }
  return mapping;
}

}  // namespace nplab::mappings
