// The queues that references wait in, by a number each: what they are called, how much they hold
// and how full they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/chip/chip_parts.h"
#include "simulator/fbi/fbi.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class ChipQueues {
 public:
  // `parts` and `fbi` outlive this.
  ChipQueues(const ChipDescription& chip, const ChipParts& parts, const Fbi& fbi);

  // As `sram.order_queue` or `engine0.command_fifo`.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::vector<unsigned>& capacities() const { return capacities_; }
  // Entries taken once cycle `at`, the last that the parts have done, is over; those under way to a
  // queue included.
  [[nodiscard]] std::vector<std::uint32_t> sizes(Cycle at) const;

 private:
  const ChipParts& parts_;
  const Fbi& fbi_;
  std::vector<std::string> names_;
  std::vector<unsigned> capacities_;
};

}  // namespace nplab::simulator
