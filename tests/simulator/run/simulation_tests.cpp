// Whole runs: stop conditions, failures, initial contents, exec.
#include <catch2/catch.hpp>

#include "simulator/run/exec.h"
#include "simulator/run/simulation.h"
#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using namespace simulator;

SimulationInputs inputs_of(std::vector<Word> words, unsigned threads = 1) {
  SimulationInputs inputs;
  inputs.chip = chip_description("ixp1200");
  LoadedProgram engine{program(std::move(words)), {}};
  for (unsigned i = 0; i < threads; ++i)
    engine.contexts.emplace_back(i);
  inputs.engines.emplace_back(std::move(engine));
  return inputs;
}

std::string errors_of(const SimulationInputs& inputs) {
  Diagnostics diagnostics;
  check_inputs(inputs, diagnostics);
  return diagnostics.to_string();
}

}  // namespace

TEST_CASE("a run ends with its last thread, counting every cycle") {
  const auto result = simulate(inputs_of({nop(), kill()}), Kernel::kNone);
  CHECK(result.cycles == 3 + 2 + 1);
  CHECK(result.ix_bus_cycles == 2);
  CHECK(broken_sum(result.engines[0], result.cycles) == "");
  CHECK(result.engines[5].idle == result.cycles);
  CHECK_FALSE(result.fault);
  CHECK_FALSE(result.deadlock);
}

TEST_CASE("a run ends before the cycle it is told to") {
  auto inputs = inputs_of({br(If::kAlways, 0)});
  inputs.stop.at = Cycle(1001);
  const auto result = simulate(inputs, Kernel::kNone);
  CHECK(result.cycles == 1001);
  CHECK(result.engines[0].executing == 499);
}

