// Caches before an SRAM unit, fed command by command.
#pragma once

#include <map>
#include <vector>

#include <catch2/catch.hpp>

#include "simulator/cache/cached_memory.h"
#include "simulator/memory/sram_unit.h"
#include "tests/simulator/bench/unit_bench.h"

namespace nplab::test {

// Round figures, all different where tests tell them apart.
inline simulator::CacheDescription small_cache(simulator::CacheSharing sharing) {
  simulator::CacheDescription cache;
  cache.sharing = sharing;
  cache.lines = 16;
  cache.line_bytes = 16;
  cache.ways = 2;
  cache.replacement = simulator::CacheReplacement::kLru;
  cache.write = simulator::WritePolicy::kBack;
  cache.write_allocate = true;
  cache.read_ports = 1;
  cache.write_ports = 1;
  cache.read_latency = 5;
  cache.write_latency = 4;
  cache.queue = 8;
  cache.misses = 4;
  cache.miss_latency = 2;
  cache.bus_cycles = 10;
  cache.bus_latency = 7;
  cache.intervention_latency = 20;
  return cache;
}

class CacheBench {
 public:
  struct Done {
    unsigned thread = 0;
    std::uint64_t cycle = 0;
    std::vector<std::uint32_t> data;
  };
  // Writes put down the number of the thread.
  class Threads final : public simulator::ThreadAccess {
   public:
    void pull(simulator::ThreadId thread, simulator::TransferRegister,
              std::span<std::uint32_t> longwords, simulator::Cycle) override {
      for (std::uint32_t& longword : longwords)
        longword = thread.number();
      if (has_one_more && longwords.size() == 2)
        ++longwords[1];
    }
    void answer(simulator::ThreadId thread, const simulator::Answer& answer) override {
      done.push_back({thread.number(),
                      answer.at.number(),
                      {answer.longwords.begin(), answer.longwords.end()}});
    }
    std::vector<Done> done;
    bool has_one_more = false;  // in the second of two longwords, for compare_and_swap
  };

  explicit CacheBench(const simulator::CacheDescription& cache, unsigned engines = 4)
      : description(cache),
        sram(chip_description("ixp1200").sram),
        unit(sram),
        cached("sram", cache, engines, unit) {
    unit.connect({&threads, &watch});
    cached.connect(threads);
  }

  void send(const simulator::Command& command, std::uint64_t at) {
    simulator::Command issued = command;
    issued.issued = simulator::Cycle(at);
    REQUIRE(cached.has_room(issued, simulator::Cycle(at)));
    cached.deliver(issued, simulator::Cycle(at));
  }
  // Sends it and runs on until nothing is under way; gives how long it took.
  std::uint64_t latency_of(const simulator::Command& command) {
    now += 1000;
    send(command, now);
    const std::size_t before = threads.done.size();
    cached.run(simulator::Cycle(now + 1000));
    REQUIRE(threads.done.size() == before + 1);
    return threads.done.back().cycle - now;
  }
  // The completions, by thread.
  std::map<unsigned, std::uint64_t> run_until(std::uint64_t end) {
    cached.run(simulator::Cycle(end));
    std::map<unsigned, std::uint64_t> cycles;
    for (const Done& done : threads.done)
      cycles[done.thread] = done.cycle;
    return cycles;
  }
  // From a line's request at the idle memory, in an even cycle, to its arrival.
  [[nodiscard]] std::uint64_t fetch() const {
    const auto data = description.line_bytes / sram.bus_bytes * sram.bus_cycles;
    return sram.pipeline_latency + data + sram.push_latency;
  }
  [[nodiscard]] const simulator::CacheCounters& counters(unsigned cache = 0) const {
    return cached.counters(cache);
  }

  simulator::CacheDescription description;
  simulator::SramDescription sram;
  Threads threads;
  simulator::RunWatch watch;
  simulator::SramUnit unit;
  simulator::CachedMemory cached;
  std::uint64_t now = 0;
};

inline simulator::Command read_of(unsigned thread, std::uint32_t address, unsigned count = 1) {
  return command(thread, isa::Operation::kSramRead, isa::Unit::kSram, address, count);
}
inline simulator::Command write_of(unsigned thread, std::uint32_t address, unsigned count = 1) {
  return command(thread, isa::Operation::kSramWrite, isa::Unit::kSram, address, count);
}

}  // namespace nplab::test
