// Records of sweeps, which hold the figures of a run and not what each line of its programs cost.
#pragma once

#include <string>

#include "reports/record/run_record.h"

namespace nplab::reports {

enum class RecordDetail { kFull, kLean };

// Leaves out lines, programs and sources, and the activity of lines.
void make_lean(RunRecord& record);

inline bool is_lean(const RunRecord& record) {
  return record.left_out.has_value();
}

// Why a lean record lacks `part`, and what to do about it.
std::string why_left_out(const std::string& part);

}  // namespace nplab::reports
