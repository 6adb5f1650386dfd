// The shipped mappings, resolved for the published rules.
#include <catch2/catch.hpp>

#include "fixtures.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

std::vector<std::string> names(const std::vector<TaskCall>& calls) {
  std::vector<std::string> result;
  for (const TaskCall& call : calls)
    result.push_back(to_string(call));
  return result;
}

std::vector<std::string> names(const std::vector<MetadataElement>& elements) {
  std::vector<std::string> result;
  for (const MetadataElement& element : elements)
    result.push_back(to_string(element));
  return result;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("BV1 gives each receive thread the queues of its own four classification threads") {
  const Placement placement = place_shipped("bv1").placement;
  const Queue& received = placement.queues.at(0);
  REQUIRE(received.instances.size() == 16);
  CHECK(received.entries == 128);
  CHECK(received.entry_longwords == 2);
  for (unsigned i = 0; i < 16; ++i) {
    CHECK(received.instances[i].producers == std::vector<ThreadPlace>{{0, i / 4}});
    CHECK(received.instances[i].consumers == std::vector<ThreadPlace>{{1 + i / 4, i % 4}});
  }
  CHECK(received.protocol.shape == RingShape::kLapBit);
  CHECK(received.protocol.producers == QueueSide{Exclusion::kNone, CountPlace::kThread, false, 4});
  CHECK(received.protocol.consumers == QueueSide{Exclusion::kNone, CountPlace::kThread, false, 1});
}

TEST_CASE("BV1 gives each transmit thread the queues of four classification threads") {
  const Queue classified = place_shipped("bv1").placement.queues.at(1);
  REQUIRE(classified.instances.size() == 16);
  CHECK(classified.instances[5].producers == std::vector<ThreadPlace>{{2, 1}});
  CHECK(classified.instances[5].consumers == std::vector<ThreadPlace>{{5, 1}});
  CHECK(classified.full == WhenFull::kWait);
}

TEST_CASE(
    "with route all every receive thread goes round all queues, and takes turns with the others of "
    "its engine") {
  const MappingOverride route{"queues.received.route", "all", without_lines("--set")};
  const Placement placement = place_shipped("bv1", published_rules(), {route}).placement;
  REQUIRE(placement.queues[0].instances.size() == 16);
  CHECK(placement.queues[0].instances[7].producers.size() == 4);
  CHECK(placement.queues[0].protocol.producers ==
        QueueSide{Exclusion::kEngine, CountPlace::kMemory, true, 16});
  CHECK(placement.queues[0].protocol.consumers ==
        QueueSide{Exclusion::kNone, CountPlace::kThread, false, 1});
}

TEST_CASE("own queues have one producer and one consumer when the producers are more") {
  const auto placed = place_shipped("bv1", published_rules(),
                                    {{"stages.classify.engines", "[1]", without_lines("--set")},
                                     {"stages.classify.threads", "1", without_lines("--set")}});
  const Queue& received = placed.placement.queues[0];
  REQUIRE(received.instances.size() == 4);
  for (unsigned i = 0; i < 4; ++i) {
    CHECK(received.instances[i].producers == std::vector<ThreadPlace>{{0, i}});
    CHECK(received.instances[i].consumers == std::vector<ThreadPlace>{{1, 0}});
  }
}

TEST_CASE("BV1 runs every task in one stage, which loads all fields and carries nothing") {
  const Placement placement = place_shipped("bv1").placement;
  const Stage& classify = placement.stages.at(1);
  CHECK(names(classify.calls) == Names{"lookup[0]", "lookup[1]", "lookup[2]", "intersect", "act"});
  CHECK(classify.packet_fields == std::vector<unsigned>{0, 1, 2});
  CHECK(classify.gives_verdict);
  CHECK(classify.leave_when_zero.empty());
  CHECK(classify.calls[1].leave_when_zero == MetadataElement{"vector", 1});
  CHECK(placement.queues[0].carried.empty());
  CHECK(placement.queues[1].carried.empty());
}

TEST_CASE(
    "BV2 carries the vectors found so far and reads one field on each of the first three engines") {
  const Placement placement = place_shipped("bv2").placement;
  CHECK(names(placement.queues[0].carried) == Names{});
  CHECK(names(placement.queues[1].carried) == Names{"vector[0]"});
  CHECK(names(placement.queues[2].carried) == Names{"vector[0]", "vector[1]"});
  CHECK(names(placement.queues[3].carried) == Names{"vector[0]", "vector[1]", "vector[2]"});
  CHECK(names(placement.queues[4].carried) == Names{});
  CHECK(placement.queues[3].entry_longwords == 5);
  for (unsigned d = 0; d < 3; ++d)
    CHECK(placement.stages[1 + d].packet_fields == std::vector<unsigned>{d});
  CHECK(placement.stages[4].packet_fields.empty());
  CHECK(placement.stage_order == std::vector<std::size_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("BV2 gives its entries back in the stage of the verdict") {
  const Placement placement = place_shipped("bv2").placement;
  CHECK(placement.stages[4].gives_verdict);
  CHECK(placement.stages[4].releases == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(placement.stages[1].releases.empty());
  CHECK(placement.queues[0].instances.size() == 1);
  for (const Queue& queue : placement.queues) {
    INFO(queue.name);
    CHECK(queue.protocol.producers == QueueSide{Exclusion::kEngine, CountPlace::kEngine, true, 1});
    CHECK(queue.protocol.consumers == QueueSide{Exclusion::kEngine, CountPlace::kEngine, true, 1});
  }
}

TEST_CASE("BV2 leaves a packet alone whose earlier dimension has no vector") {
  const Placement placement = place_shipped("bv2").placement;
  CHECK(placement.stages[1].leave_when_zero.empty());
  CHECK(names(placement.stages[3].leave_when_zero) == Names{"vector[0]", "vector[1]"});
  CHECK(names(placement.stages[4].leave_when_zero) == Names{"vector[0]", "vector[1]", "vector[2]"});
}

TEST_CASE("a 0 decides in later stages only where the task that wrote it last says so") {
  const Placement placement = place_shipped("hypersplit-pipe").placement;
  REQUIRE(placement.stages.at(4).name == "leaf");
  CHECK(placement.stages[2].leave_when_zero.empty());  // a node may compare with 0
  CHECK(placement.stages[3].leave_when_zero.empty());
  CHECK(names(placement.stages[4].leave_when_zero) == Names{"place"});
  const Placement hicuts = place_shipped("hicuts-pipe").placement;
  for (std::size_t stage = 2; stage + 1 < hicuts.stages.size(); ++stage)
    CHECK(names(hicuts.stages[stage].leave_when_zero) == Names{"place"});
}

TEST_CASE("BV2 takes rules of one to five dimensions") {
  for (std::size_t dimensions = 1; dimensions <= 5; ++dimensions) {
    const auto rules = random_rules(dimensions, 20, std::vector<unsigned>(dimensions, 16));
    const Placement placement = place_shipped("bv2", rules).placement;
    std::size_t lookups = 0;
    for (const Stage& stage : placement.stages) {
      for (const TaskCall& call : stage.calls)
        lookups += call.task == "lookup" ? 1 : 0;
    }
    CHECK(lookups == dimensions);
    CHECK(placement.queues[3].carried.size() == dimensions);
  }
}

TEST_CASE("LS runs one task and looks at every field") {
  const Placement placement = place_shipped("ls").placement;
  CHECK(names(placement.stages[1].calls) == Names{"search"});
  CHECK(placement.stages[1].packet_fields == std::vector<unsigned>{0, 1, 2});
  CHECK(placement.tables.at(0).bytes == 4 * 36);
}

TEST_CASE("every range of the memory map lies in its memory, aligned and apart from the others") {
  for (const char* name : {"ls", "bv1", "bv2"}) {
    const Placement placement = place_shipped(name).placement;
    const MemoryRange* before = nullptr;
    for (const MemoryRange& range : placement.memory_map) {
      INFO(name << ": " << to_string(range.use));
      CHECK(range.base % 8 == 0);
      CHECK(range.base + range.bytes <= ixp1200_facts().memory_bytes.at(range.space));
      if (before != nullptr && before->space == range.space)
        CHECK(before->base + before->bytes <= range.base);
      before = &range;
    }
    CHECK(placement.buffers.base % kBufferBytes == 0);
    CHECK(placement.buffers.count == 4160);
  }
}

TEST_CASE("the free list links every descriptor, and queues begin empty") {
  const PlacedMapping placed = place_shipped("bv1");
  const PacketBuffers& buffers = placed.placement.buffers;
  std::uint32_t block = buffers.descriptors_base;
  std::uint32_t count = 0;
  while (block != 0 && count <= buffers.count) {
    ++count;
    block = placed.memory.longword(isa::MemorySpace::kSram, block).value();
  }
  CHECK(count == buffers.count);
  const std::uint32_t ring = placed.placement.queues[0].instances[15].base;
  CHECK(placed.memory.longword(isa::MemorySpace::kSram, ring + kQueueTailOffset) == 0u);
}

TEST_CASE("pins put a queue, a table and the compiler's variables where the mapping says") {
  const auto placed =
      place_shipped("bv1", published_rules(),
                    {{"memory",
                      "{sram: {received: 0x8000}, sdram: {pset: 0x100}, scratch: {variables: "
                      "0}}",
                      {}}});
  CHECK(placed.placement.queues[0].instances[0].base == 0x8000);
  CHECK(placed.placement.queues[0].instances[1].base == 0x8000 + 16 + 128 * 8);
  CHECK(placed.placement.tables.at(0).name == "pset");
  CHECK(placed.placement.tables.at(0).base == 0x100);
  CHECK(placed.placement.variables.back().base == 5 * 4 * 64);
}
