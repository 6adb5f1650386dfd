// The IXP1200's choice among the queues of the SRAM unit: priority, then up to read_group reads in
// a row that may be reordered (optimize_mem), then everything else in its order. Grouped reads
// avoid turning the bus [R].
#pragma once

#include "simulator/arbitration/arbiter.h"
#include "simulator/base/unit_queues.h"

namespace nplab::simulator {

class Ixp1200Sram {
 public:
  static constexpr std::string_view kName = "ixp1200";

  explicit Ixp1200Sram(unsigned) {}

  [[nodiscard]] unsigned choose(const Requests auto& requests) const {
    const std::uint64_t asking = requests.asking();
    if ((asking >> kPriority & 1) != 0)
      return kPriority;
    const bool reads = (asking >> kRead & 1) != 0, others = (asking >> kOrder & 1) != 0;
    return reads && (reads_in_row_ < requests.read_group() || !others) ? kRead : kOrder;
  }
  void served(const Requests auto&, unsigned queue) {
    reads_in_row_ = queue == kRead ? reads_in_row_ + 1 : 0;
  }
  void hash(StateHash& hash) const { hash.add(reads_in_row_); }

 private:
  static constexpr unsigned kPriority = kSramQueues.index_of("priority_queue");
  static constexpr unsigned kRead = kSramQueues.index_of("read_queue");
  static constexpr unsigned kOrder = kSramQueues.index_of("order_queue");

  unsigned reads_in_row_ = 0;
};

}  // namespace nplab::simulator
