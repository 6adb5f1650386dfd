// What the chip asks between two windows.
#pragma once

#include "simulator/base/time.h"

namespace nplab::simulator {

class WindowControl {
 public:
  virtual ~WindowControl() = default;
  // Where the window that begins at `now` ends at the latest; later than `now`.
  [[nodiscard]] virtual Cycle limit(Cycle now) = 0;
  // Whether the run is over. Cycles before `done` are done, by all parts.
  virtual bool finished(Cycle done) = 0;
};

}  // namespace nplab::simulator
