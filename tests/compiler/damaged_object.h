// Objects of which one byte is damaged, each in turn.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "isa/assembly/object_loader.h"
#include "support/diagnostics.h"

namespace nplab::test {

// Loads the object with each byte changed: it is refused or loaded, and says so. Calls `check` with
// every image that is loaded; gives how many objects were refused with the message.
template <typename Check>
unsigned refused_when_damaged(const std::string& object, const std::string& message, Check check) {
  unsigned refused = 0;
  for (std::size_t i = 0; i < object.size(); ++i) {
    std::string damaged = object;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    Diagnostics found;
    const auto image = isa::load_object(damaged, "damaged.o", {}, found);
    CHECK(image.has_value() == !found.has_errors());
    refused += found.to_string().find(message) != std::string::npos ? 1 : 0;
    if (image)
      check(*image);
  }
  return refused;
}

}  // namespace nplab::test
