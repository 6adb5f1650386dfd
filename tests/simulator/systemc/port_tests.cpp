// The ports of the SystemC chip, with a program that takes frames of port 0 and sends them on
// port 1.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/simulator/media/test_traffic.h"
#include "tests/simulator/systemc/platform.h"

namespace nplab::test {
namespace {

using namespace simulator;
using systemc::Chip;

constexpr unsigned kFrames = 40;

// The cycles of verdicts when the same frames come from a packet source.
struct VerdictCycles final : VerdictSink {
  void verdict(const workloads::OfferedPacket&, std::optional<std::uint32_t>, Cycle at) override {
    cycles.push_back(at.number());
  }
  std::vector<std::uint64_t> cycles;
};

std::vector<std::uint64_t> verdicts_of_source() {
  simulator::test::TestSource source({{0, 64, 0}}, kFrames);
  VerdictCycles verdicts;
  SimulationInputs inputs;
  inputs.chip = chip_description("ixp1200");
  inputs.engines.emplace_back(LoadedProgram{forwarder(5), {ContextId(0)}});
  inputs.packets = &source.source;
  inputs.verdicts = &verdicts;
  inputs.stop.drained = true;
  simulate(inputs, Kernel::kNone);
  return verdicts.cycles;
}

// Sends the test's frames back to back from `start` on: all are handed over now, and wait for the
// wire.
void send_frames(Initiator& sender, sc_time start) {
  for (unsigned i = 0; i < kFrames; ++i) {
    FrameTransaction frame(test_frame(i));
    sc_time delay = start;
    sender.socket->b_transport(frame.payload, delay);
    CHECK(frame.payload.is_response_ok());
  }
}

// A generator at port 0, a chip, and a wire at port 1, with monitors between them.
struct OneChip {
  OneChip(std::uint64_t quantum, std::function<void(Initiator&, Chip&)> work)
      : component({forwarder(5)}),
        chip("npu", *component.chip, *component.program, options(quantum)),
        sender("sender", [this, work](Initiator& self) { work(self, chip); }) {
    sender.socket.bind(to_chip.target);
    to_chip.initiator.bind(chip.port[0].rx);
    chip.port[1].tx.bind(from_chip.target);
    from_chip.initiator.bind(wire.in);
    chip.on_verdict([this](const systemc::Verdict& one) { verdicts.push_back(one.cycle); });
  }
  static systemc::ChipOptions options(std::uint64_t quantum) {
    systemc::ChipOptions options;
    options.quantum = quantum;
    return options;
  }

