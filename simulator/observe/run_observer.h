// What a run tells whoever looks at it over a range of cycles: timelines, waveforms, the way of a
// packet.
//  - What contexts do and how deep queues are is exact per cycle: the range runs in lockstep
//  whatever the run's mode, and
//    the result of the run stays the same.
//  - References and packets carry their cycles. Context changes, slots, queues and packets come in
//  the order of their
//    cycles, those of one cycle in any order; a reference comes when its unit has served it, with
//    its completion already known and perhaps still to come. Told of are references whose issue to
//    completion touches the range.
// A run without an observer pays two comparisons a reference.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction.h"
#include "isa/program_image.h"
#include "simulator/base/ids.h"
#include "simulator/base/time.h"
#include "simulator/fbi/drop_reason.h"

namespace nplab::simulator {

namespace match {
class MatchUnit;
}  // namespace match

// As the run's counters have it: a cycle belongs to the instruction in P3.
enum class ContextState : std::uint8_t { kOff, kReady, kWaiting, kExecuting, kAborted, kStalled };

constexpr const char* to_string(ContextState state) {
  switch (state) {
    case ContextState::kOff: return "off";
    case ContextState::kReady: return "ready";
    case ContextState::kWaiting: return "waiting";
    case ContextState::kExecuting: return "executing";
    case ContextState::kAborted: return "aborted";
    case ContextState::kStalled: break;
  }
  return "stalled";
}

// The context is in `state` from cycle `at` on; all begin off.
struct ContextChange {
  ThreadId thread;
  Cycle at;
  ContextState state{};
  std::optional<isa::Event>
      waits_for;  // waiting: the lowest event still missing, to which the cycles are charged
  std::uint32_t word =
      0;  // in P3; ready: where it continues; waiting: the word that yielded the engine
};

// What an engine's P3 holds in one cycle. Every cycle of the range that is not idle, of each
// engine.
struct EngineSlot {
  ThreadId thread;
  Cycle at;
  ContextState state{};  // executing, aborted or stalled
  std::uint32_t word =
      0;  // executing, stalled: the instruction's; aborted: of the branch or swap that aborts
};

// An instruction that was executed, reported once the shadow of its branch or swap is over.
struct ExecutedInstruction {
  ThreadId thread;
  Cycle issued;  // the cycle in P3
  std::uint32_t word = 0;
  Cycles stalled = 0;    // cycles just before in which it was held in P3
  unsigned aborted = 0;  // slots after it (and its deferred instructions) that it aborted
};

struct TracedReference {
  ThreadId thread;
  std::uint32_t word = 0;  // of the issuing instruction
  isa::Operation operation{};
  isa::Unit unit{};              // kNone: fast_wr, which goes to the FBI
  std::string_view queue;        // of the unit that it waited in
  std::uint32_t address = 0;     // bytes; of fast_wr the register's number
  unsigned longwords = 0;        // moved
  bool signals = false;          // its completion sets the unit's event
  Cycle issued;                  // enters the command FIFO
  std::optional<Cycle> granted;  // leaves it; unknown when it did so long before the range
  Cycle served;                  // chosen by the unit
  Cycle completed;               // data and event are sent; the thread sees them a cycle later
  std::optional<std::uint64_t>
      packet;  // whose bytes lie at the SDRAM address, by its sequence number
};

struct PacketEvent {
  enum class Kind : std::uint8_t { kReceived, kVerdict, kDropped, kSent };
  Kind kind{};
  Cycle at;
  std::uint64_t packet = 0;  // sequence number, as in the run's checks: unlike every other packet's
  std::size_t traffic_index = 0;      // of the packet in the traffic
  std::optional<unsigned> port;       // received, sent
  std::optional<std::uint32_t> rule;  // verdict; none: no rule matches
  std::optional<DropReason> reason;   // dropped
  std::optional<ThreadId> thread;     // verdict, dropped: whose annotation said it
};

// What is watched; queues are reported by their number here.
struct ObservedChip {
  unsigned engines = 0;
  unsigned contexts = 0;  // of an engine
  std::uint64_t core_hz = 0;
  // Names as `sram.order_queue` or `engine0.command_fifo`.
  std::vector<std::string> queues;
  std::vector<unsigned> queue_entries;  // their capacities
  std::vector<std::string> buses;       // of the memory units, as `sram.bus`
  std::size_t rings = 0;                // of software, in the run's order
  match::MatchUnit* match = nullptr;    // null: none is used
  // "file.c:12" of a control-store word of an engine; empty when it has no source line.
  std::function<std::string(EngineId, std::uint32_t)> source;
};

class RunObserver {
 public:
  virtual ~RunObserver() = default;

  // Before everything else, once.
  virtual void begin(const ObservedChip&) {}
  // A range begins with the next cycle.
  virtual void started() {}
  virtual void context_changed(const ContextChange&) {}
  virtual void slot(const EngineSlot&) {}
  virtual void instruction(const ExecutedInstruction&) {}
  virtual void reference(const TracedReference&) {}
  // So many entries are taken from cycle `at` on, those under way to the queue included; all begin
  // empty.
  virtual void queue_changed(std::size_t /*queue*/, unsigned /*entries*/, Cycle /*at*/) {}
  // The same of one of software's rings: entries that were put in and not taken out.
  virtual void ring_changed(std::size_t /*ring*/, unsigned /*entries*/, Cycle /*at*/) {}
  // From cycle `at` on the unit's bus is taken or free; all begin free.
  virtual void bus_taken(std::size_t /*bus*/, Cycle /*at*/) {}
  virtual void bus_freed(std::size_t /*bus*/, Cycle /*at*/) {}
  virtual void packet(const PacketEvent&) {}
  // Cycle `at` of the range is over: nothing more comes for it, but references.
  virtual void cycle_done(Cycle /*at*/) {}
  // A range is over before cycle `at`, and a later one follows, which begins as the first did:
  // contexts off, queues and rings empty and buses free until reported otherwise.
  virtual void paused(Cycle /*at*/) {}
  // The last range is over, or the run, before cycle `at`.
  virtual void end(Cycle /*at*/) {}
};

struct CycleRange {
  Cycle from;
  Cycle to = Cycle::never();  // the first cycle after the range
};

struct Observation {
  RunObserver* observer = nullptr;  // none: nobody looks
  Cycle from;
  Cycle to = Cycle::never();        // the first cycle after the range
  std::vector<CycleRange> later{};  // later ranges, in order
};

}  // namespace nplab::simulator
