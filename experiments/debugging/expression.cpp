#include "experiments/debugging/expression.h"

#include <fmt/format.h>

#include <cassert>

#include "experiments/debugging/expression_evaluator.h"
#include "experiments/debugging/program_lines.h"
#include "experiments/debugging/variable_places.h"

namespace nplab::experiments {
namespace {

compiler::ExpressionNames names_in(const isa::VariableTable& table,
                                   const std::vector<const isa::ProgramVariable*>& variables) {
  compiler::ExpressionNames names{table.types, {}, table.default_space};
  for (const isa::ProgramVariable* variable : variables)
    names.objects.push_back({variable->name, variable->type, std::nullopt});
  for (const isa::GlobalVariable& global : table.globals)
    names.objects.push_back({global.name, global.type, global.space});
  return names;
}

}  // namespace

std::string to_string(const ExpressionError& error) {
  return fmt::format("column {}: {}", error.column, error.message);
}

std::variant<ExpressionValue, ExpressionError> Expressions::evaluate(const std::string& text,
                                                                     unsigned engine,
                                                                     const CallFrame& frame,
                                                                     const MachineReader& reader) {
  const DebugProgram* program = program_of(target_, engine);
  assert(program != nullptr);
  const isa::VariableTable& table = program->image.variables;
  const auto variables = variables_of(program->image, frame);
  const Key key{engine, frame.scope, text};
  auto found = parsed_.find(key);
  if (found == parsed_.end())
    found = parsed_.emplace(key, parse_expression(text, names_in(table, variables))).first;
  if (const auto* problem = std::get_if<compiler::ExpressionProblem>(&found->second))
    return ExpressionError{problem->column, problem->message};
  const auto named = [&](std::size_t number) {
    if (number < variables.size())
      return object_of_variable(table, *variables[number], frame, reader);
    const isa::GlobalVariable& global = table.globals[number - variables.size()];
    return object_in_memory(table.types, global.type, {global.space, global.address, 0});
  };
  return value_of(std::get<compiler::ParsedExpression>(found->second), named, reader);
}

std::variant<bool, ExpressionError> is_true(const ExpressionValue& value,
                                            const MachineReader& reader) {
  const auto found = scalar_of(value.types, value.object, reader);
  if (const auto* none = std::get_if<NoValue>(&found))
    return ExpressionError{1, none->why};
  return std::get<std::uint64_t>(found) != 0;
}

}  // namespace nplab::experiments
