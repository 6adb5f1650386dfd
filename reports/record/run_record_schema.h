// The run record's JSON Schema.
#pragma once

#include <string>

namespace nplab::reports {

inline constexpr const char* kRunSchema = "nplab.run/1";

// Draft 2020-12, made from the key lists that write and read records. Further keys are allowed, as
// later versions of the record may have them.
std::string run_record_schema();

}  // namespace nplab::reports
