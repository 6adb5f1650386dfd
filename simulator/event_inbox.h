// Facts that units have sent to an engine and whose cycle the engine has not passed yet: transfer-register data and
// events, in the order of their cycles, within a cycle in that of the units.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/ids.h"
#include "simulator/ports.h"
#include "simulator/time.h"

namespace nplab::simulator {

struct Delivery {
  Cycle at;
  ContextId context;
  std::uint16_t events = 0;     // bits of isa::Event
  TransferRegister first;
  std::uint8_t count = 0;       // longwords of data
  std::array<std::uint32_t, 8> longwords{};
};

class EventInbox {
 public:
  EventInbox();

  // The earliest cycle of anything inside; never when empty.
  [[nodiscard]] Cycle earliest() const { return earliest_; }

  void add(ContextId context, const Answer& answer);

  // The earliest delivery; stays valid until the next call of a member that is not const.
  [[nodiscard]] const Delivery& front() const { return pool_[entry(0).place]; }
  void pop() {
    free_.push_back(entry(0).place);
    first_ = (first_ + 1) & (order_.size() - 1);
    --count_;
    earliest_ = count_ == 0 ? Cycle::never() : entry(0).at;
  }

  void hash(StateHash& hash) const;

 private:
  Delivery& insert(Cycle at, isa::Unit unit);

  // Where a delivery lies in the pool.
  struct Entry {
    Cycle at;
    isa::Unit unit{};
    std::uint32_t place = 0;

    [[nodiscard]] bool is_behind(Cycle other, isa::Unit other_unit) const {
      return at > other || (at == other && unit > other_unit);
    }
  };
  [[nodiscard]] Entry& entry(std::size_t position) { return order_[(first_ + position) & (order_.size() - 1)]; }
  [[nodiscard]] const Entry& entry(std::size_t position) const {
    return order_[(first_ + position) & (order_.size() - 1)];
  }
  void grow();

  std::vector<Delivery> pool_;
  std::vector<std::uint32_t> free_;
  std::vector<Entry> order_;      // a ring, earliest first; of equal cycle and unit the one added first; size 2^n
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  Cycle earliest_ = Cycle::never();
};

}  // namespace nplab::simulator
