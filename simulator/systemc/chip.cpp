#include "nplab/systemc/chip.h"

#include "simulator/systemc/implementation.h"

// The system library refers to it; a program that has its own overrides this one.
__attribute__((weak)) int sc_main(int, char**) {
  return 0;
}

namespace nplab::systemc {

const std::string& ChipModel::name() const {
  return contents_->chip.name;
}

unsigned ChipModel::ports() const {
  return contents_->chip.media.ports;
}

std::optional<std::uint32_t> Program::classify(const std::uint8_t* frame,
                                               std::size_t length) const {
  return contents_->classify({frame, length});
}

std::vector<std::uint32_t> Program::matches(const std::uint8_t* frame, std::size_t length) const {
  return contents_->matches({frame, length});
}

std::unique_ptr<TableUpdater> Program::updater() const {
  return contents_->updater();
}

const std::vector<bool>& Program::in_force_at_start() const {
  return contents_->in_force_at_start;
}

const std::vector<RuleUpdate>& Program::updates() const {
  return contents_->updates;
}

bool Program::passes(const std::uint8_t* frame, std::size_t length) const {
  return contents_->passes(classify(frame, length));
}

std::optional<Program::Place> Program::table(const std::string& name) const {
  return contents_->table(name);
}

std::size_t Program::frames() const {
  return contents_->frames;
}

std::vector<std::uint8_t> Program::frame(std::size_t index) const {
  const auto bytes = contents_->frame(index);
  return {bytes.begin(), bytes.end()};
}

Port::Port(const sc_core::sc_module_name& name) : sc_module(name) {
  rx.register_b_transport(this, &Port::receive);
}

void Port::receive(tlm::tlm_generic_payload& frame, sc_core::sc_time& delay) {
  receive_(frame, delay);
}

Chip::Chip(const sc_core::sc_module_name& name, const ChipModel& chip, const Program& program,
           const ChipOptions& options)
    : sc_module(name),
      implementation_(
          std::make_unique<Implementation>(*this, chip.contents().chip, program, options)) {
  host.register_b_transport(this, &Chip::serve_host);
  host.register_transport_dbg(this, &Chip::debug_host);
  sram_device.init(simulator::kMostSramDevices);
  for (unsigned i = 0; i < sram_device.size(); ++i)
    sram_device[i].register_nb_transport_bw(this, &Chip::respond, static_cast<int>(i));
  port.init(chip.ports());
  for (unsigned i = 0; i < port.size(); ++i)
    port[i].receive_ = [this, i](tlm::tlm_generic_payload& frame, sc_core::sc_time& delay) {
      implementation_->receive(i, frame, delay);
    };
  const simulator::ChipDescription& description = chip.contents().chip;
  implementation_->attribute<std::string>("chip", chip.name());
  implementation_->attribute<std::string>("program", program.contents().name);
  implementation_->attribute<std::uint64_t>("core_hz", description.clock.core_hz);
  implementation_->attribute<std::uint64_t>("engines", description.engine.engines);
  implementation_->attribute<std::uint64_t>("contexts", description.engine.contexts);
  implementation_->attribute<std::uint64_t>("ports", description.media.ports);
  implementation_->attribute<std::uint64_t>("quantum", implementation_->quantum_.cycles());
}

Chip::~Chip() {
  remove_all_attributes();
}

void Chip::before_end_of_elaboration() {
  implementation_->build();
}

void Chip::end_of_elaboration() {
  implementation_->connect();
  SC_HAS_PROCESS(Chip);
  if (!implementation_->is_open()) {
    SC_METHOD(run_method);
    return;
  }
  // The engines' code needs more than the kernel's usual 64 KB.
  constexpr std::size_t kStackBytes = std::size_t{1} << 20;
  SC_THREAD(run_thread);
  set_stack_size(kStackBytes);
  if (implementation_->devices().empty())
    return;
  SC_METHOD(watch_answers);
  for (const auto& device : implementation_->devices())
    sensitive << device->overdue();
  dont_initialize();
}

void Chip::start_of_simulation() {
  implementation_->load_devices();
}

void Chip::run_thread() {
  while (implementation_->run_quantum()) {
    const sc_core::sc_time ahead = implementation_->until_synchronised();
    if (ahead != sc_core::SC_ZERO_TIME)
      wait(ahead);
  }
}

void Chip::run_method() {
  if (implementation_->run_quantum())
    next_trigger(implementation_->until_synchronised());
}

void Chip::watch_answers() {
  for (const auto& device : implementation_->devices())
    device->report_if_overdue();
}

void Chip::serve_host(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  implementation_->serve_host(access, delay);
}

unsigned Chip::debug_host(tlm::tlm_generic_payload& access) {
  return implementation_->debug_host(access);
}

tlm::tlm_sync_enum Chip::respond(int device, tlm::tlm_generic_payload& reference,
                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  return implementation_->respond(static_cast<unsigned>(device), reference, phase, delay);
}

void Chip::use_phases(unsigned index) {
  implementation_->uses_phases_.at(index) = true;
}

void Chip::on_verdict(std::function<void(const Verdict&)> callback) {
  implementation_->on_verdict_ = std::move(callback);
}

sc_core::sc_time Chip::cycle_time() const {
  return implementation_->clock_.period();
}

std::uint64_t Chip::cycles() const {
  return implementation_->now_.number();
}

std::uint64_t Chip::quantum() const {
  return implementation_->quantum_.cycles();
}

bool Chip::is_over() const {
  return implementation_->is_over_;
}

Counters Chip::counters() const {
  simulator::RunEnvironment& around = implementation_->session_->environment();
  const simulator::FrameCounters& frames = around.tracker.counters();
  const auto wire = std::as_const(around.media).totals();
  Counters counters;
  counters.offered = wire.offered;
  counters.missed = wire.missed;
  counters.received = frames.received;
  counters.sent = frames.sent;
  for (const std::uint64_t dropped : frames.dropped)
    counters.dropped += dropped;
  counters.in_flight = frames.outstanding();
  counters.classified = frames.classified;
  counters.misclassified = implementation_->misclassified_;
  return counters;
}

std::vector<std::string> Chip::failures() const {
  std::vector<std::string> failures = implementation_->messages_;
  const auto& violations = implementation_->session_->environment().tracker.violation_messages();
  failures.insert(failures.end(), violations.begin(), violations.end());
  return failures;
}

void Chip::keep_states(std::uint64_t cycles) {
  implementation_->state_period_ = cycles;
}

const std::vector<Chip::State>& Chip::states() const {
  return implementation_->states_;
}

void Chip::trace(sc_core::sc_trace_file* file) {
  Implementation::Traced& traced = implementation_->traced_;
  const std::string prefix = std::string(name()) + ".";
  sc_core::sc_trace(file, traced.cycles, prefix + "cycles");
  sc_core::sc_trace(file, traced.received, prefix + "received");
  sc_core::sc_trace(file, traced.sent, prefix + "sent");
  sc_core::sc_trace(file, traced.in_flight, prefix + "in_flight");
  sc_core::sc_trace(file, traced.live_threads, prefix + "live_threads");
}

}  // namespace nplab::systemc
