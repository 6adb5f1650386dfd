// The verifier finds what is broken in a placement: each case breaks one thing in a sound one.
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

#include "fixtures.h"
#include "mappings/resolver/verify.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;
using Catch::Contains;

namespace {

struct Mutation {
  const char* what;
  std::function<void(Placement&)> break_it;
  const char* finding;  // part of it
};

std::string findings_after(const Placement& sound, const Mutation& mutation) {
  Placement broken = sound;
  mutation.break_it(broken);
  std::string text;
  for (const std::string& finding : verify(broken))
    text += finding + "\n";
  return text;
}

void check_found(const Placement& sound, const std::vector<Mutation>& mutations) {
  REQUIRE(verify(sound).empty());
  for (const Mutation& mutation : mutations) {
    INFO(mutation.what);
    CHECK_THAT(findings_after(sound, mutation), Contains(mutation.finding));
  }
}

MemoryRange& range_of(Placement& placement, MemoryPurpose purpose) {
  return *std::find_if(placement.memory_map.begin(), placement.memory_map.end(),
                       [&](const MemoryRange& range) { return range.use.purpose == purpose; });
}

}  // namespace

TEST_CASE("a placement whose memory is broken is found out", "[verify]") {
  check_found(
      place_shipped("bv1").placement,
      {
          {"a table on a ring",
           [](Placement& p) {
             p.tables.at(0).space = p.queues.at(0).memory;
             p.tables.at(0).base = p.queues.at(0).instances.at(1).base;
           },
           "overlaps"},
          {"a ring on its neighbour",
           [](Placement& p) {
             p.queues.at(0).instances.at(1).base = p.queues.at(0).instances.at(0).base + 16;
           },
           "ring 1 of queue received"},
          {"a table outside its memory", [](Placement& p) { p.tables.at(0).base = 0xffffff00; },
           "ends outside the memory"},
          {"a table that is larger than its range", [](Placement& p) { p.tables.at(0).bytes += 8; },
           "lies outside its range of the memory map"},
          {"a table at address 0", [](Placement& p) { p.tables.at(0).base = 0; },
           "lies at address 0"},
          {"a table that is not aligned", [](Placement& p) { p.tables.at(0).base += 4; },
           "is not aligned to 8"},
          {"packet buffers that are not aligned", [](Placement& p) { p.buffers.base += 1024; },
           "is not aligned to 2048"},
          {"more packet buffers than were placed", [](Placement& p) { p.buffers.count *= 2; },
           "packet buffers"},
          {"an engine's variables on another's",
           [](Placement& p) { p.variables.at(1).base = p.variables.at(0).base; },
           "variables of engine"},
          {"a range of the map that nothing fills",
           [](Placement& p) { p.tables.erase(p.tables.begin()); }, "holds nothing"},
          {"ranges of the map that overlap",
           [](Placement& p) { range_of(p, MemoryPurpose::kQueue).bytes += 8; }, "overlaps range"},
          {"a memory that the chip does not have",
           [](Placement& p) { p.memory_bytes.erase(isa::MemorySpace::kScratch); },
           "the memory of 0 bytes"},
          {"entries that no mask indexes", [](Placement& p) { p.queues.at(0).entries = 96; },
           "not a power of two"},
          {"an entry without room for what it carries",
           [](Placement& p) { p.queues.at(0).carried.push_back({"rule", std::nullopt}); },
           "carries 1 values in entries of 2 longwords"},
          {"a quantum that the ring cannot hold",
           [](Placement& p) { p.queues.at(0).quantum = 256; }, "a quantum of 256"},
      });
}

