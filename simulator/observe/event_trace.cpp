#include "simulator/observe/event_trace.h"

#include <fmt/format.h>

#include "isa/operations.gen.h"

namespace nplab::simulator {
namespace {

// Processes of the trace that follow those of the engines.
constexpr unsigned kReferenceProcess = 1000;
constexpr unsigned kQueueProcess = 1001;
constexpr unsigned kPacketProcess = 1002;

std::string event_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) < ' ')
      result += fmt::format("\\u{:04x}", c);
    else
      result += c;
  }
  return result + "\"";
}

std::string slice_name(const ContextChange& change) {
  if (change.state == ContextState::kOff)
    return "";
  if (change.state != ContextState::kWaiting)
    return to_string(change.state);
  return "waiting for " + std::string(isa::to_string(*change.waits_for));
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

EventTrace::~EventTrace() {
  if (!is_first_)
    stream_ << "\n]}\n";
}

void EventTrace::write(const std::string& event) {
  stream_ << (is_first_ ? "" : ",\n") << event;
  is_first_ = false;
}

void EventTrace::name(unsigned process, const std::string& text) {
  write(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", process,
                    event_text(text)));
}

void EventTrace::begin(const ObservedChip& chip) {
  chip_ = chip;
  threads_.resize(std::size_t{chip.engines} * chip.contexts);
  stream_ << "{\"otherData\":{\"unit\":\"a microsecond stands for a core cycle\",\"core_hz\":\""
          << chip.core_hz << "\"},\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  for (unsigned engine = 0; engine < chip.engines; ++engine) {
    name(engine, fmt::format("engine {}", engine));
    for (unsigned context = 0; context < chip.contexts; ++context)
      write(fmt::format(
          R"({{"ph":"M","name":"thread_name","pid":{0},"tid":{1},"args":{{"name":"thread {0}.{1}"}}}})",
          engine, context));
  }
  name(kReferenceProcess, "references");
  name(kQueueProcess, "queues");
  name(kPacketProcess, "packets");
}

void EventTrace::close_state(ThreadId id, Cycle at) {
  const OpenState& state = thread(id).state;
  if (state.name.empty() || at <= state.from)
    return;
  write(fmt::format(R"({{"ph":"X","cat":"state","pid":{},"tid":{},"ts":{},"dur":{},"name":{}}})",
                    id.engine.index(), id.context.index(), state.from.number(), at - state.from,
                    event_text(state.name)));
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
  write(fmt::format(
      R"({{"ph":"X","cat":"source","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"args":{{"instructions":{}}}}})",
      id.engine.index(), id.context.index(), line.from.number(), line.to - line.from,
      event_text(line.source.empty() ? "generated" : line.source), line.instructions));
}

void EventTrace::reference(const TracedReference& reference) {
  const std::string unit =
      reference.unit == isa::Unit::kNone ? "fbi" : std::string(isa::to_string(reference.unit));
  const std::uint64_t id = references_++;
  const std::string what = fmt::format(R"("cat":"reference","id":{},"pid":{},"tid":0,"name":{})",
                                       id, kReferenceProcess, event_text(unit));
  write(fmt::format(
      R"({{"ph":"b",{},"ts":{},"args":{{"thread":"{}.{}","source":{},"queue":{},"address":{},"longwords":{},"served":{}}}}})",
      what, reference.issued.number(), reference.thread.engine.index(),
      reference.thread.context.index(),
      event_text(chip_.source(reference.thread.engine, reference.word)),
      event_text(std::string(reference.queue)), reference.address, reference.longwords,
      reference.served.number()));
  write(fmt::format(R"({{"ph":"e",{},"ts":{}}})", what, reference.completed.number()));
}

void EventTrace::queue_changed(std::size_t queue, unsigned entries, Cycle at) {
  write(fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{"entries":{}}}}})",
                    kQueueProcess, at.number(), event_text(chip_.queues[queue]), entries));
}

void EventTrace::packet(const PacketEvent& event) {
  write(
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
}

}  // namespace nplab::simulator
