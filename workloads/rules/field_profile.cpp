#include "workloads/rules/field_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "support/parameters/check.h"
#include "support/parameters/checked_map.h"
#include "support/sha256.h"
#include "support/yaml.h"
#include "workloads/base/random.h"
#include "workloads/packets/key_layout.h"

namespace nplab::workloads {
namespace {

using namespace parameters;

constexpr const char* kFields = "fields";
constexpr std::int64_t kWidestField = 64;
constexpr std::int64_t kWidestRange = std::int64_t{1} << 62;
constexpr unsigned kRepeatsBeforeGivingUp = 1000;

KeyMap profile_field_keys() {
  return {{required("name", text(), "The field's name."),
           required("bits", integer(1, kWidestField), "Its width.").in("bits"),
           required("match", choice({"exact", "prefix", "range"}), "How rules match it."),
           required("unique", number(),
                    "Different values, as a share of the rules (0 to 1); at most all that it has."),
           optional("least", integer(1, kWidestRange), "1",
                    "Of a prefix the shortest length, of a range the fewest values."),
           optional("most", integer(1, kWidestRange), "1",
                    "Of a prefix the longest length, of a range the most values.")},
          ""};
}

const KeyMap& field_profile_keys() {
  static const KeyMap kKeys = {
      {required("profile", text(), "The profile's name."),
       required("source", text(), "Where its figures come from."),
       required(kFields, list(section(profile_field_keys()), 1), "The fields of a rule.")},
      ""};
  return kKeys;
}

std::optional<ProfileField> read_field(const yaml::Node& node, Diagnostics& diagnostics) {
  const CheckedMap map(node, *find_keys(field_profile_keys(), kFields));
  ProfileField field;
  field.field = {map.text("name"),
                 static_cast<unsigned>(map.integer("bits")),
                 map.choice<MatchKind>("match"),
                 {}};
  field.least = static_cast<std::uint64_t>(map.integer("least"));
  field.most = static_cast<std::uint64_t>(map.integer("most"));
  const yaml::Node* unique = map.find("unique");
  const auto share = unique == nullptr ? std::nullopt : unique->as_number(diagnostics);
  if (share && (std::isnan(*share) || *share < 0 || *share > 1))
    diagnostics.error(unique->location(),
                      fmt::format("unique: expected a share of 0 to 1, found {}", *share));
  field.unique = share.value_or(1);
  const std::uint64_t bound = field.field.match == MatchKind::kPrefix
                                  ? field.field.bits
                                  : max_value(std::max(1u, field.field.bits));
  if (field.field.match != MatchKind::kExact && (field.most > bound || field.least > field.most))
    diagnostics.error(
        node.location(),
        fmt::format("least {} and most {}: expected 1 <= least <= most <= {} for field "
                    "'{}' of {} bits",
                    field.least, field.most, bound, field.field.name, field.field.bits));
  return field;
}

Range draw_value(const ProfileField& profile, Random& random) {
  const Range all = any_value(profile.field);
  const std::uint64_t value = random.in(all);
  if (profile.field.match == MatchKind::kExact)
    return {value, value};
  const std::uint64_t size = random.in({profile.least, profile.most});
  if (profile.field.match == MatchKind::kPrefix) {
    const auto free_bits = static_cast<unsigned>(profile.field.bits - size);
    const std::uint64_t free = free_bits == 0 ? 0 : max_value(free_bits);
    return {value & ~free, value | free};
  }
  const std::uint64_t low = std::min(value, all.high - (size - 1));
  return {low, low + (size - 1)};
}

bool precedes(const Range& a, const Range& b) {
  return std::pair(a.low, a.high) < std::pair(b.low, b.high);
}

struct ByEnds {
  bool operator()(const Range& a, const Range& b) const { return precedes(a, b); }
};

// As many different values as the profile asks for among `count` rules, in the order drawn.
std::vector<Range> draw_values(const ProfileField& profile, std::size_t count, Random& random) {
  const auto share =
      static_cast<std::uint64_t>(std::llround(profile.unique * static_cast<double>(count)));
  std::uint64_t wanted = std::max<std::uint64_t>(1, share);
  if (profile.field.match == MatchKind::kExact && profile.field.bits < 63)
    wanted = std::min(wanted, max_value(profile.field.bits) + 1);
  std::set<Range, ByEnds> seen;
  std::vector<Range> values;
  // A short field is taken completely: drawing its last value would take long.
  if (profile.field.match == MatchKind::kExact && profile.field.bits < 16) {
    for (std::uint64_t value = 0; value <= max_value(profile.field.bits); ++value)
      values.push_back({value, value});
    for (std::size_t i = 0; i < wanted; ++i)
      std::swap(values[i], values[i + random.below(values.size() - i)]);
    values.resize(wanted);
    return values;
  }
  for (unsigned repeats = 0; values.size() < wanted && repeats < kRepeatsBeforeGivingUp;) {
    const Range value = draw_value(profile, random);
    if (seen.insert(value).second) {
      values.push_back(value);
      repeats = 0;
    } else {
      ++repeats;
    }
  }
  return values;
}

// One value a rule: each once, then any of them, in random order.
std::vector<Range> assign_values(const std::vector<Range>& values, std::size_t count,
                                 Random& random) {
  std::vector<Range> assigned;
  for (std::size_t i = 0; i < count; ++i)
    assigned.push_back(i < values.size() ? values[i] : values[random.below(values.size())]);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(assigned[i], assigned[i + random.below(count - i)]);
  return assigned;
}

struct ByRanges {
  bool operator()(const std::vector<Range>& a, const std::vector<Range>& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), precedes);
  }
};

}  // namespace

