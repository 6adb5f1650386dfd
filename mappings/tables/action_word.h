// A rule's action as the longword that tables hold (include/verdict.h).
#pragma once

#include <cstdint>

#include "workloads/rules/rule_set.h"

namespace nplab::mappings {

std::uint32_t action_word(const workloads::Action& action);

}  // namespace nplab::mappings
