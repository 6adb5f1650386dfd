#include "mappings/files/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "mappings/files/yaml_values.h"
#include "support/input_file.h"
#include "support/near_miss.h"
#include "support/yaml.h"

namespace nplab::mappings {
namespace {

constexpr unsigned kMostDimensions = 64;  // the header fields a rule may name
constexpr unsigned kWidestField = 64;

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

class ManifestReader {
 public:
  ManifestReader(const yaml::Node& root, Diagnostics& diagnostics)
      : root_(root), diagnostics_(diagnostics) {}

  Manifest read(const std::string& path) {
    manifest_.file = path;
    manifest_.folder = std::filesystem::path(path).parent_path().string();
    root_.reject_unknown_keys({"algorithm", "summary", "dimensions", "field_bits", "max_rules",
                               "max_rules_because", "parameters", "tables", "metadata", "tasks"},
                              diagnostics_);
    if (!root_.is_map())
      return std::move(manifest_);
    manifest_.algorithm = require_word(root_, "algorithm", diagnostics_);
    manifest_.summary = require_word(root_, "summary", diagnostics_);
    read_limits();
    each("parameters", [&](const yaml::Node& node) { read_parameter(node); });
    each("tables", [&](const yaml::Node& node) { read_table(node); });
    each("metadata", [&](const yaml::Node& node) { read_metadata(node); });
    require_output(kRuleMetadata);
    require_output(kActionMetadata);
    if (root_.require("tasks", diagnostics_) != nullptr) {
      each("tasks", [&](const yaml::Node& node) { read_task(node); });
    }
    return std::move(manifest_);
  }

 private:
  template <typename Action>
  void each(std::string_view key, Action action) {
    const yaml::Node* list = root_.find(key);
    if (list == nullptr)
      return;
    std::set<std::string> seen;
    for (const yaml::Node& node : read_list(*list, diagnostics_)) {
      action(node);
      const yaml::Node* name = node.is_map() ? node.find("name") : nullptr;
      if (name == nullptr || seen.insert(name->scalar()).second)
        continue;
      diagnostics_.error(name->location(),
                         fmt::format("'{}' is declared twice under {}", name->scalar(), key));
    }
  }

  std::int64_t integer(const yaml::Node& map, std::string_view key, std::int64_t min,
                       std::int64_t max) {
    const yaml::Node* node = map.require(key, diagnostics_);
    return node == nullptr ? min : read_integer(*node, min, max, diagnostics_).value_or(min);
  }

  void read_limits() {
    if (const yaml::Node* range = root_.require("dimensions", diagnostics_)) {
      range->reject_unknown_keys({"min", "max"}, diagnostics_);
      manifest_.min_dimensions = static_cast<unsigned>(integer(*range, "min", 1, kMostDimensions));
      manifest_.max_dimensions =
          static_cast<unsigned>(integer(*range, "max", manifest_.min_dimensions, kMostDimensions));
    }
    manifest_.field_bits = static_cast<unsigned>(integer(root_, "field_bits", 1, kWidestField));
    manifest_.max_rules = static_cast<std::size_t>(
        integer(root_, "max_rules", 1, std::numeric_limits<std::uint32_t>::max()));
    manifest_.max_rules_because = optional_word(root_, "max_rules_because", diagnostics_);
  }

  void read_parameter(const yaml::Node& node) {
    node.reject_unknown_keys({"name", "default", "min", "max", "summary"}, diagnostics_);
    if (!node.is_map())
      return;
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    ParameterDeclaration parameter;
    parameter.name = require_identifier(node, "name", diagnostics_);
    parameter.min = integer(node, "min", 0, kMost);
    parameter.max = integer(node, "max", parameter.min, kMost);
    parameter.default_value = integer(node, "default", parameter.min, parameter.max);
    parameter.summary = optional_word(node, "summary", diagnostics_);
    manifest_.parameters.push_back(parameter);
  }

  void read_table(const yaml::Node& node) {
    node.reject_unknown_keys({"name", "memory", "summary"}, diagnostics_);
    if (!node.is_map())
      return;
    TableDeclaration table;
    table.name = require_identifier(node, "name", diagnostics_);
    if (const yaml::Node* memory = node.require("memory", diagnostics_)) {
      table.memory = read_memory(*memory, diagnostics_).value_or(table.memory);
    }
    table.summary = optional_word(node, "summary", diagnostics_);
    table.location = node.location();
    manifest_.tables.push_back(table);
  }

  void read_metadata(const yaml::Node& node) {
    node.reject_unknown_keys({"name", "per_dimension", "summary"}, diagnostics_);
    if (!node.is_map())
      return;
    MetadataDeclaration metadata;
    metadata.name = require_identifier(node, "name", diagnostics_);
    if (const yaml::Node* flag = node.find("per_dimension")) {
      metadata.per_dimension = flag->as_boolean(diagnostics_).value_or(false);
    }
    metadata.summary = optional_word(node, "summary", diagnostics_);
    metadata.location = node.location();
    manifest_.metadata.push_back(metadata);
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
                         fmt::format("the output '{}' is one value, not one a dimension", name));
    }
  }

