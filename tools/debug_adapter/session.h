// A session of the Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol, 1.65): one
// client, one run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/debugging/program_lines.h"
#include "experiments/debugging/time_travel.h"
#include "tools/debug_adapter/message_stream.h"

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

  struct Breakpoint {
    int id = 0;
    experiments::StopPoints stops;
    std::string condition;
    std::string log;         // a message instead of a stop
    std::uint64_t hits = 1;  // stops at each such hit of a `continue`
    std::uint64_t seen = 0;
    std::string reason;  // of the stop
  };
  // Breakpoints are replaced together: those of a source, all functions, ...
  using Group = std::vector<Breakpoint>;

  enum class Direction { kForwards, kBackwards };
  // What runs until it stops.
  struct Motion {
    Direction direction{};
    std::optional<experiments::WordStop> step;  // of a thread
    unsigned thread = 0;                        // that asked
  };

  void handle(const Json& request);
  Json answer(const std::string& command, const Json& arguments);
  void move();
  // Whether the run stops for these.
  bool stops_for(const std::vector<experiments::Hit>& hits);
  bool stops_for(Breakpoint& breakpoint, const experiments::Hit& hit);
  void say_stopped(const std::string& reason, unsigned thread, const std::string& text = {},
                   const std::vector<int>& breakpoints = {});
  void say_end(const experiments::TimeTravel::Stop& stop);
  void print_console();
  void event(const std::string& name, Json body);

  Json initialize();
  Json launch(const Json& arguments);
  Json set_breakpoints(const Json& arguments);
  Json set_function_breakpoints(const Json& arguments);
  Json set_instruction_breakpoints(const Json& arguments);
  Json set_data_breakpoints(const Json& arguments);
  Json set_exception_breakpoints(const Json& arguments);
  Json data_breakpoint_info(const Json& arguments);
  Json threads();
  Json stack_trace(const Json& arguments);
  Json scopes(const Json& arguments);
  Json variables(const Json& arguments);
  Json evaluate(const Json& arguments);
  Json disassemble(const Json& arguments);
  Json read_memory(const Json& arguments);
  Json source(const Json& arguments);
  Json loaded_sources();
  Json breakpoint_locations(const Json& arguments);
  Json start_motion(const std::string& command, const Json& arguments);

  // A command of the console such as `cycle 1200`; nothing if it is none.
  std::optional<std::string> command(const std::string& text, unsigned thread);
  std::string go_to_cycle(const std::string& word);
  std::string go_to_packet(const std::string& word);
  std::string last_write(const std::string& place);
  std::string why_stalled(const std::string& word);
  std::string queues_text();

  void check_launched() const;
  [[nodiscard]] experiments::TimeTravel& travel();
  [[nodiscard]] experiments::StopPoints stop_points() const;
  [[nodiscard]] Json source_json(const experiments::LinePlace& place) const;
  [[nodiscard]] std::uint32_t value_of(const std::string& expression, unsigned thread);
  [[nodiscard]] std::uint32_t word_of(unsigned thread);
  [[nodiscard]] Json register_scope(unsigned thread, const std::string& names);
  [[nodiscard]] std::string queue_names() const;
  [[nodiscard]] unsigned thread_of(const experiments::Hit& hit) const;
  [[nodiscard]] std::string logged(const std::string& text, unsigned thread);
  [[nodiscard]] unsigned first_thread() const;
  [[nodiscard]] unsigned thread_argument(const Json& arguments) const;
  Json add_group(const std::string& group, Group breakpoints, const Json& answers);

  MessageStream& stream_;
  Prepare prepare_;
  std::optional<experiments::DebugTarget> target_;
  std::optional<experiments::TimeTravel> travel_;
  std::map<std::string, Group> groups_;
  std::optional<Motion> motion_;
  int next_id_ = 1;
  int sequence_ = 1;
  bool stops_on_entry_ = true;
  bool configured_ = false;
  bool failed_ = false;
  bool over_ = false;
};

}  // namespace nplab::tools
