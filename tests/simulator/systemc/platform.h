// Parts of platforms for the tests of the SystemC chip.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nplab/systemc/chip.h"
#include "nplab/systemc/unit.h"
#include "simulator/systemc/contents.h"
#include "simulator/systemc/simulate.h"
#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/forwarder.h"
#include "tests/simulator/systemc/base_protocol_monitor.h"

namespace nplab::test {

using sc_core::sc_time;

// One program per engine, thread 0 of each, as the component's chip and program.
struct Component {
  explicit Component(const std::vector<isa::ProgramImage>& images,
                     const std::vector<std::string>& overrides = {},
                     simulator::Mode mode = simulator::Mode::kWindows) {
    auto inputs = std::make_shared<simulator::SimulationInputs>();
    inputs->chip = chip_description("ixp1200", overrides);
    inputs->mode = mode;
    for (const isa::ProgramImage& image : images)
      inputs->engines.emplace_back(simulator::LoadedProgram{image, {simulator::ContextId(0)}});
    take(inputs);
  }
  explicit Component(const std::shared_ptr<simulator::SimulationInputs>& inputs) { take(inputs); }

  std::optional<systemc::ChipModel> chip;
  std::optional<systemc::Program> program;

 private:
  void take(const std::shared_ptr<simulator::SimulationInputs>& inputs) {
    auto model = std::make_shared<systemc::ChipModel::Contents>();
    model->chip = inputs->chip;
    auto contents = std::make_shared<systemc::Program::Contents>();
    contents->name = "test";
    contents->inputs = inputs.get();
    contents->owner = inputs;
    contents->classify = [](std::span<const std::uint8_t>) { return std::optional(15u); };
    chip.emplace(model);
    program.emplace(contents);
  }
};

// Frame `number`, whose bytes no other has.
inline std::vector<std::uint8_t> test_frame(unsigned number, std::size_t bytes = 64) {
  std::vector<std::uint8_t> frame(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    frame[i] = static_cast<std::uint8_t>(i * 7 + number * 31 + 1);
  std::memcpy(frame.data(), &number, sizeof number);
  return frame;
}

// A write of a frame, as an initiator makes it.
struct FrameTransaction {
  explicit FrameTransaction(std::vector<std::uint8_t> frame) : bytes(std::move(frame)) {
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
    payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
  }
  std::vector<std::uint8_t> bytes;
  tlm::tlm_generic_payload payload;
};

// A thread that does what it is given.
class Initiator : public sc_core::sc_module {
 public:
  Initiator(const sc_core::sc_module_name& name, std::function<void(Initiator&)> work)
      : sc_module(name), work_(std::move(work)) {
    SC_HAS_PROCESS(Initiator);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};

  // A word at the host socket, from now on.
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address,
                                  std::uint32_t& word, sc_time delay = sc_core::SC_ZERO_TIME) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(sizeof word);
    payload.set_streaming_width(sizeof word);
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }

 private:
  void run() { work_(*this); }
  std::function<void(Initiator&)> work_;
};

// Takes frames with their times and, if it is bound to another port, hands them on `latency` later.
class Wire : public sc_core::sc_module {
 public:
  explicit Wire(const sc_core::sc_module_name& name, sc_time latency = sc_core::SC_ZERO_TIME)
      : sc_module(name), latency_(latency) {
    in.register_b_transport(this, &Wire::take);
  }
  tlm_utils::simple_target_socket<Wire> in{"in"};
  tlm_utils::simple_initiator_socket_optional<Wire> out{"out"};

  struct Taken {
    std::vector<std::uint8_t> bytes;
    sc_time at;
    systemc::FrameExtension passage;
  };
  std::vector<Taken> taken;

 private:
  void take(tlm::tlm_generic_payload& frame, sc_time& delay) {
    const unsigned char* const bytes = frame.get_data_ptr();
    const auto* const passage = frame.get_extension<systemc::FrameExtension>();
    taken.push_back({{bytes, bytes + frame.get_data_length()},
                     sc_core::sc_time_stamp() + delay,
                     passage != nullptr ? *passage : systemc::FrameExtension()});
    frame.set_response_status(tlm::TLM_OK_RESPONSE);
    if (out.size() == 0)
      return;
    FrameTransaction copy(taken.back().bytes);
    sc_time later = delay + latency_;
    out->b_transport(copy.payload, later);
  }

  sc_time latency_;
};

// The reports of a platform's run, in the place of their printing.
class ReportLog {
 public:
  ReportLog() {
    texts().clear();
    sc_core::sc_report_handler::set_handler(&ReportLog::take);
  }
  ~ReportLog() { sc_core::sc_report_handler::set_handler(nullptr); }
  static std::vector<std::string>& texts() {
    static std::vector<std::string> all;
    return all;
  }

 private:
  static void take(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    texts().push_back(std::string(report.get_msg_type()) + ": " + report.get_msg());
    if (report.get_severity() >= sc_core::SC_ERROR)
      sc_core::sc_report_handler::default_handler(report, actions);
  }
};

}  // namespace nplab::test
