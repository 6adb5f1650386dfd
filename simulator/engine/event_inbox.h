// Facts that units have sent to an engine and whose cycle the engine has not passed yet:
// transfer-register data and events, in the order of their cycles, within a cycle in that of the
// units.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/base/ids.h"
#include "simulator/base/ports.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

struct Delivery {
  Cycle at;
  isa::Unit unit{};
  ContextId context;
  std::uint16_t events = 0;  // bits of isa::Event
  TransferRegister first;
  std::uint8_t count = 0;  // longwords of data
  std::array<std::uint32_t, 8> longwords{};

  [[nodiscard]] bool is_behind(const Answer& answer) const {
    return at > answer.at || (at == answer.at && unit > answer.unit);
  }
};

class EventInbox {
 public:
  EventInbox();

  // The earliest cycle of anything inside; never when empty.
  [[nodiscard]] Cycle earliest() const { return earliest_; }

  // The earliest cycle before `limit` of anything for `context`; `limit` if there is none.
  [[nodiscard]] Cycle earliest_for(ContextId context, Cycle limit) const {
    for (std::size_t i = 0; i < count_ && entry(i).at < limit; ++i)
      if (entry(i).context == context)
        return entry(i).at;
    return limit;
  }

  void add(ContextId context, const Answer& answer);

  // The earliest delivery; stays valid until the next call of a member that is not const.
  [[nodiscard]] const Delivery& front() const { return entry(0); }
  void pop() {
    ++first_;
    --count_;
    earliest_ = count_ == 0 ? Cycle::never() : entry(0).at;
  }

  void hash(StateHash& hash) const;

 private:
  [[nodiscard]] Delivery& entry(std::size_t position) { return ring_[(first_ + position) & mask_]; }
  [[nodiscard]] const Delivery& entry(std::size_t position) const {
    return ring_[(first_ + position) & mask_];
  }
  void grow();

  std::vector<Delivery>
      ring_;              // earliest first; of equal cycle and unit the one added first; size 2^n
  std::size_t mask_ = 0;  // its size less one
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  Cycle earliest_ = Cycle::never();
};

}  // namespace nplab::simulator
