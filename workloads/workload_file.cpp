#include "workloads/workload_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "support/input_file.h"
#include "support/near_miss.h"
#include "support/yaml.h"
#include "workloads/packets/frame.h"
#include "workloads/traffic/generator.h"

namespace nplab::workloads {
namespace {

constexpr unsigned kLargestPort = 255;
constexpr std::int64_t kLargestGap = 1'000'000;
const std::vector<std::string> kKeys = {"workload", "rules", "chain",  "unsupported",
                                        "traffic",  "key",   "l4_key", "arrival",
                                        "ports_in", "slot",  "seed",   "frame_bytes"};
const std::vector<std::string> kVariants = {"fixed", "ipv4_5tuple", "ipv4_full"};

class WorkloadReader {
 public:
  WorkloadReader(const std::string& path, Diagnostics& diagnostics)
      : path_(path), diagnostics_(diagnostics) {}

  WorkloadFile read(const yaml::Node& document) {
    document.reject_unknown_keys(kKeys, diagnostics_);
    if (!document.is_map())
      return {};
    if (const auto* node = document.require("workload", diagnostics_)) {
      file_.name = node->as_string(diagnostics_).value_or("");
    }
    if (const auto* node = document.require("rules", diagnostics_))
      file_.rules = read_input(*node);
    if (const auto* node = document.find("chain"))
      file_.rule_reading.chain = node->as_string(diagnostics_);
    if (const auto* node = document.find("unsupported"))
      read_unsupported(*node);
    if (const auto* node = document.require("traffic", diagnostics_))
      read_traffic(*node);
    if (const auto* node = document.find("key"))
      read_key(*node);
    if (const auto* node = document.find("l4_key"))
      read_l4_key(*node);
    if (const auto* node = document.find("arrival"))
      read_arrival(*node);
    if (const auto* node = document.require("ports_in", diagnostics_))
      read_ports(*node);
    if (const auto* node = document.require("slot", diagnostics_))
      read_slot(*node);
    if (const auto* node = document.require("seed", diagnostics_))
      whole(*node, 0, INT64_MAX, file_.seed);
    if (const auto* node = document.require("frame_bytes", diagnostics_)) {
      whole(*node, kShortestFrameBytes, kLongestGeneratedFrameBytes, file_.frame_bytes);
    }
    return std::move(file_);
  }

 private:
  void error(const yaml::Node& node, std::string message) {
    diagnostics_.error(node.location(), std::move(message));
  }

  // A number out of bounds is reported and leaves `into` as it is.
  template <typename Number>
  bool whole(const yaml::Node& node, std::int64_t least, std::int64_t most, Number& into) {
    const auto value = node.as_integer(diagnostics_);
    if (!value)
      return false;
    if (*value < least || *value > most) {
      error(node, most == INT64_MAX
                      ? fmt::format("expected at least {}, found {}", least, *value)
                      : fmt::format("expected {} to {}, found {}", least, most, *value));
      return false;
    }
    into = static_cast<Number>(*value);
    return true;
  }

  // A relative name in the file is relative to the file; one of an override, to where the command
  // runs.
  NamedInput read_input(const yaml::Node& node) {
    std::string name = node.as_string(diagnostics_).value_or("");
    const bool in_file = node.location().file == path_;
    if (in_file && !is_generator_spec(name))
      name = (std::filesystem::path(path_).parent_path() / name).string();
    return {std::move(name), node.location()};
  }

  void read_unsupported(const yaml::Node& node) {
    const auto word = node.as_string(diagnostics_);
    if (!word)
      return;
    if (*word != "refuse" && *word != "skip")
      error(node, fmt::format("expected refuse or skip, found '{}'", *word));
    file_.rule_reading.unsupported =
        *word == "skip" ? UnsupportedRules::skip : UnsupportedRules::refuse;
  }

  void read_traffic(const yaml::Node& node) {
    if (node.is_list() && !node.items().empty()) {
      for (const yaml::Node& item : node.items())
        file_.traffic.push_back(read_input(item));
    } else {
      file_.traffic.push_back(read_input(node));
    }
  }

  void read_key(const yaml::Node& node) {
    KeyChoice choice;
    choice.location = node.location();
    const yaml::Node* variant = &node;
    if (node.is_map()) {
      node.reject_unknown_keys({"variant", "fields"}, diagnostics_);
      variant = node.require("variant", diagnostics_);
      if (const yaml::Node* fields = node.find("fields"))
        choice.fields = *fields;
    }
    if (variant == nullptr)
      return;
    const auto word = variant->as_string(diagnostics_);
    if (!word)
      return;
    const auto named = key_variant_named(*word);
    if (!named) {
      return error(*variant, fmt::format("unknown key variant '{}'; {}", *word,
                                         suggestion(*word, kVariants)));
    }
    choice.variant = *named;
    file_.key = std::move(choice);
  }

  void read_l4_key(const yaml::Node& node) {
    const auto word = node.as_string(diagnostics_);
    if (!word)
      return;
    file_.l4_key = l4_key_named(*word);
    if (!file_.l4_key)
      error(node, fmt::format("expected l4_key transport or always, found '{}'", *word));
  }

  void read_arrival(const yaml::Node& node) {
    const auto word = node.as_string(diagnostics_);
    if (!word)
      return;
    file_.arrival = parse_arrival(*word);
    if (!file_.arrival)
      error(node, fmt::format("expected {}, found '{}'", kArrivalHelp, *word));
  }

  void read_ports(const yaml::Node& node) {
    if (node.is_scalar()) {
      const auto ports = parse_port_list(node.scalar());
      if (!ports) {
        return error(
            node, fmt::format(
                      "expected a list of different ports, such as [0, 1, 2, 3] or 0-3, found '{}'",
                      node.scalar()));
      }
      file_.ports_in = *ports;
      return;
    }
    if (!node.is_list() || node.items().empty())
      return error(node, "expected a list of at least one port");
    for (const yaml::Node& item : node.items()) {
      unsigned number = 0;
      if (!whole(item, 0, kLargestPort, number))
        continue;
      const PortId port(number);
      const bool again =
          std::find(file_.ports_in.begin(), file_.ports_in.end(), port) != file_.ports_in.end();
      if (again)
        error(item, fmt::format("port {} is listed twice", port.value()));
      file_.ports_in.push_back(port);
    }
  }

  void read_slot(const yaml::Node& node) {
    node.reject_unknown_keys({"gap_bytes", "preamble_bytes"}, diagnostics_);
    if (!node.is_map())
      return;
    const auto* gap = node.require("gap_bytes", diagnostics_);
    const auto* preamble = node.require("preamble_bytes", diagnostics_);
    if (gap != nullptr)
      whole(*gap, 0, kLargestGap, file_.slot.gap_bytes);
    if (preamble != nullptr)
      whole(*preamble, 0, kLargestGap, file_.slot.preamble_bytes);
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
  const auto file = read_input_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  auto document = yaml::parse(file->bytes, path, diagnostics);
  if (!document)
    return std::nullopt;
  for (const WorkloadOverride& change : overrides) {
    const auto errors_of_value = diagnostics.errors().size();
    const bool done = document->set(change.path, change.value, change.location, diagnostics);
    if (done || diagnostics.errors().size() != errors_of_value)
      continue;
    diagnostics.error(change.location,
                      fmt::format("unknown key '{}' of the workload", change.path));
  }
  auto workload = WorkloadReader(path, diagnostics).read(*document);
  if (diagnostics.errors().size() != errors_before)
    return std::nullopt;
  workload.sha256 = file->sha256;
  return workload;
}

}  // namespace nplab::workloads
