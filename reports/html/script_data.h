// Data that the page's scripts read. Private to reports.
#pragma once

#include <string>

#include "reports/record/json_archive.h"

namespace nplab::reports::html {

// A value that scripts find by its class within the element around it.
std::string script_data(const char* name, const Json& value);

}  // namespace nplab::reports::html