  Component component;
  Chip chip;
  Initiator sender;
  BaseProtocolMonitor to_chip{"to_chip"}, from_chip{"from_chip"};
  Wire wire{"wire"};
  std::vector<std::uint64_t> verdicts;
};

}  // namespace

TEST_CASE("frames of a socket meet the same cycles as frames of a packet source") {
  for (const std::uint64_t quantum : {1, 100, 1024}) {
    begin_platform();
    OneChip platform(quantum, [](Initiator& sender, Chip& chip) {
      send_frames(sender, chip.cycle_time() * 2000);
    });
    sc_core::sc_start(1, sc_core::SC_MS);
    INFO("quantum " << quantum);
    CHECK(platform.verdicts == verdicts_of_source());
    CHECK(platform.chip.counters().sent == kFrames);
    CHECK(platform.chip.counters().misclassified == 0);
    CHECK(platform.chip.failures() == std::vector<std::string>{});
    CHECK(platform.to_chip.broken == std::vector<std::string>{});
    CHECK(platform.from_chip.broken == std::vector<std::string>{});
    CHECK(platform.from_chip.transactions == kFrames);
  }
}

TEST_CASE(
    "a frame is handed to a receiver when its last byte has left, with the times of its wire") {
  begin_platform();
  OneChip platform(
      64, [](Initiator& sender, Chip&) { send_frames(sender, sc_time(20, sc_core::SC_US)); });
  sc_core::sc_start(1, sc_core::SC_MS);
  REQUIRE(platform.wire.taken.size() == kFrames);
  for (unsigned i = 0; i < kFrames; ++i) {
    const Wire::Taken& one = platform.wire.taken[i];
    CHECK(one.bytes == test_frame(i));
    CHECK(one.at == one.passage.last_byte);
    CHECK(one.passage.length == 64);
    CHECK_FALSE(one.passage.error);
    // 64 bytes at 100 Mb/s, in whole cycles.
    const double us = (one.passage.last_byte - one.passage.first_byte).to_seconds() * 1e6;
    CHECK(us == Approx(5.12).margin(0.007));
  }
}

TEST_CASE("a sender learns when the wire is free again: a slot per frame") {
  begin_platform();
  std::vector<double> bytes;
  OneChip platform(64, [&](Initiator& sender, Chip&) {
    sc_time before = sc_time(20, sc_core::SC_US);
    for (unsigned i = 0; i < 5; ++i) {
      FrameTransaction frame(test_frame(i, 64 + 100 * i));
      sc_time delay = before;
      sender.socket->b_transport(frame.payload, delay);
      bytes.push_back((delay - before).to_seconds() * 100e6 / 8);
      before = delay;
    }
  });
  sc_core::sc_start(1, sc_core::SC_MS);
  for (unsigned i = 0; i < bytes.size(); ++i)
    CHECK(bytes[i] ==
          Approx(64 + 100 * i + workloads::Slot().gap_bytes + workloads::Slot().preamble_bytes)
              .margin(0.16));
}

TEST_CASE("a frame that is damaged, by its extension, ends in error") {
  begin_platform();
  const ReportLog log;
  OneChip platform(64, [&](Initiator& sender, Chip&) {
    FrameTransaction frame(test_frame(0));
    auto* const extension = new systemc::FrameExtension;
    extension->length = 64;
    extension->error = true;
    frame.payload.set_extension(extension);
    sc_time delay = sc_time(20, sc_core::SC_US);
    sender.socket->b_transport(frame.payload, delay);
    CHECK(frame.payload.is_response_ok());
    FrameTransaction wrong(test_frame(1));
    auto* const other = new systemc::FrameExtension;
    other->length = 65;
    wrong.payload.set_extension(other);
    sender.socket->b_transport(wrong.payload, delay);
    CHECK(wrong.payload.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
  });
  sc_core::sc_start(1, sc_core::SC_MS);
  CHECK(platform.chip.counters().received == 1);
  REQUIRE(ReportLog::texts().size() == 1);
  CHECK_THAT(ReportLog::texts()[0], Catch::Contains("its extension says 65 bytes"));
}

TEST_CASE("what is not a frame has the standard's response, and one report") {
  begin_platform();
  const ReportLog log;
  OneChip platform(64, [&](Initiator& sender, Chip&) {
    struct Case {
      std::function<void(tlm::tlm_generic_payload&)> change;
      tlm::tlm_response_status status;
    };
    unsigned char enables = 0xff;
    std::vector<unsigned char> too_long(16'385);
    for (const Case& one : std::vector<Case>{
             {[](auto& p) { p.set_read(); }, tlm::TLM_COMMAND_ERROR_RESPONSE},
             {[](auto& p) { p.set_address(4); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
             {[](auto& p) { p.set_streaming_width(8); }, tlm::TLM_BURST_ERROR_RESPONSE},
             {[](auto& p) { p.set_data_length(0); }, tlm::TLM_BURST_ERROR_RESPONSE},
             {[&](auto& p) {
                p.set_data_ptr(too_long.data());
                p.set_data_length(16'385);
                p.set_streaming_width(16'385);
              },
              tlm::TLM_BURST_ERROR_RESPONSE},
             {[](auto& p) {
                auto* const other_length = new systemc::FrameExtension;
                other_length->length = 63;
                p.set_extension(other_length);
              },
              tlm::TLM_BURST_ERROR_RESPONSE},
             {[&](auto& p) {
                p.set_byte_enable_ptr(&enables);
                p.set_byte_enable_length(1);
              },
              tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE}}) {
      ReportLog::texts().clear();
      FrameTransaction frame(test_frame(0));
      one.change(frame.payload);
      sc_time delay = sc_core::SC_ZERO_TIME;
      sender.socket->b_transport(frame.payload, delay);
      CHECK(frame.payload.get_response_status() == one.status);
      REQUIRE(ReportLog::texts().size() == 1);
      CHECK_THAT(ReportLog::texts()[0], Catch::Contains("npu.port_0.rx: "));
    }
  });
  sc_core::sc_start(100, sc_core::SC_US);
  CHECK(platform.chip.counters().received == 0);
  CHECK_FALSE(platform.chip.is_over());
}

namespace {

// Sends one frame by non-blocking transport, whose memory it manages.
class NonBlockingInitiator : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  explicit NonBlockingInitiator(const sc_core::sc_module_name& name)
      : sc_module(name), frame(test_frame(0)) {
    socket.register_nb_transport_bw(this, &NonBlockingInitiator::answer);
    SC_HAS_PROCESS(NonBlockingInitiator);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<NonBlockingInitiator> socket{"socket"};
  FrameTransaction frame;
  sc_time answered;

 private:
  void free(tlm::tlm_generic_payload*) override {}
  void run() {
    frame.payload.set_mm(this);
    frame.payload.acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay(20, sc_core::SC_US);
    socket->nb_transport_fw(frame.payload, phase, delay);
  }
  tlm::tlm_sync_enum answer(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase != tlm::BEGIN_RESP)
      return tlm::TLM_ACCEPTED;
    answered = sc_core::sc_time_stamp() + delay;
    return tlm::TLM_COMPLETED;
  }
};

}  // namespace

TEST_CASE("a port takes frames by non-blocking transport, too") {
  begin_platform();
  const Component component({forwarder(5)});
  Chip chip("npu", *component.chip, *component.program);
  NonBlockingInitiator sender("sender");
  BaseProtocolMonitor monitor("monitor");
  sender.socket.bind(monitor.target);
  monitor.initiator.bind(chip.port[0].rx);
  sc_core::sc_start(1, sc_core::SC_MS);
  CHECK(chip.counters().received == 1);
  CHECK(sender.frame.payload.is_response_ok());
  // 20 us and a slot of 76 bytes or more.
  CHECK(sender.answered > sc_time(26, sc_core::SC_US));
  CHECK(monitor.broken == std::vector<std::string>{});
  CHECK(monitor.transactions == 1);
}

TEST_CASE("a trace of the chip's states changes where control is given back") {
  begin_platform();
  const auto folder = std::filesystem::temp_directory_path() / "nplab-systemc-trace";
  {
    OneChip platform(
        64, [](Initiator& sender, Chip&) { send_frames(sender, sc_time(20, sc_core::SC_US)); });
    sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file(folder.c_str());
    platform.chip.trace(file);
    sc_core::sc_start(100, sc_core::SC_US);
    sc_core::sc_close_vcd_trace_file(file);
  }
  std::ifstream stream(folder.string() + ".vcd");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  std::filesystem::remove(folder.string() + ".vcd");
  for (const char* name : {"cycles", "received", "sent", "in_flight", "live_threads"})
    CHECK_THAT(text, Catch::Contains(name));
  CHECK(std::count(text.begin(), text.end(), '#') > 100);
}

TEST_CASE("a chip's attributes say what it is made of") {
  begin_platform();
  const Component component({forwarder(5)});
  const Chip chip("npu", *component.chip, *component.program);
  const auto text = [&](const char* name) {
    const auto* const found =
        dynamic_cast<const sc_core::sc_attribute<std::string>*>(chip.get_attribute(name));
    return found != nullptr ? found->value : "missing";
  };
  const auto number = [&](const char* name) {
    const auto* const found =
        dynamic_cast<const sc_core::sc_attribute<std::uint64_t>*>(chip.get_attribute(name));
    return found != nullptr ? found->value : 0;
  };
  CHECK(text("chip") == "ixp1200");
  CHECK(text("program") == "test");
  CHECK(number("core_hz") == 165'890'000);
  CHECK(number("engines") == 6);
  CHECK(number("contexts") == 4);
  CHECK(number("ports") == 8);
  CHECK(number("quantum") == 1024);
}

TEST_CASE("no socket of a chip gives a direct memory pointer") {
  begin_platform();
  bool is_done = false;
  OneChip platform(16, [&](Initiator&, Chip& chip) {
    const auto asks = [](tlm::tlm_fw_transport_if<>& target) {
      tlm::tlm_generic_payload request;
      tlm::tlm_dmi pointer;
      CHECK_FALSE(target.get_direct_mem_ptr(request, pointer));
    };
    asks(chip.port[2].rx.get_base_export());
    asks(chip.host.get_base_export());
    is_done = true;
  });
  sc_core::sc_start(1, sc_core::SC_US);
  CHECK(is_done);
}

TEST_CASE("sockets that nobody binds are wires that nobody uses") {
  begin_platform();
  const ReportLog log;
  const Component component({forwarder(5)});
  Chip chip("npu", *component.chip, *component.program);
  sc_core::sc_start(10, sc_core::SC_US);
  CHECK(ReportLog::texts().empty());
  CHECK(chip.cycles() >= 1600);
  CHECK(chip.counters().offered == 0);
  CHECK_FALSE(chip.is_over());
}

}  // namespace nplab::test
