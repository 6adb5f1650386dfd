// A page opened in headless Chromium, and what a script in it found.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/tools/support/command.h"

namespace nplab::tools::testing {

// The browser's program; nothing when none is installed (tests/packages.txt).
std::optional<std::string> browser_program();

// The first of these programs on the path, if any.
std::optional<std::string> find_program(const std::vector<const char*>& names);

// Opens `html` and runs `probe`, statements of an async function that fill the object `found`,
// behind the page's own scripts. Gives `found`, with the page's errors as `errors` and what it
// loaded as `loaded`.
// `options`: more of the browser's own.
nlohmann::json probe_page(const std::string& browser, const std::string& html,
                          const std::string& probe, const Words& options = {});

// The page as it comes out of a printer, as text with its lines in place; nothing when there is no
// pdftotext (tests/packages.txt).
std::optional<std::string> printed_text(const std::string& browser, const std::string& html);

}  // namespace nplab::tools::testing
