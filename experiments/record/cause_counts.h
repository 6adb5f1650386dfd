// Counts of the simulation by cause, as the run record names them.
#pragma once

#include "reports/record/run_record.h"
#include "simulator/base/stall_cause.h"
#include "simulator/base/wait_cause.h"

namespace nplab::experiments {

// Causes with a count only.
inline reports::CountByName counts_by_name(const simulator::CyclesByWaitCause& cycles) {
  reports::CountByName named;
  for (simulator::WaitCause cause = 0; cause < simulator::kWaitCauses; ++cause)
    if (cycles[cause] > 0)
      named[simulator::to_string(cause)] = cycles[cause];
  return named;
}

inline reports::CountByName counts_by_name(const simulator::CyclesByStallCause& cycles) {
  reports::CountByName named;
  for (unsigned cause = 0; cause < simulator::kStallCauses; ++cause)
    if (cycles[cause] > 0)
      named[simulator::to_string(static_cast<simulator::StallCause>(cause))] = cycles[cause];
  return named;
}

}  // namespace nplab::experiments
