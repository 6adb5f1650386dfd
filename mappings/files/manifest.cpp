#include "mappings/files/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "mappings/files/file_keys.h"
#include "support/near_miss.h"
#include "support/parameters/check.h"
#include "support/parameters/checked_map.h"
#include "support/yaml.h"
#include "support/yaml_file.h"

namespace nplab::mappings {
namespace {

using parameters::CheckedMap;

constexpr unsigned kRegisterBits = 32;  // of an engine

template <typename T>
const T* find_named(const std::vector<T>& list, std::string_view name) {
  const auto at =
      std::find_if(list.begin(), list.end(), [&](const T& item) { return item.name == name; });
  return at == list.end() ? nullptr : &*at;
}

template <typename T>
std::vector<std::string> names_of(const std::vector<T>& list) {
  std::vector<std::string> names;
  for (const T& item : list)
    names.push_back(item.name);
  return names;
}

// Takes a checked file's values; checks what its description cannot say.
class ManifestReader {
 public:
  ManifestReader(const yaml::Node& root, Diagnostics& diagnostics)
      : root_(root), map_(root, manifest_keys()), diagnostics_(diagnostics) {}

  Manifest read(const std::string& path) {
    manifest_.file = path;
    manifest_.folder = std::filesystem::path(path).parent_path().string();
    parameters::check(root_, manifest_keys(), diagnostics_);
    if (!root_.is_map())
      return std::move(manifest_);
    manifest_.algorithm = map_.text("algorithm");
    manifest_.summary = map_.text("summary");
    read_limits();
    each("parameters", [&](const CheckedMap& map) { read_parameter(map); });
    each("tables", [&](const CheckedMap& map) { read_table(map); });
    each("metadata", [&](const CheckedMap& map) { read_metadata(map); });
    require_output(kRuleMetadata);
    require_output(kActionMetadata);
    each("tasks", [&](const CheckedMap& map) { read_task(map); });
    return std::move(manifest_);
  }

 private:
  template <typename Action>
  void each(std::string_view key, Action action) {
    const parameters::KeyMap& keys = *parameters::find_keys(manifest_keys(), key);
    std::set<std::string> seen;
    for (const yaml::Node& node : map_.items(key)) {
      if (!node.is_map())
        continue;
      action(CheckedMap(node, keys));
      const yaml::Node* name = node.find("name");
      if (name == nullptr || seen.insert(name->scalar()).second)
        continue;
      diagnostics_.error(name->location(),
                         fmt::format("'{}' is declared twice under {}", name->scalar(), key));
    }
  }

  // The integer of a key whose bounds depend on other keys.
  std::int64_t integer_within(const CheckedMap& map, std::string_view key, std::int64_t least,
                              std::int64_t most) {
    const std::int64_t value = map.integer(key);
    if (!map.fits(key) || (least <= value && value <= most))
      return value;
    diagnostics_.error(map.location(key), fmt::format("{}: {} is out of range: {}", key, value,
                                                      parameters::range_text({least, most})));
    return value;
  }

  void read_limits() {
    const CheckedMap range = map_.section("dimensions");
    manifest_.min_dimensions = static_cast<unsigned>(range.integer("min"));
    manifest_.max_dimensions = static_cast<unsigned>(
        integer_within(range, "max", manifest_.min_dimensions, kMostDimensions));
    manifest_.field_bits = static_cast<unsigned>(map_.integer("field_bits"));
    manifest_.max_rules = static_cast<std::size_t>(map_.integer("max_rules"));
    manifest_.max_rules_because = map_.text("max_rules_because");
    manifest_.no_updates_because = map_.text("no_updates_because");
    manifest_.profile_packets = static_cast<std::uint64_t>(map_.integer("profile_packets"));
  }

  void read_parameter(const CheckedMap& map) {
    ParameterDeclaration parameter;
    parameter.name = map.text("name");
    parameter.min = map.integer("min");
    parameter.max = integer_within(map, "max", parameter.min, kMostParameter);
    parameter.default_value = integer_within(map, "default", parameter.min, parameter.max);
    parameter.summary = map.text("summary");
    parameter.searched = map.boolean("searched");
    manifest_.parameters.push_back(parameter);
  }

