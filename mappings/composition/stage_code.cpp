#include "mappings/composition/stage_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "mappings/composition/c_text.h"
#include "mappings/composition/key_code.h"
#include "mappings/composition/queue_use.h"
#include "mappings/composition/task_code.h"

namespace nplab::mappings {
namespace {

class StageCode {
 public:
  StageCode(const CompositionInputs& inputs, const Stage& stage, Diagnostics& diagnostics)
      : inputs_(inputs), placement_(inputs.placement), stage_(stage), diagnostics_(diagnostics) {}

  std::string text() {
    switch (stage_.role) {
      case StageRole::kReceive: return receive_stage();
      case StageRole::kTransmit: return transmit_stage();
      case StageRole::kTasks: return task_stage();
      case StageRole::kProgram: return "";
    }
    return "";
  }

 private:
  [[nodiscard]] const Queue& queue(std::size_t index) const { return placement_.queues.at(index); }
  [[nodiscard]] bool waits(const Queue& queue) const {
    return queue.full == WhenFull::kWait || inputs_.lossless;
  }

  // After the ring: the packet and what is carried with it.
  static std::string arguments(const Queue& queue, const std::string& prefix) {
    std::string text = fmt::format(", {0}buffer, {0}info", prefix);
    for (const MetadataElement& element : queue.carried)
      text += ", " + prefix + metadata_variable(element);
    return text;
  }

  // Puts the packet into each output queue; where that may fail, what `refused` says follows.
  // Several never refuse.
  [[nodiscard]] std::string put(const std::string& refused) const {
    std::string code;
    for (const std::size_t output : stage_.outputs) {
      const Queue& to = queue(output);
      const QueueUse use(to, stage_, QueueUse::Side::kProducer);
      const std::string call =
          fmt::format("{}_put({}{})", to.name, use.arguments(), arguments(to, ""));
      if (to.wait == QueueWait::kSignal) {
        code += put_and_signal(to, use, call, refused);
      } else {
        code += waits(to) ? fmt::format("while (!{}) {{\n{}}}\n", call, wait_for_room(to))
                          : fmt::format("if (!{}) {{\n{}}}\n", call, indented(refused, 1));
      }
    }
    return code;
  }

  [[nodiscard]] std::string put_and_signal(const Queue& to, const QueueUse& use,
                                           const std::string& call,
                                           const std::string& refused) const {
    const std::string signal = use.signal(placement_.contexts);
    if (waits(to)) {
      return fmt::format("u32 {0}_place;\nwhile (!({0}_place = {1})) {{\n{2}}}\n{3}", to.name, call,
                         wait_for_room(to), signal);
    }
    return fmt::format("const u32 {0}_place = {1};\nif (!{0}_place) {{\n{2}}} else {{\n{3}}}\n",
                       to.name, call, indented(refused, 1), indented(signal, 1));
  }

  // Between two looks.
  static std::string pause(std::uint32_t cycles) {
    return cycles == 0 ? "" : fmt::format("  pause_cycles({});\n", cycles);
  }
  static std::string wait_for_room(const Queue& to) {
    const bool swaps = !to.in_registers() || to.poll_cycles > 0;
    const std::string pause_for_room =
        to.poll_cycles == 0 ? "" : fmt::format("  pause_for_room({});\n", to.poll_cycles);
    return "  wait_for_room();\n" + pause_for_room + (swaps ? "" : kLetOthersRun);
  }
  // A look at registers waits for nothing, so that no other thread would ever run.
  static constexpr const char* kLetOthersRun = "  ctx_swap_voluntary();\n";
  // `looks`: counts the looks of a thread that goes to sleep after it found each ring empty.
  [[nodiscard]] std::string wait_for_work(const std::vector<std::size_t>& inputs) const {
    std::uint32_t cycles = ~0U;
    for (const std::size_t input : inputs)
      cycles = std::min(cycles, queue(input).poll_cycles);
    if (queue(inputs.front()).wait == QueueWait::kPoll) {
      std::string code = "  wait_for_work();\n" + pause(cycles);
      for (const std::size_t input : inputs) {
        if (cycles == 0 && queue(input).in_registers())
          return code + kLetOthersRun;
      }
      return code;
    }
    const unsigned rings = rings_of(inputs);
    if (rings == 1)
      return "  ctx_wait(inter_thread);\n";
    return fmt::format(
        "  if (++looks == {}) {{\n    ctx_wait(inter_thread);\n    looks = 0;\n  }}\n", rings);
  }
  // Of the queue with most of them: so many rounds look at each.
  [[nodiscard]] unsigned rings_of(const std::vector<std::size_t>& inputs) const {
    unsigned rings = 1;
    for (const std::size_t input : inputs)
      rings = std::max(rings, QueueUse(queue(input), stage_, QueueUse::Side::kConsumer).rings());
    return rings;
  }
  [[nodiscard]] std::string count_looks(const std::vector<std::size_t>& inputs) const {
    const bool sleeps = queue(inputs.front()).wait == QueueWait::kSignal && rings_of(inputs) > 1;
    return sleeps ? "u32 looks = 0;\n" : "";
  }

