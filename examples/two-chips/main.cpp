// Two chips back to back through a fabric with latency and loss. Each classifies by rules of its
// own; what becomes of every packet is compared with what the reference classifiers say.
//
//   two_chips [PACKETS [LOSS [QUANTUM]]]
//
// The result does not depend on the quantum, in cycles, as long as it is at most the latency of
// 20 us: 3,317 cycles. The last line printed is a digest of all states, to compare.
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>

#include <nplab/systemc/chip.h>

#include "fabric.h"

namespace {

using nplab::systemc::Chip;
using sc_core::sc_time;
using Frame = std::vector<std::uint8_t>;

constexpr unsigned kPorts = 4;  // that packets arrive on

// What is known of each packet. Its number stands in its last bytes, before the check sequence,
// which the chips do not compute.
struct Packet {
  Frame frame;
  bool passed_first = false, lost = false, arrived = false;
};
constexpr std::size_t kNumberFromEnd = 8;

void number(Frame& frame, std::uint32_t number) {
  std::memcpy(frame.data() + frame.size() - kNumberFromEnd, &number, sizeof number);
}
std::uint32_t number_of(const tlm::tlm_generic_payload& frame) {
  std::uint32_t number = 0;
  std::memcpy(&number, frame.get_data_ptr() + frame.get_data_length() - kNumberFromEnd,
              sizeof number);
  return number;
}

// Sends the packets, in turns on its ports, as fast as the wires take them.
class Generator : public sc_core::sc_module {
 public:
  Generator(sc_core::sc_module_name name, std::vector<Packet>& packets)
      : sc_module(name), out("out", kPorts), packets_(packets) {
    SC_HAS_PROCESS(Generator);
    SC_THREAD(run);
  }
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<Generator>> out;

 private:
  void run() {
    const sc_time ahead(20, sc_core::SC_US);  // frames are known so long before they begin
    for (std::size_t i = 0; i < packets_.size(); i += kPorts) {
      sc_time busy = sc_core::SC_ZERO_TIME;
      for (std::size_t port = 0; port < kPorts && i + port < packets_.size(); ++port) {
        Frame& frame = packets_[i + port].frame;
        tlm::tlm_generic_payload payload;
        payload.set_write();
        payload.set_data_ptr(frame.data());
        payload.set_data_length(static_cast<unsigned>(frame.size()));
        payload.set_streaming_width(payload.get_data_length());
        sc_time delay = ahead;
        out[port]->b_transport(payload, delay);
        busy = std::max(busy, delay);
      }
      wait(busy - ahead);
    }
  }
  std::vector<Packet>& packets_;
};

// Takes what the second chip sends.
class Sink : public sc_core::sc_module {
 public:
  explicit Sink(sc_core::sc_module_name name) : sc_module(name), in("in", kPorts) {
    for (unsigned i = 0; i < kPorts; ++i)
      in[i].register_b_transport(this, &Sink::take);
  }
  sc_core::sc_vector<tlm_utils::simple_target_socket<Sink>> in;
  std::function<void(const tlm::tlm_generic_payload&)> on_frame;