  void read_table(const CheckedMap& map) {
    manifest_.tables.push_back({map.text("name"), map.choice<isa::MemorySpace>("memory"),
                                map.text("summary"), map.node().location(), map.text("unit"),
                                map.boolean("device")});
  }

  void read_metadata(const CheckedMap& map) {
    manifest_.metadata.push_back({map.text("name"), map.boolean("per_dimension"),
                                  map.text("summary"), map.node().location()});
  }

  void require_output(const char* name) {
    const MetadataDeclaration* output = manifest_.find_metadata(name);
    const yaml::Node* list = root_.find("metadata");
    const SourceLocation& at = list == nullptr ? root_.location() : list->location();
    if (output == nullptr) {
      diagnostics_.error(
          at, fmt::format("the metadata '{}' is missing: every algorithm gives out rule and action",
                          name));
    } else if (output->per_dimension) {
      diagnostics_.error(output->location,
                         fmt::format("the output '{}' is one value, not one per dimension", name));
    }
  }

  void read_task(const CheckedMap& map) {
    TaskDeclaration task;
    task.location = map.node().location();
    task.name = map.text("name");
    task.wide_fields = manifest_.field_bits > kRegisterBits;
    if (const yaml::Node* source = map.find("source"))
      read_source(*source, task);
    task.per = map.choice<TaskDeclaration::Per>("per");
    task.reads = read_references(map, "reads", task.per);
    task.writes = read_references(map, "writes", task.per);
    for (const FieldReference& write : task.writes) {
      if (write.kind == FieldReference::Kind::kMetadata)
        continue;
      diagnostics_.error(write.location, "packet fields are read only; a task writes metadata");
    }
    task.prepare = map.text("prepare");
    read_task_tables(map, task);
    read_leave(map, task);
    check_later_writer(map, task);
    manifest_.tasks.push_back(std::move(task));
  }

  void read_source(const yaml::Node& node, TaskDeclaration& task) {
    if (!node.is_scalar())
      return;
    const std::string& name = node.scalar();
    task.source = (std::filesystem::path(manifest_.folder) / name).string();
    if (!std::filesystem::is_regular_file(task.source)) {
      diagnostics_.error(node.location(),
                         fmt::format("there is no file '{}' beside the manifest", name));
    }
  }

  void read_task_tables(const CheckedMap& map, TaskDeclaration& task) {
    for (const yaml::Node& node : map.items("tables")) {
      if (!node.is_scalar())
        continue;
      const std::string& name = node.scalar();
      if (manifest_.find_table(name) == nullptr) {
        diagnostics_.error(node.location(),
                           fmt::format("there is no table '{}'; {}", name,
                                       suggestion(name, names_of(manifest_.tables))));
      }
      task.tables.push_back(name);
    }
  }

  void read_leave(const CheckedMap& map, TaskDeclaration& task) {
    const yaml::Node* node = map.find("leave_when_zero");
    if (node == nullptr)
      return;
    task.leave_when_zero = read_reference(*node, task.per);
    if (!task.leave_when_zero)
      return;
    const bool is_written =
        std::any_of(task.writes.begin(), task.writes.end(), [&](const FieldReference& write) {
          return write.name == task.leave_when_zero->name &&
                 write.selector == task.leave_when_zero->selector;
        });
    if (!is_written || task.leave_when_zero->selector == FieldReference::Selector::kAllDimensions) {
      diagnostics_.error(node->location(), "leave_when_zero names one value that the task writes");
      task.leave_when_zero.reset();
    }
  }

  // Once 0 has decided, the tasks behind are skipped, and stages behind learn it from the 0 alone.
  void check_later_writer(const CheckedMap& map, const TaskDeclaration& task) {
    for (const TaskDeclaration& before : manifest_.tasks) {
      const auto& decisive = before.leave_when_zero;
      if (!decisive || (task.leave_when_zero && task.leave_when_zero->name == decisive->name))
        continue;
      for (const FieldReference& write : task.writes)
        if (write.name == decisive->name)
          diagnostics_.error(
              map.location("writes"),
              fmt::format(
                  "'{0}' writes {1}, and '{2}' before it has leave_when_zero: {1}; it needs "
                  "the same, so that a 0 still says that no rule matches",
                  task.name, write.name, before.name));
    }
  }

