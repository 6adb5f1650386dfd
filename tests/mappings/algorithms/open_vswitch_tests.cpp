// The mega flows of Open vSwitch: which bits of a packet a search looks at.
#include <array>
#include <catch2/catch.hpp>

#include "mappings/include/verdict.h"
#include "mappings/open-vswitch/layout.h"
#include "tests/mappings/fixtures.h"
#include "tests/mappings/native_tasks.h"
#include "workloads/reference/classifier.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

constexpr const char* kMapping = "ovs-data";

using Masks = std::vector<std::vector<std::uint32_t>>;  // of each mega flow, by field

// The tasks on the host, and the masks of the mega flows that they kept.
class MegaFlows {
 public:
  MegaFlows(const workloads::RuleSet& rules, const std::string& parameters)
      : placed_(place_shipped(kMapping, rules,
                              {{"parameters", "{" + parameters + "}", {}}, host_pins(kMapping)},
                              host_chip())),
        tasks_(placed_),
        fields_(rules.fields().size()) {}

  [[nodiscard]] Verdict run(const std::vector<std::uint64_t>& key) const { return tasks_.run(key); }

  [[nodiscard]] Masks masks() const {
    Masks found;
    for (const std::uint32_t* at = first(); at[MASK_STATE] & MEGA_HELD; at += MEGA_RECORD_BYTES / 4)
      found.emplace_back(at, at + fields_);
    return found;
  }

  void forget() const { first()[MASK_STATE] = 0; }

 private:
  [[nodiscard]] std::uint32_t* first() const {
    return reinterpret_cast<std::uint32_t*>(
        static_cast<std::uintptr_t>(table(placed_, "mega_masks").base));
  }

  const PlacedMapping placed_;
  const NativeTasks tasks_;
  const std::size_t fields_;
};

// Two fields of four bits: a prefix of one bit, a range that is no prefix, a prefix of three bits.
workloads::RuleSet three_rules() {
  std::vector<workloads::Rule> rules(3);
  rules[0].ranges = {{8, 15}, {0, 15}};
  rules[1].ranges = {{0, 15}, {3, 9}};
  rules[2].ranges = {{2, 3}, {0, 15}};
  return {"", "", {{"a", 4, {}, {}}, {"b", 4, {}, {}}}, std::move(rules)};
}

Masks masks_after(const std::string& parameters, const std::vector<std::uint64_t>& key) {
  const MegaFlows flows(three_rules(), parameters);
  (void)flows.run(key);
  return flows.masks();
}

}  // namespace

TEST_CASE("the mask of a mega flow is the union of the masks that the search looked at") {
  const std::string stops = "ordered: 1, early_stop: 1";
  INFO("the first rule's table alone: no other can win");
  CHECK(masks_after(stops, {12, 5}) == Masks{{8, 0}});
  INFO("a range other than a prefix is compared by all bits of its field");
  CHECK(masks_after(stops, {2, 5}) == Masks{{8, 15}});
  INFO("all three tables");
  CHECK(masks_after(stops, {2, 0}) == Masks{{14, 15}});
}

TEST_CASE("without early stop the masks of all tables are in every mega flow's mask") {
  INFO("the range has no turn where a better rule is known");
  CHECK(masks_after("ordered: 1, early_stop: 0", {12, 5}) == Masks{{14, 0}});
  CHECK(masks_after("ordered: 1, early_stop: 0", {2, 0}) == Masks{{14, 15}});
}

TEST_CASE("packets of one mega flow add no second mask, and those of others share masks") {
  const MegaFlows flows(three_rules(), "ordered: 1, early_stop: 1");
  for (const std::uint64_t field : {8, 9, 15})
    CHECK(flows.run({field, 1}).rule == 0);
  CHECK(flows.masks().size() == 1);
  CHECK(flows.run({2, 0}).rule == 2);
  CHECK(flows.run({3, 15}).rule == 2);
  CHECK(flows.masks() == Masks{{8, 0}, {14, 15}});
}

TEST_CASE("every packet that agrees with a mega flow in the bits of its mask has its verdict") {
  const std::array<const char*, 5> kVariants = {
      "ordered: 0, early_stop: 0", "ordered: 0, early_stop: 1", "ordered: 1, early_stop: 1",
      "merged: 1, ordered: 1, early_stop: 1", "merged: 1, collision_limit: 2, hash_unit: 0"};
  const std::vector<std::vector<unsigned>> shapes = {{9}, {6, 7}, {32, 32, 16, 16, 8}};
  std::uint64_t seed = 1;
  std::size_t unlooked = 0;  // packets that differ in bits that were not looked at
  for (const char* variant : kVariants) {
    for (const auto& shape : shapes) {
      const auto rules = random_rules(++seed, 40, shape);
      const workloads::ReferenceClassifier reference(rules);
      const MegaFlows flows(rules, variant);
      workloads::Random random(seed);
      for (int i = 0; i < 100; ++i) {
        const auto key = random_key(random, rules);
        flows.forget();
        const Verdict verdict = flows.run(key);
        const Masks masks = flows.masks();
        REQUIRE(masks.size() == 1);
        for (int other = 0; other < 30; ++other) {
          auto changed = key;
          for (std::size_t f = 0; f < key.size(); ++f) {
            const std::uint64_t free = workloads::max_value(shape[f]) & ~masks[0][f];
            changed[f] ^= random.in({0, workloads::max_value(shape[f])}) & free;
          }
          unlooked += changed != key ? 1 : 0;
          const auto expected = reference.classify(changed);
          CAPTURE(variant, seed, key, changed, masks);
          REQUIRE(verdict.rule == (expected ? expected->value() : NO_MATCH));
        }
      }
    }
  }
  CHECK(unlooked > 1000);
}
