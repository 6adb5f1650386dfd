#include "reports/record/lean_record.h"

namespace nplab::reports {

void make_lean(RunRecord& record) {
  record.left_out = std::vector<std::string>{"lines", "programs", "sources"};
  record.lines.clear();
  record.programs.clear();
  record.sources.clear();
  if (record.activity)
    record.activity->lines.clear();
}

std::string why_left_out(const std::string& part) {
  return "a lean record holds no " + part + "; run the mapping again without `--record lean`";
}

}  // namespace nplab::reports