  // Of an entry that is there: its ring, where the packet's end must know it.
  static std::string note_ring(const Queue& from) {
    const auto ring = from.carried_ring();
    return ring ? fmt::format("{} = {}_queue;\n", metadata_variable(*ring), from.name) : "";
  }

  [[nodiscard]] std::string declare_outputs() const {
    std::string code;
    for (const std::size_t output : stage_.outputs) {
      code += QueueUse(queue(output), stage_, QueueUse::Side::kProducer).declaration();
    }
    return code;
  }

  // Moves on to the next instance of each output queue.
  [[nodiscard]] std::string next_outputs() const {
    std::string code;
    for (const std::size_t output : stage_.outputs) {
      code += QueueUse(queue(output), stage_, QueueUse::Side::kProducer).next();
    }
    return code;
  }

  // The parts of a packet, from each input queue in turn: rings keep their order, so their first
  // entries are of one.
  [[nodiscard]] std::string get_each() const {
    std::string code = "poll_begin();\n";
    for (const std::size_t input : stage_.inputs) {
      const QueueUse use(queue(input), stage_, QueueUse::Side::kConsumer);
      code += fmt::format("while (!{}_get({}{})) {{\n{}}}\n", queue(input).name, use.arguments(),
                          arguments(queue(input), "&"), wait_for_work({input}));
      code += note_ring(queue(input)) + use.next();
    }
    return code + "poll_end();\n";
  }

  // One look at each input queue in turn, until one gives a packet.
  [[nodiscard]] std::string get() const {
    if (stage_.joins)
      return get_each();
    std::string code = "poll_begin();\n" + count_looks(stage_.inputs) + "for (;;) {\n";
    for (const std::size_t input : stage_.inputs) {
      const QueueUse use(queue(input), stage_, QueueUse::Side::kConsumer);
      code += fmt::format("  const u32 found_{0} = {0}_get({1}{2});\n", queue(input).name,
                          use.arguments(), arguments(queue(input), "&"));
      code += indented(note_ring(queue(input)) + use.next(), 1);
      code += fmt::format("  if (found_{}) break;\n", queue(input).name);
    }
    return code + wait_for_work(stage_.inputs) + "}\npoll_end();\n";
  }

  [[nodiscard]] std::string declare_inputs() const {
    std::string code;
    for (const std::size_t input : stage_.inputs)
      code += QueueUse(queue(input), stage_, QueueUse::Side::kConsumer).declaration();
    return code;
  }

  [[nodiscard]] std::string receive_stage() const {
    std::string code = fmt::format("static inline void stage_{}(const u32 rank) {{\n", stage_.name);
    code += indented(declare_outputs() + declare_numbers(), 1);
    code += "  struct receive_state state = {0, 0, 0};\n  for (;;) {\n    u32 buffer, info;\n";
    code += "    receive_packet(rank, &state, &buffer, &info);\n";
    const std::string drop = "drop_packet(buffer, DROP_QUEUE_FULL);\n";
    code += indented(look_for_numbers(drop), 2);
    // A packet that is refused leaves its numbers to the next one.
    code += indented(put(stage_.orders.empty() ? drop : drop + next_outputs() + "continue;\n"), 2);
    code += indented(count_numbers() + next_outputs(), 2);
    return code + "  }\n}\n\n";
  }

