// References to a device on the SRAM bus that answers late, or takes no write yet.
#include <catch2/catch.hpp>

#include <map>
#include <vector>

#include "simulator/memory/sram_unit.h"
#include "tests/simulator/bench/unit_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

constexpr std::uint32_t kDevice = 0x1000;

class LateDevice final : public SramDevice {
 public:
  LateDevice(Cycle answers_from, Cycle writes_from)
      : answers_from_(answers_from), writes_from_(writes_from) {}
  Answer read(std::uint32_t, std::span<std::uint32_t> longwords, Cycle at) override {
    longwords[0] = 7;
    Answer answer;
    if (at < answers_from_)
      answer.comes = Comes::kWhenAsked;
    return answer;
  }
  Answer write(std::uint32_t, std::span<const std::uint32_t>, Cycle at) override {
    written.push_back(at);
    return {};
  }
  bool takes_write(std::uint32_t, Cycle at) override { return at >= writes_from_; }
  bool has_answer(std::uint32_t, Cycle at) override { return at >= answers_from_; }

  std::vector<Cycle> written;

 private:
  Cycle answers_from_;
  Cycle writes_from_;
};

Command at(std::uint32_t address, Command command) {
  command.address = address;
  return command;
}

// Delivers all in cycle 0: when each thread was last answered.
std::map<unsigned, std::uint64_t> answers(LateDevice& device,
                                          const std::vector<Command>& commands) {
  ThreadLog threads;
  RunWatch watch;
  SramUnit unit(chip_description("ixp1200").sram);
  unit.connect({&threads, &watch});
  unit.attach(kDevice, 64, device);
  for (const Command& command : commands)
    unit.deliver(command, Cycle(0));
  unit.run(Cycle(3'000));
  CHECK(watch.fault() == std::nullopt);
  CHECK(threads.signals.size() == commands.size());
  std::map<unsigned, std::uint64_t> last;
  for (const auto& [thread, cycle] : threads.signals)
    last[thread] = cycle;
  return last;
}

std::uint64_t unloaded_read() {
  LateDevice device{Cycle(0), Cycle(0)};
  return answers(device, {sram_read(0)}).at(0);
}

Command sram_write(unsigned thread) {
  return command(thread, isa::Operation::kSramWrite, isa::Unit::kSram, 0);
}

}  // namespace

TEST_CASE("a read whose answer comes late takes the bus when it is there, and holds nobody up") {
  const std::uint64_t late = 200;
  LateDevice device{Cycle(late), Cycle(0)};
  const auto cycles = answers(device, {at(kDevice, sram_read(0)), sram_read(1)});
  CHECK(cycles.at(0) == late + unloaded_read());
  CHECK(cycles.at(1) < unloaded_read() + 8);
}

TEST_CASE("what a thread asks for after a late read is answered after it") {
  LateDevice device{Cycle(200), Cycle(0)};
  const auto cycles = answers(device, {at(kDevice, sram_read(0)), sram_read(0, kPriority)});
  CHECK(cycles.at(0) == 200 + unloaded_read());
}

TEST_CASE("a write that a device does not take holds its queue back, and no other queue") {
  LateDevice device{Cycle(0), Cycle(100)};
  const auto cycles =
      answers(device, {at(kDevice, sram_write(0)), sram_read(1), sram_read(2, kOptimize)});
  REQUIRE(device.written.size() == 1);
  CHECK(device.written[0] == Cycle(100));
  CHECK(cycles.at(1) > 100 + unloaded_read());
  CHECK(cycles.at(2) < 100);
}

TEST_CASE("a late read is named by what waits") {
  LateDevice device{Cycle::never(), Cycle(0)};
  ThreadLog threads;
  RunWatch watch;
  SramUnit unit(chip_description("ixp1200").sram);
  unit.connect({&threads, &watch});
  unit.attach(kDevice, 64, device);
  unit.deliver(at(kDevice, sram_read(3)), Cycle(0));
  unit.run(Cycle(50));
  std::vector<std::string> lines;
  unit.describe_waiting(lines);
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], Catch::Contains("device on the SRAM bus"));
  CHECK(unit.queued_references().references == 1);
}

}  // namespace nplab::test
