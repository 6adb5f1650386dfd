// A run as a waveform: value change dump (IEEE 1364-2005, section 18), as GTKWave and others read
// it. Scopes are the chip's modules:
//   chip.cycle                       the core cycle
//   chip.engineE.executing, aborted, stalled, context, word      what P3 holds; none of the three:
//   idle chip.engineE.contextC.state      in words, such as `executing` or `waits_for_sram`
//   chip.engineE.command_fifo, chip.sram.order_queue, ...        entries
//   chip.sram.bus, sdram.bus, scratch.bus                        1: taken
//   chip.packets.received, verdict, dropped, sent                sequence number of the latest
// Times are picoseconds, of the cycle's begin, rounded.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "simulator/observe/run_observer.h"

namespace nplab::simulator {

class VcdTrace final : public RunObserver {
 public:
  // The stream outlives this.
  explicit VcdTrace(std::ostream& stream) : stream_(stream) {}

  void begin(const ObservedChip& chip) override;
  void context_changed(const ContextChange& change) override;
  void slot(const EngineSlot& slot) override;
  void queue_changed(std::size_t queue, unsigned entries, Cycle at) override;
  void bus_taken(std::size_t bus, Cycle at) override;
  void bus_freed(std::size_t bus, Cycle at) override;
  void packet(const PacketEvent& event) override;
  void cycle_done(Cycle at) override;
  void end(Cycle at) override;

 private:
  struct Signal {
    std::string path;   // `chip.engine0.word`
    unsigned bits = 0;  // 0: text
    std::string value;  // as the file has it, without the identifier
    bool changed = true;
  };
  using SignalNumber = std::size_t;
  struct EngineSignals {
    SignalNumber executing = 0, aborted = 0, stalled = 0, context = 0, word = 0;
    std::vector<SignalNumber> states;  // by context
    bool is_idle = true;               // in the cycle under way, so far
  };

  SignalNumber add(std::string path, unsigned bits, std::string value);
  void set_number(SignalNumber signal, std::uint64_t value);
  void set_text(SignalNumber signal, const std::string& text);
  void set(SignalNumber signal, std::string value);
  void set_slot(EngineSignals& engine, std::optional<ContextState> state);
  void declare(const ObservedChip& chip);
  void write_header();
  void write_time(Cycle at);

  std::ostream& stream_;
  double picoseconds_ = 0;  // of a cycle
  std::vector<Signal> signals_;
  std::vector<SignalNumber> changed_;
  SignalNumber cycle_ = 0;
  std::vector<EngineSignals> engines_;
  std::vector<SignalNumber> queues_;
  std::vector<SignalNumber> buses_;
  std::vector<SignalNumber> packets_;  // by kind
};

}  // namespace nplab::simulator
