#include "experiments/exploration/space_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "experiments/exploration/space_keys.h"
#include "mappings/files/file_keys.h"
#include "support/near_miss.h"
#include "support/parameters/check.h"
#include "support/parameters/checked_map.h"
#include "support/yaml.h"
#include "support/yaml_file.h"

namespace nplab::experiments {
namespace {

using parameters::CheckedMap;

// The enumerator that a word of a choice stands for; the file was checked.
template <typename Enum>
Enum enumerator(const std::vector<std::string>& words, const std::string& word) {
  const auto at = std::find(words.begin(), words.end(), word);
  return static_cast<Enum>(at == words.end() ? 0 : at - words.begin());
}

const std::vector<std::string>& words_of_queue(std::string_view key) {
  const parameters::KeyMap* keys = parameters::find_keys(mappings::mapping_keys(), "queues");
  return std::get<parameters::Choice>(keys->find(key)->value.type).words;
}

template <typename Value>
void keep_first(std::vector<Value>& values) {
  values.resize(std::min<std::size_t>(values.size(), 1));
}

void keep_first_of(QueueValues& values) {
  keep_first(values.per);
  keep_first(values.memory);
  keep_first(values.entries);
}

// Only where the search starts, except for cuts and the engines of stages.
SpaceDescription with_first_values(SpaceDescription space) {
  keep_first(space.sharing);
  keep_first(space.threads);
  keep_first(space.receive_engines);
  keep_first(space.transmit_threads);
  keep_first(space.port_engines);
  for (QueueValues* values : {&space.received, &space.between, &space.classified})
    keep_first_of(*values);
  for (auto& [table, memories] : space.tables)
    keep_first(memories);
  for (auto& [parameter, values] : space.parameters)
    keep_first(values);
  keep_first(space.optimize);
  return space;
}

class SpaceReader {
 public:
  SpaceReader(const yaml::Node& root, SpaceDescription space, const mappings::Manifest& manifest,
              Diagnostics& diagnostics)
      : map_(root, space_keys()),
        space_(std::move(space)),
        manifest_(manifest),
        diagnostics_(diagnostics) {}

  SpaceDescription read() {
    enum class Others { kAll, kFirst };
    if (map_.choice<Others>("others") == Others::kFirst)
      space_ = with_first_values(std::move(space_));
    space_.name = map_.text("space");
    if (map_.find("summary") != nullptr)
      space_.summary = map_.text("summary");
    read_stages(map_.section("stages"));
    read_engines(map_.section("engines"));
    read_ports();
    const CheckedMap queues = map_.section("queues");
    read_queue(queues.section("received"), space_.received);
    read_queue(queues.section("between"), space_.between);
    read_queue(queues.section("classified"), space_.classified);
    read_tables();
    read_parameters();
    read_choices<mappings::Optimize>(map_, "optimize", mappings::optimize_words(), space_.optimize);
    if (map_.find("buffers") != nullptr)
      space_.buffers = static_cast<std::uint32_t>(map_.integer("buffers"));
    return std::move(space_);
  }

 private:
  template <typename Number>
  void read_numbers(const CheckedMap& map, std::string_view key, std::vector<Number>& values) {
    if (map.find(key) == nullptr)
      return;
    values.clear();
    for (const yaml::Node& item : map.items(key)) {
      Diagnostics reported;
      if (const auto number = item.as_integer(reported))
        add(static_cast<Number>(*number), item, values);
    }
  }

  template <typename Enum>
  void read_choices(const CheckedMap& map, std::string_view key,
                    const std::vector<std::string>& words, std::vector<Enum>& values) {
    if (map.find(key) == nullptr)
      return;
    values.clear();
    for (const yaml::Node& item : map.items(key))
      add(enumerator<Enum>(words, item.scalar()), item, values);
  }

  template <typename Value>
  void add(Value value, const yaml::Node& item, std::vector<Value>& values) {
    if (std::find(values.begin(), values.end(), value) == values.end())
      return values.push_back(value);
    diagnostics_.error(item.location(), fmt::format("'{}' stands here twice", item.scalar()));
  }

