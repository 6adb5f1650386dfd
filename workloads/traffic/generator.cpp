#include "workloads/traffic/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <memory>

#include "support/sha256.h"
#include "workloads/base/random.h"
#include "workloads/base/spec_text.h"

namespace nplab::workloads {
namespace {

constexpr std::string_view kPrefix = "gen:";
constexpr std::size_t kRecentHeaders = 16;
constexpr std::size_t kLargestCount = 10'000'000;  // about 2 GB of packets

// "Simple IMIX" (Spirent): IP packets of 40, 576 and 1500 bytes as 7:4:1, here as Ethernet frames.
constexpr std::array<FrameSize, 3> kImix = {{{64, 7}, {594, 4}, {1518, 1}}};
constexpr std::size_t kMostFlows = 1'000'000;
constexpr std::size_t kMostSizeWeight = 1'000'000;

const std::vector<std::string> kSpecKeys = {"hit",       "locality", "pareto",  "zipf",
                                            "fragments", "size",     "arrival", "count"};

class SpecParser {
 public:
  SpecParser(std::string_view text, const SourceLocation& location, Diagnostics& diagnostics)
      : text_("the generator's SPEC", text, location, diagnostics) {
    spec_.text = text;
  }

  std::optional<GeneratorSpec> parse() {
    text_.each_setting(kPrefix.size(),
                       [this](const SpecSetting& setting) { parse_setting(setting); });
    const int models = (spec_.locality > 0 ? 1 : 0) + (spec_.bursts.scale_millionths > 0 ? 1 : 0) +
                       (spec_.flows > 0 ? 1 : 0);
    if (models > 1)
      text_.fail(0, "locality, pareto and zipf are alternative models; give one of them");
    if (text_.failed())
      return std::nullopt;
    return spec_;
  }

 private:
  void parse_setting(const SpecSetting& setting) {
    if (setting.key == "hit")
      spec_.hit = text_.share(setting).value_or(spec_.hit);
    else if (setting.key == "locality")
      spec_.locality = text_.share(setting).value_or(spec_.locality);
    else if (setting.key == "pareto")
      pareto(setting);
    else if (setting.key == "zipf")
      zipf(setting);
    else if (setting.key == "fragments")
      spec_.fragments = text_.share(setting).value_or(spec_.fragments);
    else if (setting.key == "size")
      sizes(setting);
    else if (setting.key == "arrival")
      arrival(setting);
    else if (setting.key == "count")
      count(setting);
    else
      text_.fail_unknown(setting, kSpecKeys);
  }

  // Shape in steps of 0.001, scale of 0.000001.
  void pareto(const SpecSetting& setting) {
    const std::string_view value = setting.value;
    const std::size_t colon = std::min(value.find(':'), value.size());
    const auto shape = decimal_within(value.substr(0, colon), 0.1, 100);
    const auto scale = decimal_within(value.substr(std::min(colon + 1, value.size())), 0, 1000);
    if (!shape || !scale) {
      return text_.fail(
          setting.value_at,
          fmt::format(
              "expected SHAPE:SCALE, a shape of 0.1 to 100 and a scale of 0 to 1000, found '{}'",
              value));
    }
    spec_.bursts = {static_cast<std::uint64_t>(std::llround(*shape * 1e3)),
                    static_cast<std::uint64_t>(std::llround(*scale * 1e6))};
  }

  // An exponent in steps of 0.001.
  void zipf(const SpecSetting& setting) {
    const std::string_view value = setting.value;
    const std::size_t colon = std::min(value.find(':'), value.size());
    const auto exponent = decimal_within(value.substr(0, colon), 0, 10);
    const auto flows = whole_within(value.substr(std::min(colon + 1, value.size())), 1, kMostFlows);
    if (!exponent || !flows) {
      return text_.fail(setting.value_at,
                        fmt::format("expected EXPONENT:FLOWS, an exponent of 0 to 10 and 1 to {} "
                                    "flows, found '{}'",
                                    kMostFlows, value));
    }
    spec_.zipf_exponent = *exponent;
    spec_.flows = *flows;
  }

