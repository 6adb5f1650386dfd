// When references to cached memory are done, to the cycle.
#include "tests/simulator/cache/cache_bench.h"

namespace nplab::test {

using namespace simulator;

TEST_CASE(
    "the cache of a match engine: 16,384 lines of 64 bytes, a hit is read in 5 cycles and written "
    "in 4, one of each a cycle") {
  CacheDescription cache = small_cache(CacheSharing::kShared);
  cache.lines = 16384;
  cache.line_bytes = 64;
  cache.ways = 4;
  cache.replacement = CacheReplacement::kTreePlru;
  CacheBench bench(cache);
  CHECK(bench.latency_of(read_of(0, 0)) == 2 + bench.fetch() + 5);
  CHECK(bench.latency_of(read_of(0, 60)) == 5);
  CHECK(bench.latency_of(write_of(0, 32, 8)) == 4);
  for (const unsigned thread : {1u, 2u})
    bench.send(read_of(thread, 0), 10'000);
  for (const unsigned thread : {5u, 6u})
    bench.send(write_of(thread, 0), 10'000);
  const auto done = bench.run_until(11'000);
  CHECK(done.at(1) == 10'005);
  CHECK(done.at(2) == 10'006);
  CHECK(done.at(5) == 10'004);
  CHECK(done.at(6) == 10'005);
  CHECK(bench.counters().read_misses == 1);
  CHECK(bench.counters().fetched == 1);
}

TEST_CASE("two read ports look two lines up in a cycle, also for one reference") {
  CacheDescription cache = small_cache(CacheSharing::kShared);
  CacheBench one(cache);
  cache.read_ports = 2;
  CacheBench two(cache);
  for (CacheBench* bench : {&one, &two})
    bench->latency_of(read_of(0, 0, 8));
  CHECK(one.latency_of(read_of(0, 8, 4)) == 1 + 5);
  CHECK(two.latency_of(read_of(0, 8, 4)) == 5);
  CHECK(two.counters().read_hits == 2);
}

TEST_CASE("a reference of two missing lines is done when both are there") {
  CacheBench bench(small_cache(CacheSharing::kShared));
  // The second look-up comes a cycle later; its line follows the first over the memory's bus.
  const std::uint64_t data = 16 / bench.sram.bus_bytes * bench.sram.bus_cycles;
  CHECK(bench.latency_of(read_of(0, 8, 4)) == 2 + bench.fetch() + data + 5);
  CHECK(bench.counters().read_misses == 2);
}

TEST_CASE("a second reference to a line under way waits for it and does not fetch it again") {
  CacheBench bench(small_cache(CacheSharing::kShared));
  bench.send(read_of(0, 0), 100);
  bench.send(read_of(1, 4), 110);
  const auto done = bench.run_until(1000);
  CHECK(done.at(0) == 100 + 2 + bench.fetch() + 5);
  CHECK(done.at(1) == done.at(0));
  CHECK(bench.counters().merged == 1);
  CHECK(bench.counters().fetched == 1);
}

TEST_CASE("as many lines as `misses` are on their way at once, hits of other threads go on") {
  for (const unsigned misses : {1u, 2u}) {
    INFO(misses);
    CacheDescription cache = small_cache(CacheSharing::kShared);
    cache.misses = misses;
    CacheBench bench(cache);
    bench.latency_of(read_of(0, 512));
    bench.send(read_of(0, 0), 10'000);
    bench.send(read_of(1, 256), 10'002);
    bench.send(read_of(2, 512), 10'004);
    const auto done = bench.run_until(12'000);
    const std::uint64_t first = 10'002 + bench.fetch();
    CHECK(done.at(0) == first + 5);
    // With one miss at a time, the second asks in the cycle in which the first has come.
    CHECK(done.at(1) == (misses == 1 ? first + 2 + bench.fetch() + 5 : first + 8 + 5));
    CHECK(done.at(2) == 10'004 + 5);
  }
}

TEST_CASE("a line that was written goes back to memory when another takes its place") {
  CacheDescription cache = small_cache(CacheSharing::kShared);
  cache.lines = 4;
  cache.ways = 1;
  CacheBench bench(cache);
  bench.latency_of(write_of(3, 0));
  CHECK(bench.cached.state(0, 0) == LineState::kModified);
  bench.latency_of(read_of(0, 16));
  CHECK(bench.counters().replaced == 0);
  bench.latency_of(read_of(0, 64));
  CHECK(bench.cached.state(0, 0) == LineState::kInvalid);
  CHECK(bench.counters().replaced == 1);
  CHECK(bench.counters().written_back == 1);
  CHECK(bench.cached.bus().lines_written == 1);
  // Three lines fetched, one written back: four longwords each.
  CHECK(bench.unit.active_cycles(Cycle(100'000)) == 4 * 8);
  CHECK(bench.latency_of(read_of(0, 0)) == 2 + bench.fetch() + 5);
  CHECK(bench.threads.done.back().data == std::vector<std::uint32_t>{3});
  CHECK(bench.counters().written_back == 1);  // what was only read needs not go back
}

TEST_CASE("a write through takes as long as the memory, and its line stays") {
  CacheDescription cache = small_cache(CacheSharing::kShared);
  cache.write = WritePolicy::kThrough;
  cache.write_allocate = false;
  CacheBench bench(cache);
  const std::uint64_t write = bench.sram.pipeline_latency + 2 + bench.sram.write_completion;
  CHECK(bench.latency_of(write_of(0, 0)) == 2 + write);
  CHECK(bench.cached.state(0, 0) == LineState::kInvalid);
  CHECK(bench.counters().not_allocated == 1);
  bench.latency_of(read_of(0, 0));
  CHECK(bench.latency_of(write_of(2, 0)) == 2 + write);
  CHECK(bench.counters().write_hits == 1);
  CHECK(bench.latency_of(read_of(0, 0)) == 5);
  CHECK(bench.threads.done.back().data == std::vector<std::uint32_t>{2});
  CHECK(bench.counters().forwarded == 2);
  CHECK(bench.counters().written_back == 0);
}

TEST_CASE("a write through that allocates fetches the line first") {
  CacheDescription cache = small_cache(CacheSharing::kShared);
  cache.write = WritePolicy::kThrough;
  CacheBench bench(cache);
  const std::uint64_t write = bench.sram.pipeline_latency + 2 + bench.sram.write_completion;
  CHECK(bench.latency_of(write_of(0, 0)) == 2 + bench.fetch() + 2 + write);
  CHECK(bench.cached.state(0, 0) == LineState::kShared);
  CHECK(bench.counters().write_misses == 1);
}

TEST_CASE("a write back without allocation goes to memory unless the line is there") {
  CacheDescription cache = small_cache(CacheSharing::kShared);
  cache.write_allocate = false;
  CacheBench bench(cache);
  bench.latency_of(write_of(0, 0));
  CHECK(bench.cached.state(0, 0) == LineState::kInvalid);
  CHECK(bench.counters().forwarded == 1);
  bench.latency_of(read_of(0, 0));
  CHECK(bench.latency_of(write_of(0, 0)) == 4);
  CHECK(bench.cached.state(0, 0) == LineState::kModified);
}

TEST_CASE("private caches: a write takes the line from those that share it, over the bus") {
  CacheBench bench(small_cache(CacheSharing::kPrivate));
  // Request 2, granted at once, 7 to the memory.
  CHECK(bench.latency_of(read_of(0, 0)) == 2 + 7 + 1 + bench.fetch() + 5);  // an odd cycle: 1
  CHECK(bench.latency_of(read_of(4, 0)) == 2 + 7 + 1 + bench.fetch() + 5);
  CHECK(bench.cached.state(0, 0) == LineState::kShared);
  CHECK(bench.cached.state(1, 0) == LineState::kShared);
  CHECK(bench.latency_of(write_of(0, 4)) == 2 + 7 + 4);
  CHECK(bench.cached.state(0, 0) == LineState::kModified);
  CHECK(bench.cached.state(1, 0) == LineState::kInvalid);
  CHECK(bench.counters(0).upgraded == 1);
  CHECK(bench.counters(1).invalidated == 1);
  CHECK(bench.latency_of(write_of(0, 8)) == 4);
  // Its owner supplies it, and memory gets it.
  CHECK(bench.latency_of(read_of(4, 4)) == 2 + 7 + 20 + 5);
  CHECK(bench.threads.done.back().data == std::vector<std::uint32_t>{0});
  CHECK(bench.cached.state(0, 0) == LineState::kShared);
  CHECK(bench.cached.state(1, 0) == LineState::kShared);
  CHECK(bench.counters(0).written_back == 1);
  CHECK(bench.counters(1).from_caches == 1);
  CHECK(bench.latency_of(write_of(8, 4)) == 2 + 7 + 1 + bench.fetch() + 4);
  CHECK(bench.counters(0).invalidated == 1);
  CHECK(bench.counters(1).invalidated == 2);
}

TEST_CASE("each transaction holds the caches' bus") {
  CacheBench bench(small_cache(CacheSharing::kPrivate));
  for (unsigned engine = 0; engine < 3; ++engine)
    bench.send(read_of(4 * engine, 64 * engine), 100);
  const auto done = bench.run_until(1000);
  const std::uint64_t first = 100 + 2 + 7 + 1 + bench.fetch() + 5;
  CHECK(done.at(0) == first);
  CHECK(done.at(4) == first + 10);
  CHECK(done.at(8) == first + 20);
  CHECK(bench.cached.bus().transactions == 3);
  CHECK(bench.cached.bus().held_cycles == 30);
  CHECK(bench.cached.bus().waited_cycles == 30);
}

TEST_CASE("a line that another cache has asked for is granted when it has come there") {
  CacheBench bench(small_cache(CacheSharing::kPrivate));
  bench.send(write_of(0, 0), 100);
  bench.send(read_of(4, 0), 100);
  const auto done = bench.run_until(1000);
  const std::uint64_t came = 100 + 2 + 7 + 1 + bench.fetch();
  CHECK(done.at(0) == came + 4);
  CHECK(done.at(4) == came + 7 + 20 + 5);
}

TEST_CASE("locks are the memory's: lines they concern leave the caches, modified ones to memory") {
  CacheBench bench(small_cache(CacheSharing::kPrivate));
  bench.latency_of(write_of(0, 0));
  bench.latency_of(command(4, isa::Operation::kSramReadLock, isa::Unit::kSram, 0));
  CHECK(bench.threads.done.back().data == std::vector<std::uint32_t>{0});
  CHECK(bench.cached.state(0, 0) == LineState::kShared);
  CHECK(bench.counters(0).written_back == 1);
  CHECK(bench.counters(1).forwarded == 1);
  bench.latency_of(command(4, isa::Operation::kSramWriteUnlock, isa::Unit::kSram, 0));
  CHECK(bench.cached.state(0, 0) == LineState::kInvalid);
  CHECK(bench.counters(0).invalidated == 1);
}

TEST_CASE("a thread's write follows its read that misses, another thread's does not wait") {
  CacheBench bench(small_cache(CacheSharing::kShared));
  bench.latency_of(write_of(0, 0));
  bench.send(read_of(0, 256), 10'000);
  bench.send(write_of(0, 0), 10'001);
  bench.send(write_of(1, 4), 10'002);
  bench.cached.run(Cycle(12'000));
  const auto& done = bench.threads.done;
  REQUIRE(done.size() == 4);
  const std::uint64_t came = 10'002 + bench.fetch();
  CHECK(done[1].cycle == 10'006);  // thread 1
  CHECK(done[2].cycle == came + 5);
  CHECK(done[3].cycle == came + 4);
}

TEST_CASE("a read after a forwarded write starts when that is done, whatever comes meanwhile") {
  CacheDescription cache = small_cache(CacheSharing::kShared);
  cache.write_allocate = false;
  const unsigned meanwhile = GENERATE(range(2u, 30u));
  CacheBench bench(cache);
  bench.latency_of(read_of(0, 0));
  bench.latency_of(read_of(0, 256));
  const std::size_t before = bench.threads.done.size();
  bench.send(write_of(0, 512), 10'000);
  bench.send(read_of(0, 0), 10'001);
  bench.send(read_of(1, 256), 10'000 + meanwhile);
  bench.cached.run(Cycle(12'000));
  const std::uint64_t written =
      10'000 + 2 + bench.sram.pipeline_latency + 2 + bench.sram.write_completion;
  std::vector<std::uint64_t> done;
  for (std::size_t i = before; i < bench.threads.done.size(); ++i)
    if (bench.threads.done[i].thread == 0)
      done.push_back(bench.threads.done[i].cycle);
  CAPTURE(meanwhile);
  CHECK(done == std::vector<std::uint64_t>{written, written + 5});
}

TEST_CASE("a full queue takes no reference, and names the memory's queue") {
  CacheDescription cache = small_cache(CacheSharing::kShared);
  cache.queue = 2;
  cache.misses = 1;
  CacheBench bench(cache);
  bench.send(read_of(0, 0), 100);
  for (const unsigned thread : {1u, 2u})
    bench.send(read_of(thread, 256 * thread), 101);
  const Command last = read_of(3, 1024);
  CHECK_FALSE(bench.cached.has_room(last, Cycle(102)));
  CHECK(bench.cached.full_before(last) > Cycle(102));
  const std::uint64_t came = 102 + bench.fetch();
  CHECK_FALSE(bench.cached.has_room(last, Cycle(came)));
  CHECK(bench.cached.has_room(last, Cycle(came + 1)));
}

TEST_CASE("an atomic operation is performed in the cache that owns the line") {
  CacheBench bench(small_cache(CacheSharing::kPrivate));
  Command set = command(5, isa::Operation::kSramBitWr, isa::Unit::kSram, 0);
  set.function = 10;  // test and set
  bench.latency_of(set);
  CHECK(bench.threads.done.back().data == std::vector<std::uint32_t>{0});
  CHECK(bench.cached.state(1, 0) == LineState::kModified);
  set.thread = ThreadId(8);
  CHECK(bench.latency_of(set) == 2 + 7 + 20 + 4);
  CHECK(bench.threads.done.back().data == std::vector<std::uint32_t>{5});
  CHECK(bench.unit.storage().peek(0) == (5u | 8u));
}

TEST_CASE("compare-and-swap takes as long as any atomic operation, and swaps what it expects") {
  CacheBench bench(small_cache(CacheSharing::kPrivate));
  bench.threads.has_one_more = true;
  bench.latency_of(write_of(5, 0));
  Command swap = command(5, isa::Operation::kSramBitWr, isa::Unit::kSram, 0);
  swap.function = 14;
  CHECK(bench.latency_of(swap) == 4);
  CHECK(bench.threads.done.back().data == std::vector<std::uint32_t>{5});
  CHECK(bench.unit.storage().peek(0) == 6);
  CHECK(bench.latency_of(swap) == 4);
  CHECK(bench.threads.done.back().data == std::vector<std::uint32_t>{6});
  CHECK(bench.unit.storage().peek(0) == 6);
  swap.thread = ThreadId(8);  // of another engine: the line becomes its cache's own all the same
  CHECK(bench.latency_of(swap) == 2 + 7 + 20 + 4);
  CHECK(bench.cached.state(1, 0) == LineState::kInvalid);
  CHECK(bench.cached.state(2, 0) == LineState::kModified);
  CHECK(bench.unit.storage().peek(0) == 6);
}

TEST_CASE("compare-and-swap without a cache before the memory is a fault") {
  BenchChip bench(chip_description("ixp1200"));
  bench.load(0, program({immed(a(0), 64),
                         reference({ReferenceUnit::kSram, 14, sram_transfer(0), a(0), value(0), 1}),
                         kill()}));
  bench.run_until(1000);
  REQUIRE(bench.watch.fault());
  CHECK(bench.watch.fault()->pc == 1u);
  CHECK(bench.watch.fault()->message.find("compares and swaps") != std::string::npos);
}

}  // namespace nplab::test
