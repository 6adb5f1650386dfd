// Facts that units have sent to an engine and whose cycle the engine has not passed yet: transfer-register data and
// events, in the order of their cycles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/command.h"
#include "simulator/ids.h"
#include "simulator/state_hash.h"
#include "simulator/time.h"

namespace nplab::simulator {

struct Delivery {
  Cycle at;
  ContextId context;
  std::uint16_t event = 0;      // a bit of isa::Event, or 0
  TransferRegister first;
  std::uint8_t count = 0;       // longwords of data
  std::array<std::uint32_t, 8> longwords{};
};

class EventInbox {
 public:
  EventInbox();

  // The earliest cycle of anything inside; never when empty.
  [[nodiscard]] Cycle earliest() const { return earliest_; }

  void add_event(ContextId context, std::uint16_t event, Cycle at);
  void add_data(ContextId context, TransferRegister first, std::span<const std::uint32_t> longwords, Cycle at);

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
  Delivery& insert(Cycle at);

  // Where a delivery lies in the pool.
  struct Entry {
    Cycle at;
    std::uint16_t place = 0;
  };
  [[nodiscard]] Entry& entry(std::size_t position) { return order_[(first_ + position) & (order_.size() - 1)]; }
  [[nodiscard]] const Entry& entry(std::size_t position) const {
    return order_[(first_ + position) & (order_.size() - 1)];
  }
  void grow();

  std::vector<Delivery> pool_;
  std::vector<std::uint16_t> free_;
  std::vector<Entry> order_;      // a ring, earliest first; of equal cycles the one added first; size a power of two
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  Cycle earliest_ = Cycle::never();
};

}  // namespace nplab::simulator