  std::vector<FieldReference> read_references(const CheckedMap& task, std::string_view key,
                                              TaskDeclaration::Per per) {
    std::vector<FieldReference> references;
    for (const yaml::Node& node : task.items(key)) {
      if (auto reference = read_reference(node, per))
        references.push_back(std::move(*reference));
    }
    return references;
  }

  std::optional<FieldReference> read_reference(const yaml::Node& node, TaskDeclaration::Per per) {
    if (!node.is_scalar())
      return std::nullopt;
    FieldReference reference;
    reference.location = node.location();
    std::string_view name = node.scalar();
    reference.selector = take_selector(name);
    if (name == "packet.field") {
      reference.kind = FieldReference::Kind::kPacketField;
      reference.name = "field";
    } else if (name == "packet.length") {
      reference.kind = FieldReference::Kind::kPacketLength;
      reference.name = "length";
    } else {
      reference.kind = FieldReference::Kind::kMetadata;
      reference.name = name;
    }
    if (!check_reference(reference, per))
      return std::nullopt;
    return reference;
  }

  static FieldReference::Selector take_selector(std::string_view& name) {
    const auto ends_with = [&](std::string_view ending) {
      if (!name.ends_with(ending))
        return false;
      name.remove_suffix(ending.size());
      return true;
    };
    if (ends_with("[d]"))
      return FieldReference::Selector::kOwnDimension;
    if (ends_with("[*]"))
      return FieldReference::Selector::kAllDimensions;
    return FieldReference::Selector::kScalar;
  }

  bool check_reference(const FieldReference& reference, TaskDeclaration::Per per) {
    const bool is_packet = reference.kind == FieldReference::Kind::kPacketField;
    const bool is_length = reference.kind == FieldReference::Kind::kPacketLength;
    const MetadataDeclaration* metadata = manifest_.find_metadata(reference.name);
    if (!is_packet && !is_length && metadata == nullptr) {
      std::vector<std::string> known = names_of(manifest_.metadata);
      known.emplace_back("packet.field[d]");
      known.emplace_back("packet.field[*]");
      known.emplace_back("packet.length");
      diagnostics_.error(reference.location,
                         fmt::format("there is no metadata '{}'; {}", reference.name,
                                     suggestion(reference.name, known)));
      return false;
    }
    const bool has_dimensions = is_packet || (!is_length && metadata->per_dimension);
    if (has_dimensions == (reference.selector == FieldReference::Selector::kScalar)) {
      diagnostics_.error(
          reference.location,
          fmt::format("'{}' {} after it", reference.name,
                      has_dimensions ? "has one value per dimension: write [d] or [*]"
                                     : "is one value: write no [d] or [*]"));
      return false;
    }
    if (reference.selector == FieldReference::Selector::kOwnDimension &&
        per == TaskDeclaration::Per::kPacket) {
      diagnostics_.error(reference.location,
                         "a task `per: packet` has no dimension of its own: write [*]");
      return false;
    }
    return true;
  }

  const yaml::Node& root_;
  CheckedMap map_;
  Diagnostics& diagnostics_;
  Manifest manifest_;
};

}  // namespace

const TaskDeclaration* Manifest::find_task(std::string_view name) const {
  return find_named(tasks, name);
}
const TableDeclaration* Manifest::find_table(std::string_view name) const {
  return find_named(tables, name);
}
const MetadataDeclaration* Manifest::find_metadata(std::string_view name) const {
  return find_named(metadata, name);
}

std::optional<Manifest> read_manifest(const std::string& path, Diagnostics& diagnostics) {
  const auto errors_before = diagnostics.errors().size();
  const auto file = read_yaml_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  Manifest manifest = ManifestReader(file->root, diagnostics).read(path);
  if (diagnostics.errors().size() != errors_before)
    return std::nullopt;
  return manifest;
}

}  // namespace nplab::mappings
