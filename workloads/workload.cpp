#include "workloads/workload.h"

#include <fmt/format.h>

#include <algorithm>

#include "workloads/packets/frame_position.h"
#include "workloads/reference/classifier.h"
#include "workloads/rules/fragment_rules.h"
#include "workloads/traffic/generator.h"

namespace nplab::workloads {
namespace {

constexpr const char* kTrafficOption = "--traffic";

bool sets(const std::vector<WorkloadOverride>& overrides, std::string_view key) {
  return std::any_of(overrides.begin(), overrides.end(), [&](const WorkloadOverride& change) {
    return change.path == key || change.path.starts_with(fmt::format("{}.", key));
  });
}

// Puts what the command line says over what the file says. A choice in the file that belonged to an
// input which is replaced goes with it.
void apply_options(const WorkloadOptions& options, WorkloadFile& file) {
  if (options.rules) {
    file.rules = {*options.rules, {*options.rules, 0, 0}};
    if (!sets(options.overrides, "key"))
      file.key.reset();
    if (!sets(options.overrides, "chain"))
      file.rule_reading.chain.reset();
    if (!sets(options.overrides, "unsupported"))
      file.rule_reading.unsupported = UnsupportedRules::kRefuse;
  }
  if (!options.traffic.empty()) {
    file.traffic.clear();
    for (const std::string& name : options.traffic)
      file.traffic.push_back({name, without_lines(kTrafficOption)});
    if (!sets(options.overrides, "l4_key"))
      file.l4_key.reset();
    if (!sets(options.overrides, "arrival"))
      file.arrival.reset();
  }
  if (options.seed)
    file.seed = *options.seed;
  if (options.l4_key)
    file.l4_key = options.l4_key;
  if (options.ports_in)
    file.ports_in = *options.ports_in;
  if (options.arrival)
    file.arrival = options.arrival;
}

// The traffic of a workload before its key layout is known: a SPEC, or packets.
struct TrafficInput {
  std::optional<GeneratorSpec> spec;
  std::optional<Traffic> packets;

