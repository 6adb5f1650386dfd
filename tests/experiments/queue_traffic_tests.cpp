// Entries handed over by the code that mappings run, between threads of one engine or several.
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "experiments/prepare/chip_file.h"
#include "experiments/prepare/data_files.h"
#include "experiments/queues/queue_traffic.h"
#include "simulator/parameters/chip_description.h"

using namespace nplab;
using namespace nplab::experiments;
using namespace nplab::mappings;

namespace {

simulator::ChipDescription read_shipped_chip(const std::string& name) {
  Diagnostics diagnostics;
  const auto path = find_data_file(DataKind::kChip, name, {}, diagnostics);
  const auto text = read_chip_text(path.value(), diagnostics);
  return simulator::read_chip(text->root, diagnostics).value();
}

const simulator::ChipDescription& shipped_chip() {
  static const simulator::ChipDescription kChip = read_shipped_chip("ixp1200");
  return kChip;
}

// Every reference arrives up to `most` cycles later than it would.
simulator::ChipDescription with_latencies(unsigned most, std::uint64_t seed) {
  simulator::ChipDescription chip = shipped_chip();
  chip.latency_spread = {most, seed};
  return chip;
}

// Threads `count` of engines from `first` on, `on_each` of each.
std::vector<ThreadPlace> threads(unsigned first, unsigned count, unsigned on_each) {
  std::vector<ThreadPlace> places;
  for (unsigned i = 0; i < count; ++i)
    places.push_back({first + i / on_each, i % on_each});
  return places;
}

// Every entry of every producer comes once; those of one producer come in their order where the
// ring has it.
void check_taken(const QueueTraffic& traffic, const QueueTrafficResult& result, bool in_order) {
  CHECK((result.run.fault ? result.run.fault->message : "") == "");
  CHECK(result.taken.size() == traffic.producers.size() * traffic.handed_over);
  std::map<std::uint32_t, std::vector<std::uint32_t>> entries;
  for (const TakenEntry& taken : result.taken)
    entries[taken.producer].push_back(taken.entry);
  for (auto& [producer, numbers] : entries) {
    INFO("producer " << producer);
    if (!in_order)
      std::sort(numbers.begin(), numbers.end());
    bool is_right = numbers.size() == traffic.handed_over;
    for (std::uint32_t i = 0; is_right && i < numbers.size(); ++i)
      is_right = numbers[i] == i;
    CHECK(is_right);
  }
}

// For all entries, whatever the latencies: with one entry, hand-overs follow one another.
simulator::Cycles enough_cycles(const QueueTraffic& traffic) {
  if (traffic.sync == QueueSync::kMemoryLock)
    return 3'000'000;
  return traffic.entries == 1 ? 1'200'000 : 400'000;
}

void run_and_check(const QueueTraffic& traffic, const simulator::ChipDescription& chip) {
  Diagnostics diagnostics;
  const auto result = run_queue_traffic(traffic, chip, enough_cycles(traffic), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(result);
  // Which of two consumers shows its entry first is not the order of the ring.
  check_taken(traffic, *result, traffic.consumers.size() == 1 && traffic.per == QueuePer::kShared);
}

// One of everything that a mapping may ask for, drawn.
QueueTraffic drawn_traffic(std::mt19937_64& random) {
  const auto one_of = [&](auto... choices) {
    const std::array<std::common_type_t<decltype(choices)...>, sizeof...(choices)> all{choices...};
    return all[random() % all.size()];
  };
  QueueTraffic traffic;
  const unsigned producers = one_of(1u, 2u, 4u, 8u);
  const unsigned consumers = one_of(1u, 2u, 4u, 8u);
  traffic.producers = threads(
      0, producers, one_of(1u, 2u, 4u) % 3 == 1 ? std::min(producers, 4u) : (producers + 2) / 3);
  traffic.consumers = threads(3, consumers, std::max(1u, std::min(4u, (consumers + 2) / 3)));
  traffic.entries = one_of(1u, 2u, 4u, 16u);
  traffic.entry_longwords = 2 + random() % 9;
  traffic.memory = one_of(isa::MemorySpace::kSram, isa::MemorySpace::kScratch);
  traffic.release = one_of(QueueRelease::kDequeue, QueueRelease::kEndOfPacket);
  traffic.wait = one_of(QueueWait::kPoll, QueueWait::kSignal);
  traffic.sync = one_of(QueueSync::kAuto, QueueSync::kAuto, QueueSync::kMemoryLock);
  if (traffic.sync == QueueSync::kMemoryLock)
    traffic.wait = QueueWait::kPoll;
  if (traffic.memory == isa::MemorySpace::kSram && traffic.sync == QueueSync::kAuto)
    traffic.primitive = one_of(LockPrimitive::kTestAndSet, LockPrimitive::kLockCam);
  if (traffic.wait == QueueWait::kPoll && traffic.release == QueueRelease::kDequeue &&
      traffic.entries >= 4)
    traffic.quantum = one_of(1u, 2u, 3u);
  traffic.handed_over = 8 * one_of(1u, 3u, 6u);
  traffic.longest_pause = one_of(0u, 3u, 15u);
  return traffic;
}

std::string describe(const QueueTraffic& traffic) {
  return fmt::format(
      "{} producers from {}.{}, {} consumers, {} entries of {}, memory {}, release {}, wait {}, "
      "sync {}, primitive {}, quantum {}, {} each, pause {}",
      traffic.producers.size(), traffic.producers.back().engine, traffic.producers.back().context,
      traffic.consumers.size(), traffic.entries, traffic.entry_longwords,
      static_cast<int>(traffic.memory), static_cast<int>(traffic.release),
      static_cast<int>(traffic.wait), static_cast<int>(traffic.sync),
      static_cast<int>(traffic.primitive), traffic.quantum, traffic.handed_over,
      traffic.longest_pause);
}

void check_drawn(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(seed);
    const QueueTraffic traffic = drawn_traffic(random);
    CAPTURE(seed, describe(traffic));
    run_and_check(traffic, with_latencies(1 + random() % 60, seed));
  }
}

}  // namespace

