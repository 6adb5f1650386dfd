#include "experiments/studies/study_options_file.h"

#include "workloads/workload_file.h"

namespace nplab::experiments {
namespace {

// Empty when the key is absent.
std::string word(const yaml::Node& map, std::string_view key) {
  const yaml::Node* node = map.find(key);
  return node == nullptr ? "" : node->scalar();
}

void read_arrival(const yaml::Node& node, ExperimentOptions& options, Diagnostics& diagnostics) {
  const yaml::Node* arrival = node.find("arrival");
  if (arrival == nullptr)
    return;
  options.arrival = parse_arrival_choice(arrival->scalar());
  if (!options.arrival)
    diagnostics.error(arrival->location(), unknown_arrival(arrival->scalar()));
}

void read_ports(const yaml::Node& node, ExperimentOptions& options, Diagnostics& diagnostics) {
  const yaml::Node* ports = node.find("ports_in");
  if (ports == nullptr)
    return;
  const auto list = workloads::parse_port_list(ports->scalar());
  if (!list)
    return diagnostics.error(ports->location(), workloads::kPortListHelp);
  options.ports_in = *list;
}

}  // namespace

void read_study_packets(const yaml::Node& node, ExperimentOptions& options) {
  Diagnostics reported;
  const yaml::Node* packets = node.find("packets");
  const auto count = packets == nullptr ? std::nullopt : packets->as_integer(reported);
  if (count && *count >= 1)
    options.packets = static_cast<std::uint64_t>(*count);
}

ExperimentOptions read_study_options(const yaml::Node& node, Diagnostics& diagnostics) {
  ExperimentOptions options;
  options.chip = word(node, "chip");
  options.workload = word(node, "workload");
  options.rules = word(node, "rules");
  const std::string traffic = word(node, "traffic");
  if (!traffic.empty())
    options.traffic = {traffic};
  read_arrival(node, options, diagnostics);
  read_ports(node, options, diagnostics);
  options.updates = word(node, "updates");
  if (const yaml::Node* overrides = node.find("set")) {
    for (const yaml::Node& item : overrides->items())
      options.set.push_back(item.scalar());
  }
  read_study_packets(node, options);
  Diagnostics reported;
  if (const yaml::Node* seed = node.find("seed"))
    options.seed = seed->as_integer(reported).value_or(1);
  return options;
}

}  // namespace nplab::experiments
