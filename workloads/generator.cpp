#include "workloads/generator.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <charconv>

#include "support/near_miss.h"
#include "support/sha256.h"
#include "workloads/random.h"

namespace nplab::workloads {
namespace {

constexpr std::string_view kPrefix = "gen:";
constexpr std::size_t kRecentHeaders = 16;
constexpr std::size_t kLargestCount = 10'000'000;  // about 2 GB of packets

// "Simple IMIX" (Spirent): IP packets of 40, 576 and 1500 bytes as 7:4:1, here as Ethernet frames.
constexpr std::array<std::size_t, 12> kImixFrames = {64, 64, 64, 64, 64, 64, 64, 594, 594, 594, 594, 1518};

const std::vector<std::string> kKeys = {"hit", "locality", "size", "arrival", "count"};

class SpecParser {
 public:
  SpecParser(std::string_view text, const SourceLocation& location, Diagnostics& diagnostics)
      : text_(text), location_(location), diagnostics_(diagnostics) {
    spec_.text = text;
  }

  std::optional<GeneratorSpec> parse() {
    for (std::size_t at = kPrefix.size(); at < text_.size();) {
      const std::size_t end = std::min(text_.find(',', at), text_.size());
      parse_setting(at, text_.substr(at, end - at));
      at = end + 1;
    }
    if (failed_) return std::nullopt;
    return spec_;
  }

 private:
  void fail(std::size_t offset, std::string message) {
    SourceLocation location = location_;
    if (location.column > 0) location.column += static_cast<int>(offset);
    diagnostics_.error(location, std::move(message));
    failed_ = true;
  }

  void parse_setting(std::size_t at, std::string_view setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos) {
      return fail(at, fmt::format("expected KEY=VALUE in the generator's SPEC, found '{}'", setting));
    }
    const std::string_view key = setting.substr(0, equals);
    const std::string_view value = setting.substr(equals + 1);
    const std::size_t value_at = at + equals + 1;
    if (key == "hit") share(value_at, value, spec_.hit);
    else if (key == "locality") share(value_at, value, spec_.locality);
    else if (key == "size") size(value_at, value);
    else if (key == "arrival") arrival(value_at, value);
    else if (key == "count") count(value_at, value);
    else fail(at, fmt::format("unknown key '{}' in the generator's SPEC; {}", key, suggestion(key, kKeys)));
  }

  void share(std::size_t at, std::string_view value, double& into) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), into);
    const bool read = error == std::errc() && end == value.data() + value.size();
    if (!read || !(into >= 0 && into <= 1)) fail(at, fmt::format("expected a share of 0 to 1, found '{}'", value));
  }

  static std::optional<std::size_t> whole(std::string_view value, std::size_t least, std::size_t most) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
    if (number < least || number > most) return std::nullopt;
    return number;
  }

  void size(std::size_t at, std::string_view value) {
    spec_.imix = value == "imix";
    spec_.frame_bytes = whole(value, kShortestFrameBytes, kLongestGeneratedFrameBytes);
    if (spec_.imix || spec_.frame_bytes) return;
    fail(at, fmt::format("expected a size of 64 to 1518 bytes or imix, found '{}'", value));
  }

  void arrival(std::size_t at, std::string_view value) {
    const auto parsed = parse_arrival(value);
    if (!parsed) return fail(at, fmt::format("expected {}, found '{}'", kArrivalHelp, value));
    spec_.arrival = *parsed;
  }

  void count(std::size_t at, std::string_view value) {
    const auto parsed = whole(value, 1, kLargestCount);
    if (!parsed) return fail(at, fmt::format("expected a count of 1 to {}, found '{}'", kLargestCount, value));
    spec_.count = *parsed;
  }

  std::string_view text_;
  SourceLocation location_;
  Diagnostics& diagnostics_;
  GeneratorSpec spec_;
  bool failed_ = false;
};

class HeaderSource {
 public:
  HeaderSource(const GeneratorSpec& spec, const RuleSet& rules, Random& random)
      : spec_(spec), rules_(rules), random_(random) {}

  const Key& next() {
    if (!recent_.empty() && random_.chance(spec_.locality)) return recent_[random_.below(recent_.size())];
    if (recent_.size() < kRecentHeaders) recent_.emplace_back();
    Key& slot = recent_[fresh_++ % kRecentHeaders];
    slot = random_.chance(spec_.hit) ? point_of_a_rule() : any_header();
    return slot;
  }

 private:
  Key point_of_a_rule() {
    Key key;
    for (const Range& range : rules_.rules()[random_.below(rules_.size())].ranges) key.push_back(random_.in(range));
    return key;
  }
  Key any_header() {
    Key key;
    for (const FieldDefinition& field : rules_.fields()) key.push_back(random_.in(any_value(field)));
    return key;
  }

  const GeneratorSpec& spec_;
  const RuleSet& rules_;
  Random& random_;
  std::vector<Key> recent_;
  std::size_t fresh_ = 0;
};

}  // namespace

bool is_generator_spec(std::string_view text) { return text.starts_with(kPrefix); }

std::optional<GeneratorSpec> parse_generator_spec(std::string_view text, const SourceLocation& location,
                                                  Diagnostics& diagnostics) {
  assert(is_generator_spec(text) && "a SPEC begins with gen:");
  return SpecParser(text, location, diagnostics).parse();
}

Traffic generate(const GeneratorSpec& spec, const RuleSet& rules, const KeyLayout& layout,
                 std::size_t default_frame_bytes, std::uint64_t seed) {
  Random random(seed);
  HeaderSource headers(spec, rules, random);
  std::vector<Packet> packets;
  packets.reserve(spec.count);
  for (std::size_t i = 0; i < spec.count; ++i) {
    const Key& key = headers.next();
    const std::size_t fixed_size = spec.frame_bytes.value_or(default_frame_bytes);
    Packet packet;
    packet.frame = build_frame(key, layout, spec.imix ? kImixFrames[random.below(kImixFrames.size())] : fixed_size, i);
    packets.push_back(std::move(packet));
  }
  return {TrafficKind::generated, spec.text, sha256_hex(spec.text), std::move(packets)};
}

}  // namespace nplab::workloads
