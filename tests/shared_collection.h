// The collection of real rule sets and captures that some tests read. It is no part of the
// repository: NPLAB_SHARED names its folder, by default `../shared` beside the checkout.
#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/paths.h"

namespace nplab {

// The path of a file or folder of its rule sets, such as `classbench/acl1_100.rules.xz`; empty when
// it is not there, which is said, so that a run without the collection does not look like a run
// with it.
inline std::string shared_file(const std::string& name) {
  const char* named = std::getenv("NPLAB_SHARED");
  const std::string folder = named != nullptr ? named : source_path("../shared");
  std::string path = folder + "/rulesets/" + name;
  if (std::filesystem::exists(path))
    return path;
  WARN("skipped: there is no " << path << "; set NPLAB_SHARED to the folder of the collection");
  return "";
}

}  // namespace nplab
