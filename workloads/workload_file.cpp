#include "workloads/workload_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "support/near_miss.h"
#include "support/parameters/check.h"
#include "support/parameters/checked_map.h"
#include "support/yaml.h"
#include "support/yaml_file.h"
#include "workloads/traffic/generator.h"
#include "workloads/workload_keys.h"

namespace nplab::workloads {
namespace {

using parameters::CheckedMap;

// Takes a checked file's values; checks what its description cannot say.
class WorkloadReader {
 public:
  WorkloadReader(const std::string& path, Diagnostics& diagnostics)
      : path_(path), diagnostics_(diagnostics) {}

  WorkloadFile read(const yaml::Node& document) {
    parameters::check(document, workload_keys(), diagnostics_);
    if (!document.is_map())
      return {};
    const CheckedMap map(document, workload_keys());
    file_.name = map.text("workload");
    if (const auto* node = map.find("rules"))
      file_.rules = read_input(*node);
    if (map.find("chain") != nullptr)
      file_.rule_reading.chain = map.text("chain");
    if (map.find("interfaces") != nullptr && map.fits("interfaces"))
      read_interfaces(map);
    file_.rule_reading.unsupported = map.choice<UnsupportedRules>("unsupported");
    read_traffic(map);
    if (const auto* node = map.find("key"); node != nullptr && map.fits("key"))
      read_key(*node);
    if (map.find("l4_key") != nullptr)
      file_.l4_key = l4_key_named(map.text("l4_key"));
    read_arrival(map);
    read_ports(map);
    const CheckedMap slot = map.section("slot");
    file_.slot.gap_bytes = static_cast<unsigned>(slot.integer("gap_bytes"));
    file_.slot.preamble_bytes = static_cast<unsigned>(slot.integer("preamble_bytes"));
    file_.seed = static_cast<std::uint64_t>(map.integer("seed"));
    file_.frame_bytes = static_cast<std::size_t>(map.integer("frame_bytes"));
    return std::move(file_);
  }

 private:
  void error(const yaml::Node& node, std::string message) {
    diagnostics_.error(node.location(), std::move(message));
  }

  // A relative name in the file is relative to the file; one of an override, to where the command
  // runs.
  [[nodiscard]] NamedInput read_input(const yaml::Node& node) const {
    std::string name = node.scalar();
    const bool in_file = node.location().file == path_;
    if (in_file && !is_generator_spec(name))
      name = (std::filesystem::path(path_).parent_path() / name).string();
    return {std::move(name), node.location()};
  }

  void read_traffic(const CheckedMap& map) {
    const auto* node = map.find("traffic");
    if (node != nullptr && node->is_scalar())
      file_.traffic.push_back(read_input(*node));
    for (const yaml::Node& item : map.items("traffic"))
      file_.traffic.push_back(read_input(item));
  }

  void read_key(const yaml::Node& node) {
    KeyChoice choice;
    choice.location = node.location();
    if (const yaml::Node* fields = node.is_map() ? node.find("fields") : nullptr)
      choice.fields = *fields;
    const yaml::Node& variant = node.is_map() ? *node.find("variant") : node;
    choice.variant = key_variant_named(variant.scalar()).value_or(KeyVariant::kFixed);
    file_.key = std::move(choice);
  }

  void read_interfaces(const CheckedMap& map) {
    const auto interfaces = parse_interfaces(map.text("interfaces"));
    if (!interfaces) {
      error(*map.find("interfaces"),
            fmt::format("expected in=NAME, out=NAME or in=NAME,out=NAME, found '{}'",
                        map.text("interfaces")));
    }
    file_.rule_reading.interfaces = interfaces.value_or(PacketInterfaces{});
  }

  void read_arrival(const CheckedMap& map) {
    const auto* node = map.find("arrival");
    if (node == nullptr || !node->is_scalar())
      return;
    file_.arrival = parse_arrival(node->scalar());
    if (!file_.arrival)
      error(*node, fmt::format("expected {}, found '{}'", kArrivalHelp, node->scalar()));
  }

  void read_ports(const CheckedMap& map) {
    const auto* node = map.find("ports_in");
    if (node != nullptr && node->is_scalar()) {
      const auto ports = parse_port_list(node->scalar());
      if (!ports) {
        return error(*node,
                     fmt::format("expected a list of different ports, such as [0, 1, 2, 3] or "
                                 "0-3, found '{}'",
                                 node->scalar()));
      }
      file_.ports_in = *ports;
    }
    for (const yaml::Node& item : map.items("ports_in"))
      read_port(item);
  }

  void read_port(const yaml::Node& item) {
    const auto number = parameters::integer_or(item, {0, kLargestPort}, -1);
    if (number < 0)
      return;
    const PortId port(static_cast<unsigned>(number));
    if (std::find(file_.ports_in.begin(), file_.ports_in.end(), port) != file_.ports_in.end())
      error(item, fmt::format("port {} is listed twice", port.value()));
    file_.ports_in.push_back(port);
  }

  const std::string& path_;
  Diagnostics& diagnostics_;
  WorkloadFile file_;
};

// One number, or two with `-` between them.
std::optional<std::pair<unsigned, unsigned>> parse_port_span(std::string_view text) {
  const char* last = text.data() + text.size();
  unsigned low = 0, high = 0;
  auto [end, error] = std::from_chars(text.data(), last, low);
  if (error != std::errc() || low > kLargestPort)
    return std::nullopt;
  if (end == last)
    return std::pair(low, low);
  if (*end != '-')
    return std::nullopt;
  const auto [high_end, high_error] = std::from_chars(end + 1, last, high);
  if (high_error != std::errc() || high_end != last || high > kLargestPort || high < low)
    return std::nullopt;
  return std::pair(low, high);
}

}  // namespace

std::optional<std::vector<PortId>> parse_port_list(std::string_view text) {
  std::vector<PortId> ports;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const auto span = parse_port_span(text.substr(at, end - at));
    if (!span)
      return std::nullopt;
    for (unsigned port = span->first; port <= span->second; ++port) {
      if (std::find(ports.begin(), ports.end(), PortId(port)) != ports.end())
        return std::nullopt;
      ports.push_back(PortId(port));
    }
    at = end + 1;
  }
  return ports;
}

std::optional<WorkloadFile> read_workload_file(const std::string& path,
                                               const std::vector<WorkloadOverride>& overrides,
                                               Diagnostics& diagnostics) {
  const auto errors_before = diagnostics.errors().size();
  auto file = read_yaml_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  yaml::Node& root = file->root;
  for (const WorkloadOverride& change : overrides) {
    const auto errors_of_value = diagnostics.errors().size();
    const bool done = root.set(change.path, change.value, change.location, diagnostics);
    if (done || diagnostics.errors().size() != errors_of_value)
      continue;
    const std::string first = change.path.substr(0, change.path.find('.'));
    diagnostics.error(change.location,
                      root.find(first) == nullptr
                          ? fmt::format("there is no '{}' in '{}'; {}", first, change.path,
                                        suggestion(first, root.keys()))
                          : fmt::format("unknown key '{}' of the workload", change.path));
  }
  auto workload = WorkloadReader(path, diagnostics).read(root);
  if (diagnostics.errors().size() != errors_before)
    return std::nullopt;
  workload.sha256 = file->sha256;
  return workload;
}

}  // namespace nplab::workloads
