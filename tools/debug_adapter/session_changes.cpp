// What a client changes in a run that stands still.
#include <fmt/format.h>

#include "experiments/debugging/expression.h"
#include "experiments/debugging/object_changes.h"
#include "tools/debug_adapter/request_error.h"
#include "tools/debug_adapter/session.h"
#include "tools/debug_adapter/thread_numbers.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::json;

}  // namespace

// The value is an expression, too.
Json DebugSession::change(const std::string& expression, const std::string& value,
                          FrameNumber frame) {
  if (motion_)
    throw RequestError("nothing can be changed while the run goes on");
  if (travel().is_over())
    throw RequestError("nothing can be changed at the end of the run");
  const ThreadNumber thread = thread_number(frame.thread);
  const ExpressionValue place = value_of(expression, frame);
  const ExpressionValue given = value_of(value, frame);
  const auto number = scalar_of(given.types, given.object, view_->reader(thread));
  if (const auto* none = std::get_if<NoValue>(&number))
    throw RequestError(none->why);
  auto changes =
      changes_to(place.types, place.object, std::get<std::uint64_t>(number), view_->reader(thread));
  if (const auto* none = std::get_if<NoValue>(&changes))
    throw RequestError(fmt::format("{} cannot be changed: {}", expression, none->why));
  for (Change& one : std::get<std::vector<Change>>(changes)) {
    one.engine = thread.engine;
    one.context = thread.context;
  }
  travel().change(std::get<std::vector<Change>>(std::move(changes)));
  view_->forget_values();
  const ExpressionValue now = value_of(expression, frame);
  Json shown = view_->object(expression, expression, std::make_shared<const Types>(now.types),
                             now.object, frame);
  for (const char* key : {"name", "evaluateName"})
    shown.erase(key);
  return shown;
}

Json DebugSession::set_variable(const Json& arguments) {
  check_launched();
  const auto [expression, frame] = view_->expression_of(
      arguments.at("variablesReference").get<int>(), arguments.at("name").get<std::string>());
  return change(expression, arguments.at("value").get<std::string>(), frame);
}

Json DebugSession::set_expression(const Json& arguments) {
  check_launched();
  return change(arguments.at("expression").get<std::string>(),
                arguments.at("value").get<std::string>(), frame_argument(arguments));
}

}  // namespace nplab::tools
