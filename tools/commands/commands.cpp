#include "tools/commands/commands.h"

namespace nplab::tools {

int status_of(const reports::RunRecord& record) {
  if (!record.failure)
    return kDone;
  if (record.failure->kind == reports::kCheckFailure)
    return kCheckFailed;
  return record.failure->kind == reports::kFaultFailure ||
                 record.failure->kind == reports::kDeadlockFailure
             ? kProgramFailed
             : kBadInput;
}

}  // namespace nplab::tools
