// A box of the unit's drawing: it is worked through once in every cycle, in any order with the
// others, and has a name that reports and traces use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simulator/base/state_hash.h"
#include "simulator/base/time.h"

namespace nplab::simulator::match {

class Module {
 public:
  virtual ~Module() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  virtual void step(Cycle now) = 0;
  // Whether nothing waits in it or on its way to it.
  [[nodiscard]] virtual bool is_idle() const = 0;
  // Appends a sentence for what waits, with its tags.
  virtual void describe_waiting(std::vector<std::string>& lines) const = 0;
  virtual void hash(StateHash& hash) const = 0;
};

}  // namespace nplab::simulator::match
