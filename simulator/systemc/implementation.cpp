#include "simulator/systemc/implementation.h"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/systemc/report.h"

namespace nplab::systemc {

using simulator::Cycle;
using simulator::Cycles;

namespace {

Cycles quantum_of(const ChipOptions& options, bool has_unit_processes, const ChipClock& clock) {
  if (has_unit_processes)
    return 1;
  if (options.quantum != 0)
    return options.quantum;
  const sc_core::sc_time global = tlm::tlm_global_quantum::instance().get();
  if (global == sc_core::SC_ZERO_TIME)
    return ChipOptions::kUsualQuantum;
  return std::max<Cycles>(1, global.value() / clock.period().value());
}

template <class Socket>
bool is_bound(Socket& socket) {
  return socket.get_base_port().bind_count() > 0;
}

}  // namespace

Chip::Implementation::Implementation(Chip& module, const simulator::ChipDescription& chip,
                                     const Program& program, const ChipOptions& options)
    : module_(module),
      program_(program),
      options_(options),
      clock_(chip.clock.core_hz),
      inputs_(*program.contents().inputs),
      quantum_(quantum_of(options, has_unit_processes(), clock_)),
      receives_(chip.media.ports),
      sends_(chip.media.ports),
      store_(chip.media.ports) {}

void Chip::Implementation::find_bound_sockets() {
  for (unsigned i = 0; i < receives_.size(); ++i) {
    receives_[i] = is_bound(module_.port[i].rx);
    sends_[i] = is_bound(module_.port[i].tx);
  }
  if (is_bound(module_.host))
    host_.emplace(module_.host.name(), inputs_.chip);
  make_devices();
  const auto any = [](const std::vector<bool>& ports) {
    return std::find(ports.begin(), ports.end(), true) != ports.end();
  };
  is_open_ = host_ || !devices_.empty() || any(receives_) || any(sends_) || state_period_ != 0 ||
             has_unit_processes();
}

void Chip::Implementation::make_devices() {
  const auto ranges = simulator::sram_devices(inputs_.chip.sram);
  for (unsigned i = 0; i < ranges.size(); ++i) {
    Chip::DeviceSocket& socket = module_.sram_device[i];
    if (ranges[i] && is_bound(socket))
      devices_.push_back(make_device(i, *ranges[i]));
    else if (ranges[i])
      warn(socket.name(), fmt::format("no module is bound for the range '{}' of the chip {}; "
                                      "memory answers there",
                                      ranges[i]->name, inputs_.chip.name));
    else if (is_bound(socket))
      warn(socket.name(), fmt::format("the chip {} has no range for it (sram.device{} of its file)",
                                      inputs_.chip.name, i));
  }
}

std::unique_ptr<DevicePort> Chip::Implementation::make_device(
    unsigned index, const simulator::SramDeviceDescription& range) {
  Chip::DeviceSocket& socket = module_.sram_device[index];
  if (!uses_phases_[index])
    return std::make_unique<BlockingDevice>(socket, range, clock_, options_.answer_limit);
  auto device = std::make_unique<PhasedDevice>(socket, range, clock_, options_.answer_limit);
  phased_[index] = device.get();
  has_phases_ = true;
  return device;
}

tlm::tlm_sync_enum Chip::Implementation::respond(unsigned device,
                                                 tlm::tlm_generic_payload& transaction,
                                                 tlm::tlm_phase& phase,
                                                 const sc_core::sc_time& delay) {
  if (phased_[device] != nullptr)
    return phased_[device]->respond(transaction, phase, delay);
  warn(module_.sram_device[device].name(),
       fmt::format("{}: the chip asks by blocking transport, and takes no phases (use_phases)",
                   transaction_text(transaction)));
  return tlm::TLM_COMPLETED;
}

bool Chip::Implementation::take_answers() {
  bool is_busy = false;
  for (PhasedDevice* const device : phased_)
    if (device != nullptr) {
      device->deliver(now_, *parts().sram);
      is_busy = is_busy || device->is_busy();
    }
  return !is_busy || clock_.until(now_) == sc_core::SC_ZERO_TIME;
}

// Once all sockets are bound, before the kernel completes the binding.
void Chip::Implementation::build() {
  find_bound_sockets();
  if (program_.contents().classify) {
    inputs_.frames = this;
    inputs_.verdicts = this;
    if (program_.contents().traffic)
      traffic_ = program_.contents().traffic();
    inputs_.packets = traffic_.get();
  }
  if (host_)
    inputs_.core = &*host_;
  session_ = std::make_unique<simulator::RunSession>(inputs_);
  assembly_ = std::make_unique<simulator::ChipAssembly<simulator::SystemCKernel>>(
      inputs_.chip, session_->outside());
  if (has_unit_processes()) {
    simulator::match::MatchUnit& unit = *session_->environment().match;
    unit_clock_.emplace(clock_, unit.ratio(), *assembly_->match());
    unit.run_by(&*unit_clock_);
  }
  for (unsigned i = 0; i < receives_.size(); ++i)
    if (receives_[i])
      session_->environment().media.receive(i).take_offers();
  for (const auto& device : devices_)
    parts().sram->attach(device->range().base, device->range().bytes, *device);
}

void Chip::Implementation::connect() {
  assembly_->connect();
  session_->begin(parts());
  if (!host_)
    return;
  // A host may signal threads though no program does.
  simulator::CommandKinds kinds;
  kinds.thread_signals = true;
  for (const simulator::Microengine* engine : parts().engines)
    engine->add_to(kinds);
  parts().fbi->expect(kinds);
}

// What the program's tables and data put into a device's range.
void Chip::Implementation::load_devices() {
  if (devices_.empty())
    return;
  for (const auto& engine : inputs_.engines) {
    if (!engine)
      continue;
    for (const isa::DataSegment& segment : engine->image.data)
      for (std::size_t i = 0; i < segment.longwords.size(); ++i)
        if (segment.space == isa::MemorySpace::kSram)
          write_devices(segment.address + 4 * static_cast<std::uint32_t>(i), segment.longwords[i]);
  }
  for (const simulator::InitialLongword& longword : inputs_.memory)
    if (longword.space == isa::MemorySpace::kSram)
      write_devices(longword.address, longword.value);
}

void Chip::Implementation::write_devices(std::uint32_t address, std::uint32_t longword) {
  for (const auto& device : devices_) {
    if (!device->holds(address))
      continue;
    if (device->debug(tlm::TLM_WRITE_COMMAND, address, {&longword, 1}) != 1)
      warn(device->range().name,
           fmt::format("the module takes no debug write at {:#x}: the table that lies there is not "
                       "loaded",
                       address - device->range().base));
  }
}

// A reference to a device that talks in phases ends the window, since from then on its answer may
// come at any time; while one is under way, a window is a cycle.
Cycle Chip::Implementation::end_by_phases() const {
  const bool is_busy = std::any_of(phased_.begin(), phased_.end(), [](const PhasedDevice* device) {
    return device != nullptr && device->is_busy();
  });
  return is_busy ? now_ + 1 : std::max(parts().earliest_sram_decision(now_), now_) + 1;
}

simulator::WindowLimits Chip::Implementation::limits(Cycle end) {
  simulator::WindowLimits limits = session_->control().limits(now_);
  limits.end = std::min(limits.end, end);
  if (state_period_ != 0)
    limits.end = std::min(limits.end, Cycle((now_.number() / state_period_ + 1) * state_period_));
  if (host_ && host_->next_from() > now_)
    limits.end = std::min(limits.end, host_->next_from());
  if (has_phases_)
    limits.end = std::min(limits.end, end_by_phases());
  limits.engines = std::min(limits.engines, limits.end);
  return limits;
}

bool Chip::Implementation::run_quantum() {
  const Cycle began = now_;
  if (!is_open_) {
    simulator::WindowControl& control = session_->control();
    while (now_ - began < quantum_.cycles()) {
      now_ = parts().advance(now_, control.limits(now_));
      is_over_ = control.finished(now_);
      if (is_over_)
        return false;
    }
    return true;
  }
  while (now_ < quantum_.next_after(began)) {
    if (host_ && host_->admit(now_))
      parts().core->wake();
    if (has_phases_ && !take_answers())
      return true;
    const simulator::WindowLimits window = limits(quantum_.next_after(began));
    window_end_ = window.end;
    in_window_ = true;
    now_ = parts().advance(now_, window);
    in_window_ = false;
    keep_state();
    for (std::size_t i = 0; i < outgoing_.size(); ++i)
      send(outgoing_[i]);
    outgoing_.clear();
    if (host_)
      host_->notify(clock_);
    if (session_->control().finished(now_)) {
      end_run();
      return false;
    }
  }
  return true;
}

void Chip::Implementation::keep_state() {
  const simulator::FrameCounters& frames = session_->environment().tracker.counters();
  traced_ = {now_.number(), frames.received, frames.sent, frames.outstanding(),
             parts().live_threads()};
  if (state_period_ != 0 && now_.number() % state_period_ == 0) {
    parts().catch_up(now_);
    states_.push_back({now_.number(), parts().state_hash()});
  }
}

void Chip::Implementation::end_run() {
  is_over_ = true;
  if (host_)
    host_->abandon();
  const auto& fault = session_->environment().watch.fault();
  if (fault) {
    std::string where = fmt::format("cycle {}", fault->at.number());
    if (fault->thread)
      where += fmt::format(", engine {} thread {}", fault->thread->engine.index(),
                           fault->thread->context.index());
    messages_.push_back(where + ": " + fault->message);
  } else if (session_->deadlocked()) {
    messages_.push_back(fmt::format("no progress since cycle {}",
                                    session_->environment().watch.last_progress().number()));
  } else {
    return;
  }
  if (program_.contents().classify)
    warn(module_.name(), "the program failed, and the chip stops: " + messages_.back());
}

// What the match unit still has to do is done outside of processes.
simulator::SimulationResult Chip::Implementation::finish() {
  if (unit_clock_)
    session_->environment().match->run_by(nullptr);
  return session_->finish(now_);
}

void Chip::Implementation::note_late(const std::string& socket, Cycle wanted, Cycles late) {
  if (late == 0)
    return;
  const Cycle known = clock_.first_from(sc_core::sc_time_stamp());
  const Cycles notice = wanted > known ? wanted - known : 0;
  const Cycles before = quantum_.cycles();
  if (!quantum_.shorten_to(notice) || is_shortened_)
    return;
  is_shortened_ = true;
  inform(socket,
         fmt::format("an access for cycle {} came {} cycles after the chip had run it, and takes "
                     "effect then. It was made {} cycles before its time: the chip's quantum is "
                     "shortened from {} to {} cycles, and further if need be. A platform whose "
                     "accesses are made earlier does not depend on the quantum",
                     wanted.number(), late, notice, before, quantum_.cycles()));
}

}  // namespace nplab::systemc
