// A session of the Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol, 1.65): one
// client, one run.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/debugging/call_frames.h"
#include "experiments/debugging/expression.h"
#include "experiments/debugging/program_lines.h"
#include "experiments/debugging/time_travel.h"
#include "tools/debug_adapter/breakpoints.h"
#include "tools/debug_adapter/message_stream.h"
#include "tools/debug_adapter/state_view.h"

namespace nplab::tools {

class DebugSession {
 public:
  // What is to be debugged is prepared when the client asks for it; nothing, and diagnostics, when
  // it cannot be.
  // `program` is what the launch request names, if anything.
  using Prepare = std::function<std::optional<experiments::DebugTarget>(const std::string& program,
                                                                        Diagnostics&)>;

  DebugSession(MessageStream& stream, Prepare prepare)
      : stream_(stream), prepare_(std::move(prepare)) {}

  // To the end of the session: a disconnect, or the end of the input. False when what was to be
  // debugged could not be prepared.
  bool run();

 private:
  using Json = nlohmann::json;

  // What runs until it stops.
  struct Motion {
    Direction direction{};
    std::optional<experiments::WordStop> step{};  // of a thread
    std::optional<std::uint64_t> cycle{};         // step of the chip: where it ends
    unsigned thread = 0;                          // that asked
    std::optional<std::uint64_t> limit{};         // a cycle beyond which it does not go
  };
  // What a stop is for.
  struct Stopping {
    std::vector<int> breakpoints{};
    std::string reason;
    std::string text{};
    unsigned thread = 0;  // 0: the first
  };

  void handle(const Json& request);
  Json answer(const std::string& command, const Json& arguments);
  void move();
  void move_to_cycle(const Motion& motion);
  [[nodiscard]] experiments::WordStop step_words(const Json& arguments, unsigned number) const;
  [[nodiscard]] experiments::WordStop step_out_words(unsigned number);
  // Whether the run stops for these.
  bool stops_for(std::vector<experiments::Hit> hits);
  bool stops_for(Breakpoint& breakpoint, const experiments::Hit& hit);
  void say_stopped(const std::string& reason, unsigned thread);
  void say_stopped(const Stopping& stopping);
  void say_end(const experiments::TimeTravel::Stop& stop);
  void print_console();
  void event(const std::string& name, Json body);

  Json initialize();
  Json launch(const Json& arguments);
  Json threads();
  Json stack_trace(const Json& arguments);
  Json scopes(const Json& arguments);
  Json variables(const Json& arguments);
  Json evaluate(const Json& arguments);
  Json set_variable(const Json& arguments);
  Json set_expression(const Json& arguments);
  Json change(const std::string& expression, const std::string& value, FrameNumber frame);
  Json disassemble(const Json& arguments);
  Json read_memory(const Json& arguments);
  Json source(const Json& arguments);
  Json loaded_sources();
  Json chip(const Json& arguments);
  Json breakpoint_locations(const Json& arguments);
  Json start_motion(const std::string& command, const Json& arguments);

  struct Command;
  static const std::vector<Command>& commands();
  // A command of the console such as `cycle 1200`; nothing if it is none.
  std::optional<std::string> command(const std::string& text, unsigned thread);
  static std::string help();
  std::string go_to_cycle(const std::string& text);
  std::string go_to_packet(const std::string& text);
  std::string last_write(const std::string& place);
  std::string why_stalled(const std::string& text);
  std::string who_holds(const std::string& lock);
  std::string queues_text();
  std::string packets_text();
  [[nodiscard]] std::string place_text(const experiments::Hit& hit) const;

  void check_launched() const;
  [[nodiscard]] experiments::TimeTravel& travel();
  [[nodiscard]] Json source_json(const experiments::LinePlace& place) const;
  [[nodiscard]] experiments::ExpressionValue value_of(const std::string& expression,
                                                      FrameNumber frame);
  // A variable's name becomes its address, if it has one.
  [[nodiscard]] Json with_address(Json arguments);
  [[nodiscard]] std::vector<experiments::CallFrame> frames_of(unsigned thread);
  [[nodiscard]] experiments::CallFrame frame_of(FrameNumber frame);
  [[nodiscard]] std::uint32_t word_of(unsigned thread);
  [[nodiscard]] unsigned thread_of(const experiments::Hit& hit) const;
  [[nodiscard]] std::string logged(const std::string& text, unsigned thread);
  [[nodiscard]] unsigned first_thread() const;
  [[nodiscard]] unsigned thread_argument(const Json& arguments) const;
  [[nodiscard]] FrameNumber frame_argument(const Json& arguments) const;

  MessageStream& stream_;
  Prepare prepare_;
  std::optional<experiments::DebugTarget> target_;
  std::optional<experiments::TimeTravel> travel_;
  std::optional<Breakpoints> breakpoints_;
  std::optional<StateView> view_;
  std::optional<experiments::Expressions> expressions_;
  std::optional<Motion> motion_;
  unsigned pausing_thread_ = 0;
  int sequence_ = 1;
  bool stops_on_entry_ = true;
  bool configured_ = false;
  bool failed_ = false;
  bool over_ = false;
};

}  // namespace nplab::tools
