// What a page policy knows when it decides whether a read or write closes its row.
#pragma once

namespace nplab::simulator::dram {

struct RowFacts {
  unsigned further_hits = 0;  // other requests in the controller's window that ask for the row
};

}  // namespace nplab::simulator::dram
