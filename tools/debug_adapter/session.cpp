#include "tools/debug_adapter/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "tools/debug_adapter/request_error.h"
#include "tools/debug_adapter/thread_numbers.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::json;

constexpr int kStep = 0;  // the id of what a step stops at; breakpoints count from 1

const Json kNothing = Json::object();

std::string text_of(const Json& arguments, const char* key) {
  const auto found = arguments.find(key);
  return found != arguments.end() && found->is_string() ? found->get<std::string>() : "";
}

// A breakpoint may stand where a step ends.
bool is_step_of(const WordStop& step, const Hit& hit) {
  return hit.word && hit.engine == step.engine && hit.context == step.context &&
         std::binary_search(step.words.begin(), step.words.end(), *hit.word);
}

std::uint64_t hits_of(const Json& wanted) {
  const std::string text = text_of(wanted, "hitCondition");
  if (text.empty())
    return 1;
  std::uint64_t hits = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), hits);
  if (end.ptr != text.data() + text.size() || hits == 0)
    throw RequestError(fmt::format("the hit count '{}' is not a number from 1 on", text));
  return hits;
}

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
    say_stopped("pause", request["arguments"].value("threadId", 0u));
  if (command == "disconnect" || command == "terminate") {
    event("terminated", kNothing);
    over_ = true;
  }
}

