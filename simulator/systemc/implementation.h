// What the chip of nplab/systemc/chip.h does: the run, the modules, and what passes the sockets.
//
// The chip runs ahead of the kernel's time by at most its quantum, window by window. Between two
// windows, and only there, it takes what came in and gives out what it made. Where nothing comes
// from outside it is one method process that runs as far as it likes; else a thread, since a
// b_transport may wait.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nplab/systemc/chip.h"
#include "simulator/chip/assembly.h"
#include "simulator/run/run_session.h"
#include "simulator/systemc/chip_clock.h"
#include "simulator/systemc/contents.h"
#include "simulator/systemc/device_socket.h"
#include "simulator/systemc/frame_store.h"
#include "simulator/systemc/host_port.h"
#include "simulator/systemc/local_quantum.h"
#include "simulator/systemc/phased_device.h"
#include "simulator/systemc/systemc_kernel.h"
#include "simulator/systemc/unit_clock.h"

namespace nplab::systemc {

class Chip::Implementation final : public simulator::FrameObserver, public simulator::VerdictSink {
 public:
  Implementation(Chip& module, const simulator::ChipDescription& chip, const Program& program,
                 const ChipOptions& options);

  // What the module is made of, to be looked up at it.
  template <class Type>
  void attribute(const char* name, const Type& value) {
    attributes_.push_back(std::make_unique<sc_core::sc_attribute<Type>>(name, value));
    module_.add_attribute(*attributes_.back());
  }

  // The steps of elaboration.
  void build();
  void connect();
  void load_devices();
  // Whether anything may come from outside, or wait there.
  [[nodiscard]] bool is_open() const { return is_open_; }

  // Until the next time at which control is given back. False: the run is over.
  bool run_quantum();
  [[nodiscard]] sc_core::sc_time until_synchronised() const { return clock_.until(now_); }

  void receive(unsigned port, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  void serve_host(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned debug_host(tlm::tlm_generic_payload& transaction);
  tlm::tlm_sync_enum respond(unsigned device, tlm::tlm_generic_payload& transaction,
                             tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  [[nodiscard]] std::vector<std::unique_ptr<DevicePort>>& devices() { return devices_; }

  // FrameObserver and VerdictSink.
  void received(unsigned port, simulator::Cycle at, std::span<const std::uint8_t> frame) override;
  void sent(unsigned port, simulator::Cycle at, std::span<const std::uint8_t> frame) override;
  void received(const workloads::OfferedPacket& packet, unsigned port,
                simulator::Cycle at) override;
  void verdict(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule,
               simulator::Cycle at) override;
  void dropped(const workloads::OfferedPacket& packet, simulator::DropReason reason,
               simulator::Cycle at) override;
  void sent(const workloads::OfferedPacket& packet, unsigned port, simulator::Cycle at) override;

  [[nodiscard]] const simulator::ChipParts& parts() const { return assembly_->parts(); }
  // Null: the program uses no match unit. Once the platform is elaborated.
  [[nodiscard]] simulator::match::MatchUnit* unit() {
    auto& match = session_->environment().match;
    return match ? &*match : nullptr;
  }
  [[nodiscard]] simulator::Cycle now() const { return now_; }
  // After the simulation.
  [[nodiscard]] simulator::SimulationResult finish();

 private:
  friend class Chip;
  struct Outgoing {
    unsigned port = 0;
    std::vector<std::uint8_t> bytes;
    simulator::TransmitPort::Passage passage;
  };
  struct Traced {
    std::uint64_t cycles = 0, received = 0, sent = 0, in_flight = 0, live_threads = 0;
  };

  void find_bound_sockets();
  [[nodiscard]] bool has_unit_processes() const {
    return options_.unit_processes && inputs_.match != nullptr;
  }
  void make_devices();
  std::unique_ptr<DevicePort> make_device(unsigned index,
                                          const simulator::SramDeviceDescription& range);
  void write_devices(std::uint32_t address, std::uint32_t longword);
  [[nodiscard]] simulator::WindowLimits limits(simulator::Cycle end);
  // The answers of devices that talk in phases go to the SRAM unit. Whether the chip may go on:
  // while a reference is under way there, not before the kernel's time has come to `now_`.
  bool take_answers();
  [[nodiscard]] simulator::Cycle end_by_phases() const;
  // Cycles before this one have been run, or are being.
  [[nodiscard]] simulator::Cycle done_or_begun() const { return in_window_ ? window_end_ : now_; }
  // An access at `socket` came too late for its cycle.
  void note_late(const std::string& socket, simulator::Cycle wanted, simulator::Cycles late);
  void send(const Outgoing& outgoing);
  void keep_state();
  void end_run();

  Chip& module_;
  Program program_;
  ChipOptions options_;
  ChipClock clock_;
  simulator::SimulationInputs inputs_;
  LocalQuantum quantum_;
  bool is_open_ = false;
  std::vector<bool> receives_, sends_;  // by port: its socket is bound
  FrameStore store_;
  std::unique_ptr<workloads::PacketSource> traffic_;
  std::optional<HostPort> host_;
  std::array<bool, simulator::kMostSramDevices> uses_phases_{};
  std::vector<std::unique_ptr<DevicePort>> devices_;
  std::array<PhasedDevice*, simulator::kMostSramDevices> phased_{};  // of them, by socket
  bool has_phases_ = false;
  std::unique_ptr<simulator::RunSession> session_;
  std::unique_ptr<simulator::ChipAssembly<simulator::SystemCKernel>> assembly_;
  std::optional<UnitClock> unit_clock_;  // none: the chip's process does the match unit's work

  simulator::Cycle now_;
  simulator::Cycle window_end_;
  bool in_window_ = false;
  bool is_over_ = false;
  bool is_shortened_ = false;
  std::vector<Outgoing> outgoing_;
  std::function<void(const Verdict&)> on_verdict_;
  std::uint64_t misclassified_ = 0;
  std::vector<std::string> messages_;
  simulator::Cycles state_period_ = 0;  // 0: none is kept
  std::vector<State> states_;
  Traced traced_;
  std::vector<std::unique_ptr<sc_core::sc_attr_base>> attributes_;
};

}  // namespace nplab::systemc
