// The engine and its memories against the untimed interpreter, on random programs and chips of
// random timing.
#include <array>
#include <map>
#include <random>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "simulator/run/simulation.h"
#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/random_ddr4.h"
#include "tests/simulator/bench/random_program.h"
#include "tests/simulator/bench/reference_interpreter.h"

namespace nplab::test {
namespace {

using namespace simulator;

struct Case {
  SimulationInputs inputs;
  unsigned engines = 0;
  unsigned contexts = 0;
};

// Before one of the memories.
void add_cache(std::mt19937_64& random, unsigned memory, ChipDescription& chip) {
  const auto between = [&random](unsigned least, unsigned most) {
    return static_cast<unsigned>(least + random() % (most - least + 1));
  };
  CacheDescription& cache = (memory == 0   ? chip.sram.cache
                             : memory == 1 ? chip.sdram.cache
                                           : chip.scratch.cache)
                                .emplace();
  cache.sharing = static_cast<CacheSharing>(between(0, 1));
  cache.replacement = static_cast<CacheReplacement>(between(0, 2));
  cache.write = static_cast<WritePolicy>(between(0, 1));
  cache.write_allocate = between(0, 1) == 1;
  cache.ways = 1u << between(0, 2);
  cache.lines = cache.ways << between(0, 3);
  cache.line_bytes = 8u << between(0, 3);
  for (unsigned* figure : {&cache.read_ports, &cache.write_ports, &cache.read_latency,
                           &cache.write_latency, &cache.queue, &cache.misses, &cache.miss_latency,
                           &cache.bus_cycles, &cache.bus_latency, &cache.intervention_latency})
    *figure = between(1, 8);
  cache.write_latency = cache.read_latency;  // programs rely on the order of completions
}

// Timing must not matter: latencies, depths and aborts of any size.
ChipDescription random_chip(std::mt19937_64& random) {
  static const ChipDescription shipped = chip_description("ixp1200");
  ChipDescription chip = shipped;
  const auto between = [&random](unsigned least, unsigned most) {
    return static_cast<unsigned>(least + random() % (most - least + 1));
  };
  PipelineDescription& pipeline = chip.engine.pipeline;
  for (unsigned* aborts :
       {&pipeline.unconditional_aborts, &pipeline.condition_aborts, &pipeline.state_aborts,
        &pipeline.condition_aborts_after_setter, &pipeline.test_aborts, &pipeline.swap_aborts,
        &pipeline.wake_up_cycles, &pipeline.start_cycles})
    *aborts = between(0, 5);
  pipeline.prefetched_kill = between(0, 1) == 1;
  chip.engine.command_fifo_entries = between(1, 4);
  chip.command_bus = {between(1, 3), between(1, 6)};
  SramDescription& sram = chip.sram;
  sram.bus_bytes = 4u << between(0, 3);
  sram.bus_cycles = between(1, 4);
  sram.turn_around = between(0, 4);
  sram.read_occupancy = between(0, 3);
  sram.pipeline_latency = between(1, 12);
  sram.push_latency = sram.write_completion = between(1, 12);
  sram.queues["priority_queue"] = between(1, 8);
  sram.queues["read_queue"] = between(1, 8);
  sram.queues["order_queue"] = between(1, 16);
  sram.queues["lock_fail_queue"] = 16;
  sram.effective_capacity = between(0, 6);
  sram.read_group = between(1, 8);
  sram.locks = between(1, 8);
  SdramDescription& sdram = chip.sdram;
  sdram.bus_bytes = 8u << between(0, 2);
  sdram.bus_cycles = between(1, 4);
  sdram.turn_around = between(0, 4);
  sdram.t_rcd = between(0, 6);
  sdram.t_rp = between(0, 6);
  sdram.t_ras = sdram.t_rcd + between(0, 8);
  sdram.t_rc = sdram.t_ras + sdram.t_rp + between(0, 4);
  sdram.t_rrd = between(0, 8);
  sdram.refresh_period = between(0, 1) * between(100, 400);
  sdram.pipeline_latency = between(1, 30);
  sdram.push_latency = sdram.write_completion = between(1, 12);
  sdram.queues["even_queue"] = between(1, 16);
  sdram.queues["odd_queue"] = between(1, 16);
  sdram.queues["order_queue"] = between(1, 24);
  sdram.effective_capacity = between(0, 6);
  ScratchDescription& scratch = chip.scratch;
  scratch.pipeline_latency = between(1, 8);
  scratch.push_latency = scratch.write_completion = between(1, 8);
  scratch.queues["queue"] = between(1, 16);
  FbiParameters& fbi = chip.fbi;
  fbi.queues["queue"] = between(1, 16);
  for (unsigned* cycles :
       {&fbi.command_latency, &fbi.csr_cycles, &fbi.csr_read_latency, &fbi.csr_write_latency,
        &fbi.fifo_longword_cycles, &fbi.fifo_latency, &fbi.hash_cycles, &fbi.signal_latency})
    *cycles = between(1, 8);
  fbi.hash_latency = between(1, 24);
  if (between(0, 3) == 0)
    chip.latency_spread = {between(1, 100), random()};
  if (between(0, 1) == 0)
    add_cache(random, between(0, 2), chip);
  if (between(0, 2) == 0)
    make_ddr4(random, chip.sdram);
  return chip;
}

std::uint32_t initial(std::uint32_t address, std::uint64_t seed) {
  return static_cast<std::uint32_t>((address + 1) * 2654435761u ^ seed * 40503u);
}

Case make_case(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Case made;
  made.inputs.chip = random_chip(random);
  made.engines = 1 + static_cast<unsigned>(random() % 3);
  made.contexts = 1 + static_cast<unsigned>(random() % 4);
  for (unsigned engine = 0; engine < made.engines; ++engine) {
    RandomProgramOptions options;
    options.seed = random();
    options.engine = engine;
    options.contexts = made.contexts;
    options.words_a_context = 20 + static_cast<unsigned>(random() % 160);
    if (engine == 0)
      options.owner_of_registers = static_cast<unsigned>(random() % 5);
    options.free_lists = engine == 0;
    LoadedProgram program{random_program(options), {}};
    for (unsigned context = 0; context < made.contexts; ++context)
      program.contexts.emplace_back(context);
    made.inputs.engines.emplace_back(std::move(program));
  }
  for (unsigned thread = 0; thread < 4 * made.engines; ++thread) {
    for (std::uint32_t i = 0; i < 256; i += 4) {
      const std::uint32_t sram = PrivateMemory::sram(thread) + i,
                          sdram = PrivateMemory::sdram(thread) + i;
      made.inputs.memory.push_back({isa::MemorySpace::kSram, sram, initial(sram, seed)});
      made.inputs.memory.push_back({isa::MemorySpace::kSdram, sdram, initial(sdram, seed + 1)});
      const std::uint32_t scratch = PrivateMemory::scratch(thread) + i;
      made.inputs.memory.push_back(
          {isa::MemorySpace::kScratch, scratch, initial(scratch, seed + 2)});
    }
  }
  made.inputs.watchdog = 1'000'000;
  return made;
}

// What the interpreter leaves, by engine.
struct Expected {
  std::vector<ReferenceRegisters> registers;
  ReferenceSurroundings around;
  std::string error;
};

Expected interpret(const Case& program) {
  Expected expected;
  expected.registers.resize(program.engines);
  for (const InitialLongword& longword : program.inputs.memory) {
    auto& memory = longword.space == isa::MemorySpace::kSram    ? expected.around.sram
                   : longword.space == isa::MemorySpace::kSdram ? expected.around.sdram
                                                                : expected.around.scratch;
    memory[longword.address] = longword.value;
  }
  for (unsigned engine = 0; engine < program.engines; ++engine) {
    for (unsigned context = 0; context < program.contexts; ++context) {
      ReferenceThread thread(program.inputs.engines[engine]->image, engine, context,
                             expected.registers[engine], expected.around);
      if (auto error = thread.run(100'000))
        expected.error = fmt::format("engine {}: {}", engine, *error);
    }
  }
  return expected;
}

std::string differing_registers(const Microengine& engine, const ReferenceRegisters& expected) {
  const auto differs = [&](Code code, std::uint32_t value, const std::string& name) -> std::string {
    const std::uint32_t found = engine.register_value(ContextId(0), code);
    if (found == value)
      return {};
    return fmt::format("engine {} {}: {:#x} instead of {:#x}", engine.id().index(), name, found,
                       value);
  };
  for (unsigned bank = 0; bank < 2; ++bank)
    for (unsigned n = 0; n < 64; ++n)
      if (auto text = differs(bank == 0 ? absolute_a(n) : absolute_b(n), expected.general[bank][n],
                              fmt::format("@{}{}", bank == 0 ? 'a' : 'b', n));
          !text.empty())
        return text;
  for (unsigned file = 0; file < 2; ++file)
    for (unsigned n = 0; n < 32; ++n)
      if (auto text =
              differs(static_cast<Code>(0x300 + 32 * file + n), expected.transfer_in[file][n],
                      fmt::format("@{}{}", file == 0 ? "$" : "$$", n));
          !text.empty())
        return text;
  return {};
}

std::string differing_memory(const char* name, const MemoryStorage& storage,
                             const std::map<std::uint32_t, std::uint32_t>& expected) {
  for (const auto& [address, value] : expected)
    if (storage.peek(address) != value)
      return fmt::format("{} {:#x}: {:#x} instead of {:#x}", name, address, storage.peek(address),
                         value);
  return {};
}

std::string first_difference(const ChipParts& parts, const Expected& expected) {
  for (unsigned engine = 0; engine < expected.registers.size(); ++engine)
    if (auto text = differing_registers(*parts.engines[engine], expected.registers[engine]);
        !text.empty())
      return text;
  for (unsigned list = 0; list < 8; ++list)
    if (parts.sram->free_list(list) != expected.around.free_lists[list])
      return fmt::format("free list {}: {:#x} instead of {:#x}", list, parts.sram->free_list(list),
                         expected.around.free_lists[list]);
  for (const std::string& text :
       {differing_memory("sram", parts.sram->storage(), expected.around.sram),
        differing_memory("sdram", parts.sdram->storage(), expected.around.sdram),
        differing_memory("scratch", parts.scratch->storage(), expected.around.scratch)})
    if (!text.empty())
      return text;
  return {};
}

// What differs for a seed; empty when nothing does.
std::string disagreement(std::uint64_t seed) {
  Case program = make_case(seed);
  const Expected expected = interpret(program);
  if (!expected.error.empty())
    return fmt::format("seed {}: the interpreter: {}", seed, expected.error);
  std::string difference;
  program.inputs.inspect = [&](const ChipParts& parts) {
    difference = first_difference(parts, expected);
  };
  program.inputs.mode = Mode::kLockstep;
  const SimulationResult lockstep = simulate(program.inputs, Kernel::kNone);
  if (!difference.empty())
    return fmt::format("seed {}, in lockstep: {}", seed, difference);
  program.inputs.mode = Mode::kWindows;
  const SimulationResult result = simulate(program.inputs, Kernel::kNone);
  if (result.cycles != lockstep.cycles || result.state_hash != lockstep.state_hash)
    return fmt::format("seed {}: windows and lockstep differ: {} and {} cycles", seed,
                       result.cycles, lockstep.cycles);
  if (result.fault)
    return fmt::format("seed {}: engine {} word {}: {}", seed, result.fault->thread->engine.index(),
                       result.fault->pc.value_or(0), result.fault->message);
  if (result.deadlock)
    return fmt::format("seed {}: deadlock: {}", seed, result.deadlock->waiting.front());
  if (!difference.empty())
    return fmt::format("seed {}: {}", seed, difference);
  for (const EngineCounters& counters : result.engines)
    if (auto broken = broken_sum(counters, result.cycles); !broken.empty())
      return fmt::format("seed {}: {}", seed, broken);
  return {};
}

void check_seeds(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = disagreement(seed);
    INFO(text);
    REQUIRE(text.empty());
  }
}

}  // namespace

TEST_CASE(
    "engine and untimed interpreter leave the same registers and memory, 300 random programs") {
  check_seeds(1, 300);
}

TEST_CASE(
    "engine and untimed interpreter leave the same registers and memory, 10,000 random programs",
    "[.full]") {
  check_seeds(1'000, 10'000);
}

TEST_CASE("a random program in which a cache once forgot to go on ends") {
  check_seeds(1'398, 1);
}

TEST_CASE("random programs have every operation but that of the PCI unit") {
  std::array<std::uint64_t, 256> seen{};
  for (std::uint64_t seed = 1; seed <= 300; ++seed)
    for (const auto& engine : make_case(seed).inputs.engines)
      for (const std::uint64_t word : engine->image.words)
        if (const auto instruction = isa::decode(word))
          ++seen[static_cast<unsigned>(instruction->operation)];
  std::vector<std::string> missing;
  for (const isa::NamedNumber& operation : isa::kOperationNames)
    if (seen[operation.number] == 0)
      missing.emplace_back(operation.name);
  CHECK(missing == std::vector<std::string>{"pci_dma"});
}

}  // namespace nplab::test