  void read_stages(const CheckedMap& stages) {
    if (stages.find("least") != nullptr)
      space_.cuts.least_stages = static_cast<unsigned>(stages.integer("least"));
    if (stages.find("most") != nullptr)
      space_.cuts.most_stages = static_cast<unsigned>(stages.integer("most"));
    else
      space_.cuts.most_stages = std::max(space_.cuts.most_stages, space_.cuts.least_stages);
    space_.cuts.order = stages.choice<TaskOrder>("task_order");
    space_.cuts.forks = stages.boolean("forks");
    read_choices<EngineSharing>(stages, "sharing", {"own", "pool"}, space_.sharing);
    if (space_.cuts.least_stages > space_.cuts.most_stages) {
      diagnostics_.error(stages.location("least"),
                         fmt::format("at least {} stages, but at most {}; no mapping has so many",
                                     space_.cuts.least_stages, space_.cuts.most_stages));
    }
  }

  void read_engines(const CheckedMap& engines) {
    if (engines.find("most") != nullptr) {
      const auto most = static_cast<unsigned>(engines.integer("most"));
      if (most > space_.most_engines) {
        diagnostics_.error(engines.location("most"),
                           fmt::format("the chip has {} engines", space_.most_engines));
      }
      space_.most_engines = most;
    }
    space_.takes_rest = engines.find("per_stage") == nullptr;
    read_numbers(engines, "per_stage", space_.engines_per_stage);
    read_numbers(engines, "threads", space_.threads);
  }

  void read_ports() {
    const CheckedMap receive = map_.section("receive"), transmit = map_.section("transmit");
    read_numbers(receive, "engines", space_.receive_engines);
    read_numbers(transmit, "threads", space_.transmit_threads);
    if (transmit.find("with_receive") == nullptr)
      return;
    space_.port_engines.clear();
    for (const yaml::Node& item : transmit.items("with_receive")) {
      Diagnostics reported;
      const bool is_together = item.as_boolean(reported).value_or(false);
      add(is_together ? PortEngines::kTogether : PortEngines::kApart, item, space_.port_engines);
    }
  }

  void read_queue(const CheckedMap& map, QueueValues& values) {
    read_choices(map, "per", words_of_queue("per"), values.per);
    read_choices(map, "route", words_of_queue("route"), values.route);
    read_choices(map, "memory", words_of_queue("memory"), values.memory);
    read_choices(map, "sync", words_of_queue("sync"), values.sync);
    read_choices(map, "wait", words_of_queue("wait"), values.wait);
    read_choices(map, "order", words_of_queue("order"), values.order);
    read_numbers(map, "entries", values.entries);
    read_numbers(map, "quantum", values.quantum);
    read_numbers(map, "poll_cycles", values.poll_cycles);
    for (const yaml::Node& item : map.items("entries")) {
      Diagnostics reported;
      const auto entries = item.as_integer(reported);
      if (entries && *entries > 0 && !std::has_single_bit(static_cast<std::uint64_t>(*entries)))
        diagnostics_.error(item.location(), "the number of entries is a power of two");
    }
  }

  void read_tables() {
    const yaml::Node* tables = map_.find("tables");
    for (std::size_t i = 0; tables != nullptr && tables->is_map() && i < tables->keys().size();
         ++i) {
      const auto known = space_.tables.find(tables->keys()[i]);
      if (known == space_.tables.end()) {
        unknown(tables->items()[i], "table", tables->keys()[i], space_.tables);
        continue;
      }
      known->second.clear();
      for (const yaml::Node& item : tables->items()[i].items()) {
        if (const auto memory = mappings::memory_named(item.scalar()))
          add(*memory, item, known->second);
      }
    }
  }