TEST_CASE("a placement whose threads or queues are broken is found out", "[verify]") {
  check_found(
      place_shipped("bv2").placement,
      {
          {"a thread of two stages",
           [](Placement& p) { p.stages.at(1).threads.at(0) = p.stages.at(2).threads.at(0); },
           "runs stage dimension1 and stage dimension2"},
          {"an engine that the chip does not have",
           [](Placement& p) { p.stages.at(1).threads.at(0).engine = 6; }, "does not have"},
          {"a context that the chip does not have",
           [](Placement& p) { p.stages.at(1).threads.at(0).context = 4; }, "does not have"},
          {"a stage without threads", [](Placement& p) { p.stages.at(1).threads.clear(); },
           "stage dimension1 has no thread"},
          {"a ring that nobody fills",
           [](Placement& p) { p.queues.at(1).instances.at(0).producers.clear(); },
           "ring 0 of queue found1 has no producer"},
          {"a ring that nobody empties",
           [](Placement& p) { p.queues.at(1).instances.at(0).consumers.clear(); },
           "ring 0 of queue found1 has no consumer"},
          {"a thread that gets no packets",
           [](Placement& p) { p.queues.at(1).instances.at(0).consumers.pop_back(); },
           "is a consumer of no ring of queue found1"},
          {"a producer of another stage",
           [](Placement& p) {
             p.queues.at(1).instances.at(0).producers.at(0) = p.stages.at(4).threads.at(0);
           },
           "does not run stage dimension1"},
          {"a queue without rings", [](Placement& p) { p.queues.at(1).instances.clear(); },
           "queue found1 has no ring"},
          {"a queue that leads nowhere", [](Placement& p) { p.queues.at(1).to = 17; },
           "queue found1 does not join two stages"},
          {"a queue that leads backwards", [](Placement& p) { p.queues.at(1).to = 0; },
           "queue found1 does not lead forwards"},
          {"a queue that its consumer does not know",
           [](Placement& p) { p.stages.at(2).inputs.clear(); }, "stage dimension2 has 0 input"},
          {"a queue that two stages fill",
           [](Placement& p) { p.stages.at(3).outputs.push_back(1); },
           "queue found1 is not the one"},
          {"a queue that is not there", [](Placement& p) { p.stages.at(3).releases = {9}; },
           "stage dimension3 names queue 9 of 5"},
          {"entries that nobody gives back", [](Placement& p) { p.stages.at(4).releases.clear(); },
           "are released by 0 stages"},
          {"entries that two stages give back",
           [](Placement& p) { p.stages.at(3).releases.push_back(0); }, "are released by 2 stages"},
          {"producers that nothing keeps apart",
           [](Placement& p) { p.queues.at(1).protocol.producers.exclusion = Exclusion::kNone; },
           "nothing keeps the 4 producers of ring 0 of queue found1 apart"},
          {"consumers that nothing keeps apart",
           [](Placement& p) { p.queues.at(2).protocol.consumers.exclusion = Exclusion::kNone; },
           "nothing keeps the 4 consumers of ring 0 of queue found2 apart"},
          {"a turn in registers across engines",
           [](Placement& p) {
             p.queues.at(1).instances.at(0).producers.at(0) = p.stages.at(4).threads.at(0);
           },
           "nothing keeps the 4 producers of ring 0 of queue found1 apart"},
          {"a count that each thread keeps for itself",
           [](Placement& p) { p.queues.at(3).protocol.consumers.count = CountPlace::kThread; },
           "the 4 consumers of ring 0 of queue found3 do not share a count"},
          {"one count for two rings",
           [](Placement& p) {
             p.queues.at(1).instances.push_back(p.queues.at(1).instances.front());
           },
           "engine 1 keeps one count for 2 rings of queue found1"},
          {"an order that leaves a stage out",
           [](Placement& p) { p.stage_order.at(2) = p.stage_order.at(1); },
           "does not name every stage once"},
      });
}

TEST_CASE("a placement whose queue does not keep the order of ports is found out", "[verify]") {
  check_found(
      place_shipped("bv1", published_rules(), {{"queues.classified.order", "port", {}}}).placement,
      {
          {"a ring that two threads empty",
           [](Placement& p) {
             auto& rings = p.queues.at(1).instances;
             rings.at(0).consumers.push_back(rings.at(1).consumers.front());
           },
           "ring 0 of queue classified does not keep the order of its port"},
          {"a ring too many",
           [](Placement& p) {
             p.queues.at(1).instances.push_back(p.queues.at(1).instances.front());
           },
           "the packets of queue classified are numbered by 1 stages for 5 rings"},
          {"packets that nobody numbers", [](Placement& p) { p.stages.at(0).orders.clear(); },
           "the packets of queue classified are numbered by 0 stages"},
          {"packets that lose their numbers",
           [](Placement& p) { p.queues.at(0).carried.back() = {"rule", std::nullopt}; },
           "queue classified needs order_of_classified, which is not written before"},
      });
}

TEST_CASE("a ring in registers that two engines would have to see is found out", "[verify]") {
  check_found(place_shipped("bv2").placement,
              {{"a queue between engines",
                [](Placement& p) {
                  p.queues.at(1).protocol.shape = RingShape::kRegisters;
                  std::erase_if(p.memory_map, [](const MemoryRange& range) {
                    return range.use.name == "found1";
                  });
                },
                "ring 0 of queue found1 is in registers of 2 engines"}});
}

TEST_CASE("a placement that loses metadata between stages is found out", "[verify]") {
  check_found(
      place_shipped("bv2").placement,
      {
          {"a value that a later stage misses",
           [](Placement& p) { p.queues.at(3).carried.back() = p.queues.at(3).carried.front(); },
           "task intersect needs vector[2], which is not written before"},
          {"a value that is carried before it is written",
           [](Placement& p) { p.queues.at(1).carried.front() = {"vector", 2}; },
           "queue found1 needs vector[2]"},
          {"a decision that was not brought",
           [](Placement& p) { p.stages.at(1).leave_when_zero.push_back({"vector", 0}); },
           "stage dimension1 needs vector[0]"},
      });
}

TEST_CASE("a longword that lies in no range of the placement is found out", "[verify]") {
  PlacedMapping placed = place_shipped("bv1");
  REQUIRE(verify_memory(placed.placement, placed.memory).empty());
  const MemoryRange& last = placed.placement.memory_map.back();
  placed.memory.put_longword(last.space, static_cast<std::uint32_t>(last.base + last.bytes), 1);
  const auto findings = verify_memory(placed.placement, placed.memory);
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings.front(), Contains("is written and lies in no range"));
}