 private:
  void take(tlm::tlm_generic_payload& frame, sc_time&) {
    on_frame(frame);
    frame.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

unsigned wrong = 0;

void check(bool holds, const std::string& what) {
  if (holds)
    return;
  ++wrong;
  std::cerr << "wrong: " << what << '\n';
}

Packet& packet_of(std::vector<Packet>& packets, const tlm::tlm_generic_payload& payload) {
  Packet& packet = packets.at(number_of(payload));
  check(payload.get_data_length() == packet.frame.size() &&
            std::memcmp(payload.get_data_ptr(), packet.frame.data(), packet.frame.size()) == 0,
        "packet " + std::to_string(number_of(payload)) + " has other bytes");
  return packet;
}

constexpr std::uint64_t kStatePeriod = 5000;  // cycles

// Of the states that the chips have kept until now. A chip runs ahead: later ones are left out.
std::uint64_t digest(const std::vector<const Chip*>& chips) {
  std::uint64_t digest = 0;
  for (const Chip* chip : chips)
    for (const Chip::State& state : chip->states())
      if (static_cast<double>(state.cycle) * chip->cycle_time() < sc_core::sc_time_stamp())
        digest = (digest ^ state.hash) * 0x100000001b3;
  return digest;
}

void print(const Chip& chip) {
  const auto counters = chip.counters();
  std::cout << chip.name() << ": received " << counters.received << ", sent " << counters.sent
            << ", dropped " << counters.dropped << ", missed " << counters.missed << ", in flight "
            << counters.in_flight << ", misclassified " << counters.misclassified << '\n';
  check(counters.misclassified == 0, "verdicts");
  check(counters.in_flight == 0, "packets are left in a chip");
  for (const std::string& failure : chip.failures())
    check(false, failure);
}

}  // namespace

int sc_main(int count, char** words) {
  const std::size_t packets_wanted = count > 1 ? std::strtoul(words[1], nullptr, 10) : 4000;
  const double loss = count > 2 ? std::strtod(words[2], nullptr) : 0.02;
  const std::string folder = RULES_FOLDER;
  const auto model = nplab::load_chip("ixp1200");
  nplab::systemc::ProgramOptions options;
  options.traffic = "gen:hit=1.0,count=" + std::to_string(packets_wanted);
  options.rules = folder + "/first.rules.yaml";
  const auto first_program = nplab::load_program("bv1", model, options);
  options.rules = folder + "/second.rules.yaml";
  const auto second_program = nplab::load_program("bv2", model, options);

  std::vector<Packet> packets(packets_wanted);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    packets[i].frame = first_program.frame(i);
    number(packets[i].frame, static_cast<std::uint32_t>(i));
  }

  nplab::systemc::ChipOptions chip_options;
  chip_options.quantum = count > 3 ? std::strtoul(words[3], nullptr, 10) : 0;
  Chip first("first", model, first_program, chip_options);
  Chip second("second", model, second_program, chip_options);
  first.keep_states(kStatePeriod);
  second.keep_states(kStatePeriod);
  Fabric fabric("fabric", kPorts, sc_time(20, sc_core::SC_US), loss);
  Generator generator("generator", packets);
  Sink sink("sink");
  for (unsigned i = 0; i < kPorts; ++i) {
    generator.out[i].bind(first.port[i].rx);
    first.port[i].tx.bind(fabric.in[i]);
    fabric.out[i].bind(second.port[i].rx);
    second.port[i].tx.bind(sink.in[i]);
  }
  std::size_t lost = 0, arrived = 0;
  fabric.on_frame = [&](const tlm::tlm_generic_payload& payload, bool is_lost) {
    Packet& packet = packet_of(packets, payload);
    check(!packet.passed_first, "a packet leaves the first chip twice");
    check(first_program.passes(packet.frame.data(), packet.frame.size()),
          "the first chip's rules deny a packet that it sent");
    packet.passed_first = true;
    packet.lost = is_lost;
    lost += is_lost ? 1 : 0;
  };
  sink.on_frame = [&](const tlm::tlm_generic_payload& payload) {
    Packet& packet = packet_of(packets, payload);
    check(packet.passed_first && !packet.lost && !packet.arrived,
          "a packet arrives that was not under way");
    check(second_program.passes(packet.frame.data(), packet.frame.size()),
          "the second chip's rules deny a packet that it sent");
    packet.arrived = true;
    ++arrived;
  };

  // A frame of 64 bytes and its gap take 6.1 us; then the chips have time to send what they hold.
  sc_core::sc_start(packets_wanted / kPorts * sc_time(6.2, sc_core::SC_US) +
                    sc_time(1, sc_core::SC_MS));

  print(first);
  print(second);
  std::cout << "the fabric lost " << lost << ", " << arrived << " of " << packets.size()
            << " packets arrived\n";
  const auto one = first.counters(), two = second.counters();
  check(one.received + one.missed == packets.size(), "packets are missing before the first chip");
  check(one.sent == lost + two.received + two.missed, "packets are missing in the fabric");
  check(two.sent == arrived, "packets are missing after the second chip");
  std::cout << "states " << std::hex << digest({&first, &second}) << '\n';
  std::cout << (wrong == 0 ? "every packet was treated as the rules say\n" : "");
  return wrong == 0 ? 0 : 1;
}