bool is_field_profile(const InputFile& file) {
  Diagnostics ignored;
  const auto document = yaml::parse(file.bytes, file.name, ignored);
  return document && document->is_map() && document->find(kFields) != nullptr;
}

std::optional<FieldProfile> parse_field_profile(const InputFile& file, Diagnostics& diagnostics) {
  const auto errors_before = diagnostics.errors().size();
  const auto document = yaml::parse(file.bytes, file.name, diagnostics);
  if (!document)
    return std::nullopt;
  parameters::check(*document, field_profile_keys(), diagnostics);
  if (diagnostics.errors().size() != errors_before)
    return std::nullopt;
  const CheckedMap map(*document, field_profile_keys());
  FieldProfile profile;
  profile.name = map.text("profile");
  for (const yaml::Node& node : map.items(kFields)) {
    if (auto field = read_field(node, diagnostics))
      profile.fields.push_back(std::move(*field));
  }
  if (diagnostics.errors().size() != errors_before)
    return std::nullopt;
  return profile;
}

std::optional<RuleSet> generate_field_rules(const FieldProfile& profile, std::size_t count,
                                            std::uint64_t seed, double wildcards) {
  Random random(seed);
  std::vector<FieldDefinition> fields;
  std::vector<std::vector<Range>> values, assigned;
  for (const ProfileField& field : profile.fields) {
    fields.push_back(field.field);
    values.push_back(draw_values(field, count, random));
    assigned.push_back(assign_values(values.back(), count, random));
  }
  const auto value_or_any = [&](std::size_t field, const Range& value) {
    return random.chance(wildcards) ? any_value(fields[field]) : value;
  };
  std::set<std::vector<Range>, ByRanges> seen;
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Range> ranges;
    for (std::size_t f = 0; f < fields.size(); ++f)
      ranges.push_back(value_or_any(f, assigned[f][i]));
    for (unsigned repeats = 0; !seen.insert(ranges).second; ++repeats) {
      if (repeats == kRepeatsBeforeGivingUp)
        return std::nullopt;
      for (std::size_t f = 0; f < fields.size(); ++f)
        ranges[f] = value_or_any(f, values[f][random.below(values[f].size())]);
    }
    rules.push_back({{}, std::move(ranges), Action::allow(), {}});
  }
  pack_fields(fields);
  const std::string name = fmt::format("{} rules of profile {}, seed {}, wildcards {}", count,
                                       profile.name, seed, wildcards);
  return RuleSet(name, sha256_hex(name), std::move(fields), std::move(rules));
}

}  // namespace nplab::workloads