  void sizes(const SpecSetting& setting) {
    const std::string_view value = setting.value;
    if (value == "imix") {
      spec_.sizes.assign(kImix.begin(), kImix.end());
      return;
    }
    for (std::size_t start = 0; start <= value.size();) {
      const std::size_t end = std::min(value.find('+', start), value.size());
      const std::string_view item = value.substr(start, end - start);
      const std::size_t colon = std::min(item.find(':'), item.size());
      const auto bytes =
          whole_within(item.substr(0, colon), kShortestFrameBytes, kLongestGeneratedFrameBytes);
      const auto weight =
          colon == item.size() ? 1 : whole_within(item.substr(colon + 1), 1, kMostSizeWeight);
      if (!bytes || !weight) {
        return text_.fail(
            setting.value_at + start,
            fmt::format(
                "expected a size of 64 to 1518 bytes, imix, or BYTES:WEIGHT+..., found '{}'",
                item));
      }
      spec_.sizes.push_back({*bytes, *weight});
      start = end + 1;
    }
  }

  void arrival(const SpecSetting& setting) {
    if (const auto parsed = parse_arrival(setting.value))
      spec_.arrival = *parsed;
    else
      text_.fail(setting.value_at,
                 fmt::format("expected {}, found '{}'", kArrivalHelp, setting.value));
  }

  void count(const SpecSetting& setting) {
    if (const auto parsed = whole_within(setting.value, 1, kLargestCount)) {
      spec_.count = *parsed;
    } else {
      text_.fail(setting.value_at, fmt::format("expected a count of 1 to {}, found '{}'",
                                               kLargestCount, setting.value));
    }
  }

  SpecText text_;
  GeneratorSpec spec_;
};

// Numbers from 0, the k-th (from 1) with a share in proportion to 1 / k^exponent (Zipf's law).
class ZipfNumbers {
 public:
  ZipfNumbers(double exponent, std::size_t count) {
    constexpr double kFirstWeight = 1e9;  // whole weights: the same numbers on every platform
    std::uint64_t total = 0;
    for (std::size_t k = 1; k <= count; ++k) {
      const double weight = kFirstWeight / std::pow(static_cast<double>(k), exponent);
      total += std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(weight)));
      sums_.push_back(total);
    }
  }
  std::size_t next(Random& random) const {
    const std::uint64_t at = random.below(sums_.back());
    return static_cast<std::size_t>(std::upper_bound(sums_.begin(), sums_.end(), at) -
                                    sums_.begin());
  }

 private:
  std::vector<std::uint64_t> sums_;  // of the weights up to each number
};

class HeaderSource {
 public:
  HeaderSource(const GeneratorSpec& spec, const RuleSet& rules, const KeyLayout& layout, L4Key l4,
               Random& random)
      : spec_(spec), rules_(rules), random_(random), transport_(l4 != L4Key::kAlways) {
    for (std::size_t i = 0; i < layout.fields.size() && layout.variant != KeyVariant::kFixed; ++i) {
      const auto field = std::get<HeaderField>(layout.fields[i].source);
      if (field == HeaderField::kProtocol)
        protocol_ = i;
      if (field == HeaderField::kSourcePort || field == HeaderField::kDestinationPort)
        ports_.push_back(i);
    }
  }

  const Key& next() {
    if (spec_.flows > 0)
      return next_of_flows();
    if (burst_left_ > 0) {
      --burst_left_;
      return recent_[(fresh_ - 1) % kRecentHeaders];
    }
    burst_left_ = draw_burst(spec_.bursts, spec_.count, random_) - 1;
    if (!recent_.empty() && random_.chance(spec_.locality))
      return recent_[random_.below(recent_.size())];
    if (recent_.size() < kRecentHeaders)
      recent_.emplace_back();
    Key& slot = recent_[fresh_++ % kRecentHeaders];
    slot = draw_header();
    return slot;
  }

 private:
  Key draw_header() { return random_.chance(spec_.hit) ? point_of_a_rule() : any_header(); }

  const Key& next_of_flows() {
    if (!flow_numbers_) {
      flow_numbers_.emplace(spec_.zipf_exponent, spec_.flows);
      for (std::size_t flow = 0; flow < spec_.flows; ++flow)
        flows_.push_back(draw_header());
    }
    return flows_[flow_numbers_->next(random_)];
  }