  void read_task(const yaml::Node& node) {
    node.reject_unknown_keys(
        {"name", "source", "per", "reads", "writes", "tables", "leave_when_zero", "prepare"},
        diagnostics_);
    if (!node.is_map())
      return;
    TaskDeclaration task;
    task.location = node.location();
    task.name = require_identifier(node, "name", diagnostics_);
    if (const yaml::Node* source = node.require("source", diagnostics_))
      read_source(*source, task);
    if (const yaml::Node* per = node.require("per", diagnostics_)) {
      const auto choice = read_choice(*per, {"packet", "dimension"}, diagnostics_);
      task.per =
          choice.value_or(0) == 0 ? TaskDeclaration::Per::packet : TaskDeclaration::Per::dimension;
    }
    task.reads = read_references(node, "reads", task.per);
    task.writes = read_references(node, "writes", task.per);
    for (const FieldReference& write : task.writes) {
      if (write.kind != FieldReference::Kind::packet_field)
        continue;
      diagnostics_.error(write.location, "packet fields are read only; a task writes metadata");
    }
    if (node.find("prepare") != nullptr)
      task.prepare = require_identifier(node, "prepare", diagnostics_);
    read_task_tables(node, task);
    read_leave(node, task);
    manifest_.tasks.push_back(std::move(task));
  }

  void read_source(const yaml::Node& node, TaskDeclaration& task) {
    const auto name = node.as_string(diagnostics_);
    if (!name)
      return;
    task.source = (std::filesystem::path(manifest_.folder) / *name).string();
    if (!std::filesystem::is_regular_file(task.source)) {
      diagnostics_.error(node.location(),
                         fmt::format("there is no file '{}' beside the manifest", *name));
    }
  }

  void read_task_tables(const yaml::Node& task_node, TaskDeclaration& task) {
    const yaml::Node* list = task_node.find("tables");
    if (list == nullptr)
      return;
    for (const yaml::Node& node : read_list(*list, diagnostics_)) {
      const auto name = node.as_string(diagnostics_);
      if (!name)
        continue;
      if (manifest_.find_table(*name) == nullptr) {
        diagnostics_.error(node.location(),
                           fmt::format("there is no table '{}'; {}", *name,
                                       suggestion(*name, names_of(manifest_.tables))));
      }
      task.tables.push_back(*name);
    }
  }

  void read_leave(const yaml::Node& task_node, TaskDeclaration& task) {
    const yaml::Node* node = task_node.find("leave_when_zero");
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
    if (!is_written || task.leave_when_zero->selector == FieldReference::Selector::all_dimensions) {
      diagnostics_.error(node->location(), "leave_when_zero names one value that the task writes");
    }
  }

  std::vector<FieldReference> read_references(const yaml::Node& task, std::string_view key,
                                              TaskDeclaration::Per per) {
    std::vector<FieldReference> references;
    const yaml::Node* list = task.require(key, diagnostics_);
    if (list == nullptr)
      return references;
    for (const yaml::Node& node : read_list(*list, diagnostics_)) {
      if (auto reference = read_reference(node, per))
        references.push_back(std::move(*reference));
    }
    return references;
  }

  std::optional<FieldReference> read_reference(const yaml::Node& node, TaskDeclaration::Per per) {
    const auto text = node.as_string(diagnostics_);
    if (!text)
      return std::nullopt;
    FieldReference reference;
    reference.location = node.location();
    std::string_view name = *text;
    reference.selector = take_selector(name);
    if (name == "packet.field") {
      reference.kind = FieldReference::Kind::packet_field;
      reference.name = "field";
    } else {
      reference.kind = FieldReference::Kind::metadata;
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
      return FieldReference::Selector::own_dimension;
    if (ends_with("[*]"))
      return FieldReference::Selector::all_dimensions;
    return FieldReference::Selector::scalar;
  }

  bool check_reference(const FieldReference& reference, TaskDeclaration::Per per) {
    const bool is_packet = reference.kind == FieldReference::Kind::packet_field;
    const MetadataDeclaration* metadata = manifest_.find_metadata(reference.name);
    if (!is_packet && metadata == nullptr) {
      std::vector<std::string> known = names_of(manifest_.metadata);
      known.emplace_back("packet.field[d]");
      known.emplace_back("packet.field[*]");
      diagnostics_.error(reference.location,
                         fmt::format("there is no metadata '{}'; {}", reference.name,
                                     suggestion(reference.name, known)));
      return false;
    }
    const bool has_dimensions = is_packet || metadata->per_dimension;
    if (has_dimensions == (reference.selector == FieldReference::Selector::scalar)) {
      diagnostics_.error(reference.location,
                         fmt::format("'{}' {} behind it", reference.name,
                                     has_dimensions ? "has one value a dimension: write [d] or [*]"
                                                    : "is one value: write no [d] or [*]"));
      return false;
    }
    if (reference.selector == FieldReference::Selector::own_dimension &&
        per == TaskDeclaration::Per::packet) {
      diagnostics_.error(reference.location,
                         "a task `per: packet` has no dimension of its own: write [*]");
      return false;
    }
    return true;
  }

  const yaml::Node& root_;
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
  const auto file = read_input_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  const auto root = yaml::parse(file->bytes, path, diagnostics);
  if (!root)
    return std::nullopt;
  Manifest manifest = ManifestReader(*root, diagnostics).read(path);
  if (diagnostics.errors().size() != errors_before)
    return std::nullopt;
  return manifest;
}

}  // namespace nplab::mappings
