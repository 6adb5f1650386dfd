// The host socket: the core processor's view of the chip.
#include <catch2/catch.hpp>

#include "tests/simulator/systemc/device_bench.h"

namespace nplab::test {
namespace {

using namespace systemc::host_map;
using systemc::Chip;

constexpr auto kRead = tlm::TLM_READ_COMMAND;
constexpr auto kWrite = tlm::TLM_WRITE_COMMAND;

// A chip whose only program loops, or `image`, with a host that does `work`.
struct Hosted {
  explicit Hosted(std::function<void(Initiator&, Chip&)> work,
                  const isa::ProgramImage& image = program({br(If::kAlways, 0)}),
                  std::uint64_t quantum = 0)
      : component({image}),
        chip("npu", *component.chip, *component.program, options(quantum)),
        host("host", [this, work](Initiator& self) {
          work(self, chip);
          is_done = true;
        }) {
    host.socket.bind(monitor.target);
    monitor.initiator.bind(chip.host);
  }
  static systemc::ChipOptions options(std::uint64_t quantum) {
    systemc::ChipOptions options;
    options.quantum = quantum;
    return options;
  }
  Component component;
  Chip chip;
  Initiator host;
  BaseProtocolMonitor monitor{"monitor"};
  bool is_done = false;
};

void run(const std::function<void(Initiator&, Chip&)>& work,
         const isa::ProgramImage& image = program({br(If::kAlways, 0)})) {
  simulator::begin_platform();
  const ReportLog log;
  Hosted platform(work, image, 16);
  sc_core::sc_start(1, sc_core::SC_MS);
  CHECK(platform.is_done);
  CHECK(platform.monitor.broken == std::vector<std::string>{});
}

tlm::tlm_response_status burst(Initiator& host, tlm::tlm_command command, std::uint64_t address,
                               std::vector<std::uint32_t>& words,
                               const std::function<void(tlm::tlm_generic_payload&)>& change = {}) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(words.data()));
  payload.set_data_length(static_cast<unsigned>(4 * words.size()));
  payload.set_streaming_width(payload.get_data_length());
  if (change)
    change(payload);
  sc_time delay = sc_core::SC_ZERO_TIME;
  host.socket->b_transport(payload, delay);
  return payload.get_response_status();
}

// A module that is accessed by debug transport alone.
class DebuggedUnit : public sc_core::sc_module, public DeviceMemory {
 public:
  explicit DebuggedUnit(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_transport_dbg(this, &DebuggedUnit::debug);
  }
  tlm_utils::simple_target_socket<DebuggedUnit> socket{"socket"};

 private:
  unsigned debug(tlm::tlm_generic_payload& one) {
    move(one);
    return one.get_data_length();
  }
};

}  // namespace

TEST_CASE("what the host writes to a memory is read from there, in bursts of any length") {
  run([](Initiator& host, Chip&) {
    for (const std::uint64_t base :
         {kSram + 0x400, kSdram + 0x400, kSdram + 0x404, kScratch + 0x40})
      for (const unsigned count : {1u, 2u, 3u, 8u, 9u, 30u}) {
        INFO("base " << base << ", " << count << " words");
        std::vector<std::uint32_t> words(count), back(count);
        for (unsigned i = 0; i < count; ++i)
          words[i] = 0x1000 * count + i;
        CHECK(burst(host, kWrite, base, words) == tlm::TLM_OK_RESPONSE);
        CHECK(burst(host, kRead, base, back) == tlm::TLM_OK_RESPONSE);
        CHECK(back == words);
      }
  });
}

TEST_CASE("an access takes as long as the core processor's reference, and debugging no time") {
  run([](Initiator& host, Chip& chip) {
    sc_core::wait(chip.cycle_time() * 1600);
    std::uint32_t word = 7;
    const sc_time before = sc_core::sc_time_stamp();
    CHECK(host.access(kRead, kScratch, word) == tlm::TLM_OK_RESPONSE);
    // 12 cycles on an idle chip, and one until the core has the answer.
    CHECK(sc_core::sc_time_stamp() - before >= 12 * chip.cycle_time());
    CHECK(sc_core::sc_time_stamp() - before <= (13 + 16) * chip.cycle_time());
    tlm::tlm_generic_payload debug;
    debug.set_command(kWrite);
    debug.set_address(kSram + 0x20);
    word = 99;
    debug.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    debug.set_data_length(4);
    const sc_time now = sc_core::sc_time_stamp();
    CHECK(host.socket->transport_dbg(debug) == 4);
    CHECK(sc_core::sc_time_stamp() == now);
    word = 0;
    CHECK(host.access(kRead, kSram + 0x20, word) == tlm::TLM_OK_RESPONSE);
    CHECK(word == 99);
  });
}