  Key point_of_a_rule() {
    const Rule& rule = rules_.rules()[random_.below(rules_.size())];
    Key key;
    for (const Range& range : rule.ranges)
      key.push_back(random_.in(range));
    if (transport_ && protocol_ && asks_for_ports(rule))
      key[*protocol_] = protocol_with_ports(rule, key[*protocol_]);
    return key;
  }
  [[nodiscard]] bool asks_for_ports(const Rule& rule) const {
    return std::any_of(ports_.begin(), ports_.end(),
                       [&](std::size_t field) { return rule.ranges[field].low > 0; });
  }
  std::uint64_t protocol_with_ports(const Rule& rule, std::uint64_t drawn) {
    const std::uint64_t wanted = random_.below(2) == 0 ? kProtocolTcp : kProtocolUdp;
    return rule.ranges[*protocol_].contains(wanted) ? wanted : drawn;
  }
  Key any_header() {
    Key key;
    for (const FieldDefinition& field : rules_.fields())
      key.push_back(random_.in(any_value(field)));
    return key;
  }

  const GeneratorSpec& spec_;
  const RuleSet& rules_;
  Random& random_;
  bool transport_;
  std::optional<std::size_t> protocol_;  // places in a key, when it is an IPv4 header's
  std::vector<std::size_t> ports_;
  std::vector<Key> recent_;
  std::size_t fresh_ = 0;
  std::uint64_t burst_left_ = 0;
  std::optional<ZipfNumbers> flow_numbers_;
  std::vector<Key> flows_;
};

// Frame sizes by weight.
class SizeSource {
 public:
  SizeSource(const std::vector<FrameSize>& sizes, std::size_t default_bytes, Random& random)
      : sizes_(sizes), random_(random) {
    if (sizes_.empty())
      sizes_.push_back({default_bytes, 1});
    for (const FrameSize& size : sizes_)
      total_ += size.weight;
  }

  std::size_t next() {
    if (sizes_.size() == 1)
      return sizes_.front().bytes;
    std::uint64_t at = random_.below(total_);
    for (const FrameSize& size : sizes_) {
      if (at < size.weight)
        return size.bytes;
      at -= size.weight;
    }
    assert(false && "weights add up to their sum");
    return sizes_.back().bytes;
  }

 private:
  std::vector<FrameSize> sizes_;
  Random& random_;
  std::uint64_t total_ = 0;
};

// With copies of all that the packets are drawn from, which may be drawn long after.
class GeneratedPackets {
 public:
  GeneratedPackets(GeneratorSpec spec, RuleSet rules, KeyLayout layout, L4Key l4,
                   std::size_t default_frame_bytes, std::uint64_t seed)
      : spec_(std::move(spec)),
        rules_(std::move(rules)),
        layout_(std::move(layout)),
        random_(seed),
        headers_(spec_, rules_, layout_, l4, random_),
        sizes_(spec_.sizes, default_frame_bytes, random_) {}
  GeneratedPackets(const GeneratedPackets&) = delete;
  GeneratedPackets& operator=(const GeneratedPackets&) = delete;

  Packet next() {
    const Key& key = headers_.next();
    Packet packet;
    packet.frame = build_frame(key, layout_, sizes_.next(), drawn_++);
    if (spec_.fragments > 0 && random_.chance(spec_.fragments))
      make_later_fragment(packet.frame);
    return packet;
  }

 private:
  GeneratorSpec spec_;
  RuleSet rules_;
  KeyLayout layout_;
  Random random_;
  HeaderSource headers_;
  SizeSource sizes_;
  std::uint64_t drawn_ = 0;
};

}  // namespace

bool is_generator_spec(std::string_view text) {
  return text.starts_with(kPrefix);
}

std::optional<GeneratorSpec> parse_generator_spec(std::string_view text,
                                                  const SourceLocation& location,
                                                  Diagnostics& diagnostics) {
  assert(is_generator_spec(text) && "a SPEC begins with gen:");
  return SpecParser(text, location, diagnostics).parse();
}

Traffic generate(const GeneratorSpec& spec, const RuleSet& rules, const KeyLayout& layout, L4Key l4,
                 std::size_t default_frame_bytes, std::uint64_t seed) {
  const auto source =
      std::make_shared<GeneratedPackets>(spec, rules, layout, l4, default_frame_bytes, seed);
  return {TrafficKind::kGenerated, spec.text, sha256_hex(spec.text), spec.count,
          [source] { return source->next(); }};
}

}  // namespace nplab::workloads
