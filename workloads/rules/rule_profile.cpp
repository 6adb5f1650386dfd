#include "workloads/rules/rule_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/yaml.h"
#include "workloads/base/text_lines.h"
#include "workloads/rules/header_names.h"

namespace nplab::workloads {
namespace {

void count_ports(const Range& ports, PortProfile& profile) {
  if (port_class(ports) == PortClass::kExact)
    ++profile.exact[ports.low];
  if (port_class(ports) == PortClass::kRange)
    ++profile.ranges[{ports.low, ports.high}];
}

std::optional<PortClass> port_class_named(std::string_view name) {
  for (const PortClass ports :
       {PortClass::kAny, PortClass::kLow, PortClass::kHigh, PortClass::kRange, PortClass::kExact}) {
    if (name == name_of(ports))
      return ports;
  }
  return std::nullopt;
}

std::string kind_text(const RuleKind& kind) {
  return fmt::format("{} {} {}", kind.protocol ? std::to_string(*kind.protocol) : "any",
                     name_of(kind.source_ports), name_of(kind.destination_ports));
}

std::optional<RuleKind> kind_named(std::string_view text) {
  const auto words = words_of(text);
  if (words.size() != 3)
    return std::nullopt;
  RuleKind kind;
  const auto source = port_class_named(words[1].text),
             destination = port_class_named(words[2].text);
  const auto protocol = protocol_number(words[0].text);
  if (!source || !destination || (!protocol && words[0].text != "any"))
    return std::nullopt;
  if (protocol)
    kind.protocol = *protocol;
  kind.source_ports = *source;
  kind.destination_ports = *destination;
  return kind;
}

// `A JOINT B`
std::optional<std::pair<std::uint64_t, std::uint64_t>> number_pair(std::string_view text,
                                                                   char joint) {
  const std::size_t at = text.find(joint);
  if (at == std::string_view::npos)
    return std::nullopt;
  const auto first = port_number(text.substr(0, at)), second = port_number(text.substr(at + 1));
  if (!first || !second)
    return std::nullopt;
  return std::pair<std::uint64_t, std::uint64_t>{*first, *second};
}

// Items between brackets, on lines of at most 120 characters.
std::string flow_text(std::string_view brackets, const std::vector<std::string>& items,
                      std::size_t column) {
  constexpr std::size_t kWidth = 118;
  std::string text(1, brackets[0]);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0)
      text += ",";
    if (column + text.size() - (text.rfind('\n') + 1) + items[i].size() > kWidth) {
      text += "\n      ";
      column = 0;
    }
    text += (i > 0 && text.back() == ',' ? " " : "") + items[i];
  }
  return text + brackets[1];
}

std::string ports_text(const char* name, const PortProfile& ports) {
  std::vector<std::string> exact, ranges;
  for (const auto& [port, weight] : ports.exact)
    exact.push_back(fmt::format("{}: {}", port, weight));
  for (const auto& [ends, weight] : ports.ranges)
    ranges.push_back(fmt::format("{}-{}: {}", ends.first, ends.second, weight));
  return fmt::format("{}:\n  exact: {}\n  ranges: {}\n", name, flow_text("{}", exact, 9),
                     flow_text("{}", ranges, 10));
}

std::string levels_text(const std::array<unsigned, kAddressBits>& levels) {
  std::vector<std::string> items;
  for (const unsigned level : levels)
    items.push_back(std::to_string(level));
  return flow_text("[]", items, 13);
}

std::string trie_text(const char* name, const AddressTrieShape& trie) {
  return fmt::format("{}:\n  branching: {}\n  skew: {}\n", name, levels_text(trie.branching),
                     levels_text(trie.skew));
}

class ProfileReader {
 public:
  ProfileReader(const std::string& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), errors_before_(diagnostics.errors().size()) {}

  std::optional<RuleProfile> read(const yaml::Node& node) {
    node.reject_unknown_keys({"profile", "source", "kinds", "source_ports", "destination_ports",
                              "source_trie", "destination_trie"},
                             diagnostics_);
    if (!node.is_map())
      return std::nullopt;
    text(node, "profile", profile_.name);
    text(node, "source", profile_.source);
    if (const auto* kinds = node.require("kinds", diagnostics_))
      read_kinds(*kinds);
    if (const auto* ports = node.require("source_ports", diagnostics_))
      read_ports(*ports, profile_.source_ports);
    if (const auto* ports = node.require("destination_ports", diagnostics_)) {
      read_ports(*ports, profile_.destination_ports);
    }
    if (const auto* trie = node.require("source_trie", diagnostics_))
      read_trie(*trie, profile_.source_trie);
    if (const auto* trie = node.require("destination_trie", diagnostics_))
      read_trie(*trie, profile_.destination_trie);
    if (!failed())
      check_ports();
    if (failed())
      return std::nullopt;
    return std::move(profile_);
  }