  [[nodiscard]] bool is_capture() const {
    return packets && packets->kind() == TrafficKind::kCapture;
  }
};

// `layout` is null when the rules have errors.
std::optional<Traffic> read_packets(const WorkloadFile& file, const std::string& name,
                                    const KeyLayout* layout, Diagnostics& diagnostics) {
  return layout == nullptr ? read_traffic(name, file.frame_bytes, diagnostics)
                           : read_traffic(name, file.frame_bytes, *layout, diagnostics);
}

std::optional<TrafficInput> read_traffic_files(const WorkloadFile& file, const KeyLayout* layout,
                                               Diagnostics& diagnostics) {
  std::vector<Traffic> parts;
  if (file.traffic.size() != file.ports_in.size()) {
    diagnostics.error(
        file.traffic.front().location,
        fmt::format("{} traffic files for {} ports; give one file, or one per port (ports_in)",
                    file.traffic.size(), file.ports_in.size()));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < file.traffic.size(); ++i) {
    if (is_generator_spec(file.traffic[i].name)) {
      diagnostics.error(file.traffic[i].location,
                        "a generator's SPEC supplies all ports and cannot be part of a list");
      continue;
    }
    auto part = read_packets(file, file.traffic[i].name, layout, diagnostics);
    if (!part)
      continue;
    if (!parts.empty() && part->kind() != parts.front().kind()) {
      diagnostics.error(file.traffic[i].location,
                        fmt::format("'{}' and '{}' are a capture and a header trace, whose keys "
                                    "are read differently; give files of one kind",
                                    parts.front().name(), part->name()));
      continue;
    }
    parts.push_back(std::move(*part).on_port(file.ports_in[i]));
  }
  if (parts.size() != file.traffic.size())
    return std::nullopt;
  return TrafficInput{{}, Traffic::joined(std::move(parts))};
}

std::optional<TrafficInput> read_traffic_input(const WorkloadFile& file, const KeyLayout* layout,
                                               Diagnostics& diagnostics) {
  if (file.traffic.size() > 1)
    return read_traffic_files(file, layout, diagnostics);
  const NamedInput& input = file.traffic.front();
  if (is_generator_spec(input.name)) {
    auto spec = parse_generator_spec(input.name, input.location, diagnostics);
    if (!spec)
      return std::nullopt;
    return TrafficInput{std::move(spec), {}};
  }
  auto packets = read_packets(file, input.name, layout, diagnostics);
  if (!packets)
    return std::nullopt;
  return TrafficInput{{}, std::move(packets)};
}

std::optional<RuleSet> rules_of(const WorkloadOptions& options, const WorkloadFile& file,
                                Diagnostics& diagnostics) {
  if (!options.rule_set)
    return read_rule_set(file.rules.name, file.rule_reading, diagnostics);
  if (!file.rule_reading.chain)
    return options.rule_set;
  diagnostics.error(
      file.rules.location,
      fmt::format("has no chain '{}', because it is a generated set", *file.rule_reading.chain));
  return std::nullopt;
}

// The rule set's fields, with the places that the workload gives them.
std::vector<FieldDefinition> placed_fields(const RuleSet& rules,
                                           const std::optional<KeyChoice>& choice,
                                           Diagnostics& diagnostics) {
  auto fields = rules.fields();
  if (!choice || !choice->fields)
    return fields;
  std::vector<std::string> names;
  for (const FieldDefinition& field : fields)
    names.push_back(field.name);
  choice->fields->reject_unknown_keys(names, diagnostics);
  for (FieldDefinition& field : fields) {
    const yaml::Node* place = choice->fields->find(field.name);
    if (place != nullptr)
      field.position = read_frame_position(*place, field.bits, diagnostics);
  }
  return fields;
}

std::optional<KeyLayout> choose_layout(const WorkloadFile& file, const RuleSet& rules,
                                       Diagnostics& diagnostics) {
  const auto errors_before = diagnostics.errors().size();
  const auto fields = placed_fields(rules, file.key, diagnostics);
  if (diagnostics.errors().size() != errors_before)
    return std::nullopt;
  if (file.key)
    return make_key_layout(file.key->variant, fields, file.key->location, diagnostics);
  const auto variant = have_positions(fields) ? KeyVariant::kFixed : KeyVariant::kIpv4FiveTuple;
  return make_key_layout(variant, fields, {rules.name(), 0, 0}, diagnostics);
}

}  // namespace

std::optional<Workload> resolve_workload(const WorkloadOptions& options, Diagnostics& diagnostics) {
  auto file = read_workload_file(options.file, options.overrides, diagnostics);
  if (!file)
    return std::nullopt;
  apply_options(options, *file);
  auto rules = rules_of(options, *file, diagnostics);
  auto layout = rules ? choose_layout(*file, *rules, diagnostics) : std::nullopt;
  if (rules && !layout)
    return std::nullopt;  // the traffic may be a trace of such keys, and no headers
  auto input = read_traffic_input(*file, layout ? &*layout : nullptr, diagnostics);
  if (!rules || !input)
    return std::nullopt;
  const bool may_have_options = input->is_capture() && !file->key;
  if (may_have_options && layout->variant == KeyVariant::kIpv4FiveTuple)
    layout->variant = KeyVariant::kIpv4Full;

  const L4Key l4_key =
      file->l4_key.value_or(input->is_capture() ? L4Key::kTransport : L4Key::kAlways);
  if (input->spec && input->spec->fragments > 0 && layout->variant == KeyVariant::kFixed) {
    diagnostics.error(
        file->traffic.front().location,
        "fragments are of IPv4 packets, but the key is fixed bits of any frame; leave "
        "fragments out, or classify by the fields of the 5-tuple");
    return std::nullopt;
  }
  const Arrival arrival = file->arrival.value_or(input->spec ? input->spec->arrival : Arrival{});
  Traffic traffic =
      input->spec ? generate(*input->spec, *rules, *layout, l4_key, file->frame_bytes, file->seed)
                  : std::move(*input->packets);
  if (l4_key == L4Key::kFragments && layout->reads_ports()) {
    *rules = with_port_marks(*rules);
    mark_ports(*layout);
  }
  traffic = std::move(traffic).with_keys(*layout, l4_key);
  if (layout->is_packed() && traffic.kind() == TrafficKind::kHeaderTrace) {
    const auto errors_before = diagnostics.errors().size();
    check_expected_rules(traffic, *rules, diagnostics);
    if (diagnostics.errors().size() != errors_before)
      return std::nullopt;
  }
  traffic = with_arrival(std::move(traffic), arrival, file->slot, file->ports_in, file->seed);
  return Workload{file->name, std::move(*rules), std::move(traffic), std::move(*layout),
                  l4_key,     arrival,           file->ports_in,     file->slot,
                  file->seed, file->sha256};
}

std::vector<std::optional<RuleIndex>> reference_answers(const Workload& workload) {
  const ReferenceClassifier classifier(workload.rules);
  std::vector<std::optional<RuleIndex>> answers;
  answers.reserve(workload.traffic.size());
  for (const Packet& packet : workload.traffic.packets()) {
    answers.push_back(packet.key ? classifier.classify(*packet.key) : std::nullopt);
  }
  return answers;
}

}  // namespace nplab::workloads