TEST_CASE("debug transport stops at the end of a memory, and reaches the modules on its bus") {
  simulator::begin_platform();
  const ReportLog log;
  const Component component({program({br(If::kAlways, 0)})}, kDeviceRange);
  Chip chip("npu", *component.chip, *component.program);
  DebuggedUnit unit("unit");
  chip.sram_device[0].bind(unit.socket);
  unsigned at_end = 0, in_unit = 0;
  std::vector<std::uint32_t> words(4, 5);
  Initiator host("host", [&](Initiator& self) {
    const auto debug = [&](tlm::tlm_command command, std::uint64_t address) {
      tlm::tlm_generic_payload access;
      access.set_command(command);
      access.set_address(address);
      access.set_data_ptr(reinterpret_cast<unsigned char*>(words.data()));
      access.set_data_length(16);
      return self.socket->transport_dbg(access);
    };
    at_end = debug(kRead, kSram + (8u << 20) - 8);
    words = {5, 6, 7, 8};
    in_unit = debug(kWrite, kSram + kDeviceBase + 16);
  });
  host.socket.bind(chip.host);
  sc_core::sc_start(1, sc_core::SC_US);
  CHECK(at_end == 8);
  CHECK(in_unit == 16);
  CHECK(unit.words[16] == 5);
  CHECK(unit.words[28] == 8);
  CHECK(ReportLog::texts().empty());
}

TEST_CASE("the host reads the cycle count, signals threads, and is rung by them") {
  // Waits for the host's signal, then rings doorbell 5.
  isa::ProgramImage image =
      program({immed(a(0), 5), ctx_arb(isa::Event::kInterThread),
               fast_wr(a(0), isa::ControlStatusRegister::kSelfDestruct), br(If::kAlways, 3)});
  run(
      [](Initiator& host, Chip& chip) {
        const auto count =
            kRegisters + 4 * static_cast<unsigned>(isa::ControlStatusRegister::kCycleCount);
        std::uint32_t first = 0, second = 0, word = 1;
        CHECK(host.access(kRead, count, first) == tlm::TLM_OK_RESPONSE);
        sc_core::wait(chip.cycle_time() * 1000);
        CHECK(host.access(kRead, count, second) == tlm::TLM_OK_RESPONSE);
        CHECK(second - first >= 1000);
        CHECK(second - first < 1000 + 64);
        CHECK(host.access(kRead, kDoorbells, word) == tlm::TLM_OK_RESPONSE);
        CHECK(word == 0);
        CHECK(host.access(kWrite, kThreadSignals, word) == tlm::TLM_OK_RESPONSE);
        sc_core::wait(chip.cycle_time() * 100);
        CHECK(host.access(kRead, kDoorbells, word) == tlm::TLM_OK_RESPONSE);
        CHECK(word == 1u << 5);
        CHECK(host.access(kRead, kDoorbells, word) == tlm::TLM_OK_RESPONSE);
        CHECK(word == 0);
      },
      image);
}

TEST_CASE("an access that the chip does not take has the standard's response, and one report") {
  run([](Initiator& host, Chip& chip) {
    using Payload = tlm::tlm_generic_payload;
    std::vector<std::uint32_t> words(2);
    unsigned char enables[4] = {0xff, 0xff, 0, 0};
    struct Case {
      tlm::tlm_command command;
      std::uint64_t address;
      std::function<void(Payload&)> change;
      tlm::tlm_response_status status;
      const char* reason;
    };
    const auto nothing = [](Payload&) {};
    const std::uint64_t sram_bytes = 8u << 20;
    for (const Case& one : std::vector<Case>{
             {kRead, kSram + sram_bytes - 4, nothing, tlm::TLM_ADDRESS_ERROR_RESPONSE,
              "crosses the end of the SRAM"},
             {tlm::TLM_IGNORE_COMMAND, kSram, nothing, tlm::TLM_COMMAND_ERROR_RESPONSE,
              "a read or a write"},
             {kRead, 0xf0000000, nothing, tlm::TLM_ADDRESS_ERROR_RESPONSE, "nothing lies there"},
             {kRead, kSram + 2, nothing, tlm::TLM_ADDRESS_ERROR_RESPONSE, "a multiple of 4"},
             {kWrite, kSram,
              [&](Payload& p) {
                p.set_byte_enable_ptr(enables);
                p.set_byte_enable_length(4);
              },
              tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "byte enables"},
             {kWrite, kSram, [](Payload& p) { p.set_streaming_width(4); },
              tlm::TLM_BURST_ERROR_RESPONSE, "streaming"},
             {kRead, kSram, [](Payload& p) { p.set_data_length(7); }, tlm::TLM_BURST_ERROR_RESPONSE,
              "words of 4 bytes"},
             {kRead, kRegisters, nothing, tlm::TLM_BURST_ERROR_RESPONSE, "one word at a time"},
             {kWrite, kRegisters + 4 * 3, [](Payload& p) { p.set_data_length(4); },
              tlm::TLM_COMMAND_ERROR_RESPONSE, "a host does not write this register"}}) {
      INFO(one.reason);
      ReportLog::texts().clear();
      CHECK(burst(host, one.command, one.address, words, one.change) == one.status);
      REQUIRE(ReportLog::texts().size() == 1);
      CHECK_THAT(ReportLog::texts()[0],
                 Catch::Contains("npu.host: ") && Catch::Contains(one.reason));
    }
    CHECK_FALSE(chip.is_over());
  });
}

