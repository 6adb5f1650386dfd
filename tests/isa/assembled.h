// Shorthands of the tests: text to image, failing the test on any diagnostic.
#pragma once

#include <catch2/catch.hpp>

#include "isa/assembly/assembler.h"
#include "isa/assembly/object_loader.h"

namespace nplab::isa::testing {

inline ProgramImage assembled(const std::string& text, const DataBases& bases = {}) {
  Diagnostics diagnostics;
  const auto object = assemble(text, "test.s", diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(object);
  const auto image = load_object(*object, "test.o", bases, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(image);
  return *image;
}

// The diagnostics of a text that must not assemble.
inline std::string refused(const std::string& text) {
  Diagnostics diagnostics;
  const auto object = assemble(text, "test.s", diagnostics);
  CHECK_FALSE(object);
  return diagnostics.to_string();
}

}  // namespace nplab::isa::testing