 private:
  [[nodiscard]] bool failed() const { return diagnostics_.errors().size() != errors_before_; }
  void error(const yaml::Node& node, std::string message) {
    diagnostics_.error(node.location(), std::move(message));
  }

  void text(const yaml::Node& node, const char* key, std::string& into) {
    if (const auto* value = node.require(key, diagnostics_))
      into = value->as_string(diagnostics_).value_or("");
  }

  // Counts add up without overflow for any file that fits in memory.
  std::size_t weight(const yaml::Node& node) {
    constexpr std::int64_t kMost = 1'000'000'000;
    const auto value = node.as_integer(diagnostics_);
    if (value && *value >= 1 && *value <= kMost)
      return static_cast<std::size_t>(*value);
    if (value)
      error(node, fmt::format("expected a weight of 1 to {}, found {}", kMost, *value));
    return 1;
  }

  void read_kinds(const yaml::Node& kinds) {
    if (!kinds.is_map() || kinds.items().empty())
      return error(kinds, "'kinds' must be a map of at least one kind");
    for (std::size_t i = 0; i < kinds.keys().size(); ++i) {
      const yaml::Node& lengths = kinds.items()[i];
      const auto kind = kind_named(kinds.keys()[i]);
      if (!kind) {
        error(lengths,
              fmt::format(
                  "unknown kind '{}'; a kind is a protocol (or any) and the classes of source and "
                  "destination ports: any, low, high, range or exact",
                  kinds.keys()[i]));
      } else if (!lengths.is_map() || lengths.items().empty()) {
        error(lengths, "a kind needs a map of prefix lengths SOURCE/DESTINATION to weights");
      } else {
        read_lengths(lengths, profile_.kinds[*kind]);
      }
    }
  }

  void read_lengths(const yaml::Node& lengths,
                    std::map<TupleStatistics::LengthPair, std::size_t>& into) {
    for (std::size_t i = 0; i < lengths.keys().size(); ++i) {
      const auto pair = number_pair(lengths.keys()[i], '/');
      if (!pair || pair->first > kAddressBits || pair->second > kAddressBits) {
        error(lengths.items()[i],
              fmt::format("expected prefix lengths SOURCE/DESTINATION of 0 to 32, found '{}'",
                          lengths.keys()[i]));
        continue;
      }
      into[{static_cast<unsigned>(pair->first), static_cast<unsigned>(pair->second)}] =
          weight(lengths.items()[i]);
    }
  }

  void read_ports(const yaml::Node& node, PortProfile& ports) {
    node.reject_unknown_keys({"exact", "ranges"}, diagnostics_);
    const auto* exact = node.is_map() ? node.require("exact", diagnostics_) : nullptr;
    const auto* ranges = node.is_map() ? node.require("ranges", diagnostics_) : nullptr;
    for (std::size_t i = 0; exact != nullptr && i < exact->keys().size(); ++i) {
      const auto port = port_number(exact->keys()[i]);
      if (!port)
        error(exact->items()[i],
              fmt::format("expected a port of 0 to 65535, found '{}'", exact->keys()[i]));
      else
        ports.exact[*port] = weight(exact->items()[i]);
    }
    for (std::size_t i = 0; ranges != nullptr && i < ranges->keys().size(); ++i) {
      const auto ends = number_pair(ranges->keys()[i], '-');
      if (!ends || ends->first > ends->second ||
          port_class({ends->first, ends->second}) != PortClass::kRange) {
        error(ranges->items()[i],
              fmt::format("expected a range of ports LOW-HIGH other than 0-65535, 0-1023 and "
                          "1024-65535, found '{}'",
                          ranges->keys()[i]));
      } else {
        ports.ranges[*ends] = weight(ranges->items()[i]);
      }
    }
  }

