// The chip as a SystemC component (docs/systemc.md). This header needs SystemC 2.3 and the standard
// library, nothing else of nplab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include "nplab/systemc/frame.h"
#include "nplab/systemc/host_map.h"
#include "nplab/systemc/program.h"

namespace nplab::systemc {

// How a chip runs.
struct ChipOptions {
  // The local quantum in cycles: how far the chip runs ahead of the kernel's time. 0: TLM's global
  // quantum or, where that is not set, kUsualQuantum. It is shortened when an access from outside
  // comes for a cycle that the chip has already run.
  std::uint64_t quantum = 0;
  static constexpr std::uint64_t kUsualQuantum = 1024;
  // The modules of the chip's match unit, `NAME.match.cache` and its like, work in processes of
  // their own, in each of the unit's cycles at its time; the quantum is then a cycle. Without, the
  // chip's process does their work. The states are the same.
  bool unit_processes = false;
  // Verdicts are compared with the reference classifier's answer by the program's rules. Without,
  // for rules that change: nothing is compared.
  bool checks_verdicts = true;
  // A module at an SRAM device socket that has not answered for so long is reported.
  sc_core::sc_time answer_limit = sc_core::sc_time(1, sc_core::SC_MS);
};

// A packet that the engines classified.
struct Verdict {
  const std::uint8_t* frame = nullptr;  // while the callback runs
  std::size_t length = 0;
  std::optional<std::uint32_t> rule;  // none: no rule matches
  std::uint64_t cycle = 0;
};

struct Counters {
  std::uint64_t offered = 0;  // frames whose first byte came on a port's wire
  std::uint64_t missed = 0;   // of these: found no room in the port's buffer
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
  std::uint64_t dropped = 0;  // by software, for whatever reason
  std::uint64_t in_flight = 0;
  std::uint64_t classified = 0;
  std::uint64_t misclassified = 0;  // verdicts that the reference classifier does not give
};

// A port's wires. One transaction is one frame: a write of its bytes, with the check sequence, to
// address 0; see frame.h. An unbound socket is a wire that nobody uses.
class Port : public sc_core::sc_module {
 public:
  explicit Port(const sc_core::sc_module_name& name);

  tlm_utils::simple_target_socket_optional<Port> rx{"rx"};
  tlm_utils::simple_initiator_socket_optional<Port> tx{"tx"};

 private:
  friend class Chip;
  void receive(tlm::tlm_generic_payload& frame, sc_core::sc_time& delay);
  std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)> receive_;
};

class Chip : public sc_core::sc_module {
 public:
  using DeviceSocket = tlm_utils::simple_initiator_socket_tagged_optional<Chip>;

  // The program must have been loaded for this chip.
  Chip(const sc_core::sc_module_name& name, const ChipModel& chip, const Program& program,
       const ChipOptions& options = {});
  ~Chip() override;

  // The core processor's view: host_map.h.
  tlm_utils::simple_target_socket_optional<Chip> host{"host"};
  // Where references to the address ranges sram.device0 to sram.device3 of the chip file go.
  // Addresses count from the beginning of the range.
  sc_core::sc_vector<DeviceSocket> sram_device{"sram_device"};
  sc_core::sc_vector<Port> port{"port"};

  // Before the end of elaboration: references to sram_device[index] are made by non-blocking
  // transport, in the phases of the base protocol (approximately timed), for a module whose answers
  // depend on each other. Without, by blocking transport.
  void use_phases(unsigned index);

  // Is called for each verdict, in the order of cycles.
  void on_verdict(std::function<void(const Verdict&)> callback);

  [[nodiscard]] sc_core::sc_time cycle_time() const;
  // Cycles that the chip has run: at most a quantum ahead of the kernel's time.
  [[nodiscard]] std::uint64_t cycles() const;
  // In cycles, at present.
  [[nodiscard]] std::uint64_t quantum() const;
  [[nodiscard]] Counters counters() const;
  // The run is over: the program failed, or all its threads have ended.
  [[nodiscard]] bool is_over() const;
  // What went wrong, as sentences: wrong verdicts, frames sent other than they came, the fault that
  // ended the run. Empty: nothing.
  [[nodiscard]] std::vector<std::string> failures() const;

  // From now on, before the first cycle: the state after each `cycles` is kept as a hash. Equal
  // hashes are equal states: registers, memories, queues, what is in flight.
  void keep_states(std::uint64_t cycles);
  struct State {
    std::uint64_t cycle = 0;
    std::uint64_t hash = 0;
  };
  [[nodiscard]] const std::vector<State>& states() const;

  // Adds the chip's main states to a trace, named below the chip: cycles, received, sent, in
  // flight, threads that live. They change where the chip gives control back to the kernel; with a
  // quantum of 1, in every cycle. Before the simulation starts.
  void trace(sc_core::sc_trace_file* file);

  class Implementation;
  // For nplab's own runs.
  [[nodiscard]] Implementation& implementation() { return *implementation_; }

 private:
  void before_end_of_elaboration() override;
  void end_of_elaboration() override;
  void start_of_simulation() override;
  void run_thread();
  void run_method();
  void watch_answers();
  void serve_host(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned debug_host(tlm::tlm_generic_payload& access);
  tlm::tlm_sync_enum respond(int device, tlm::tlm_generic_payload& reference, tlm::tlm_phase& phase,
                             sc_core::sc_time& delay);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace nplab::systemc
