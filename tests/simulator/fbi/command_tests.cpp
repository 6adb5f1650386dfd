// References to the FBI: their timing, order, registers, FIFOs and faults.
#include <catch2/catch.hpp>

#include "tests/simulator/fbi/fbi_bench.h"

namespace nplab::simulator {
namespace {

using isa::Event;
using isa::Operation;
using Register = isa::ControlStatusRegister;
using test::FbiBench;
using test::Push;
using test::Signal;

TEST_CASE("an unloaded register read takes 4 cycles to its service and 8 to its value and event") {
  FbiBench bench({});
  bench.read_register(Register::kCycleCount, Cycle(100), ThreadId(5));
  CHECK(bench.fbi.next_event() == Cycle(104));
  bench.fbi.run(Cycle(104));
  CHECK(bench.threads.pushes.empty());
  bench.fbi.run(Cycle(105));
  CHECK(bench.threads.pushes == std::vector<Push>{{ThreadId(5), 0, {104}, Cycle(112)}});
  CHECK(bench.threads.signals == std::vector<Signal>{{ThreadId(5), Event::kFbi, Cycle(112)}});
  CHECK(bench.fbi.next_event() == Cycle::never());
}

TEST_CASE("references are served in order, each when the one before has left") {
  FbiBench bench({});
  bench.reference(Operation::kRFifoRd, 8, 0, Cycle(100), ThreadId(0));  // 104, 8 cycles
  bench.read_register(Register::kCycleCount, Cycle(101), ThreadId(1));  // 112, 2 cycles
  bench.read_register(Register::kCycleCount, Cycle(102), ThreadId(2));  // 114
  bench.fbi.run(Cycle(200));
  CHECK(bench.threads.signals == std::vector<Signal>{{ThreadId(0), Event::kFbi, Cycle(120)},
                                                     {ThreadId(1), Event::kFbi, Cycle(120)},
                                                     {ThreadId(2), Event::kFbi, Cycle(122)}});
  CHECK(bench.fbi.references() == 3);
  CHECK(bench.fbi.queue_peak() == 3);
}

TEST_CASE("an event stands for the silent references of its thread before it, too") {
  FbiBench bench({});
  Command hash = FbiBench::make(Operation::kHash48, ThreadId(3));
  hash.count = 2;
  bench.fbi.deliver(hash, Cycle(100));                                  // 104, data 16 + 16 later
  bench.read_register(Register::kCycleCount, Cycle(100), ThreadId(3));  // 120 + 8 by itself
  bench.fbi.run(Cycle(300));
  REQUIRE(bench.threads.pushes.size() == 2);
  CHECK(bench.threads.pushes[1].at == Cycle(128));
  CHECK(bench.threads.signals == std::vector<Signal>{{ThreadId(3), Event::kFbi, Cycle(136)}});
}

TEST_CASE(
    "the queue has no room with 8 references waiting, and has room again after the first service") {
  FbiBench bench({});
  for (int i = 0; i < 8; ++i)
    bench.read_register(Register::kCycleCount, Cycle(100));
  const Command command = FbiBench::make(Operation::kCsrRead, ThreadId(0));
  CHECK_FALSE(bench.fbi.has_room(command, Cycle(104)));
  CHECK(bench.fbi.has_room(command, Cycle(105)));
  bench.fbi.run(Cycle(105));
  CHECK(bench.fbi.has_room(command, Cycle(105)));
}

TEST_CASE("references of one thread complete in order even when a later one is faster") {
  FbiParameters parameters = test::kFbiParameters;
  parameters.csr_write_latency = 1;
  FbiBench bench({}, 1, Offering::kWire, parameters);
  bench.read_register(Register::kCycleCount, Cycle(100));   // 104 + 8
  bench.reference(Operation::kCsrWrite, 1, 0, Cycle(100));  // 106 + 1; register 0 cannot be written
  bench.fbi.run(Cycle(200));
  CHECK(bench.threads.signals.back() == Signal{ThreadId(0), Event::kFbi, Cycle(112)});
}

TEST_CASE("fast_wr to inter_thd_sig sets the thread's event, and completes nowhere") {
  FbiBench bench({});
  bench.fast_write(Register::kInterThreadSignal, 23, Cycle(100));
  bench.fbi.run(Cycle(200));
  CHECK(bench.threads.signals ==
        std::vector<Signal>{{ThreadId(23), Event::kInterThread, Cycle(106)}});
}

TEST_CASE("a sequence number's change is an input state and an event of every thread") {
  FbiBench bench({});
  CHECK_FALSE(bench.fbi.input_state(isa::InputState::kSequenceNumber1, Cycle(0)));
  bench.fast_write(Register::kIncrementSequence1, 0, Cycle(100));
  bench.fbi.run(Cycle(105));
  CHECK(bench.fbi.input_state(isa::InputState::kSequenceNumber1, Cycle(105)));
  CHECK_FALSE(bench.fbi.input_state(isa::InputState::kSequenceNumber2, Cycle(105)));
  CHECK(bench.threads.signals.size() == 24);
  CHECK(bench.threads.signals[7] == Signal{ThreadId(7), Event::kSeqNum1Change, Cycle(106)});
  CHECK(bench.value_of(Register::kSequenceNumber1, Cycle(200)) == 1);
}

TEST_CASE("thread_done holds what is written, self_destruct collects bits until it is read") {
  FbiBench bench({});
  bench.fast_write(Register::kThreadDone, 0x123, Cycle(10));
  bench.fast_write(Register::kSelfDestruct, 3, Cycle(20));
  bench.fast_write(Register::kSelfDestruct, 9, Cycle(30));
  CHECK(bench.value_of(Register::kThreadDone, Cycle(40)) == 0x123);
  CHECK(bench.value_of(Register::kSelfDestruct, Cycle(50)) == 0x208);
  CHECK(bench.value_of(Register::kSelfDestruct, Cycle(60)) == 0);
}

TEST_CASE("csr write pulls the transfer register in its service and completes 8 cycles later") {
  FbiBench bench({});
  bench.threads.write_registers[0] = 77;
  Command command = FbiBench::make(Operation::kCsrWrite, ThreadId(4));
  command.csr = static_cast<std::uint16_t>(Register::kSequenceNumber2);
  command.count = 1;
  command.signals = true;
  bench.fbi.deliver(command, Cycle(100));
  bench.fbi.run(Cycle(150));
  CHECK(bench.threads.pulled_at == Cycle(104));
  CHECK(bench.threads.signals.back() == Signal{ThreadId(4), Event::kFbi, Cycle(112)});
  CHECK(bench.value_of(Register::kSequenceNumber2, Cycle(200)) == 77);
}

TEST_CASE("hash keys take 16 cycles each, the more significant longword first") {
  FbiBench bench({});
  bench.fast_write(Register::kHashMultiplier0, 2, Cycle(10));
  bench.threads.write_registers = {0x1234, 0x80000000, 0, 1, 0, 0, 0, 0};
  bench.reference(Operation::kHash48, 4, 0, Cycle(100), ThreadId(9));
  bench.fbi.run(Cycle(150));
  CHECK(bench.threads.pushes ==
        std::vector<Push>{{ThreadId(9), 0, {0x2469, 0, 0, 2}, Cycle(104 + 32 + 16)}});
}

TEST_CASE("what the FBI cannot do is a fault with its thread and place") {
  struct Case {
    Operation operation;
    unsigned count;
    std::uint32_t address;
  };
  const auto c =
      GENERATE(Case{Operation::kRFifoRd, 8, 1000}, Case{Operation::kRFifoRd, 1, 1024},
               Case{Operation::kRFifoRd, 1, 2}, Case{Operation::kTFifoWr, 2, 1020},
               Case{Operation::kTFifoWr, 1, 1024 + 64}, Case{Operation::kTFifoWr, 2, 1024 + 60},
               Case{Operation::kRFifoRd, 1, 0xfffffffc});
  FbiBench bench({});
  bench.reference(c.operation, c.count, c.address, Cycle(100), ThreadId(6));
  bench.fbi.run(Cycle(150));
  REQUIRE(bench.monitor.faults.size() == 1);
  const Fault& fault = bench.monitor.faults[0];
  CHECK(fault.kind == Fault::Kind::kIllegalReference);
  CHECK(fault.at == Cycle(104));
  CHECK(fault.thread == ThreadId(6));
  CHECK(fault.pc == 17u);
  CHECK_FALSE(fault.message.empty());
}

TEST_CASE(
    "registers that do not exist or go the other way are faults, and so are numbers beyond the "
    "chip") {
  struct Case {
    Register csr;
    std::uint32_t value;
  };
  const auto c = GENERATE(Case{static_cast<Register>(99), 0}, Case{Register::kReceiveReady, 1},
                          Case{Register::kCycleCount, 1}, Case{Register::kInterThreadSignal, 24},
                          Case{Register::kTransmitValidate, 16}, Case{Register::kReceiveRequest, 8},
                          Case{Register::kReceiveRequest, 24u << 8});
  FbiBench bench({});
  bench.fast_write(c.csr, c.value, Cycle(100));
  bench.fbi.run(Cycle(150));
  REQUIRE(bench.monitor.faults.size() == 1);
  CHECK(bench.monitor.faults[0].kind == Fault::Kind::kIllegalReference);
}

TEST_CASE("reading a register that is only written is a fault") {
  FbiBench bench({});
  bench.read_register(Register::kReceiveRequest, Cycle(100));
  bench.fbi.run(Cycle(150));
  CHECK(bench.monitor.faults.size() == 1);
  CHECK(bench.threads.signals.empty());
}

}  // namespace
}  // namespace nplab::simulator