  void read_parameters() {
    const yaml::Node* parameters = map_.find("parameters");
    for (const mappings::ParameterDeclaration& parameter : manifest_.parameters) {
      const yaml::Node* values = parameters == nullptr ? nullptr : parameters->find(parameter.name);
      if (values == nullptr)
        continue;
      auto& chosen = space_.parameters.at(parameter.name);
      chosen.clear();
      for (const yaml::Node& item : values->items()) {
        Diagnostics reported;
        const auto value = item.as_integer(reported);
        if (value && (*value < parameter.min || *value > parameter.max)) {
          diagnostics_.error(item.location(), fmt::format("'{}' is {} to {}", parameter.name,
                                                          parameter.min, parameter.max));
        } else if (value) {
          add(*value, item, chosen);
        }
      }
    }
    for (std::size_t i = 0; parameters != nullptr && i < parameters->keys().size(); ++i) {
      if (!space_.parameters.contains(parameters->keys()[i]))
        unknown(parameters->items()[i], "parameter", parameters->keys()[i], space_.parameters);
    }
  }

  template <typename Map>
  void unknown(const yaml::Node& node, const char* kind, const std::string& name,
               const Map& known) {
    std::vector<std::string> names;
    for (const auto& [one, values] : known)
      names.push_back(one);
    diagnostics_.error(node.location(), fmt::format("'{}' has no {} '{}'; {}", manifest_.algorithm,
                                                    kind, name, suggestion(name, names)));
  }

  CheckedMap map_;
  SpaceDescription space_;
  const mappings::Manifest& manifest_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<QueueShape> QueueValues::shapes() const {
  std::vector<QueueShape> shapes{QueueShape{}};
  const auto combine = [&](const auto& values, auto member) {
    std::vector<QueueShape> combined;
    for (const QueueShape& shape : shapes) {
      for (const auto& value : values) {
        combined.push_back(shape);
        combined.back().*member = value;
      }
    }
    shapes = std::move(combined);
  };
  combine(per, &QueueShape::per);
  combine(route, &QueueShape::route);
  combine(memory, &QueueShape::memory);
  combine(entries, &QueueShape::entries);
  combine(sync, &QueueShape::sync);
  combine(wait, &QueueShape::wait);
  combine(order, &QueueShape::order);
  combine(quantum, &QueueShape::quantum);
  combine(poll_cycles, &QueueShape::poll_cycles);
  return shapes;
}

std::string to_string(const QueueShape& shape) {
  const auto word = [](std::string_view key, auto value) {
    return words_of_queue(key).at(static_cast<std::size_t>(value));
  };
  std::string text = word("per", shape.per);
  if (shape.per != mappings::QueuePer::kShared && shape.route != mappings::QueueRoute::kOwn)
    text += " (all)";
  text += fmt::format(", {} entries in {}", shape.entries, word("memory", shape.memory));
  if (shape.sync != mappings::QueueSync::kAuto)
    text += ", sync " + word("sync", shape.sync);
  if (shape.wait != mappings::QueueWait::kPoll)
    text += ", wait " + word("wait", shape.wait);
  if (shape.order != mappings::QueueOrder::kNone)
    text += ", order " + word("order", shape.order);
  if (shape.quantum != 1)
    text += fmt::format(", quantum {}", shape.quantum);
  if (shape.poll_cycles != 0)
    text += fmt::format(", poll_cycles {}", shape.poll_cycles);
  return text;
}

std::optional<SpaceDescription> read_space(const std::string& path,
                                           const mappings::Manifest& manifest,
                                           const mappings::ChipFacts& chip,
                                           Diagnostics& diagnostics) {
  const auto file = read_yaml_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  const auto errors = diagnostics.errors().size();
  parameters::check(file->root, space_keys(), diagnostics);
  // Values that do not fit their description would be reported a second time.
  if (diagnostics.errors().size() != errors || !file->root.is_map())
    return std::nullopt;
  auto space = SpaceReader(file->root, default_space(manifest, chip), manifest, diagnostics).read();
  space.sha256 = file->sha256;
  if (diagnostics.errors().size() != errors)
    return std::nullopt;
  return space;
}

}  // namespace nplab::experiments
