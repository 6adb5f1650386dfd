#include "simulator/systemc/chip_runner.h"

#include <algorithm>

#include "simulator/systemc/chip.h"

namespace nplab::simulator {

class ChipRunner::Kernel {
 public:
  Kernel(const ChipDescription& description, const ChipOutside& outside)
      : chip("chip", description, outside) {}
  Chip chip;
};

namespace {

// The standard lets a process elaborate once. The reference implementation starts anew with a new
// context; the old one (some 15 KB) is left behind, since static objects of the library refer to
// it.
void begin_context() {
  static bool elaborated = false;
  if (elaborated) {
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;
    sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
  }
  elaborated = true;
}

}  // namespace

ChipRunner::ChipRunner(const ChipDescription& description, FbiUnit& fbi, MediaDevice* media,
                       RunMonitor& monitor, AnnotationSink& annotations, CorePort* core) {
  begin_context();
  // A core cycle is not an integral number of picoseconds.
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  kernel_ =
      std::make_unique<Kernel>(description, ChipOutside{fbi, media, monitor, annotations, core});
}

ChipRunner::~ChipRunner() = default;

const ChipParts& ChipRunner::parts() const {
  return kernel_->chip.parts();
}

Cycle ChipRunner::run(WindowControl& control) {
  return kernel_->chip.run(control);
}

namespace {

void collect(const std::vector<sc_core::sc_object*>& objects, std::vector<std::string>& names) {
  for (const sc_core::sc_object* object : objects) {
    names.emplace_back(object->name());
    collect(object->get_child_objects(), names);
  }
}

}  // namespace

std::vector<std::string> ChipRunner::hierarchy() {
  std::vector<std::string> names;
  collect(sc_core::sc_get_top_level_objects(), names);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace nplab::simulator
