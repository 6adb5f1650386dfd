// The page of one run of BV1 and its record, made once, for the tests that open it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tests/tools/support/browser.h"

namespace nplab::tools::testing {

struct Report {
  nlohmann::json record;
  std::string html;
};

const Report& bv1_report();

}  // namespace nplab::tools::testing

#define REQUIRE_BROWSER()                                           \
  const auto browser = browser_program();                           \
  if (!browser) {                                                   \
    WARN("skipped: no Chromium is installed (tests/packages.txt)"); \
    return;                                                         \
  }