  // Receive's count of the port's packets, times 2, for each queue that keeps their order, and what
  // it knows to be free again there.
  [[nodiscard]] std::string declare_numbers() const {
    std::string code;
    for (const std::size_t ordered : stage_.orders)
      code += fmt::format("u32 {0}_number = 0;\nu32 {0}_room = 0;\n", queue(ordered).name);
    return code;
  }
  [[nodiscard]] std::string look_for_numbers(const std::string& drop) const {
    std::string code;
    for (const std::size_t ordered : stage_.orders) {
      const Queue& to = queue(ordered);
      const std::string look = fmt::format("!{0}_has_room(rank, {0}_number, &{0}_room)", to.name);
      code += waits(queue(stage_.outputs.front()))
                  ? fmt::format("while ({}) {{\n{}}}\n", look, wait_for_room(to))
                  : fmt::format("if ({}) {{\n{}  continue;\n}}\n", look, indented(drop, 1));
      code += fmt::format("const u32 {} = {}_number << 3 | rank;\n",
                          metadata_variable(*to.carried_order()), to.name);
    }
    return code;
  }
  [[nodiscard]] std::string count_numbers() const {
    std::string code;
    for (const std::size_t ordered : stage_.orders)
      code += fmt::format("{}_number += 2;\n", queue(ordered).name);
    return code;
  }

  [[nodiscard]] std::string transmit_stage() const {
    std::string code = fmt::format("static inline void stage_{}(const u32 rank) {{\n", stage_.name);
    code += indented(declare_inputs(), 1) + "  for (;;) {\n    u32 buffer, info;\n";
    code += indented(get(), 2);
    return code + "    transmit_frame(buffer, info, PACKET_PORT(info));\n  }\n}\n\n";
  }

  std::string task_stage() {
    std::string code = fmt::format("static inline void stage_{}(const u32 rank) {{\n", stage_.name);
    code += indented(prepare_tasks() + declare_inputs() + declare_outputs(), 1);
    code += "  for (;;) {\n    u32 buffer, info;\n";
    code += indented(declare_metadata() + get() + work() + calls(), 2);
    if (stage_.gives_verdict)
      code += indented(verdict(), 2);
    code += indented(put(give_up("DROP_QUEUE_FULL")) + next_outputs() + release(), 2);
    return code + "  }\n}\n\n";
  }

  // The stage's part of what the published classification code spent beyond ours.
  [[nodiscard]] std::string work() const {
    const auto& tuning = placement_.tuning;
    const auto total = std::find_if(tuning.begin(), tuning.end(), [](const TuningValue& value) {
      return value.name == "classify_work";
    });
    if (total == tuning.end() || total->value == 0)
      return "";
    const auto stages =
        std::count_if(placement_.stages.begin(), placement_.stages.end(),
                      [](const Stage& stage) { return stage.role == StageRole::kTasks; });
    return fmt::format("spend(TUNE_CLASSIFY_WORK / {});\n", stages);
  }

  // What the tasks' manifest wants done before a thread's first packet, each function once.
  [[nodiscard]] std::string prepare_tasks() const {
    std::set<std::string> prepared;
    std::string code;
    for (const auto& call : stage_.calls) {
      const std::string& function = declared(call).prepare;
      if (!function.empty() && prepared.insert(function).second)
        code += fmt::format("{}();\n", function);
    }
    return code;
  }

  [[nodiscard]] const TaskDeclaration& declared(const TaskCall& call) const {
    return *std::find_if(placement_.tasks.begin(), placement_.tasks.end(),
                         [&](const auto& task) { return task.name == call.task; });
  }

