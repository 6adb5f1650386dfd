// Small run records made by hand, in which every invariant holds.
#pragma once

#include "reports/record/run_record.h"

namespace nplab::reports {

// Two engines of two threads, two ports, 1000 cycles at 100 MHz (10 microseconds), 10 packets
// received; counts chosen so that every computed figure is a short decimal.
RunRecord sample_record();

// The same with other counts, from the mapping `other`.
RunRecord other_record();

}  // namespace nplab::reports