TEST_CASE("accesses that are made a quantum ahead come in the same cycle whatever the quantum") {
  const auto outcome = [](std::uint64_t quantum) {
    simulator::begin_platform();
    const ReportLog log;
    Hosted platform(
        [](Initiator& host, Chip& chip) {
          for (std::uint32_t i = 0; i < 10; ++i) {
            std::uint32_t word = i;
            sc_core::wait(chip.cycle_time() * 700);
            host.access(kWrite, kSram + 0x100 + 4 * i, word, chip.cycle_time() * 2000);
          }
        },
        program({br(If::kAlways, 0)}), quantum);
    platform.chip.keep_states(1000);
    sc_core::sc_start(platform.chip.cycle_time() * 60'000);
    CHECK(platform.is_done);
    CHECK(ReportLog::texts().empty());
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < 20; ++i)
      hashes.push_back(platform.chip.states().at(i).hash);
    return hashes;
  };
  const auto lockstep = outcome(1);
  for (const std::uint64_t quantum : {10, 500, 2000})
    CHECK(outcome(quantum) == lockstep);
}

TEST_CASE("a host's signal reaches a thread in the same cycle with windows and in lockstep") {
  // No program signals threads: only the host bounds the windows by it.
  const isa::ProgramImage counts =
      program({immed(a(0), 0), ctx_arb(isa::Event::kInterThread),
               alu(a(0), a(0), Alu::kAdd, value(1)), br(If::kAlways, 1)});
  const isa::ProgramImage computes =
      program({alu(a(0), a(0), Alu::kAdd, value(1)), br(If::kAlways, 0)});
  const auto outcome = [&](simulator::Mode mode) {
    simulator::begin_platform();
    const ReportLog log;
    const Component component({counts, computes}, {}, mode);
    systemc::ChipOptions options;
    options.quantum = 300;
    Chip chip("npu", *component.chip, *component.program, options);
    Initiator host("host", [&](Initiator& self) {
      for (unsigned i = 0; i < 40; ++i) {
        std::uint32_t word = 0;
        sc_core::wait(chip.cycle_time() * (11 + 7 * i));
        self.access(kWrite, kThreadSignals, word, chip.cycle_time() * 300);
      }
    });
    host.socket.bind(chip.host);
    chip.keep_states(1000);
    sc_core::sc_start(chip.cycle_time() * 20'000);
    CHECK(ReportLog::texts().empty());
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < 20; ++i)
      hashes.push_back(chip.states().at(i).hash);
    return hashes;
  };
  CHECK(outcome(simulator::Mode::kWindows) == outcome(simulator::Mode::kLockstep));
}

TEST_CASE("accesses to a chip that stops are refused, those under way too") {
  simulator::begin_platform();
  const ReportLog log;
  // All threads end while the first access is on its way.
  std::vector<Word> words(200, nop());
  words.push_back(kill());
  std::vector<tlm::tlm_response_status> statuses;
  Hosted platform(
      [&](Initiator& host, Chip& chip) {
        std::uint32_t word = 1;
        statuses.push_back(host.access(kWrite, kSram, word, chip.cycle_time() * 2000));
        statuses.push_back(host.access(kWrite, kSram, word));
      },
      program(words), 16);
  sc_core::sc_start(1, sc_core::SC_MS);
  CHECK(platform.chip.is_over());
  CHECK(statuses == std::vector{tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE});
  REQUIRE(ReportLog::texts().size() == 2);
  CHECK_THAT(ReportLog::texts()[0], Catch::Contains("npu.host: write of 4 bytes at 0x0") &&
                                        Catch::Contains("the chip has stopped"));
}

}  // namespace nplab::test
