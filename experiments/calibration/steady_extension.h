// What a run would have counted had it gone on as it went at last.
#pragma once

#include <optional>

#include "reports/record/run_record.h"

namespace nplab::experiments {

// The record of the same run until `received` packets, from a record with activity: the counts go
// on at the rate of the last part of the run, `steady_share` of its cycles. What filled before (the
// queues) is counted once. Only packets received and sent, cycles of engines, active cycles of
// memories and what is derived from them are extended; activity, lines, threads, samples and
// programs are taken out. Nothing when the last part is too short for its counts or nothing was
// received in it.
std::optional<reports::RunRecord> extended_to(reports::RunRecord record, reports::Count received,
                                              double steady_share);

}  // namespace nplab::experiments
