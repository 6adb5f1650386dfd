// A chip's parameters as values: checked and immutable. chip_parameters.def describes each of them;
// the structs are made of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/arbitration/policies.h"
#include "simulator/base/time.h"
#include "simulator/base/unit_queues.h"
#include "simulator/parameters/cache_choices.h"

namespace nplab::simulator {

#define SECTION_BEGIN(Type) struct Type {
#define SECTION_END(Type) \
  }                       \
  ;
#define PARAMETER(type, name, limits, unit, source, sentence) type name{};
#define CHOICE(type, name, noun, source, sentence) type name{};
#define QUEUES(unit, name, source) QueueSizes<unit> name;
#define FORMERLY(old_name)
#define SUBSECTION(Type, name, sentence) Type name;
#define OPTIONAL_SUBSECTION(Type, name, sentence) std::optional<Type> name;
#define BASE(name, sentence)
#include "simulator/parameters/chip_parameters.def"

}  // namespace nplab::simulator