Json DebugSession::answer(const std::string& command, const Json& arguments) {
  using Handler = Json (DebugSession::*)(const Json&);
  static const std::map<std::string, Handler> kHandlers{
      {"launch", &DebugSession::launch},
      {"setBreakpoints", &DebugSession::set_breakpoints},
      {"setFunctionBreakpoints", &DebugSession::set_function_breakpoints},
      {"setInstructionBreakpoints", &DebugSession::set_instruction_breakpoints},
      {"setDataBreakpoints", &DebugSession::set_data_breakpoints},
      {"setExceptionBreakpoints", &DebugSession::set_exception_breakpoints},
      {"dataBreakpointInfo", &DebugSession::data_breakpoint_info},
      {"stackTrace", &DebugSession::stack_trace},
      {"scopes", &DebugSession::scopes},
      {"variables", &DebugSession::variables},
      {"evaluate", &DebugSession::evaluate},
      {"disassemble", &DebugSession::disassemble},
      {"readMemory", &DebugSession::read_memory},
      {"source", &DebugSession::source},
      {"breakpointLocations", &DebugSession::breakpoint_locations}};
  static const std::vector<std::string> kMotions{"continue", "next",     "stepIn",
                                                 "stepOut",  "stepBack", "reverseContinue"};
  if (const auto handler = kHandlers.find(command); handler != kHandlers.end())
    return (this->*handler->second)(arguments);
  if (std::find(kMotions.begin(), kMotions.end(), command) != kMotions.end())
    return start_motion(command, arguments);
  if (command == "initialize")
    return initialize();
  if (command == "threads")
    return threads();
  if (command == "loadedSources")
    return loaded_sources();
  if (command == "pause") {
    check_launched();
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
  Json filters = Json::array();
  filters.push_back({{"filter", "misclassified"},
                     {"label", "Misclassified packet"},
                     {"description", "Stops when a packet's verdict is not that of the reference"},
                     {"default", true}});
  filters.push_back({{"filter", "verdict"},
                     {"label", "Verdict of packet"},
                     {"supportsCondition", true},
                     {"conditionDescription", "number of the packet, such as 120"}});
  filters.push_back({{"filter", "queue_full"},
                     {"label", "Full queue"},
                     {"supportsCondition", true},
                     {"conditionDescription", "name of the queue, such as received"}});
  Json can = {{"exceptionBreakpointFilters", filters}};
  for (const char* capability :
       {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints",
        "supportsEvaluateForHovers", "supportsStepBack", "supportsLoadedSourcesRequest",
        "supportsLogPoints", "supportsTerminateRequest", "supportsDataBreakpoints",
        "supportsDataBreakpointBytes", "supportsReadMemoryRequest", "supportsDisassembleRequest",
        "supportsBreakpointLocationsRequest", "supportsSteppingGranularity",
        "supportsInstructionBreakpoints", "supportsExceptionFilterOptions"})
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
  stops_on_entry_ = arguments.value("stopOnEntry", true);
  return kNothing;
}

// Breakpoints ----------------------------------------------------------------------------------

Json DebugSession::add_group(const std::string& group, Group breakpoints, const Json& answers) {
  groups_[group] = std::move(breakpoints);
  return {{"breakpoints", answers}};
}

Json DebugSession::set_breakpoints(const Json& arguments) {
  check_launched();
  const Json& where = arguments.at("source");
  std::string name = text_of(where, "path");
  if (const int reference = where.value("sourceReference", 0);
      reference > 0 && static_cast<std::size_t>(reference) <= target_->sources.size())
    name = target_->sources[static_cast<std::size_t>(reference) - 1].name;
  const DebugSource* source = find_source(*target_, name);
  Group group;
  Json answers = Json::array();
  for (const Json& wanted : arguments.value("breakpoints", Json::array())) {
    const int id = next_id_++;
    const auto words = source != nullptr ? words_of_line(*target_, source->name,
                                                         wanted.at("line").get<unsigned>(), id)
                                         : std::nullopt;
    if (!words) {
      answers.push_back(
          {{"id", id},
           {"verified", false},
           {"message", source == nullptr ? fmt::format("no engine's program has code of {}", name)
                                         : "no code stands on this line or after it"}});
      continue;
    }
    group.push_back({id,
                     {words->words, {}, {}},
                     text_of(wanted, "condition"),
                     text_of(wanted, "logMessage"),
                     hits_of(wanted),
                     0,
                     "breakpoint"});
    answers.push_back({{"id", id}, {"verified", true}, {"line", words->line}});
  }
  return add_group("source " + name, std::move(group), answers);
}

Json DebugSession::set_function_breakpoints(const Json& arguments) {
  check_launched();
  Group group;
  Json answers = Json::array();
  for (const Json& wanted : arguments.at("breakpoints")) {
    const int id = next_id_++;
    const std::string name = wanted.at("name");
    auto words = words_of_function(*target_, name, id);
    if (words.empty()) {
      answers.push_back(
          {{"id", id},
           {"verified", false},
           {"message", fmt::format("no program has code of its own of '{}': functions that are "
                                   "inlined everywhere have none; set the breakpoint at a line",
                                   name)}});
      continue;
    }
    group.push_back({id,
                     {std::move(words), {}, {}},
                     text_of(wanted, "condition"),
                     {},
                     hits_of(wanted),
                     0,
                     "function breakpoint"});
    answers.push_back({{"id", id}, {"verified", true}});
  }
  return add_group("functions", std::move(group), answers);
}

Json DebugSession::set_instruction_breakpoints(const Json& arguments) {
  check_launched();
  Group group;
  Json answers = Json::array();
  for (const Json& wanted : arguments.at("breakpoints")) {
    const int id = next_id_++;
    const auto place = place_of_address(wanted.at("instructionReference"),
                                        wanted.value("offset", std::int64_t{0}));
    const DebugProgram* program = place ? program_of(*target_, place->engine) : nullptr;
    if (program == nullptr || place->word >= program->image.words.size()) {
      answers.push_back({{"id", id}, {"verified", false}, {"message", "no program has this word"}});
      continue;
    }
    group.push_back({id,
                     {{{place->engine, {}, {place->word}, id}}, {}, {}},
                     text_of(wanted, "condition"),
                     {},
                     hits_of(wanted),
                     0,
                     "instruction breakpoint"});
    answers.push_back({{"id", id}, {"verified", true}});
  }
  return add_group("instructions", std::move(group), answers);
}

Json DebugSession::data_breakpoint_info(const Json& arguments) {
  check_launched();
  const std::string name = arguments.at("name");
  const auto place = memory_place(name);
  if (!place)
    return {{"dataId", nullptr},
            {"description", fmt::format("'{}' is not in memory; write sram:0x100, sdram:0x100 or "
                                        "scratch:0x100",
                                        name)}};
  return {{"dataId", name},
          {"description", fmt::format("the longword at {}", name)},
          {"accessTypes", {"read", "write", "readWrite"}}};
}

Json DebugSession::set_data_breakpoints(const Json& arguments) {
  check_launched();
  Group group;
  Json answers = Json::array();
  for (const Json& wanted : arguments.at("breakpoints")) {
    const int id = next_id_++;
    const auto place = memory_place(wanted.at("dataId"));
    if (!place) {
      answers.push_back(
          {{"id", id}, {"verified", false}, {"message", "a place is written sram:0x100"}});
      continue;
    }
    const std::string access = wanted.value("accessType", "write");
    StopPoints stops;
    stops.memory.push_back(
        {place->space, place->address, 4, access != "write", access != "read", id});
    group.push_back({id,
                     std::move(stops),
                     text_of(wanted, "condition"),
                     {},
                     hits_of(wanted),
                     0,
                     "data breakpoint"});
    answers.push_back({{"id", id}, {"verified", true}});
  }
  return add_group("data", std::move(group), answers);
}

Json DebugSession::set_exception_breakpoints(const Json& arguments) {
  check_launched();
  Json wanted = arguments.value("filterOptions", Json::array());
  for (const Json& filter : arguments.value("filters", Json::array()))
    wanted.push_back({{"filterId", filter}});
  Group group;
  Json answers = Json::array();
  for (const Json& filter : wanted) {
    const int id = next_id_++;
    const std::string name = filter.at("filterId"), condition = text_of(filter, "condition");
    ChipStop stop{ChipStop::Kind::kMisclassified, 0, 0, id};
    std::string wrong;
    if (name == "verdict") {
      stop.kind = ChipStop::Kind::kVerdict;
      const auto end =
          std::from_chars(condition.data(), condition.data() + condition.size(), stop.number);
      if (condition.empty() || end.ptr != condition.data() + condition.size())
        wrong = fmt::format("'{}' is not the number of a packet", condition);
    } else if (name == "queue_full") {
      stop.kind = ChipStop::Kind::kQueueFull;
      const auto queue = std::find_if(target_->queues.begin(), target_->queues.end(),
                                      [&](const DebugQueue& one) { return one.name == condition; });
      if (queue == target_->queues.end())
        wrong = fmt::format("'{}' is not a queue; there are: {}", condition, queue_names());
      else {
        stop.number = static_cast<std::uint64_t>(queue - target_->queues.begin());
        stop.entries = queue->entries;
      }
    } else if (name != "misclassified") {
      wrong = fmt::format("there is no filter '{}'", name);
    }
    answers.push_back({{"id", id}, {"verified", wrong.empty()}});
    if (!wrong.empty())
      answers.back()["message"] = wrong;
    else
      group.push_back({id, {{}, {}, {stop}}, {}, {}, 1, 0, "exception"});
  }
  return add_group("exceptions", std::move(group), answers);
}

std::string DebugSession::queue_names() const {
  std::string names;
  for (const DebugQueue& queue : target_->queues)
    names += (names.empty() ? "" : ", ") + queue.name;
  return names.empty() ? "none" : names;
}

StopPoints DebugSession::stop_points() const {
  StopPoints all;
  for (const auto& [name, group] : groups_) {
    for (const Breakpoint& breakpoint : group) {
      const StopPoints& stops = breakpoint.stops;
      all.words.insert(all.words.end(), stops.words.begin(), stops.words.end());
      all.memory.insert(all.memory.end(), stops.memory.begin(), stops.memory.end());
      all.chip.insert(all.chip.end(), stops.chip.begin(), stops.chip.end());
    }
  }
  return all;
}

// Motion ---------------------------------------------------------------------------------------

Json DebugSession::start_motion(const std::string& command, const Json& arguments) {
  check_launched();
  if (command == "stepOut")
    throw RequestError("functions are inlined, so a thread is in its outermost one");
  const bool back = command == "stepBack" || command == "reverseContinue";
  Motion motion{
      back ? Direction::kBackwards : Direction::kForwards, {}, thread_argument(arguments)};
  if (command != "continue" && command != "reverseContinue") {
    const ThreadNumber thread = thread_number(motion.thread);
    const isa::ProgramImage& image = program_of(*target_, thread.engine)->image;
    const bool words =
        arguments.value("granularity", "statement") == "instruction" || line_entries(image).empty();
    motion.step = WordStop{thread.engine, thread.context,
                           words ? all_words(image) : line_entries(image), kStep};
  }
  motion_ = std::move(motion);
  return {{"allThreadsContinued", true}};
}

// Goes on until something is to be said, or a message comes.
void DebugSession::move() {
  const Motion motion = *motion_;
  StopPoints stops = stop_points();
  // The words of a step stop its thread alone; breakpoints at them keep their numbers.
  if (motion.step)
    stops.words.insert(stops.words.begin(), *motion.step);
  const auto goes_on = [this] { return !stream_.has_input(); };
  const auto stop = motion.direction == Direction::kForwards ? travel().find_next(stops, goes_on)
                                                             : travel().find_last(stops, goes_on);
  print_console();
  if (stop.why == TimeTravel::Why::kInterrupted)
    return;  // goes on after the message, unless that ends it
  if (stop.why != TimeTravel::Why::kHit) {
    motion_.reset();
    say_end(stop);
    return;
  }
  if (stops_for(stop.hits))
    motion_.reset();
}

bool DebugSession::stops_for(const std::vector<Hit>& hits) {
  std::vector<int> ids;
  std::string reason, text;
  unsigned thread = motion_->thread;
  bool is_step = false;
  for (const Hit& hit : hits) {
    is_step = is_step || hit.id == kStep || (motion_->step && is_step_of(*motion_->step, hit));
    for (auto& [name, group] : groups_) {
      for (Breakpoint& breakpoint : group) {
        if (breakpoint.id != hit.id || !stops_for(breakpoint, hit))
          continue;
        ids.push_back(hit.id);
        reason = breakpoint.reason;
        text = hit.text;
        thread = thread_of(hit);
      }
    }
  }
  const bool stops = is_step || !ids.empty();
  if (stops)
    say_stopped(ids.empty() ? "step" : reason, thread, text, ids);
  return stops;
}

// Who caused it; else, as of what the core processor wrote, who asked.
unsigned DebugSession::thread_of(const Hit& hit) const {
  const bool is_known = hit.engine && program_of(*target_, *hit.engine) != nullptr;
  return is_known ? number_of({*hit.engine, *hit.context}) : motion_->thread;
}

bool DebugSession::stops_for(Breakpoint& breakpoint, const Hit& hit) {
  const unsigned thread = thread_of(hit);
  if (!breakpoint.condition.empty()) {
    try {
      if (value_of(breakpoint.condition, thread) == 0)
        return false;
    } catch (const RequestError& error) {
      event(
          "output",
          {{"category", "stderr"},
           {"output", fmt::format("condition '{}': {}\n", breakpoint.condition, error.message())}});
    }
  }
  if (++breakpoint.seen < breakpoint.hits)
    return false;
  breakpoint.seen = 0;
  if (breakpoint.log.empty())
    return true;
  event("output", {{"category", "console"}, {"output", logged(breakpoint.log, thread) + "\n"}});
  return false;
}

// `{expression}` stands for its value.
std::string DebugSession::logged(const std::string& text, unsigned thread) {
  std::string out = fmt::format("cycle {}, {}: ", travel().now(), thread_name(thread));
  for (std::size_t at = 0; at < text.size();) {
    const auto open = text.find('{', at);
    const auto close = open == std::string::npos ? open : text.find('}', open);
    out += text.substr(at, open - at);
    if (close == std::string::npos)
      break;
    try {
      out += fmt::format("{:#x}", value_of(text.substr(open + 1, close - open - 1), thread));
    } catch (const RequestError& error) {
      out += "{" + error.message() + "}";
    }
    at = close + 1;
  }
  return out;
}

void DebugSession::print_console() {
  const std::string printed = travel().take_printed();
  if (!printed.empty())
    event("output", {{"category", "stdout"}, {"output", printed}});
}

void DebugSession::say_stopped(const std::string& reason, unsigned thread, const std::string& text,
                               const std::vector<int>& breakpoints) {
  Json body = {{"reason", reason},
               {"description", fmt::format("{} at cycle {}", reason, travel().now())},
               {"threadId", thread != 0 ? thread : first_thread()},
               {"allThreadsStopped", true}};
  if (!text.empty())
    body["text"] = text;
  if (!breakpoints.empty())
    body["hitBreakpointIds"] = breakpoints;
  event("stopped", std::move(body));
}

// The ends of time end no session.
void DebugSession::say_end(const TimeTravel::Stop& stop) {
  const bool is_end = stop.why == TimeTravel::Why::kEnd;
  const std::string text =
      is_end ? fmt::format("The run has ended at cycle {}: {}.", travel().now(), stop.end)
             : "This is the beginning of the run, cycle 0.";
  event("output", {{"category", "important"}, {"output", text + "\n"}});
  event("stopped", {{"reason", is_end ? "end" : "begin"},
                    {"description", text},
                    {"text", text},
                    {"threadId", first_thread()},
                    {"allThreadsStopped", true}});
}

}  // namespace nplab::tools
