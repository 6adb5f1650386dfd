// A chip's parameters as values: checked and immutable. chip_parameters.def describes each of them;
// the structs are made of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/match/table_image.h"
#include "simulator/arbitration/policies.h"
#include "simulator/base/time.h"
#include "simulator/base/unit_queues.h"
#include "simulator/dram/address_mapping.h"
#include "simulator/dram/controller.h"
#include "simulator/dram/page_policies.h"
#include "simulator/parameters/cache_choices.h"
#include "simulator/parameters/match_choices.h"
#include "simulator/parameters/sdram_model.h"

namespace nplab::simulator {

#define SECTION_BEGIN(Type) struct Type {
#define SECTION_END(Type) \
  }                       \
  ;
#define PARAMETER(type, name, limits, unit, source, sentence) type name{};
#define CHOICE(type, name, noun, source, sentence) type name{};
#define QUEUES(unit, name, source) QueueSizes<unit> name;
#define DEFAULTED(type, name, value, limits, unit, source, sentence) type name = value;
#define FORMERLY(old_name)
#define ONLY_WITH(choice, word)
#define WITH_ANY
#define SUBSECTION(Type, name, sentence) Type name;
#define OPTIONAL_SUBSECTION(Type, name, sentence) std::optional<Type> name;
#define BASE(name, sentence)
#include "simulator/parameters/chip_parameters.def"

}  // namespace nplab::simulator
