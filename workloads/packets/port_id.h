#pragma once

#include <compare>

namespace nplab::workloads {

// A port of the chip, from 0.
class PortId {
 public:
  explicit constexpr PortId(unsigned value) : value_(value) {}
  [[nodiscard]] constexpr unsigned value() const { return value_; }
  friend constexpr auto operator<=>(PortId, PortId) = default;

 private:
  unsigned value_;
};

}  // namespace nplab::workloads
