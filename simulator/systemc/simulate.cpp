#include "simulator/systemc/simulate.h"

#include <algorithm>
#include <iostream>

#include "simulator/chip/plain_chip.h"
#include "simulator/run/run_session.h"
#include "simulator/systemc/implementation.h"
#include "simulator/systemc/unit_library.h"

namespace nplab::simulator {
namespace {

// Standard output is for results.
void report_on_standard_error(const sc_core::sc_report& report, const sc_core::sc_actions&) {
  std::cerr << report.get_msg_type() << ": " << report.get_msg() << '\n';
}

using Units = std::vector<std::unique_ptr<systemc::Unit>>;

Units make_units(systemc::Chip& chip, const SimulationInputs& inputs,
                 const std::vector<UnitChoice>& choices) {
  Units units;
  const auto devices = sram_devices(inputs.chip.sram);
  for (unsigned i = 0; i < devices.size(); ++i)
    for (const UnitChoice& choice : choices)
      if (devices[i] && devices[i]->name == choice.name) {
        units.push_back(make_unit(choice, devices[i]->bytes));
        chip.sram_device[i].bind(units.back()->socket());
        if (units.back()->uses_phases())
          chip.use_phases(i);
      }
  return units;
}

SimulationResult simulate_on_kernel(const SimulationInputs& inputs,
                                    const std::vector<UnitChoice>& choices, Kernel kernel) {
  begin_platform();
  sc_core::sc_report_handler::set_handler(&report_on_standard_error);
  auto model = std::make_shared<systemc::ChipModel::Contents>();
  model->chip = inputs.chip;
  auto program = std::make_shared<systemc::Program::Contents>();
  program->inputs = &inputs;
  systemc::ChipOptions options;
  options.unit_processes = kernel == Kernel::kSystemCProcesses;
  systemc::Chip chip("chip", systemc::ChipModel(model), systemc::Program(program), options);
  const Units units = make_units(chip, inputs, choices);
  sc_core::sc_start();
  return chip.implementation().finish();
}

SimulationResult simulate_alone(const SimulationInputs& inputs) {
  RunSession session(inputs);
  PlainChip chip(inputs.chip, session.outside());
  session.begin(chip.parts());
  WindowControl& control = session.control();
  do
    chip.advance(control.limits(chip.now()));
  while (!control.finished(chip.now()));
  return session.finish(chip.now());
}

void collect(const std::vector<sc_core::sc_object*>& objects, std::vector<std::string>& names) {
  for (const sc_core::sc_object* object : objects) {
    names.emplace_back(object->name());
    collect(object->get_child_objects(), names);
  }
}

}  // namespace

// The standard lets a process elaborate once. The reference implementation starts anew with a new
// context; the old one (some 15 KB) is left behind, since static objects of the library refer to
// it.
void begin_platform() {
  static bool elaborated = false;
  if (elaborated) {
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;
    sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
  }
  elaborated = true;
  // A core cycle is not an integral number of picoseconds.
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
}

SimulationResult simulate(const SimulationInputs& inputs, Kernel kernel) {
  return kernel == Kernel::kNone ? simulate_alone(inputs) : simulate_on_kernel(inputs, {}, kernel);
}

SimulationResult simulate_with_units(const SimulationInputs& inputs,
                                     const std::vector<UnitChoice>& units) {
  return simulate_on_kernel(inputs, units, Kernel::kSystemC);
}

std::vector<std::string> platform_hierarchy() {
  std::vector<std::string> names;
  collect(sc_core::sc_get_top_level_objects(), names);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace nplab::simulator
