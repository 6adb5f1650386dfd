#include "simulator/observe/event_trace.h"

#include <fmt/format.h>

#include "isa/operations.gen.h"
#include "simulator/match_engine/match_unit.h"

namespace nplab::simulator {
namespace {

// Processes of the trace that follow those of the engines.
constexpr unsigned kReferenceProcess = 1000;
constexpr unsigned kQueueProcess = 1001;
constexpr unsigned kPacketProcess = 1002;
constexpr unsigned kMatchProcess = 1003;  // and the next ones

std::string slice_name(const ContextChange& change) {
  if (change.state == ContextState::kOff)
    return "";
  if (change.state != ContextState::kWaiting)
    return to_string(change.state);
  return "waiting for " + std::string(isa::to_string(*change.waits_for));
}

double time_of(Cycle cycle) {
  return static_cast<double>(cycle.number());
}

const char* packet_verb(PacketEvent::Kind kind) {
  switch (kind) {
    case PacketEvent::Kind::kReceived: return "received";
    case PacketEvent::Kind::kVerdict: return "verdict";
    case PacketEvent::Kind::kDropped: return "dropped";
    case PacketEvent::Kind::kSent: return "sent";
  }
  return "";
}

}  // namespace

void EventTrace::begin(const ObservedChip& chip) {
  chip_ = chip;
  threads_.resize(std::size_t{chip.engines} * chip.contexts);
  events_.begin(fmt::format(R"({{"unit":"a microsecond stands for a core cycle","core_hz":"{}"}})",
                            chip.core_hz));
  for (unsigned engine = 0; engine < chip.engines; ++engine) {
    events_.name_process(engine, fmt::format("engine {}", engine));
    for (unsigned context = 0; context < chip.contexts; ++context)
      events_.name_thread(engine, context, fmt::format("thread {}.{}", engine, context));
  }
  events_.name_process(kReferenceProcess, "references");
  events_.name_process(kQueueProcess, "queues");
  events_.name_process(kPacketProcess, "packets");
  if (chip.match != nullptr)
    sessions_.emplace(events_, kMatchProcess, chip.match->ratio());
}

void EventTrace::started() {
  if (sessions_)
    chip_.match->observe(&*sessions_);
}

void EventTrace::paused(Cycle /*at*/) {
  if (!sessions_)
    return;
  chip_.match->observe(nullptr);
  sessions_->end();
}

void EventTrace::close_state(ThreadId id, Cycle at) {
  const OpenState& state = thread(id).state;
  if (state.name.empty() || at <= state.from)
    return;
  events_.slice(id.engine.index(), id.context.index(), "state", time_of(state.from),
                static_cast<double>(at - state.from), state.name);
}

void EventTrace::context_changed(const ContextChange& change) {
  close_state(change.thread, change.at);
  thread(change.thread).state = {change.at, slice_name(change)};
}

// Consecutive instructions of one source line are one slice.
void EventTrace::instruction(const ExecutedInstruction& instruction) {
  OpenLine& line = thread(instruction.thread).line;
  const std::string source = chip_.source(instruction.thread.engine, instruction.word);
  if (line.instructions == 0 || line.source != source || line.to != instruction.issued) {
    close_line(instruction.thread);
    line = {instruction.issued, instruction.issued, 0, source};
  }
  line.to = instruction.issued + 1;
  ++line.instructions;
}

void EventTrace::close_line(ThreadId id) {
  const OpenLine& line = thread(id).line;
  if (line.instructions == 0)
    return;
  events_.slice(id.engine.index(), id.context.index(), "source", time_of(line.from),
                static_cast<double>(line.to - line.from),
                line.source.empty() ? "generated" : line.source,
                fmt::format(R"({{"instructions":{}}})", line.instructions));
}

void EventTrace::reference(const TracedReference& reference) {
  const std::string unit =
      reference.unit == isa::Unit::kNone ? "fbi" : std::string(isa::to_string(reference.unit));
  const std::uint64_t id = references_++;
  const std::string what = fmt::format(R"("cat":"reference","id":{},"pid":{},"tid":0,"name":{})",
                                       id, kReferenceProcess, TraceEvents::quoted(unit));
  events_.write(fmt::format(
      R"({{"ph":"b",{},"ts":{},"args":{{"thread":"{}.{}","source":{},"queue":{},"address":{},"longwords":{},"served":{}}}}})",
      what, reference.issued.number(), reference.thread.engine.index(),
      reference.thread.context.index(),
      TraceEvents::quoted(chip_.source(reference.thread.engine, reference.word)),
      TraceEvents::quoted(std::string(reference.queue)), reference.address, reference.longwords,
      reference.served.number()));
  events_.write(fmt::format(R"({{"ph":"e",{},"ts":{}}})", what, reference.completed.number()));
}

void EventTrace::queue_changed(std::size_t queue, unsigned entries, Cycle at) {
  events_.counter(kQueueProcess, chip_.queues[queue], "entries", entries, time_of(at));
}

void EventTrace::packet(const PacketEvent& event) {
  events_.write(
      fmt::format(R"({{"ph":"i","s":"p","cat":"packet","pid":{},"tid":0,"ts":{},"name":"{} {}"}})",
                  kPacketProcess, event.at.number(), packet_verb(event.kind), event.packet));
}

void EventTrace::end(Cycle at) {
  for (unsigned engine = 0; engine < chip_.engines; ++engine) {
    for (unsigned context = 0; context < chip_.contexts; ++context) {
      const ThreadId id{EngineId(engine), ContextId(context)};
      close_state(id, at);
      close_line(id);
    }
  }
  paused(at);
}

}  // namespace nplab::simulator
