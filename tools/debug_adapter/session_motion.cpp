// How a session goes through time: steps, runs to a stop, and what it says of them.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/debugging/program_lines.h"
#include "tools/debug_adapter/json_arguments.h"
#include "tools/debug_adapter/request_error.h"
#include "tools/debug_adapter/session.h"
#include "tools/debug_adapter/thread_numbers.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::json;

// `cycles` on or back from now.
std::uint64_t limit_of(std::uint64_t now, std::uint64_t cycles, Direction direction) {
  return direction == Direction::kBackwards ? now - std::min(now, cycles)
                                            : now + std::min(cycles, TimeTravel::kNoLimit - now);
}

constexpr int kStep = 0;  // the id of what a step stops at; breakpoints count from 1

}  // namespace

Json DebugSession::start_motion(const std::string& command, const Json& arguments) {
  check_launched();
  const bool back = command == "stepBack" || command == "reverseContinue";
  const bool is_step = command != "continue" && command != "reverseContinue";
  Motion motion{
      back ? Direction::kBackwards : Direction::kForwards, {}, {}, thread_argument(arguments)};
  if (command == "stepOut")
    motion.step = step_out_words(motion.thread);
  else if (is_step && arguments.value("granularity", "statement") == "cycle")
    motion.cycle = back ? std::max<std::uint64_t>(travel().now(), 1) - 1 : travel().now() + 1;
  else if (is_step)
    motion.step = step_words(arguments, motion.thread);
  else if (arguments.contains("cycles"))
    motion.limit = limit_of(travel().now(), arguments.at("cycles"), motion.direction);
  motion_ = std::move(motion);
  return {{"allThreadsContinued", true}};
}

// Where the thread's step ends.
WordStop DebugSession::step_words(const Json& arguments, unsigned number) const {
  const ThreadNumber thread = thread_number(number);
  const isa::ProgramImage& image = program_of(*target_, thread.engine)->image;
  WordStop step{thread.engine, thread.context, {}, kStep};
  const bool by_words =
      arguments.value("granularity", "statement") == "instruction" || line_entries(image).empty();
  step.words = by_words ? all_words(image) : line_entries(image);
  return step;
}

// Where the thread has left its innermost function.
WordStop DebugSession::step_out_words(unsigned number) {
  const ThreadNumber thread = thread_number(number);
  const isa::ProgramImage& image = program_of(*target_, thread.engine)->image;
  auto words = words_outside(image, word_of(number), view_->reader(thread).register_value);
  if (!words)
    throw RequestError("the thread is in its outermost function, which it does not leave");
  return {thread.engine, thread.context, std::move(*words), kStep};
}

// Goes on until something is to be said, or a message comes.
void DebugSession::move() {
  const Motion motion = *motion_;
  if (motion.cycle)
    return move_to_cycle(motion);
  StopPoints stops = breakpoints_->stop_points();
  if (motion.step)
    stops.words.push_back(*motion.step);
  const auto goes_on = [this] { return !stream_.has_input(); };
  const auto stop =
      motion.direction == Direction::kForwards
          ? travel().find_next(stops, goes_on, motion.limit.value_or(TimeTravel::kNoLimit))
          : travel().find_last(stops, goes_on, motion.limit.value_or(0));
  print_console();
  if (stop.why == TimeTravel::Why::kInterrupted)
    return;  // goes on after the message, unless that ends it
  if (stop.why == TimeTravel::Why::kLimit) {
    motion_.reset();
    say_stopped("step", motion.thread);
    return;
  }
  if (stop.why != TimeTravel::Why::kHit) {
    motion_.reset();
    say_end(stop);
    return;
  }
  if (stops_for(stop.hits))
    motion_.reset();
}

// Breakpoints are not looked for: those of the cycle are where the next motion begins.
void DebugSession::move_to_cycle(const Motion& motion) {
  const std::uint64_t from = travel().now();
  travel().go_to(*motion.cycle);
  print_console();
  motion_.reset();
  if (travel().now() != from)
    return say_stopped("step", motion.thread);
  const bool back = motion.direction == Direction::kBackwards;
  say_end({back ? TimeTravel::Why::kBegin : TimeTravel::Why::kEnd, {}, travel().end()});
}

bool DebugSession::stops_for(std::vector<Hit> hits) {
  if (motion_->direction == Direction::kBackwards)
    std::reverse(hits.begin(), hits.end());
  Stopping stopping{{}, "step", {}, motion_->thread};
  bool is_step = false;
  for (const Hit& hit : hits) {
    Breakpoint* breakpoint = breakpoints_->find(hit.id);
    is_step = is_step || hit.id == kStep;
    if (breakpoint == nullptr || !stops_for(*breakpoint, hit))
      continue;
    stopping.breakpoints.push_back(hit.id);
    stopping.reason = breakpoint->reason;
    stopping.text = hit.text;
    stopping.thread = thread_of(hit);
  }
  const bool stops = is_step || !stopping.breakpoints.empty();
  if (stops)
    say_stopped(stopping);
  return stops;
}

// Who caused it; else, as of what the core processor wrote, who asked.
unsigned DebugSession::thread_of(const Hit& hit) const {
  const bool is_known = hit.engine && program_of(*target_, *hit.engine) != nullptr;
  return is_known ? number_of({*hit.engine, hit.context.value_or(0)}) : motion_->thread;
}

bool DebugSession::stops_for(Breakpoint& breakpoint, const Hit& hit) {
  const unsigned thread = thread_of(hit);
  if (!breakpoint.condition.empty()) {
    try {
      const ExpressionValue value = value_of(breakpoint.condition, {thread, 0});
      const auto holds = is_true(value, view_->reader(thread_number(thread)));
      if (const auto* error = std::get_if<ExpressionError>(&holds))
        throw RequestError(to_string(*error));
      if (!std::get<bool>(holds))
        return false;
    } catch (const RequestError& error) {
      event(
          "output",
          {{"category", "stderr"},
           {"output", fmt::format("condition '{}': {}\n", breakpoint.condition, error.message())}});
    }
  }
  if (!breakpoint.count.stops_at(hit, motion_->direction))
    return false;
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
      const auto value = value_of(text.substr(open + 1, close - open - 1), {thread, 0});
      out += object_text(value.types, value.object, view_->reader(thread_number(thread)));
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

void DebugSession::say_stopped(const std::string& reason, unsigned thread) {
  say_stopped({{}, reason, {}, thread});
}

void DebugSession::say_stopped(const Stopping& stopping) {
  view_->forget();
  Json body = {{"reason", stopping.reason},
               {"description", fmt::format("{} at cycle {}", stopping.reason, travel().now())},
               {"threadId", stopping.thread != 0 ? stopping.thread : first_thread()},
               {"allThreadsStopped", true}};
  if (!stopping.text.empty())
    body["text"] = stopping.text;
  if (!stopping.breakpoints.empty())
    body["hitBreakpointIds"] = stopping.breakpoints;
  event("stopped", std::move(body));
}

// The ends of time end no session.
void DebugSession::say_end(const TimeTravel::Stop& stop) {
  view_->forget();
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
