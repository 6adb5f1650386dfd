#include "tools/debug_adapter/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tools/debug_adapter/chip_filters.h"
#include "tools/debug_adapter/json_arguments.h"
#include "tools/debug_adapter/request_error.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::json;

const Json kNothing = Json::object();

}  // namespace

void DebugSession::check_launched() const {
  if (!travel_)
    throw RequestError("nothing is being debugged yet: the request needs a launch before it");
  if (!travel_->is_alive())
    throw RequestError("the process of the simulation has ended unexpectedly: start a new session");
}

TimeTravel& DebugSession::travel() {
  check_launched();
  return *travel_;
}

void DebugSession::event(const std::string& name, Json body) {
  stream_.write({{"seq", sequence_++}, {"type", "event"}, {"event", name}, {"body", body}});
}

bool DebugSession::run() {
  while (!over_) {
    if (motion_ && configured_ && !stream_.has_input()) {
      move();
      continue;
    }
    std::string complaint;
    const auto request = stream_.read(complaint);
    if (!request)
      break;
    if (!complaint.empty())
      event("output", {{"category", "stderr"}, {"output", complaint + "\n"}});
    else
      handle(*request);
  }
  return !failed_;
}

void DebugSession::handle(const Json& request) {
  if (text_of(request, "type") != "request" || !request.contains("seq"))
    return;  // a response to what was never asked
  const std::string command = text_of(request, "command");
  Json response = {{"type", "response"},
                   {"request_seq", request["seq"]},
                   {"command", command},
                   {"success", true}};
  try {
    const Json arguments = request.value("arguments", kNothing);
    response["body"] = answer(command, arguments.is_object() ? arguments : kNothing);
  } catch (const RequestError& error) {
    response["success"] = false;
    response["message"] = error.message();
    response["body"] = {{"error", {{"id", 1}, {"format", error.message()}}}};
  } catch (const Json::exception& error) {
    response["success"] = false;
    response["message"] = fmt::format("an argument of '{}' is missing or has a wrong type: {}",
                                      command, error.what());
  }
  response["seq"] = sequence_++;
  stream_.write(response);
  // What follows a response by the protocol.
  const bool done = response["success"];
  if (command == "initialize" && done)
    event("initialized", kNothing);
  if (command == "configurationDone" && done) {
    configured_ = true;
    if (stops_on_entry_)
      say_stopped("entry", 0);
    else
      motion_ = Motion{};
  }
  if (command == "pause" && done)
    say_stopped("pause", pausing_thread_);
  if (command == "disconnect" || command == "terminate") {
    event("terminated", kNothing);
    over_ = true;
  }
}

Json DebugSession::answer(const std::string& command, const Json& arguments) {
  using Handler = Json (DebugSession::*)(const Json&);
  static const std::map<std::string, Handler> kHandlers{
      {"launch", &DebugSession::launch},
      {"stackTrace", &DebugSession::stack_trace},
      {"scopes", &DebugSession::scopes},
      {"variables", &DebugSession::variables},
      {"evaluate", &DebugSession::evaluate},
      {"setVariable", &DebugSession::set_variable},
      {"setExpression", &DebugSession::set_expression},
      {"disassemble", &DebugSession::disassemble},
      {"readMemory", &DebugSession::read_memory},
      {"source", &DebugSession::source},
      {"breakpointLocations", &DebugSession::breakpoint_locations},
      {"nplab/chip", &DebugSession::chip}};
  using Setter = Json (Breakpoints::*)(const Json&);
  static const std::map<std::string, Setter> kSetters{
      {"setBreakpoints", &Breakpoints::set_in_source},
      {"setFunctionBreakpoints", &Breakpoints::set_at_functions},
      {"setInstructionBreakpoints", &Breakpoints::set_at_instructions},
      {"setDataBreakpoints", &Breakpoints::set_at_data},
      {"setExceptionBreakpoints", &Breakpoints::set_by_filters}};
  static const std::vector<std::string> kMotions{"continue", "next",     "stepIn",
                                                 "stepOut",  "stepBack", "reverseContinue"};
  if (const auto handler = kHandlers.find(command); handler != kHandlers.end())
    return (this->*handler->second)(arguments);
  if (std::find(kMotions.begin(), kMotions.end(), command) != kMotions.end())
    return start_motion(command, arguments);
  if (const auto setter = kSetters.find(command); setter != kSetters.end()) {
    check_launched();
    return ((*breakpoints_).*setter->second)(arguments);
  }
  if (command == "dataBreakpointInfo") {
    check_launched();
    return breakpoints_->data_info(with_address(arguments));
  }
  if (command == "initialize")
    return initialize();
  if (command == "threads")
    return threads();
  if (command == "loadedSources")
    return loaded_sources();
  if (command == "pause") {
    check_launched();
    pausing_thread_ = arguments.contains("threadId") ? thread_argument(arguments) : first_thread();
    motion_.reset();
    return kNothing;
  }
  if (command == "configurationDone") {
    check_launched();
    return kNothing;
  }
  if (command == "disconnect" || command == "terminate")
    return kNothing;
  if (command == "attach")
    throw RequestError("there is nothing to attach to: use a launch request");
  throw RequestError(fmt::format("the request '{}' is not supported", command));
}

Json DebugSession::initialize() {
  Json can = {{"exceptionBreakpointFilters", chip_filters()}};
  for (const char* capability :
       {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints",
        "supportsEvaluateForHovers", "supportsStepBack", "supportsLoadedSourcesRequest",
        "supportsLogPoints", "supportsTerminateRequest", "supportsDataBreakpoints",
        "supportsDataBreakpointBytes", "supportsReadMemoryRequest", "supportsDisassembleRequest",
        "supportsBreakpointLocationsRequest", "supportsSteppingGranularity",
        "supportsInstructionBreakpoints", "supportsExceptionFilterOptions", "supportsSetVariable",
        "supportsSetExpression"})
    can[capability] = true;
  return can;
}

Json DebugSession::launch(const Json& arguments) {
  if (target_)
    throw RequestError("the run has been launched already");
  Diagnostics diagnostics;
  target_ = prepare_(text_of(arguments, "program"), diagnostics);
  if (target_ && !diagnostics.has_errors())
    travel_ = TimeTravel::start(*target_, diagnostics);
  if (!travel_) {
    target_.reset();
    failed_ = true;
    throw RequestError(diagnostics.to_string());
  }
  failed_ = false;
  breakpoints_.emplace(*target_);
  view_.emplace(*target_, *travel_);
  expressions_.emplace(*target_);
  stops_on_entry_ = arguments.value("stopOnEntry", true);
  return kNothing;
}

}  // namespace nplab::tools
