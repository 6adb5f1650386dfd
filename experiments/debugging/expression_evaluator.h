// The value of a parsed expression.
#pragma once

#include <cstddef>
#include <functional>
#include <variant>

#include "experiments/debugging/expression.h"

namespace nplab::experiments {

// `named`: what the name of a number stands for.
std::variant<ExpressionValue, ExpressionError> value_of(
    const compiler::ParsedExpression& expression,
    const std::function<ProgramObject(std::size_t)>& named, const MachineReader& reader);

}  // namespace nplab::experiments
