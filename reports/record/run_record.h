// The run record: everything one run measured, as plain values, and its JSON form (schema
// "nplab.run/1"). Reports are rendered from it alone. Counts are integers and are what the
// simulation measures; percentages, rates and Mips are filled in from them by fill_derived
// (reports/analysis/derive.h). Cycles are core (microengine) cycles unless said otherwise.
// More than 500 lines: the parts of the record stand in one file, as in its schema.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/activity.h"
#include "reports/record/counts.h"
#include "reports/record/dram_record.h"
#include "reports/record/match_record.h"
#include "reports/record/thread_name.h"
#include "support/diagnostics.h"

namespace nplab::reports {

struct Tool {
  std::string version;
  std::string commit;                   // with "-dirty" when the sources differed from it
  std::optional<std::string> build_id;  // of the program's content; absent in older records
  bool operator==(const Tool&) const = default;
};

struct Input {
  std::string name;
  std::string
      sha256;  // hexadecimal, of the file as it lies on disk or of the generator's specification
  bool operator==(const Input&) const = default;
};

struct Inputs {
  Input mapping;
  Input chip;
  Input rules;
  Input traffic;
  Input workload;                // the file that says what the options leave open
  std::optional<Input> profile;  // of an earlier run, with which the programs were compiled
  std::optional<Input> updates;  // of rules in the run, if any
  bool operator==(const Inputs&) const = default;
};

// The command-line options that decide what is simulated.
struct Options {
  Count packets = 0;
  bool drain = false;
  std::string arrival;
  std::string ports_in;
  std::string l4_key;
  std::vector<std::string> set;        // KEY=VALUE, in the order given
  std::vector<std::string> without{};  // resources that cost nothing; absent in older records
  std::optional<std::vector<std::string>> units{};  // the user's, as given; absent without
  bool operator==(const Options&) const = default;
};

struct Cycles {
  Count core = 0;
  Count ix_bus = 0;
  bool operator==(const Cycles&) const = default;
};

struct Clocks {
  Count core_hz = 0;
  Count ix_bus_hz = 0;
  bool operator==(const Clocks&) const = default;
};

struct Rates {
  double receive = 0;   // Mb/s
  double transmit = 0;  // Mb/s
  bool operator==(const Rates&) const = default;
};

struct FrameBytes {
  Count receive = 0;
  Count transmit = 0;
  bool operator==(const FrameBytes&) const = default;
};

// The cycle of the first start of packet in each direction, over all ports; nothing when there was
// none.
struct FirstStart {
  std::optional<Count> receive;
  std::optional<Count> transmit;
  bool operator==(const FirstStart&) const = default;
};

struct Port {
  Count id = 0;
  Count received = 0;
  Count sent = 0;
  Count overflow = 0;  // frames that found no room in the media device
  Rates rates_mbps;
  FrameBytes frame_bytes;             // of the received and sent frames, with FCS, without the gap
  std::optional<double> line_mbps{};  // of its wire, each way; absent in older records
  bool operator==(const Port&) const = default;
};

struct Packets {
  Count offered = 0;
  Count missed_by_media = 0;
  Count received = 0;
  Count sent = 0;
  Count denied = 0;
  Count no_match = 0;
  Count dropped_queue_full = 0;
  CountByName dropped_other;  // by reason
  Count in_flight = 0;
  Count classified = 0;
  Count misclassified = 0;                // another rule than the reference classifier's
  std::optional<Count> no_match_dropped;  // of no_match; absent: all of them
  Count misforwarded = 0;                 // right rule, wrong action or port
  Count altered_frames = 0;               // sent frames that differ from the received one
  Count sent_again = 0;                   // frames sent more than once, or never received
  Count reordered_within_port = 0;
  Count reordered = 0;                    // sent after one that arrived later on the same port
  std::optional<Count> cached{};          // verdicts that a flow cache knew; absent without one
  std::optional<Count> mega_flow_hits{};  // verdicts of a cache of mega flows; absent without one
  bool operator==(const Packets&) const = default;
};

// Received to sent, in cycles; all 0 when nothing was sent.
struct PacketLatencyRecord {
  Count min = 0;
  Count p50 = 0;
  Count p90 = 0;
  Count p99 = 0;
  Count max = 0;
  std::optional<Count>
      total{};  // of all packets; only of classification times, absent in older records
  bool operator==(const PacketLatencyRecord&) const = default;
};

// How many packets took from `from` to `to` cycles, both included, from received to sent.
struct LatencyBucket {
  Count from = 0;
  Count to = 0;
  Count count = 0;
  bool operator==(const LatencyBucket&) const = default;
};

// Issue to the context being ready, in cycles.
struct ReferenceLatency {
  double mean = 0;
  Count p99 = 0;
  Count total = 0;  // over all references; the mean is derived from it
  bool operator==(const ReferenceLatency&) const = default;
};

// References, and what they move.
struct ReferenceSum {
  Count references = 0;
  Count longwords = 0;
  bool operator==(const ReferenceSum&) const = default;
};

// Cycles for packets, or while waiting: executed ones of an engine, or those for which a bus was
// held. A reader of `lines` finds the same sums.
struct WorkCycles {
  Count useful = 0;
  Count starved = 0;    // polls for work
  Count blocked = 0;    // polls for room
  Count lock_spin = 0;  // polls for a lock
  bool operator==(const WorkCycles&) const = default;
};

// As lines name it; `useful` for anything else.
inline Count& cycles_of(WorkCycles& cycles, const std::string& work) {
  if (work == "starved")
    return cycles.starved;
  if (work == "blocked")
    return cycles.blocked;
  return work == "lock_spin" ? cycles.lock_spin : cycles.useful;
}

struct MemoryRecord {
  double active_pct = 0;
  double mbps = 0;  // active share x peak
  Count references = 0;
  Count longwords = 0;
  Count queue_peak = 0;
  ReferenceLatency latency_cycles;
  double transferred_mbps = 0;  // data moved
  Count active_cycles = 0;
  double peak_mbps = 0;                     // from the chip description
  std::optional<ReferenceSum> under_way{};  // at the stop; absent in older records
  std::optional<ReferenceSum> by_core{};    // issued by the core processor, when rules change
  // What follows is absent in older records. References had the bus so much later than they would
  // have in an idle unit; of `active_cycles`, those for engines' references, and in percent of the
  // run's cycles (polling is all but useful).
  std::optional<Count> delay_cycles{};
  std::optional<WorkCycles> work_cycles{};
  std::optional<double> useful_pct{}, polling_pct{};
  bool operator==(const MemoryRecord&) const = default;
};

struct Memory {
  MemoryRecord sram;
  MemoryRecord sdram;
  MemoryRecord scratch;
  bool operator==(const Memory&) const = default;
};

// One cache. Look-ups count lines; a write to a line that others may hold misses.
struct CacheRecord {
  Count references = 0;  // performed in the cache
  Count forwarded = 0;   // performed by the memory: locks, free lists, FIFOs, written through
  Count read_hits = 0;
  Count read_misses = 0;
  Count write_hits = 0;
  Count write_misses = 0;
  Count merged = 0;         // misses of lines that were under way
  Count fetched = 0;        // misses for which the line came
  Count upgraded = 0;       // misses of writes for which the line was there
  Count not_allocated = 0;  // misses of writes that went to memory without the line
  Count under_way = 0;      // lines asked for, at the stop
  Count from_caches = 0;    // lines that another cache supplied
  Count replaced = 0;       // lines that made room
  Count invalidated = 0;    // lines that others' writes took away
  Count written_back = 0;   // lines
  Count lines_held = 0;     // at the stop
  bool operator==(const CacheRecord&) const = default;
};

// The caches before one memory: one that all engines share, or one for each engine, joined by a
// bus.
struct CachesRecord {
  std::string memory;
  std::string sharing;  // `shared`, `private`
  Count lines = 0;      // of each cache
  Count line_bytes = 0;
  Count ways = 0;
  std::vector<CacheRecord> caches;  // by engine
  Count bus_transactions = 0;
  Count bus_held_cycles = 0;
  Count bus_waited_cycles = 0;  // of all transactions, for want of the bus
  Count lines_read = 0;         // that the memory served
  Count lines_written = 0;
  Count lines_to_read = 0;  // that the memory was asked for
  Count lines_to_write = 0;
  double hit_pct = 0;  // of the look-ups
  double bus_pct = 0;  // of the run's cycles
  bool operator==(const CachesRecord&) const = default;
};

struct EngineCycles {
  Count executing = 0;
  Count aborted = 0;
  Count stalled = 0;
  Count idle = 0;
  bool operator==(const EngineCycles&) const = default;
};

struct Thread {
  Count id = 0;
  Count executing = 0;
  Count aborted = 0;
  Count stalled = 0;
  Count ready = 0;
  CountByName waiting;  // by what is waited for
  Count off = 0;
  CountByName waiting_on{};  // the same, `fbi` split into `scratch`, `hash` and `fbi`
  CountByName
      idle{};  // the engine's idle cycles by what the thread did: as waiting_on, `ready`, `off`
  bool operator==(const Thread&) const = default;
};

struct Engine {
  Count id = 0;
  std::string role;
  std::string program;
  EngineCycles cycles;
  double executing_pct = 0;
  double aborted_pct = 0;
  double stalled_pct = 0;
  double idle_pct = 0;
  double mips = 0;
  Count instructions = 0;  // executed
  Count words = 0;         // of control store, in instructions
  // On lines that stand for code that was not printed, tuned by the mapping; absent in older
  // records.
  std::optional<Count> calibration_cycles{};
  std::optional<double> calibration_pct{};
  std::optional<WorkCycles> work_cycles{};  // of `executing`; absent in older records
  // The same in percent of the run's cycles; polling is all but useful.
  std::optional<double> useful_pct{}, starved_pct{}, blocked_pct{}, lock_spin_pct{}, polling_pct{};
  std::vector<Thread> threads;
  CountByName aborted_by;    // by branch class
  CountByName stalled_on{};  // by what held the instruction: a queue, or the command bus
  bool operator==(const Engine&) const = default;
};

// Cycles of one source line on one engine; code without a source line has the file `<generated>`.
struct Line {
  Count engine = 0;
  std::string file;
  Count line = 0;
  bool poll = false;
  Count executing = 0;
  Count aborted = 0;
  Count stalled = 0;
  Count waiting = 0;
  CountByName stalled_on{};     // as the engine's
  CountByName waiting_on{};     // as the threads'
  CountByName references{};     // issued, by unit
  CountByName longwords{};      // that these move, by unit
  std::string work = "useful";  // or starved, blocked, lock_spin: then `poll` is set
  CountByName bus_cycles{};     // for which its references held a bus, by unit
  CountByName cache_hits{};     // look-ups in caches, by memory: a line each
  CountByName cache_misses{};
  bool operator==(const Line&) const = default;
};

// The words of an engine's program with what each cost, in columns of one entry a word.
struct Program {
  Count engine = 0;
  std::vector<std::string> assembly;  // instructions, a label in front as `name#: `
  std::vector<std::string> files;     // that `file` counts
  std::vector<Count> file;            // as many as `files`: no source line
  std::vector<Count> line;
  std::vector<Count> executing;
  std::vector<Count> aborted;
  std::vector<Count> stalled;
  std::vector<Count> waiting;
  std::vector<Count> references;
  std::vector<Count> longwords;
  std::vector<std::string>
      next;  // `+` the word after, a number that word, `+7` either; `?` any; `end`
  bool operator==(const Program&) const = default;
};

// The text of a file that `lines` names, so that a report needs nothing but the record.
struct Source {
  std::string file;
  std::string text;
  bool operator==(const Source&) const = default;
};

// A group of tasks on threads of its own.
struct StageRecord {
  std::string name;
  std::string role;                 // `receive`, `transmit`, `tasks`, `program`
  std::vector<ThreadName> threads;  // in their order
  std::vector<std::string> tasks;
  std::string program;  // of a hand-written stage
  bool operator==(const StageRecord&) const = default;
};

// A range of a memory and what it is for.
struct MemoryRangeRecord {
  std::string memory;
  std::string purpose;
  Count base = 0;  // byte address
  Count bytes = 0;
  bool operator==(const MemoryRangeRecord&) const = default;
};

// One memory over time: counts from cycle 0 to each sample.
struct MemorySeries {
  std::vector<Count> active_cycles;
  std::vector<Count> references;
  bool operator==(const MemorySeries&) const = default;
};

// Entries in all rings of a queue at each sample.
struct QueueSeries {
  std::string name;
  std::vector<Count> entries;
  bool operator==(const QueueSeries&) const = default;
};

// Of a match unit: from cycle 0 on, but for the sessions.
struct MatchSeries {
  std::vector<Count> lookups;    // that ended
  std::vector<Count> looked_up;  // sessions that the input handler sent on
  std::vector<Count> bursts;     // of DRAM, read and written
  std::vector<Count> sessions;   // under way at that cycle
  bool operator==(const MatchSeries&) const = default;
};

// The run over time: sample i is of the beginning of cycle (i + 1) * interval_cycles.
struct Samples {
  Count interval_cycles = 0;
  std::vector<Count> received;  // from cycle 0 on
  std::vector<Count> sent;      // from cycle 0 on
  std::vector<Count> in_flight;
  MemorySeries sram;
  MemorySeries sdram;
  MemorySeries scratch;
  std::vector<QueueSeries> queues;
  std::vector<Count> received_bytes{};  // of these frames, with FCS; absent in older records
  std::vector<Count> sent_bytes{};
  std::optional<MatchSeries> match{};  // none: the run has no match unit
  bool operator==(const Samples&) const = default;
};

// What a thread did: from cycle from[i] to from[i + 1], the last slice to the timeline's end, it
// was in states[state[i]] at places[place[i]].
struct TimelineThread {
  Count engine = 0;
  Count thread = 0;
  std::vector<Count> from;
  std::vector<Count> state;
  std::vector<Count> place;
  bool operator==(const TimelineThread&) const = default;
};

struct TimelineRange {
  Count from = 0;
  Count to = 0;  // the first cycle after it
  std::optional<std::string> name{};
  bool operator==(const TimelineRange&) const = default;
};

// How full a queue was: from cycle from[i] on it held depth[i] entries.
struct TimelineQueue {
  std::string name;
  Count entries = 0;  // that it holds
  std::vector<Count> from;
  std::vector<Count> depth;
  bool operator==(const TimelineQueue&) const = default;
};

// Ranges of cycles, cycle by cycle.
struct Timeline {
  Count from = 0;
  Count to = 0;                     // the first cycle after the last range
  std::vector<std::string> states;  // `unobserved`: between two ranges
  std::vector<std::string> places;  // `file:line`; empty: none
  std::vector<TimelineThread> threads;
  std::vector<TimelineRange> ranges{};  // none: one, from `from` to `to`
  std::vector<TimelineQueue> queues{};  // those that ever held anything
  bool operator==(const Timeline&) const = default;
};

// All rings of a queue of the mapping.
struct QueueRecord {
  std::string name;
  Count entries = 0;  // of each ring
  Count peak = 0;     // the most that one ring held
  Count enqueued = 0;
  Count dequeued = 0;
  Count refused = 0;  // packets dropped because it was full
  Count rings = 1;
  std::string from{};  // stage
  std::string to{};    // stage
  std::string memory{};
  bool operator==(const QueueRecord&) const = default;
};

// A table of the algorithm, as the builder made it, and how often the engines referred to it.
struct TableUse {
  std::string name;
  std::string memory;
  Count bytes = 0;
  Count references = 0;  // completed ones that begin in it
  bool operator==(const TableUse&) const = default;
};

// From taking an update up to the link that puts it in force, in cycles.
struct UpdateLatency {
  double mean = 0;
  Count max = 0;
  Count total = 0;  // over all updates in force; the mean is derived from it
  bool operator==(const UpdateLatency&) const = default;
};

// Rules that the core processor inserted and deleted while the engines classified.
struct Updates {
  Count asked = 0;    // of the file or SPEC
  Count inserts = 0;  // in force by the stop
  Count deletes = 0;
  Count rules_at_start = 0;
  Count rules_at_stop = 0;
  Count first_cycle = 0;  // in which one came into force
  Count last_cycle = 0;
  double updates_per_s = 0;  // between these, of simulated time
  Count references = 0;      // of the core processor
  Count longwords_written = 0;
  Count waits = 0;  // until all lookups were over that had begun before
  Count wait_cycles = 0;
  UpdateLatency latency_cycles;
  Count contested_packets = 0;  // to which the rule sets in force meanwhile give several answers
  bool operator==(const Updates&) const = default;
};

// The run without its warm-up, which reports/analysis/steady_state.h finds.
struct Steady {
  Count from_cycle = 0;
  bool reached = false;  // else rates and latencies depend on the length of the run
  Rates rates_mbps;      // from from_cycle to the stop
  PacketLatencyRecord
      latency_cycles;  // of the packets sent from from_cycle on; 0 if there are too many
  bool warm_up_discarded =
      false;  // not in the file: the record's own rates and latencies are these
  bool operator==(const Steady&) const = default;
};

// One run of a search for the throughput.
struct ThroughputTrial {
  double offered_mbps = 0;      // over all ports
  double loss_pct = 0;          // of the offered packets, for want of room
  double accumulation_pct = 0;  // of the packets received in the second half: more in flight
  bool passed = false;
  bool operator==(const ThroughputTrial&) const = default;
};

// The highest offered rate at which no more than the allowed share is lost (RFC 2544, 26.1); the
// record is that of the run at it.
struct Throughput {
  double offered_mbps = 0;  // over all ports; 0: even the lowest rate lost more
  double allowed_loss_pct = 0;
  double resolution_pct = 0;            // of the line rate
  std::vector<ThroughputTrial> trials;  // in the order in which they ran
  bool operator==(const Throughput&) const = default;
};

// Why the run ended badly: the kind (`check`, `deadlock`, `fault`, ...), a sentence, and what
// belongs to it, such as what each thread waits for.
inline constexpr const char* kFaultFailure = "fault";
inline constexpr const char* kDeadlockFailure = "deadlock";
inline constexpr const char* kCheckFailure = "check";
struct Failure {
  std::string kind;
  std::string message;
  std::vector<std::string> details;
  bool operator==(const Failure&) const = default;
};

// The machine the run was made on: the only part that may differ between two runs of the same
// inputs.
struct Host {
  double wall_s = 0;
  double core_cycles_per_s = 0;  // simulation phase alone
  double instructions_per_s = 0;
  double simulation_s = 0;
  double build_s = 0;  // of the tables, once
  bool operator==(const Host&) const = default;
};

// What bounds a run, as reports/analysis/verdict.h finds it.
struct BoundRecord {
  std::string resource;  // as `--without` takes it
  double use_pct = 0;    // of the run's cycles or of the line rate
  double useful_pct = 0;
  double gain_if_removed_pct = 0;  // packets/s more, estimated from the record
  bool operator==(const BoundRecord&) const = default;
};

struct VerdictRecord {
  std::string best;  // of the compared runs, by its short name; of one run its own
  BoundRecord bound;
  std::vector<std::string> sentences;
  bool operator==(const VerdictRecord&) const = default;
};

struct RunRecord {
  std::optional<std::vector<std::string>> left_out;  // parts that a lean record does not hold
  Tool tool;
  Inputs inputs;
  Count seed = 0;
  Options options;
  Cycles cycles;
  double simulated_seconds = 0;
  std::vector<Port> ports;
  Packets packets;
  Rates rates_mbps;
  PacketLatencyRecord latency_cycles;
  Memory memory;
  std::vector<Engine> engines;
  std::vector<Line> lines;
  std::vector<Program> programs;
  std::vector<Source> sources;
  Host host;
  Clocks clocks;
  FirstStart first_start_cycle;
  std::vector<QueueRecord> queues;
  std::vector<StageRecord> stages;
  std::vector<MemoryRangeRecord> memory_map;     // by memory and base
  std::vector<LatencyBucket> latency_histogram;  // buckets with a count, the shortest first
  Samples samples;
  std::optional<Steady> steady;
  std::optional<Throughput> throughput;  // when it was searched for
  std::optional<Timeline> timeline;
  std::optional<Activity> activity;
  std::vector<TableUse> tables;
  std::optional<Updates> updates;
  CountByName built;  // what the table builder says of its work, by name
  std::vector<std::string>
      workload;      // the choices behind rules and traffic, as sentences for the report's head
  std::string mode;  // how the chip was simulated
  Count window_cycles =
      0;  // how far parts of the chip could be apart: 1 in lockstep; 0 in older records
  std::string state_hash;  // hexadecimal; of the chip at the stop
  std::optional<Failure> failure;
  std::optional<VerdictRecord> verdict{};  // absent in older records
  // Key loaded to verdict, of the packets that have both; absent in older records and where none
  // has.
  std::optional<PacketLatencyRecord> classification_cycles{};
  std::vector<LatencyBucket> classification_histogram{};  // as latency_histogram
  std::optional<std::vector<CachesRecord>> caches{};      // absent without caches
  std::optional<DramRecord> dram{};                       // absent without DDR4
  std::optional<MatchRecord> match{};                     // absent where no match unit is used
  bool operator==(const RunRecord&) const = default;
};

enum class JsonLayout { kIndented, kCompact };

// The record as JSON text with a final newline. Equal records give identical text; floating-point
// values are printed with the fewest digits that read back as the same value, and must be finite.
std::string to_json(const RunRecord& record, JsonLayout layout = JsonLayout::kIndented);

// The record's text without `host`: identical for two runs with the same inputs and seed.
std::string reproducible_json(const RunRecord& record);

// Several runs as one text, schema "nplab.compare/1".
std::string compare_json(const std::vector<RunRecord>& records,
                         const std::optional<VerdictRecord>& verdict = {});

// Reads one run record. Syntax errors, another schema, missing and ill-typed keys are reported at
// their line, each naming its JSON path, and give nothing. Keys that the contract does not name may
// be missing; unknown keys are skipped, since later versions add some.
std::optional<RunRecord> from_json(const std::string& text, const std::string& file,
                                   Diagnostics& diagnostics);

// Reads a run record or a comparison, told apart by `schema`. Empty when anything was reported.
std::vector<RunRecord> read_records(const std::string& text, const std::string& file,
                                    Diagnostics& diagnostics);

}  // namespace nplab::reports
