// Commands of the console, which are no expressions.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/debugging/lock_holders.h"
#include "tools/debug_adapter/json_arguments.h"
#include "tools/debug_adapter/request_error.h"
#include "tools/debug_adapter/session.h"
#include "tools/debug_adapter/thread_numbers.h"

namespace nplab::tools {

using namespace experiments;

struct DebugSession::Command {
  std::string_view name;
  std::string_view usage;
  std::string_view does;
  std::string (*run)(DebugSession& session, const std::string& argument, unsigned thread);
};

const std::vector<DebugSession::Command>& DebugSession::commands() {
  using Session = DebugSession;
  using Text = const std::string&;
  static const std::vector<Command> kCommands{
      {"cycle", "cycle [N | +N | -N]", "goes to cycle N, or so many on or back; says where it is",
       [](Session& session, Text text, unsigned) { return session.go_to_cycle(text); }},
      {"packet", "packet N", "goes to the packet's verdict",
       [](Session& session, Text text, unsigned) { return session.go_to_packet(text); }},
      {"last-write", "last-write sram:0x100", "goes back to the last write",
       [](Session& session, Text text, unsigned) { return session.last_write(text); }},
      {"why-stalled", "why-stalled [1.2]", "what a thread waits for",
       [](Session& session, Text text, unsigned thread) {
         return session.why_stalled(text.empty() ? thread_name(thread) : text);
       }},
      {"who-holds", "who-holds sram:0x100 | QUEUE", "which threads hold a lock, and since when",
       [](Session& session, Text text, unsigned) { return session.who_holds(text); }},
      {"packets", "packets", "packets in the chip",
       [](Session& session, Text, unsigned) { return session.packets_text(); }},
      {"queues", "queues", "entries of each queue",
       [](Session& session, Text, unsigned) { return session.queues_text(); }},
      {"hash", "hash", "of the chip's state",
       [](Session& session, Text, unsigned) {
         return session.travel().look({{"look", "hash"}}).get<std::string>();
       }},
      {"help", "help", "this list", [](Session&, Text, unsigned) { return help(); }}};
  return kCommands;
}

std::optional<std::string> DebugSession::command(const std::string& text, unsigned thread) {
  const auto space = text.find(' ');
  const std::string name = text.substr(0, space);
  const std::string argument = space == std::string::npos ? "" : text.substr(space + 1);
  for (const Command& command : commands())
    if (command.name == name)
      return command.run(*this, argument, thread);
  return std::nullopt;
}

std::string DebugSession::help() {
  std::string text;
  for (const Command& command : commands())
    text += fmt::format("{}: {}\n", command.usage, command.does);
  return text +
         "Anything else is an expression of C: i + 1, second->length, $0 & 0xff, sram[0x100].";
}

std::string DebugSession::go_to_cycle(const std::string& text) {
  if (text.empty())
    return fmt::format("cycle {}", travel().now());
  const bool is_relative = text.front() == '+' || text.front() == '-';
  const auto number = number_in(is_relative ? text.substr(1) : text);
  if (!number)
    throw RequestError(
        fmt::format("'{}' is not a cycle; write a number from 0 on, +N or -N", text));
  const std::uint64_t now = travel().now();
  const std::uint64_t cycle = !is_relative          ? *number
                              : text.front() == '+' ? now + *number
                                                    : now - std::min(now, *number);
  motion_.reset();
  travel().go_to(cycle);
  print_console();
  say_stopped("goto", 0);
  return travel().now() == cycle
             ? fmt::format("cycle {}", cycle)
             : fmt::format("the run ends sooner: this is cycle {}", travel().now());
}

std::string DebugSession::go_to_packet(const std::string& text) {
  const auto number = number_in(text);
  if (!number)
    throw RequestError(fmt::format("'{}' is not a packet; write its number, counted from 0", text));
  StopPoints stops;
  stops.chip.push_back({ChipStop::Kind::kVerdict, *number});
  motion_.reset();
  const std::uint64_t from = travel().now();
  const auto always = [] { return true; };
  auto stop = travel().find_latest(stops, always);
  if (stop.why != TimeTravel::Why::kHit) {
    travel().go_to(from);
    stop = travel().find_next(stops, always);
  }
  const bool found = stop.why == TimeTravel::Why::kHit;
  if (!found)
    travel().go_to(from);
  say_stopped("goto", found && stop.hits.front().engine
                          ? number_of({*stop.hits.front().engine, *stop.hits.front().context})
                          : 0);
  return found ? fmt::format("{}: cycle {}", stop.hits.front().text, travel().now())
               : fmt::format("packet {} gets no verdict in this run", text);
}

// ", queue.h:55" of the word that caused it.
std::string DebugSession::place_text(const Hit& hit) const {
  if (!hit.word)
    return {};
  const LinePlace line = line_of(*target_, *hit.engine, *hit.word);
  return line.line != 0 ? fmt::format(", {}:{}", line.file, line.line) : "";
}

std::string DebugSession::last_write(const std::string& place) {
  const auto memory = memory_place(place);
  if (!memory)
    throw RequestError(fmt::format("'{}' is not a place in memory; write sram:0x100", place));
  StopPoints stops;
  stops.memory.push_back({memory->space, memory->address, 4, MemoryAccess::kWrite});
  motion_.reset();
  const std::uint64_t from = travel().now();
  const auto stop = travel().find_latest(stops, [] { return true; });
  if (stop.why != TimeTravel::Why::kHit) {
    travel().go_to(from);
    return fmt::format("nothing was written to {} before cycle {}", place, from);
  }
  const Hit& hit = stop.hits.back();
  say_stopped("goto", hit.word ? number_of({*hit.engine, *hit.context}) : 0);
  return fmt::format("cycle {}: {}{}", travel().now(), hit.text, place_text(hit));
}

std::string DebugSession::why_stalled(const std::string& text) {
  const auto thread = thread_named(text);
  if (!thread)
    throw RequestError(
        fmt::format("'{}' is not a thread; write 1.2 for engine 1, context 2", text));
  const ThreadNumber place = thread_number(*thread);
  const std::string about = fmt::format("engine {} thread {}:", place.engine, place.context);
  for (const Json& line : travel().look({{"look", "waiting"}}))
    if (line.get<std::string>().starts_with(about))
      return line;
  return fmt::format("thread {} has ended or never began", text);
}

std::string DebugSession::who_holds(const std::string& lock) {
  std::vector<LockPlace> places;
  if (const auto memory = memory_place(lock))
    places.push_back({memory->space, memory->address});
  const auto queue = std::find_if(target_->queues.begin(), target_->queues.end(),
                                  [&](const DebugQueue& one) { return one.name == lock; });
  if (queue != target_->queues.end())
    places = queue->locks;
  else if (places.empty())
    throw RequestError(
        fmt::format("'{}' is not a lock; write sram:0x100 or the name of a queue", lock));
  if (places.empty())
    return fmt::format("queue {} has no locks in memory", lock);
  motion_.reset();
  std::string text;
  for (const LockPlace& place : places) {
    for (const LockHolder& holder : lock_holders(travel(), place)) {
      const std::string what =
          memory_text({holder.place.space, holder.place.address}) +
          (holder.place.bits != 0 ? fmt::format(" bits {:#x}", holder.place.bits)
                                  : std::string(" in the lock CAM"));
      text += fmt::format("{}{}: ", text.empty() ? "" : "; ", what);
      if (!holder.taken)
        text += "set before cycle 0";
      else
        text += fmt::format(
            "thread {} since cycle {}{}",
            thread_name(number_of({*holder.taken->engine, holder.taken->context.value_or(0)})),
            holder.taken->at, place_text(*holder.taken));
    }
  }
  return text.empty() ? fmt::format("nobody holds {}", lock) : text;
}

std::string DebugSession::queues_text() {
  std::string text;
  for (const Json& queue : travel().look({{"look", "queues"}}))
    text +=
        fmt::format("{}{}: {} of {}", text.empty() ? "" : "; ", queue.at("name").get<std::string>(),
                    queue.at("entries").dump(), queue.at("size").get<unsigned>());
  return text.empty() ? "the program has no queues of a mapping" : text;
}

std::string DebugSession::packets_text() {
  std::string text;
  for (const Json& packet : travel().look({{"look", "packets"}})) {
    std::string one;
    for (const auto& [name, value] : packet_texts(packet))
      one += fmt::format("{}{} {}", one.empty() ? "" : ", ", name, value);
    text += one + "\n";
  }
  return text.empty() ? "no packet is in the chip" : text;
}

}  // namespace nplab::tools