TEST_CASE("threads of every number and order of engines hand entries over once and completely",
          "[queues]") {
  for (const auto& [producers, consumers] :
       {std::pair{1u, 1u}, {4u, 4u}, {4u, 12u}, {8u, 4u}, {8u, 12u}}) {
    QueueTraffic traffic;
    traffic.producers = threads(0, producers, 4);
    traffic.consumers = threads(2, consumers, 4);
    traffic.handed_over = 48;
    for (const std::uint32_t entries : {2u, 128u}) {
      CAPTURE(producers, consumers, entries);
      traffic.entries = entries;
      run_and_check(traffic, shipped_chip());
    }
  }
}

TEST_CASE("rings of pairs, of producers and of consumers hand entries over once and completely",
          "[queues]") {
  for (const auto& [per, route] : {std::pair{QueuePer::kPair, QueueRoute::kAll},
                                   {QueuePer::kProducerThread, QueueRoute::kAll},
                                   {QueuePer::kConsumerThread, QueueRoute::kAll},
                                   {QueuePer::kPair, QueueRoute::kOwn}}) {
    CAPTURE(static_cast<int>(per), static_cast<int>(route));
    QueueTraffic traffic;
    traffic.per = per;
    traffic.route = route;
    traffic.producers = threads(0, 4, 4);
    traffic.consumers = threads(1, 8, 4);
    traffic.handed_over = 48;
    traffic.entries = 4;
    run_and_check(traffic, shipped_chip());
    traffic.wait = QueueWait::kSignal;
    if (per == QueuePer::kConsumerThread || route == QueueRoute::kOwn)
      run_and_check(traffic, shipped_chip());
  }
}

