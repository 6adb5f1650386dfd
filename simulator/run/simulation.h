// One run: programs, memory contents and packets in, counts out.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/program_image.h"
#include "simulator/base/fault.h"
#include "simulator/base/queued_references.h"
#include "simulator/base/watched_area.h"
#include "simulator/base/word_cost.h"
#include "simulator/bus/core_port.h"
#include "simulator/chip/chip_parts.h"
#include "simulator/dram/command_trace.h"
#include "simulator/dram/controller_counters.h"
#include "simulator/engine/engine_counters.h"
#include "simulator/fbi/frame_tracker.h"
#include "simulator/match_engine/match_unit.h"
#include "simulator/media/media_device.h"
#include "simulator/observe/ring_watch.h"
#include "simulator/observe/run_activity.h"
#include "simulator/observe/run_observer.h"
#include "simulator/observe/run_samples.h"
#include "simulator/parameters/chip_description.h"
#include "simulator/run/mode.h"
#include "support/diagnostics.h"
#include "workloads/traffic/packet_source.h"

namespace nplab::simulator {

// The program of one engine and the contexts that run it; none: the engine is off.
struct LoadedProgram {
  isa::ProgramImage image;
  std::vector<ContextId> contexts;
  std::vector<WordCost> costs = {};  // by word; none: a cycle each
};

// Memories whose buses no reference holds (MemoryUnit::stop_occupying).
struct FreeMemories {
  bool sram = false;
  bool sdram = false;
  bool scratch = false;
};

struct InitialLongword {
  isa::MemorySpace space{};
  std::uint32_t address = 0;  // bytes, a multiple of 4
  std::uint32_t value = 0;
};

// When a run ends, besides a failure and the end of all threads; what comes first counts.
struct StopConditions {
  std::optional<std::uint64_t> packets_received;  // at the end of the cycle in which this many are
  bool drained = false;     // no frame still to come, none buffered, none in flight
  Cycles settling = 0;      // drained: how long the run continues then, for software to tidy up
  std::optional<Cycle> at;  // before this cycle
};

struct RunProgress {
  Cycle at;
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
};

struct ModeChange {
  Cycle from;
  Mode mode{};
};

class RunVisitor;

struct SimulationInputs {
  ChipDescription chip;
  std::vector<std::optional<LoadedProgram>> engines;  // by number; missing ones are off
  std::vector<InitialLongword> memory;                // after the programs' own data
  std::vector<std::uint32_t> free_lists;  // first block of each, by number; missing ones are empty
  workloads::PacketSource* packets = nullptr;  // none: nothing arrives; outlives the run
  MediaTraffic traffic;
  VerdictSink* verdicts = nullptr;  // these three may be absent, and outlive the run
  FrameObserver* frames = nullptr;
  AnnotationSink* console = nullptr;  // console_hex, console_char
  FreeMemories free_memories;
  CoreProgram* core = nullptr;  // what the core processor does, if anything; outlives the run
  std::shared_ptr<const match::MatchContents> match;  // none: the chip's match unit is not used
  dram::CommandObserver* dram_commands = nullptr;     // of a DDR4 memory; outlives the run
  StopConditions stop;
  std::vector<WatchedRing> rings;        // whose counts the result holds
  std::vector<WatchedArea> areas;        // whose references the result holds
  Cycles watchdog = 10'000'000;          // without progress unless the wire is silent; 0: off
  Mode mode = Mode::kWindows;            // from cycle 0 on
  std::vector<ModeChange> mode_changes;  // in the order of their cycles
  Observation observation;               // lockstep over its ranges, whatever the mode
  std::optional<WordGroups>
      activity;  // what the result's activity counts words by; none: none is collected
  std::function<void(const RunProgress&)> progress;  // called now and then
  std::function<void(const ChipParts&)>
      inspect;                    // called once at the stop, to look at registers and memory
  RunVisitor* visitor = nullptr;  // outlives the run; without an observer only
};

struct MemoryCounters {
  Cycles active_cycles = 0;
  std::uint64_t references = 0;
  std::uint64_t longwords = 0;
  unsigned queue_peak = 0;
  Cycles total_latency = 0;  // of all references
  Cycles latency_p99 = 0;
  double peak_mbps = 0;        // of the bus, Mb/s
  QueuedReferences under_way;  // issued, and not served at the stop
  std::optional<QueuedReferences> by_core =
      std::nullopt;             // issued by the core processor, if it has a program
  Cycles total_delay = 0;       // of all references, for want of the bus
  CyclesByWord active_by_word;  // active_cycles for the engines' references
};

// The caches before one memory.
struct CacheUse {
  struct Cache {
    CacheCounters counters;
    std::uint64_t lines_held = 0;  // at the stop
    std::uint64_t misses_under_way = 0;
  };
  std::string memory;         // `sram`, `sdram`, `scratch`
  std::vector<Cache> caches;  // one that is shared, or one for each engine
  CacheBusCounters bus;
  CyclesByWord hits_by_word;
  CyclesByWord misses_by_word;
};

// A DDR4 memory.
struct DramUse {
  struct Channel {
    dram::ControllerCounters counters;
    std::uint64_t waiting_reads = 0;  // bursts, at the stop
    std::uint64_t waiting_writes = 0;
  };
  std::vector<Channel> channels;
  std::uint64_t memory_clocks = 0;  // in so many core cycles
  std::uint64_t core_cycles = 0;
  std::uint64_t clocks = 0;       // of the run
  std::uint64_t bursts_read = 0;  // that references asked for
  std::uint64_t bursts_written = 0;
};

// The match unit beside the engines.
struct MatchUse {
  match::MatchUnitCounters counters;
  std::uint64_t unit_clocks = 0;  // in so many core cycles
  std::uint64_t core_cycles = 0;
  std::uint64_t clocks = 0;  // of the run
  match::InputCounters input;
  match::MatchCacheCounters cache;
  match::LoadCounters loads;
  match::StoreCounters stores;
  match::ActionCounters actions;
  std::uint64_t memory_full_cycles = 0;
  DramUse dram;
  std::uint64_t inexact_rules = 0;  // whose counters are not what the answers come to
};

struct PortCounters {
  DirectionCounters received;
  DirectionCounters sent;
  ReceivePort::Counters wire;
};

// Frames that a thread gave up, by DropReason - 1.
using ThreadDrops = std::array<std::uint64_t, kDropReasons>;

struct Deadlock {
  Cycle last_progress;
  std::vector<std::string> waiting;  // what every thread, queue and frame waits for
};

struct PacketLatency {
  Cycles min = 0, p50 = 0, p90 = 0, p99 = 0, max = 0;
  std::uint64_t total = 0;
  std::vector<LatencyHistogram::Bucket> buckets;  // those with a count, the shortest first
};

struct SimulationResult {
  Cycles cycles = 0;
  std::uint64_t ix_bus_cycles = 0;
  std::vector<EngineCounters> engines;
  MemoryCounters sram, sdram, scratch;
  std::vector<CacheUse> caches;
  std::optional<DramUse> dram;    // none: the SDRAM is not DDR4
  std::optional<MatchUse> match;  // none: no match unit is used
  std::vector<PortCounters> ports;
  FrameCounters frames;
  std::uint64_t frames_in_flight = 0;  // received, and neither sent nor dropped
  std::vector<ThreadDrops> drops;      // by ThreadId::place(); threads after the last dropped none
  std::vector<RingCounters> rings;     // as in the inputs
  std::vector<std::uint64_t> area_references;  // as in the inputs
  PacketLatency latency;                       // received to sent
  PacketLatency classification;                // key loaded to verdict
  std::vector<Cycles>
      latencies;  // of each sent packet in their order; none when there are too many
  SampleSeries samples;
  std::optional<ActivitySeries> activity;
  std::vector<std::string> violations;  // of what must hold for every frame, as sentences
  std::uint64_t violation_count = 0;
  std::vector<std::string> in_flight;  // sentences on some of the frames in flight at the stop
  std::uint64_t state_hash = 0;
  std::optional<Fault> fault;
  std::optional<Deadlock> deadlock;
  double seconds = 0;  // of the host, simulation phase alone
};

// Whether the inputs can run at all: programs fit the control store, contexts and addresses exist.
// Reports what does not.
bool check_inputs(const SimulationInputs& inputs, Diagnostics& diagnostics);

// What executes the run. The result is the same.
enum class Kernel {
  kSystemC,           // the module hierarchy
  kSystemCProcesses,  // ... with a process for each module of the match unit
  kNone,              // the parts joined directly
};

// Runs to a stop condition, a deadlock, or kReach cycles after a fault. The inputs must be right
// (check_inputs). Defined in systemc/, which has the chip with the kernel and without.
SimulationResult simulate(const SimulationInputs& inputs, Kernel kernel = Kernel::kSystemC);

// "file.c:12" of a control-store word, or empty when it has no source line.
std::string source_of(const isa::ProgramImage& image, std::uint32_t pc);

}  // namespace nplab::simulator
