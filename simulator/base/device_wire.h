// What joins two parts of a device: it carries messages of one type, each stamped with the cycle
// from which on the receiver sees it. As a platform shows it; the parts know the type.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "simulator/base/time.h"

namespace nplab::simulator {

class DeviceWire {
 public:
  virtual ~DeviceWire() = default;
  // From being sent to being seen, in the device's cycles.
  [[nodiscard]] virtual Cycles latency() const = 0;
  [[nodiscard]] virtual std::size_t capacity() const = 0;  // messages
  // Messages that were sent and not taken.
  [[nodiscard]] virtual std::size_t size() const = 0;
  // When the oldest of them can be seen; never() if there are none.
  [[nodiscard]] virtual Cycle next() const = 0;
};

// A wire with its ends: parts by their names, and what is sent.
struct JoinedWire {
  std::string_view from;
  std::string_view to;
  std::string_view what;
  DeviceWire* wire;
};
using WireVisitor = std::function<void(const JoinedWire&)>;

}  // namespace nplab::simulator
