// A long run under full load: what each window of received packets measured, and what must not
// drift. Rates are Mb/s, (frame bytes + 12 x frames) x 8 over the window's cycles; memory is the
// host's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Ends in the cycle in which the last of its packets is received.
struct SoakWindow {
  Count end_cycle = 0;
  Count received = 0;
  Count sent = 0;
  Count resident_kb = 0;  // of the process, at the end
  Rates rates_mbps;
};

struct SoakRecord {
  Count window_packets = 0;
  std::vector<SoakWindow> windows;
  Count buffers = 0;       // of the mapping
  Count free_buffers = 0;  // in the free list after the drain
  double wall_s = 0;
  std::optional<RunRecord> run;  // once it is over
};

// A thing that must hold, and what was measured.
struct SoakCheck {
  std::string name;
  bool held = false;
  std::string measured;
};

// Windows that began before ten times as many packets were received as there are buffers, which are
// not compared: the queues fill by the share of the packets that the rest of the chip does not keep
// up with, and the host touches memory for the first time.
std::size_t warm_up_windows(const SoakRecord& record);

// Steady rates and host memory, buffers, and the checks of the run. Requires that the run is over.
//  - Rates of a window are within 2 % of the mean of all windows after the warm-up. Windows of
//  fewer than 100,000
//    packets differ by more where packets are treated differently.
//  - The straight line through the resident set of these windows rises by at most 4 MB over all of
//  them. What is
//    bounded but touched late (the latency histogram, pages of packet memory) is less; a leak of
//    one byte in two packets is more after 10 million.
std::vector<SoakCheck> check_soak(const SoakRecord& record);

// Schema "nplab.soak/1"; without `run` and `checks` while the run goes on.
std::string to_json(const SoakRecord& record);
std::string render_soak(const SoakRecord& record);

}  // namespace nplab::reports
