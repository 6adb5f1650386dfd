// The monitor of the base protocol finds what breaks it.
#include <catch2/catch.hpp>

#include "tests/simulator/systemc/platform.h"

namespace nplab::test {
namespace {

// A target that breaks one rule.
class Target : public sc_core::sc_module {
 public:
  using Work = std::function<void(tlm::tlm_generic_payload&, sc_time&)>;
  Target(const sc_core::sc_module_name& name, Work work) : sc_module(name), work_(std::move(work)) {
    socket.register_b_transport(this, &Target::take);
  }
  tlm_utils::simple_target_socket<Target> socket{"socket"};

 private:
  void take(tlm::tlm_generic_payload& one, sc_time& delay) { work_(one, delay); }
  Work work_;
};

std::vector<std::string> broken(const std::function<void(Initiator&)>& initiator,
                                const Target::Work& target) {
  simulator::begin_platform();
  Initiator sender("sender", initiator);
  Target receiver("receiver", target);
  BaseProtocolMonitor monitor("monitor");
  sender.socket.bind(monitor.target);
  monitor.initiator.bind(receiver.socket);
  sc_core::sc_start();
  return monitor.broken;
}

void answer(tlm::tlm_generic_payload& one, sc_time&) {
  one.set_response_status(tlm::TLM_OK_RESPONSE);
}
void send(Initiator& sender, const std::function<void(tlm::tlm_generic_payload&)>& change) {
  FrameTransaction frame(test_frame(0));
  change(frame.payload);
  sc_time delay(10, sc_core::SC_NS);
  sender.socket->b_transport(frame.payload, delay);
}

// A target that accepts each phase and never answers.
class Accepting : public sc_core::sc_module {
 public:
  explicit Accepting(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &Accepting::take);
  }
  tlm_utils::simple_target_socket<Accepting> socket{"socket"};

 private:
  tlm::tlm_sync_enum take(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_time&) {
    return tlm::TLM_ACCEPTED;
  }
};

struct KeepsMemory : tlm::tlm_mm_interface {
  void free(tlm::tlm_generic_payload*) override {}
};

// What the monitor finds when an initiator makes these calls.
using Ask = std::function<void(tlm::tlm_generic_payload&, const tlm::tlm_phase&)>;
std::vector<std::string> broken_phases(
    const std::function<void(tlm::tlm_generic_payload& one, tlm::tlm_generic_payload& other,
                             const Ask& ask)>& calls) {
  simulator::begin_platform();
  KeepsMemory memory;
  FrameTransaction one(test_frame(0)), other(test_frame(1));
  one.payload.set_mm(&memory);
  other.payload.set_mm(&memory);
  Initiator sender("sender", [&](Initiator& self) {
    calls(one.payload, other.payload, [&](tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
      sc_time delay = sc_core::SC_ZERO_TIME;
      self.socket->nb_transport_fw(payload, phase, delay);
    });
  });
  Accepting receiver("receiver");
  BaseProtocolMonitor monitor("monitor");
  sender.socket.bind(monitor.target);
  monitor.initiator.bind(receiver.socket);
  sc_core::sc_start();
  return monitor.broken;
}

}  // namespace

TEST_CASE("the monitor finds each phase of an initiator's that breaks the base protocol") {
  using Payload = tlm::tlm_generic_payload;
  CHECK(broken_phases([](Payload& one, Payload&, const Ask& ask) {
          ask(one, tlm::BEGIN_REQ);
        }).empty());
  struct Case {
    void (*calls)(Payload&, Payload&, const Ask&);
    const char* rule;
  };
  const Case one = GENERATE(Case{[](Payload& first, Payload& second, const Ask& ask) {
                                   ask(first, tlm::BEGIN_REQ);
                                   ask(second, tlm::BEGIN_REQ);
                                 },
                                 "before the END_REQ of another"},
                            Case{[](Payload& first, Payload&, const Ask& ask) {
                                   ask(first, tlm::BEGIN_REQ);
                                   ask(first, tlm::END_RESP);
                                 },
                                 "END_RESP after BEGIN_RESP"},
                            Case{[](Payload& first, Payload&, const Ask& ask) {
                                   first.set_mm(nullptr);
                                   ask(first, tlm::BEGIN_REQ);
                                 },
                                 "no memory manager"});
  const auto found = broken_phases(one.calls);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Catch::Contains("initiator: ") && Catch::Contains(one.rule));
}

TEST_CASE("the monitor has nothing against an initiator and a target that keep the rules") {
  CHECK(broken([](Initiator& sender) { send(sender, [](auto&) {}); }, answer).empty());
}

TEST_CASE("the monitor finds each rule that an initiator breaks") {
  using Payload = tlm::tlm_generic_payload;
  struct Case {
    void (*change)(Payload&);
    const char* rule;
  };
  const Case one = GENERATE(
      Case{[](Payload& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); }, "response status"},
      Case{[](Payload& p) { p.set_streaming_width(0); }, "streaming width is 0"},
      Case{[](Payload& p) { p.set_data_length(0); }, "data length is 0"},
      Case{[](Payload& p) { p.set_dmi_allowed(true); }, "DMI hint"});
  const auto found = broken([&](Initiator& sender) { send(sender, one.change); }, answer);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Catch::Contains("initiator: ") && Catch::Contains(one.rule));
}

TEST_CASE("the monitor finds each rule that a target breaks") {
  struct Case {
    void (*work)(tlm::tlm_generic_payload&, sc_time&);
    const char* rule;
  };
  const Case one =
      GENERATE(Case{[](tlm::tlm_generic_payload&, sc_time&) {}, "response status is still"},
               Case{[](tlm::tlm_generic_payload& p, sc_time& delay) {
                      answer(p, delay);
                      delay = sc_core::SC_ZERO_TIME;
                    },
                    "before the time at which it was given"},
               Case{[](tlm::tlm_generic_payload& p, sc_time& delay) {
                      answer(p, delay);
                      p.get_data_ptr()[0] ^= 1;
                    },
                    "data of a write"},
               Case{[](tlm::tlm_generic_payload& p, sc_time& delay) {
                      answer(p, delay);
                      p.set_data_length(4);
                    },
                    "data length has changed"});
  const auto found = broken([](Initiator& sender) { send(sender, [](auto&) {}); }, one.work);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Catch::Contains("target: ") && Catch::Contains(one.rule));
}

}  // namespace nplab::test
