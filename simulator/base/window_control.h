// What the chip asks between two windows.
#pragma once

#include "simulator/base/time.h"

namespace nplab::simulator {

struct WindowLimits {
  Cycle end;      // where the window ends at the latest; later than its first cycle
  Cycle engines;  // up to which engines may go on by themselves: no run ends before
};

class WindowControl {
 public:
  virtual ~WindowControl() = default;
  // Of the window that begins at `now`.
  [[nodiscard]] virtual WindowLimits limits(Cycle now) = 0;
  // Whether the run is over. Cycles before `done` are done, by all parts.
  virtual bool finished(Cycle done) = 0;
};

}  // namespace nplab::simulator