TEST_CASE("a run without progress ends as a deadlock that names what everyone waits for") {
  auto inputs =
      inputs_of({reference({ReferenceUnit::kSram, 0, sram_transfer(0), a(0), value(0), 1}),
                 ctx_arb(isa::Event::kSdram)});
  inputs.watchdog = 10'000;
  const auto result = simulate(inputs, Kernel::kNone);
  REQUIRE(result.deadlock);
  CHECK(result.deadlock->last_progress == Cycle(0));
  REQUIRE(result.deadlock->waiting.size() == 1);
  CHECK(result.deadlock->waiting[0] ==
        "engine 0 thread 0: waits for sdram since cycle 26, yielded at word 1");
  CHECK(result.cycles == 10'001);
}

TEST_CASE("engines that wait for a full unit take turns while another engine uses a free one") {
  const auto loop_of = [](Reference read) {
    return program({reference(read), br(If::kAlways, 0)});
  };
  SimulationInputs inputs;
  inputs.chip = chip_description("ixp1200");
  const std::vector<ContextId> contexts{ContextId(0), ContextId(1), ContextId(2), ContextId(3)};
  for (unsigned engine = 0; engine < 6; ++engine) {
    const auto unit = engine == 0 ? ReferenceUnit::kScratch : ReferenceUnit::kSram;
    inputs.engines.emplace_back(
        LoadedProgram{loop_of({unit, 0, sram_transfer(0), a(0), value(0), 1}), contexts});
  }
  inputs.stop.at = Cycle(50'000);
  inputs.watchdog = 0;
  const auto result = simulate(inputs, Kernel::kNone);
  for (unsigned engine = 2; engine < 6; ++engine) {
    INFO("engine " << engine);
    CHECK(result.engines[engine].executing > 0.95 * result.engines[1].executing);
    CHECK(result.engines[engine].executing < 1.05 * result.engines[1].executing);
  }
}

TEST_CASE("a fault names engine, thread, word and source line, and ends the run 32 cycles later") {
  auto inputs = inputs_of({nop(), nop()});
  inputs.engines[0]->image.files = {"task.c"};
  inputs.engines[0]->image.lines = {{0, 3}, {0, 4}};
  inputs.engines.resize(2);
  std::swap(inputs.engines[0], inputs.engines[1]);
  inputs.engines[1]->image.words[1] = ~Word{0};
  const auto result = simulate(inputs, Kernel::kNone);
  REQUIRE(result.fault);
  CHECK(result.fault->thread == ThreadId(EngineId(1), ContextId(0)));
  CHECK(result.fault->pc == 1u);
  CHECK(result.fault->source == "task.c:4");
  CHECK(result.fault->at == Cycle(4));
  CHECK(result.cycles == 4 + 32);
}

TEST_CASE("memory and free lists are loaded before the first cycle") {
  const Word pop =
      three_operands(16, sram_transfer(1), none, none) | field(13, 20) | field(0, 12) | 1;
  auto inputs = inputs_of(
      {reference({ReferenceUnit::kSram, 0, sram_transfer(0), a(0), value(8), 1}), pop, kill()});
  inputs.memory = {{isa::MemorySpace::kSram, 8, 0x1234}, {isa::MemorySpace::kSram, 0x40, 0}};
  inputs.free_lists = {0x40};
  inputs.engines[0]->image.data = {{isa::MemorySpace::kScratch, 4, {7, 8}}};
  std::uint32_t read = 0, popped = 0, constant = 0;
  inputs.inspect = [&](const ChipParts& parts) {
    read = parts.engines[0]->register_value(ContextId(0), sram_transfer(0));
    popped = parts.engines[0]->register_value(ContextId(0), sram_transfer(1));
    constant = parts.scratch->storage().peek(8);
  };
  simulate(inputs, Kernel::kNone);
  CHECK(read == 0x1234);
  CHECK(popped == 0x40);
  CHECK(constant == 8);
}

TEST_CASE("inputs that cannot run are refused, all at once") {
  auto inputs = inputs_of(std::vector<Word>(1025, nop()));
  inputs.engines[0]->image.data = {{isa::MemorySpace::kScratch, 4096, {7}}};
  inputs.engines.resize(7);
  inputs.engines[6] = LoadedProgram{program({kill()}), {ContextId(0)}};
  inputs.memory = {{isa::MemorySpace::kSram, 6, 0}};
  inputs.free_lists.resize(9);
  const std::string errors = errors_of(inputs);
  for (const char* part :
       {"the program has 1025 instructions; the control store of the chip ixp1200 holds 1024",
        "lies outside the scratch of 4096 bytes", "engine 6 does not exist: the chip ixp1200 has 6",
        "address 0x6 lies outside the SRAM", "9 free lists; the chip ixp1200 has 8"}) {
    INFO(part);
    CHECK(errors.find(part) != std::string::npos);
  }
}

TEST_CASE("exec gives a0, console and memory of a program that ends") {
  ExecInputs inputs;
  inputs.chip = chip_description("test");
  inputs.image = program(
      {immed(a(0), 42), immed(sram_transfer(0), 0x77), nop(),
       reference({ReferenceUnit::kSdram, 1, sdram_transfer(0), a(1), value(0), 1}), kill()});
  inputs.image.annotations = {{1, isa::Annotation::Kind::kConsoleHex, a(0), none},
                              {2, isa::Annotation::Kind::kConsoleChar, value('x'), none}};
  inputs.memory_wanted = {{isa::MemorySpace::kSdram, 0, 2}};
  Diagnostics diagnostics;
  REQUIRE(check_exec(inputs, diagnostics));
  const auto result = exec(inputs);
  CHECK(result.ended);
  CHECK(result.return_value == 42);
  CHECK(result.console == "0x0000002a\nx");
  REQUIRE(result.memory.size() == 1);
  CHECK(result.memory[0] == std::vector<std::uint32_t>{0, 0});
  CHECK(broken_sum(result.engines.front(), result.cycles) == "");
}

TEST_CASE("exec reports abort() as a fault, and an endless program as one that did not end") {
  ExecInputs inputs;
  inputs.chip = chip_description("test");
  inputs.image = program({nop(), kill()});
  inputs.image.annotations = {{0, isa::Annotation::Kind::kAbort, none, none}};
  const auto aborted = exec(inputs);
  REQUIRE(aborted.fault);
  CHECK(aborted.fault->kind == Fault::Kind::kProgramAborted);
  inputs.image = program({br(If::kAlways, 0)});
  inputs.most_cycles = 10'000;
  const auto endless = exec(inputs);
  CHECK_FALSE(endless.ended);
  CHECK(endless.cycles == 10'000);
  REQUIRE(endless.waiting.size() == 1);
}

TEST_CASE("a signal between threads goes through the FBI") {
  // Thread 1 (engine 0 context 1) waits; thread 0 signals it.
  const auto result =
      simulate(inputs_of({br_context(1, 4), immed(a(0), 1),
                          fast_wr(a(0), isa::ControlStatusRegister::kInterThreadSignal), kill(),
                          ctx_arb(isa::Event::kInterThread), kill()},
                         2),
               Kernel::kNone);
  CHECK_FALSE(result.fault);
  CHECK(result.cycles < 100);
}

TEST_CASE(
    "a receive buffer that overflows ends the run where the chip says so, in the same cycle in "
    "either mode") {
  std::vector<workloads::Packet> packets(1);
  packets[0].frame.resize(64);
  const workloads::Traffic traffic(workloads::TrafficKind::kGenerated, "test", "",
                                   std::move(packets));
  std::vector<Cycles> cycles;
  for (const Mode mode : {Mode::kWindows, Mode::kLockstep}) {
    for (const bool stops : {true, false}) {
      workloads::TrafficSource source(traffic, {workloads::PortId(3)}, std::nullopt);
      auto inputs = inputs_of({br(If::kAlways, 0)});
      inputs.chip = chip_description(
          "ixp1200", {std::string("media.overflow_stops=") + (stops ? "true" : "false")});
      inputs.packets = &source;
      inputs.stop.at = Cycle(20'000);
      inputs.mode = mode;
      const auto result = simulate(inputs, Kernel::kNone);
      CHECK(result.fault.has_value() == stops);
      if (!stops) {
        CHECK(result.cycles == 20'000);
        CHECK(result.ports[3].wire.missed > 0);
        continue;
      }
      CHECK(result.fault->kind == Fault::Kind::kQueueOverrun);
      CHECK(result.fault->message.find("port 3") != std::string::npos);
      // Four frames fill 256 bytes; the fifth begins 4 x 76 byte times behind the first, 165.89 x 8
      // / 100 cycles each.
      CHECK(result.fault->at == Cycle(2000 + 4035));
      cycles.push_back(result.cycles);
    }
  }
  CHECK(cycles[0] == cycles[1]);
}

}  // namespace nplab::test