  void read_trie(const yaml::Node& node, AddressTrieShape& trie) {
    node.reject_unknown_keys({"branching", "skew"}, diagnostics_);
    const auto* branching = node.is_map() ? node.require("branching", diagnostics_) : nullptr;
    const auto* skew = node.is_map() ? node.require("skew", diagnostics_) : nullptr;
    if (branching != nullptr)
      read_levels(*branching, trie.branching);
    if (skew != nullptr)
      read_levels(*skew, trie.skew);
  }

  void read_levels(const yaml::Node& node, std::array<unsigned, kAddressBits>& levels) {
    if (!node.is_list() || node.items().size() != kAddressBits) {
      return error(node,
                   fmt::format("expected a list of {} thousandths, one per level", kAddressBits));
    }
    for (unsigned level = 0; level < kAddressBits; ++level) {
      const auto value = node.items()[level].as_integer(diagnostics_);
      if (value && (*value < 0 || *value > 1000))
        error(node.items()[level], "expected 0 to 1000 thousandths");
      levels[level] = static_cast<unsigned>(std::clamp<std::int64_t>(value.value_or(0), 0, 1000));
    }
  }

  // A kind that asks for exact ports or ranges needs some to draw from.
  void check_ports() {
    for (const auto& [kind, lengths] : profile_.kinds) {
      check_ports(kind.source_ports, profile_.source_ports, "source_ports");
      check_ports(kind.destination_ports, profile_.destination_ports, "destination_ports");
    }
  }
  void check_ports(PortClass wanted, const PortProfile& ports, const char* key) {
    const bool missing = (wanted == PortClass::kExact && ports.exact.empty()) ||
                         (wanted == PortClass::kRange && ports.ranges.empty());
    if (missing) {
      diagnostics_.error(
          {file_, 0, 0},
          fmt::format("a kind has {} of class '{}', but {} lists none", key, name_of(wanted), key));
    }
  }

  std::string file_;
  Diagnostics& diagnostics_;
  std::size_t errors_before_;
  RuleProfile profile_;
};

}  // namespace

std::optional<RuleProfile> profile_of(const RuleSet& rules, Diagnostics& diagnostics) {
  if (!is_five_tuple_set(rules)) {
    diagnostics.error(
        {rules.name(), 0, 0},
        "a profile describes 5-tuples whose addresses are prefixes; this set has other fields");
    return std::nullopt;
  }
  RuleProfile profile{"measured", rules.name(), {}, {}, {}, {}, {}};
  std::vector<Range> sources, destinations;
  for (const Rule& rule : rules.rules()) {
    const auto& ranges = rule.ranges;
    RuleKind kind{std::nullopt, port_class(ranges[2]), port_class(ranges[3])};
    if (ranges[4].low == ranges[4].high)
      kind.protocol = static_cast<unsigned>(ranges[4].low);
    ++profile.kinds[kind][{*prefix_length(ranges[0], kAddressBits),
                           *prefix_length(ranges[1], kAddressBits)}];
    count_ports(ranges[2], profile.source_ports);
    count_ports(ranges[3], profile.destination_ports);
    sources.push_back(ranges[0]);
    destinations.push_back(ranges[1]);
  }
  profile.source_trie = shape_of(sources);
  profile.destination_trie = shape_of(destinations);
  return profile;
}

std::string profile_text(const RuleProfile& profile) {
  std::string text =
      fmt::format("profile: {}\nsource: '{}'\nkinds:\n", profile.name, profile.source);
  for (const auto& [kind, lengths] : profile.kinds) {
    std::vector<std::string> items;
    for (const auto& [pair, weight] : lengths)
      items.push_back(fmt::format("{}/{}: {}", pair.first, pair.second, weight));
    const std::string name = kind_text(kind);
    text += fmt::format("  {}: {}\n", name, flow_text("{}", items, name.size() + 4));
  }
  text += ports_text("source_ports", profile.source_ports) +
          ports_text("destination_ports", profile.destination_ports);
  return text + trie_text("source_trie", profile.source_trie) +
         trie_text("destination_trie", profile.destination_trie);
}

std::optional<RuleProfile> parse_profile(const InputFile& file, Diagnostics& diagnostics) {
  const auto document = yaml::parse(file.bytes, file.name, diagnostics);
  if (!document)
    return std::nullopt;
  return ProfileReader(file.name, diagnostics).read(*document);
}

}  // namespace nplab::workloads