TEST_CASE("queues drawn at random hand entries over once and completely under random latencies",
          "[queues]") {
  check_drawn(1, 40);
}

namespace {

constexpr LockPrimitive kOfAllChips[] = {LockPrimitive::kMutex, LockPrimitive::kCondition};
constexpr LockPrimitive kOfCaches[] = {LockPrimitive::kCompareAndSwap, LockPrimitive::kTicket,
                                       LockPrimitive::kMcs, LockPrimitive::kMutex,
                                       LockPrimitive::kCondition};

// Threads of several engines on both sides, drawn otherwise.
void check_drawn_lock(LockPrimitive primitive, const simulator::ChipDescription& chip,
                      std::uint64_t seed) {
  std::mt19937_64 random(seed);
  QueueTraffic traffic = drawn_traffic(random);
  const auto side = [&](unsigned first, std::uint64_t drawn) {
    return drawn % 2 == 0 ? threads(first, 2 + drawn / 2 % 2, 1)  // two or three engines
                          : threads(first, 3 + drawn / 2 % 4, 2);
  };
  traffic.producers = side(0, seed);
  traffic.consumers = side(3, seed / 2);
  traffic.primitive = primitive;
  traffic.sync = QueueSync::kAuto;
  traffic.wait = primitive == LockPrimitive::kCondition ? QueueWait::kPoll : traffic.wait;
  if (!std::has_single_bit(traffic.consumers.size()))
    traffic.wait = QueueWait::kPoll;
  if (chip.sram.cache)
    traffic.memory = isa::MemorySpace::kSram;
  traffic.call_instructions = 16 * (seed % 3);
  traffic.kernel_instructions = 64 * (seed % 4);
  CAPTURE(seed, describe(traffic));
  simulator::ChipDescription roomy = chip;
  roomy.engine.control_store_words = 8192;  // locks of functions that are inlined take many
  run_and_check(traffic, roomy);
}

}  // namespace

TEST_CASE("mutexes and condition variables lock rings of any chip under random latencies",
          "[queues]") {
  for (const LockPrimitive primitive : kOfAllChips) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed)
      check_drawn_lock(primitive, with_latencies(1 + 7 * seed, seed), seed);
  }
}

TEST_CASE("every lock works on private and on shared caches under random latencies", "[queues]") {
  for (const char* name : {"smp", "cmp-l2"}) {
    simulator::ChipDescription chip = read_shipped_chip(name);
    for (const LockPrimitive primitive : kOfCaches) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        CAPTURE(name);
        chip.latency_spread = {1 + 9 * static_cast<unsigned>(seed), seed};
        check_drawn_lock(primitive, chip, seed);
      }
    }
  }
}

TEST_CASE("engines whose threads sleep on a condition variable are idle longer than with a mutex",
          "[queues]") {
  // Two producers and two consumers, each on an engine of its own: with a slow way through the
  // kernel the sleepers' engines are idle meanwhile.
  QueueTraffic traffic;
  traffic.producers = threads(0, 2, 1);
  traffic.consumers = threads(2, 2, 1);
  traffic.handed_over = 32;
  traffic.fills_first = true;
  std::map<LockPrimitive, simulator::Cycles> idle;
  for (const LockPrimitive primitive : {LockPrimitive::kMutex, LockPrimitive::kCondition}) {
    traffic.primitive = primitive;
    traffic.kernel_instructions = 1024;
    Diagnostics diagnostics;
    const auto result = run_queue_traffic(traffic, shipped_chip(), 400'000, diagnostics);
    REQUIRE(result);
    check_taken(traffic, *result, false);
    for (const simulator::EngineCounters& engine : result->run.engines)
      idle[primitive] += engine.idle;
  }
  CHECK(idle[LockPrimitive::kCondition] > idle[LockPrimitive::kMutex]);
}

TEST_CASE("two thousand queues drawn at random hand entries over under random latencies",
          "[.][full]") {
  check_drawn(1001, 2000);
}
