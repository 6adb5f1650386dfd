// The collection of real rule sets and captures that some tests read. It is no part of the
// repository: NPLAB_SHARED names its folder, by default `../shared` beside the checkout.
#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/paths.h"

namespace nplab {

// The path of a file or folder of its rule sets, such as `classbench/acl1_100.rules.xz`; empty if
// the collection is not there, which is said, so that a run without it does not look like a run
// with it. A name that the collection does not have fails the test, which would never run
// otherwise.
inline std::string shared_file(const std::string& name) {
  const char* named = std::getenv("NPLAB_SHARED");
  const std::string folder =
      (named != nullptr ? named : source_path("../shared")) + std::string("/rulesets/");
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: there is no " << folder << "; NPLAB_SHARED names the folder of the collection");
    return "";
  }
  if (!std::filesystem::exists(folder + name))
    FAIL("the collection has no " << folder << name);
  return folder + name;
}

}  // namespace nplab
