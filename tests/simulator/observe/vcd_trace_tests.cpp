// The waveform of a run.
#include <catch2/catch.hpp>

#include <sstream>

#include "simulator/observe/vcd_trace.h"
#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

using namespace simulator;

ObservedChip small_chip() {
  ObservedChip chip;
  chip.engines = 1;
  chip.contexts = 2;
  chip.core_hz = 200'000'000;  // 5000 ps
  chip.queues = {"engine0.command_fifo", "sram.order_queue"};
  chip.queue_entries = {2, 16};
  chip.buses = {"sram.bus"};
  return chip;
}

}  // namespace

TEST_CASE("the header declares every signal in the scope of its module") {
  std::ostringstream text;
  VcdTrace trace(text);
  trace.begin(small_chip());
  CHECK(text.str() ==
        "$comment nplab: a chip's run, by core cycle $end\n"
        "$timescale 1 ps $end\n"
        "$scope module chip $end\n"
        "$var wire 64 ! cycle [63:0] $end\n"
        "$scope module engine0 $end\n"
        "$var wire 1 \" executing $end\n"
        "$var wire 1 # aborted $end\n"
        "$var wire 1 $ stalled $end\n"
        "$var wire 1 % context $end\n"
        "$var wire 16 & word [15:0] $end\n"
        "$var wire 2 ' command_fifo [1:0] $end\n"
        "$scope module context0 $end\n"
        "$var string 1 ( state $end\n"
        "$upscope $end\n"
        "$scope module context1 $end\n"
        "$var string 1 ) state $end\n"
        "$upscope $end\n"
        "$upscope $end\n"
        "$scope module sram $end\n"
        "$var wire 5 * order_queue [4:0] $end\n"
        "$var wire 1 + bus $end\n"
        "$upscope $end\n"
        "$scope module packets $end\n"
        "$var wire 64 , received [63:0] $end\n"
        "$var wire 64 - verdict [63:0] $end\n"
        "$var wire 64 . dropped [63:0] $end\n"
        "$var wire 64 / sent [63:0] $end\n"
        "$upscope $end\n"
        "$upscope $end\n"
        "$enddefinitions $end\n");
}

TEST_CASE(
    "a cycle's changes stand after its time in picoseconds, the first cycle with every signal") {
  std::ostringstream text;
  VcdTrace trace(text);
  trace.begin(small_chip());
  text.str("");
  const ThreadId thread(EngineId(0), ContextId(1));
  trace.context_changed({thread, Cycle(40), ContextState::kExecuting, {}, 9});
  trace.slot({thread, Cycle(40), ContextState::kExecuting, 9});
  trace.cycle_done(Cycle(40));
  CHECK(text.str() ==
        "#200000\nb101000 !\n1\"\n0#\n0$\n1%\nb1001 &\nb0 '\nsoff (\nsexecuting )\nb0 *\n0+\nbx "
        ",\nbx -\nbx .\nbx /\n");
  text.str("");
  trace.context_changed({thread, Cycle(41), ContextState::kWaiting, isa::Event::kSdram, 9});
  trace.queue_changed(1, 5, Cycle(41));
  trace.bus_taken(0, Cycle(41));
  trace.packet({PacketEvent::Kind::kSent, Cycle(41), 6, 6, 0u, {}, {}, {}});
  trace.cycle_done(Cycle(41));
  trace.end(Cycle(42));
  CHECK(text.str() == "#205000\nswaits_for_sdram )\nb101 *\n1+\nb110 /\n0\"\nb101001 !\n#210000\n");
}

TEST_CASE("what does not change within a cycle is not written") {
  std::ostringstream text;
  VcdTrace trace(text);
  trace.begin(small_chip());
  trace.cycle_done(Cycle(0));
  text.str("");
  trace.queue_changed(0, 0, Cycle(1));
  trace.cycle_done(Cycle(1));
  CHECK(text.str() == "#5000\nb1 !\n");
}

}  // namespace nplab::test
