// What figures of two runs are divided by to be compared. Private to reports.
#pragma once

#include <string>

#include "reports/record/run_record.h"

namespace nplab::reports {

// A packet sent; received where one of the runs sent none; a thousand cycles where there were no
// packets.
struct PacketShare {
  std::string name;
  double before = 1;
  double after = 1;
};

PacketShare packet_share(const RunRecord& before, const RunRecord& after);

}  // namespace nplab::reports
