// A mapping file's values, each checked by itself; the resolver checks how they fit together, the
// algorithm and the chip.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mappings/files/yaml_values.h"
#include "support/diagnostics.h"

namespace nplab::mappings {

enum class StageRole { kReceive, kTasks, kTransmit, kProgram };
enum class QueuePer { kProducerThread, kConsumerThread, kPair, kShared };
enum class QueueRoute { kOwn, kAll };
enum class WhenFull { kDrop, kWait };
enum class QueueRelease { kDequeue, kEndOfPacket };
// How threads that share a side of a ring keep apart: the cheapest way that is right, none, a
// register of their engine, or counts and locks in memory.
enum class QueueSync { kAuto, kNone, kEngine, kMemoryLock };
// What a lock in memory is made of; kAuto is the cheaper of test_and_set and lock_cam that the
// queue's memory has. docs/queues.md says which need what of the chip.
enum class LockPrimitive {
  kAuto,
  kTestAndSet,
  kLockCam,
  kTicket,
  kMcs,
  kCompareAndSwap,
  kMutex,
  kCondition
};
// How a consumer learns of an entry: it looks, or the producer signals it.
enum class QueueWait { kPoll, kSignal };
// Whether packets leave a queue in the order in which their input port received them.
enum class QueueOrder { kNone, kPort };
// Where a queue lies: a memory, or registers of the engine that both of its stages run on.
enum class QueueMemory { kSram, kSdram, kScratch, kRegisters };
// How a stage's threads are taken from its engines: spread over all of them first, or one engine
// filled after another.
enum class ThreadOrder { kStriped, kTiled };
// Which of its queues on one side a stage uses for a packet, where it has several: one that is
// there, or each of them.
enum class QueueChoice { kOne, kEach };
enum class Optimize { kPublished, kNone, kSome, kFull, kSize };
// As a mapping spells them, in the order of the enumerators: published, 0, 1, 2, s.
const std::vector<std::string>& optimize_words();
enum class Egress { kSamePort, kByAction };
enum class NoMatch { kDrop, kAllow };

// A task as a stage lists it: `lookup`, `lookup[2]`, `lookup[1..]`, `lookup[..1]`, `lookup[1..2]`.
// A single dimension must exist; a range takes the dimensions that exist. Nothing: all dimensions,
// or a task per packet.
inline constexpr unsigned kOpenRange = ~0U;  // the last dimension of `lookup[1..]`
struct TaskSelection {
  std::string task;
  struct Dimensions {
    unsigned first = 0;
    unsigned last = 0;
    bool is_range = false;
  };
  std::optional<Dimensions> dimensions;
  SourceLocation location;
};

// A number of threads over a stage's engines, whose contexts the resolver chooses.
struct SpreadThreads {
  ThreadOrder order{};
  Located<std::uint32_t> count;
};

struct StageEntry {
  std::string name;
  StageRole role{};
  std::vector<Located<unsigned>> engines;
  std::vector<std::vector<unsigned>>
      contexts;  // for each engine, where `spread` does not say how many
  SourceLocation threads_location;
  std::optional<SpreadThreads> spread;
  std::vector<TaskSelection> tasks;         // of a stage of tasks
  std::string program;                      // path of a hand-written one
  QueueChoice inputs = QueueChoice::kOne;   // each: a join, of the parts of a packet
  QueueChoice outputs = QueueChoice::kOne;  // each: a fork
  SourceLocation location;
};

// A unit of the chip that the tasks use: `role: unit`.
struct UnitEntry {
  std::string name;
  std::string unit;  // `match`
  SourceLocation location;
};

struct QueueEntry {
  std::string name;
  Located<std::string> from;  // stages
  Located<std::string> to;
  QueuePer per{};
  QueueRoute route{};
  Located<std::uint32_t> entries;
  Located<isa::MemorySpace> memory;
  bool in_registers = false;  // of the engine; then `memory` means nothing
  WhenFull full{};
  Located<QueueRelease> release;
  Located<QueueSync> sync;
  Located<LockPrimitive> primitive;
  // Instructions that stand for code of a system that was not printed: of a call that locks or
  // unlocks a mutex or condition variable, and of its way through the kernel to sleep or to wake.
  std::uint32_t call_instructions = 64;
  std::uint32_t kernel_instructions = 1024;
  Located<QueueWait> wait;
  Located<QueueOrder> order;
  std::uint32_t poll_cycles = 0;   // between two looks
  Located<std::uint32_t> quantum;  // entries that a consumer takes at a time
  SourceLocation location;
};

// One thing that the publication or the user's experiment leaves open, with the reason for its
// value.
struct TuningEntry {
  std::int64_t value = 0;
  std::string reason;
};

struct MappingFile {
  std::string file;
  std::string sha256;
  std::string name;
  std::string summary;
  Located<std::string> algorithm;
  Located<std::string> chip;
  Located<std::string> workload;
  Optimize optimize = Optimize::kFull;
  Egress egress = Egress::kSamePort;
  NoMatch no_match = NoMatch::kDrop;
  std::map<std::string, Located<std::int64_t>> parameters;
  Located<std::uint32_t> buffers;
  std::map<std::string, Located<isa::MemorySpace>> tables;
  std::vector<StageEntry> stages;  // that run on engines
  std::vector<UnitEntry> units;
  std::vector<QueueEntry> queues;
  std::map<isa::MemorySpace, std::map<std::string, Located<std::uint32_t>>> pins;
  std::map<isa::MemorySpace, Located<std::uint32_t>>
      variables;  // bytes a thread for what the compiler places
  std::map<std::string, TuningEntry> tuning;
  Located<std::string> front;  // empty: none
  SourceLocation stages_location;
  bool is_wiring_whole =
      true;  // no: a stage or queue lacks a key, so what follows from the wiring cannot be judged
};

// `--set mapping.K=V`: `path` is K, keys joined by dots; items of a list by number or by their
// `name`.
struct MappingOverride {
  std::string path;
  std::string value;
  SourceLocation location;
};

// Reads a mapping file and applies the overrides. All errors are reported. Nothing is returned when
// the file is no YAML map or does not say its algorithm, chip and workload; otherwise the mapping
// is, so that the resolver can find further errors in the same run: it gives no placement when
// there were errors here.
std::optional<MappingFile> read_mapping_file(const std::string& path,
                                             const std::vector<MappingOverride>& overrides,
                                             Diagnostics& diagnostics);

}  // namespace nplab::mappings
