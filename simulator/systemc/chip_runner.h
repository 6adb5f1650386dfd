// The SystemC chip for callers that do not include the kernel's headers.
#pragma once

#include <memory>

#include "simulator/base/window_control.h"
#include "simulator/chip/chip_parts.h"

namespace nplab::simulator {

class ChipRunner {
 public:
  // Builds the module `chip`. One runner at a time. What is given outlives the runner; media and
  // core may be null.
  ChipRunner(const ChipDescription& description, FbiUnit& fbi, MediaDevice* media,
             RunMonitor& monitor, AnnotationSink& annotations, CorePort* core = nullptr);
  ~ChipRunner();

  [[nodiscard]] const ChipParts& parts() const;
  // Ends elaboration, which joins the parts, then runs windows from cycle 0 until `control` says
  // that the run is over. Gives the number of cycles done.
  Cycle run(WindowControl& control);

  // Full names of all modules, ports and exports, sorted.
  [[nodiscard]] static std::vector<std::string> hierarchy();

 private:
  class Kernel;
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace nplab::simulator