  // All metadata that the stage's calls or queues name. What no task wrote stands for "no match".
  [[nodiscard]] std::string declare_metadata() const {
    std::set<MetadataElement> elements;
    for (const auto& call : stage_.calls) {
      elements.insert(call.reads.begin(), call.reads.end());
      elements.insert(call.writes.begin(), call.writes.end());
    }
    for (const std::size_t input : stage_.inputs) {
      elements.insert(queue(input).carried.begin(), queue(input).carried.end());
      if (const auto ring = queue(input).carried_ring())
        elements.insert(*ring);
    }
    for (const std::size_t output : stage_.outputs) {
      elements.insert(queue(output).carried.begin(), queue(output).carried.end());
    }
    if (stage_.gives_verdict)
      elements.insert({{"rule", std::nullopt}, {"action", std::nullopt}});
    std::string code;
    for (const MetadataElement& element : elements) {
      const char* initial = element.name == "rule" && !element.dimension ? "NO_MATCH" : "0";
      code += fmt::format("u32 {} = {};\n", metadata_variable(element), initial);
    }
    return code;
  }

  // The key and the tasks; `break` leaves them when no rule can match.
  std::string calls() {
    if (stage_.answered)
      return calls_behind_front();
    return block(leave_early() + load_key() + calls_of(TaskCall::Part::kAlgorithm));
  }
  static std::string block(const std::string& body) {
    return "do {\n" + indented(body, 1) + "} while (0);\n";
  }
  [[nodiscard]] std::string leave_early() const {
    std::string code;
    for (const MetadataElement& element : stage_.leave_when_zero)
      code += fmt::format("if (!{}) break;\n", metadata_variable(element));
    return code;
  }
  std::string load_key() {
    return stage_.packet_fields.empty() ? ""
                                        : key_code(inputs_.key, stage_.packet_fields, "break;");
  }
  [[nodiscard]] std::string calls_of(TaskCall::Part part) const {
    std::string code;
    for (const auto& call : stage_.calls) {
      if (call.part == part)
        code += task_call(call, declared(call), placement_.fields, "break;");
    }
    return code;
  }

  // What the front knows skips the algorithm's calls and is not kept again; that no rule matches is
  // kept, too.
  std::string calls_behind_front() {
    const std::string answered = metadata_variable(*stage_.answered);
    const std::string lookup = calls_of(TaskCall::Part::kLookup);
    std::string body;
    if (lookup.empty()) {
      body = fmt::format("if ({} == 1) break;\n", answered) + load_key();
    } else {
      body = load_key() + lookup +
             fmt::format("if ({} == 1) {{\n  packet_cached(buffer);\n  break;\n}}\n", answered);
    }
    return block(body + block(leave_early() + calls_of(TaskCall::Part::kAlgorithm)) +
                 calls_of(TaskCall::Part::kKeep));
  }

  [[nodiscard]] std::string release() const {
    std::string code;
    for (const std::size_t index : stage_.releases) {
      const Queue& released = queue(index);
      const auto ring = released.carried_ring();
      code += fmt::format(
          "{}_release({});\n", released.name,
          ring ? metadata_variable(*ring) : fmt::format("{:#x}", released.instances.front().base));
    }
    return code;
  }

  // Drops the packet and goes on to the next.
  [[nodiscard]] std::string give_up(const std::string& reason) const {
    std::string skip;
    for (const std::size_t output : stage_.outputs) {
      if (const auto order = queue(output).carried_order())
        skip += fmt::format("{}_skip({});\n", queue(output).name, metadata_variable(*order));
    }
    return fmt::format("drop_packet(buffer, {});\n{}{}continue;\n", reason, skip, release());
  }

  [[nodiscard]] std::string verdict() const {
    std::string code = "packet_verdict(buffer, rule);\n";
    if (placement_.no_match == NoMatch::kDrop) {
      code += "if (rule == NO_MATCH) {\n" + indented(give_up("DROP_NO_MATCH"), 1) + "}\n";
    } else {
      code += "if (rule == NO_MATCH) action = ACTION_ALLOW;\n";
    }
    code += "if (action == ACTION_DENY) {\n" + indented(give_up("DROP_DENIED"), 1) + "}\n";
    if (placement_.egress == Egress::kByAction)
      code += "info = forward_by_action(buffer, info, action);\n";
    return code;
  }

  const CompositionInputs& inputs_;
  const Placement& placement_;
  const Stage& stage_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::string stage_code(const CompositionInputs& inputs, std::size_t stage,
                       Diagnostics& diagnostics) {
  return StageCode(inputs, inputs.placement.stages.at(stage), diagnostics).text();
}

}  // namespace nplab::mappings
