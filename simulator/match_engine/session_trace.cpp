#include "simulator/match_engine/session_trace.h"

#include <fmt/format.h>

#include <optional>

#include "simulator/match_engine/match_engine.h"

namespace nplab::simulator::match {
namespace {

// Processes of the trace, from the first of its own on.
constexpr unsigned kModules = 0, kSessions = 1, kPlaces = 2;
constexpr unsigned kCounters = 3;

const char* text_of(RequestKind kind) {
  switch (kind) {
    case RequestKind::kLookup: return "lookup";
    case RequestKind::kInsert: return "insert";
    case RequestKind::kReplace: return "replace";
    case RequestKind::kErase: return "delete";
    case RequestKind::kReadState: return "counter read";
  }
  return "";
}

std::optional<Tag> tag_of(Tag tag) {
  return tag;
}
std::optional<Tag> tag_of(const LookedUp& message) {
  return message.tag;
}
std::optional<Tag> tag_of(const Pass& message) {
  return message.tag;
}
template <class Message>
std::optional<Tag> tag_of(const Message&) {
  return std::nullopt;
}

// Members of an object of JSON.
template <class Message>
std::string details_of(const Message& message) {
  std::string text;
  const auto add = [&text](const char* name, std::uint64_t value) {
    text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", name, value);
  };
  if (const auto tag = tag_of(message))
    add("tag", *tag);
  if constexpr (requires { message.slot; })
    add("slot", message.slot);
  if constexpr (requires { message.load; })
    add("load", message.load);
  return text;
}

}  // namespace

SessionTrace::SessionTrace(TraceEvents& events, unsigned process, const dram::ClockRatio& ratio)
    : events_(events),
      process_(process),
      cycle_(static_cast<double>(ratio.denominator()) / static_cast<double>(ratio.numerator())),
      counted_(kCounters) {}

double SessionTrace::time_of(Cycle cycle) const {
  return static_cast<double>(cycle.number()) * cycle_;
}

double SessionTrace::duration_of(Cycles cycles) const {
  return static_cast<double>(cycles) * cycle_;
}

void SessionTrace::name_rows(MatchEngine& engine) {
  events_.name_process(process_ + kModules, "match unit: modules");
  events_.name_process(process_ + kSessions, "match unit: sessions");
  events_.name_process(process_ + kPlaces, "match unit: places that are held");
  for (const Module* module : engine.modules()) {
    const auto row = static_cast<unsigned>(modules_.size());
    modules_.emplace(module->name(), row);
    events_.name_thread(process_ + kModules, row, std::string(module->name()));
  }
  stays_.resize(engine.sessions());
}

void SessionTrace::cycle_done(MatchEngine& engine, Cycle now) {
  if (modules_.empty())
    name_rows(engine);
  engine.wires().for_each(
      [&](const char* from, const char* to, const char* what, const auto& port) {
        port.for_each([&](const auto& message, Cycle seen_from) {
          if (seen_from == now + port.latency())
            sent(engine, from, to, what, message, now);
        });
      });
  count(Counted::kSessions, "sessions", engine.input().sessions_under_way(), now);
  count(Counted::kLoads, "load queue", engine.loads().held(), now);
  count(Counted::kStores, "store queue", engine.stores().held(), now);
  last_ = now + 1;
}

template <class Message>
void SessionTrace::sent(MatchEngine& engine, const char* from, const char* to,
                        std::string_view what, const Message& message, Cycle now) {
  const std::string details = details_of(message);
  events_.slice(process_ + kModules, modules_.at(from), "message", time_of(now), cycle_,
                std::string(what),
                fmt::format("{{\"to\":\"{}\"{}{}}}", to, details.empty() ? "" : ",", details));
  if (const auto tag = tag_of(message))
    move(engine, *tag, what == kReleased ? "" : to, now);
}

// What is sent in a cycle is with the receiver from the next on, the time on the way included.
void SessionTrace::move(MatchEngine& engine, Tag tag, const char* to, Cycle now) {
  Stay& stay = stays_.at(tag);
  close(tag, now + 1);
  if (!stay.is_named)
    events_.name_thread(process_ + kSessions, tag, fmt::format("tag {}", tag));
  const Request& request = engine.session(tag).request;
  stay = {true, to, now + 1, fmt::format("{} {}", text_of(request.kind), request.number)};
}

void SessionTrace::close(Tag tag, Cycle at) {
  const Stay& stay = stays_[tag];
  if (stay.module.empty() || at <= stay.from)
    return;
  events_.slice(process_ + kSessions, tag, "session", time_of(stay.from),
                duration_of(at - stay.from), stay.module,
                fmt::format("{{\"request\":{}}}", TraceEvents::quoted(stay.request)));
}

void SessionTrace::count(Counted what, const char* name, unsigned value, Cycle now) {
  unsigned& last = counted_[static_cast<unsigned>(what)];
  if (last == value)
    return;
  last = value;
  events_.counter(process_ + kPlaces, name, "held", value, time_of(now));
}

void SessionTrace::end() {
  for (std::size_t tag = 0; tag < stays_.size(); ++tag) {
    close(static_cast<Tag>(tag), last_);
    stays_[tag].module.clear();
  }
}

}  // namespace nplab::simulator::match
