// A resolved mapping: every stage, queue and table in its place on the chip, checked. What a code
// generator, the loader of memories and `nplab show` need; nothing about C text. It is handed out
// as const and does not change after place() (place.h); verify() (verify.h) checks it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mappings/files/manifest.h"
#include "mappings/files/mapping_file.h"
#include "mappings/resolver/queue_protocol.h"
#include "mappings/resolver/thread_place.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {

// One longword of metadata: a scalar, or one dimension's.
struct MetadataElement {
  std::string name;
  std::optional<unsigned> dimension;
  friend auto operator<=>(const MetadataElement&, const MetadataElement&) = default;
};
std::string to_string(const MetadataElement& element);  // `rule`, `vector[2]`

struct TaskCall {
  // Of the algorithm, or of a front (files/front.h): before the algorithm's calls, after them.
  enum class Part { kAlgorithm, kLookup, kKeep };
  std::string task;
  std::optional<unsigned> dimension;    // of a task per dimension
  std::vector<unsigned> packet_fields;  // the dimensions whose field it reads
  std::vector<MetadataElement> reads;
  std::vector<MetadataElement> writes;
  std::optional<MetadataElement>
      leave_when_zero;  // when it wrote 0 here: no match, the calls that follow are skipped
  Part part = Part::kAlgorithm;
};
std::string to_string(const TaskCall& call);  // `intersect`, `lookup[2]`

struct Stage {
  std::string name;
  StageRole role{};
  std::vector<ThreadPlace>
      threads;  // in the mapping's order of engines; a thread's rank is its index here
  std::vector<TaskCall> calls;
  std::string program;  // path, of a hand-written stage
  std::vector<unsigned>
      packet_fields;                // dimensions to load from the packet; none: no header is read
  std::vector<std::size_t> inputs;  // queues
  bool joins = false;               // takes a packet from each of them, not from one
  std::vector<std::size_t>
      outputs;  // queues; one, several that each get every packet, or of transmit none
  std::vector<MetadataElement>
      leave_when_zero;  // carried in: when one is 0, no match, and all calls are skipped
  // Written here or carried in, with a front: when it is 1 the verdict is known, and the
  // algorithm's calls are skipped.
  std::optional<MetadataElement> answered;
  bool gives_verdict = false;  // its output leads to transmit: it applies rule, action and no_match
  std::vector<std::size_t>
      orders;  // of receive: queues with order: port, whose rings' slots it numbers
  std::vector<std::size_t>
      releases;  // queues with release end_of_packet whose `released` it counts up
};

// An instance of a queue is a ring: a control block, then entries. Its counts and what they mean
// follow from the queue's protocol (queue_protocol.h); mappings/library/queue.h has the offsets.
// With RingShape::kCounters head, tail and released are running counts (masked by entries - 1 where
// they index): the consumer counts head, the producer tail, and released goes up when an entry is
// given back. The queue is empty when tail == head. It is full when tail - head == entries, or with
// release end_of_packet when tail - released == entries.
inline constexpr std::uint32_t kQueueHeadOffset = 0;  // bytes into the instance
inline constexpr std::uint32_t kQueueTailOffset = 4;
inline constexpr std::uint32_t kQueueReleasedOffset = 8;
inline constexpr std::uint32_t kQueueLockOffset = 12;  // bit 0 producers, bit 1 consumers
inline constexpr std::uint32_t kQueueControlBytes = 16;
// With lines of their own (QueueProtocol::has_own_lines): a line for each longword of the control
// block, and rings of entire lines.
inline constexpr std::uint32_t kQueueLineBytes = 64;
inline constexpr std::uint32_t kQueueControlLineBytes = kQueueControlBytes / 4 * kQueueLineBytes;
// The bit of packet information, an entry's second longword, that changes with every lap of a ring
// (mappings/library/queue.h, ENTRY_LAP).
inline constexpr int kLapBit = 15;
inline constexpr std::uint32_t kPacketHandleLongwords =
    2;  // every entry begins with them; carried metadata follows

struct QueueInstance {
  std::uint32_t base = 0;  // byte address; in registers a name for annotations alone
  std::vector<ThreadPlace> producers;
  std::vector<ThreadPlace> consumers;
};

struct Queue {
  std::string name;
  std::size_t from = 0;  // stages
  std::size_t to = 0;
  QueuePer per{};
  QueueRoute route{};
  isa::MemorySpace memory{};  // with RingShape::kRegisters: none
  std::uint32_t entries = 0;
  std::uint32_t entry_longwords = 0;
  std::vector<MetadataElement> carried;  // longwords 2.. of an entry, in this order
  WhenFull full{};
  QueueRelease release{};
  // Entries that a consumer takes at a time. Beyond 1 the head runs ahead of what is read: the
  // consumer zeroes the second longword of each entry that it has read, and a producer finds the
  // ring full where it is not 0 yet.
  std::uint32_t quantum = 1;
  QueueProtocol protocol;
  QueueWait wait{};
  std::uint32_t poll_cycles = 0;  // the least time between two looks of a thread
  std::vector<QueueInstance> instances;

  // Metadata that says through which ring a packet came, where the end of the packet must know.
  [[nodiscard]] std::optional<MetadataElement> carried_ring() const;
  // Metadata that a packet brings to a queue with `order: port`: its number among the packets of
  // its input port, shifted by 4, and the port.
  [[nodiscard]] std::optional<MetadataElement> carried_order() const;

  [[nodiscard]] bool in_registers() const { return protocol.shape == RingShape::kRegisters; }
  [[nodiscard]] std::string memory_text() const;  // `sram`, `registers`

  [[nodiscard]] std::uint32_t control_bytes() const {
    return protocol.has_own_lines ? kQueueControlLineBytes : kQueueControlBytes;
  }
  [[nodiscard]] std::uint32_t alignment() const {
    return protocol.has_own_lines ? kQueueLineBytes : 8;
  }
  [[nodiscard]] std::uint64_t instance_bytes() const {
    const std::uint64_t bytes = control_bytes() + std::uint64_t{4} * entries * entry_longwords;
    const std::uint64_t locks = lock_area_bytes(protocol);
    const std::uint64_t all = locks == 0 ? bytes : lock_area_offset(bytes) + locks;
    return protocol.has_own_lines ? (all + kQueueLineBytes - 1) / kQueueLineBytes * kQueueLineBytes
                                  : all;
  }
};

// What a range of a memory is for.
enum class MemoryPurpose {
  kTable,
  kQueue,
  kBufferDescriptors,
  kPacketBuffers,
  kVariables,
  kCounters
};

struct MemoryUse {
  MemoryPurpose purpose{};
  std::string name;  // as the mapping's `memory` key pins it: a table, a queue, `buffers`, ...
  friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};
std::string to_string(const MemoryUse& use);  // `table pset`, `queue received`, `packet buffers`

struct MemoryRange {
  MemoryUse use;
  isa::MemorySpace space{};
  std::uint32_t base = 0;
  std::uint64_t bytes = 0;
};

struct TablePlacement {
  std::string name;
  isa::MemorySpace space{};
  std::uint32_t base = 0;
  std::uint64_t bytes = 0;
};

// Packet buffers in SDRAM, and their descriptors: 8-byte blocks of the SRAM unit's free list 0.
inline constexpr std::uint32_t kBufferBytes = 2048;
inline constexpr std::uint32_t kDescriptorBytes = 8;
struct PacketBuffers {
  std::uint32_t count = 0;
  std::uint32_t base = 0;              // a multiple of 2048
  std::uint32_t descriptors_base = 0;  // in SRAM
};

// Counters of packets in scratch; mappings/library/counters.h has their order.
struct PacketCounters {
  std::uint32_t base = 0;
  unsigned ports = 0;     // of the chip
  unsigned contexts = 0;  // of an engine, as thread numbers count them: 4 or 8

  // Byte addresses of the first longword of a row.
  [[nodiscard]] std::uint32_t dropped(unsigned reason) const { return base + 4 * reason; }
  [[nodiscard]] std::uint32_t received(unsigned port) const { return base + 32 + 16 * port; }
  [[nodiscard]] std::uint32_t sent(unsigned port, unsigned context) const {
    return base + 32 + 16 * ports + 8 * (port * contexts + context);
  }
  [[nodiscard]] std::uint32_t bytes() const { return sent(ports, 0) - base; }
};

// Where the compiler places an engine's variables in one memory: `bytes_per_thread` for each
// context, from context 0 up.
struct VariableArea {
  isa::MemorySpace space{};
  unsigned engine = 0;
  std::uint32_t base = 0;
  std::uint32_t bytes_per_thread = 0;
};

struct TuningValue {
  std::string name;
  std::int64_t value = 0;
  std::string reason;  // empty: the default
};

// A unit of the chip beside the engines.
struct PlacedUnit {
  std::string name;
  std::string unit;
};

struct Placement {
  std::string mapping;
  std::string summary;
  std::string algorithm;
  std::string algorithm_folder;
  std::string chip;
  unsigned engines = 0;                                    // of the chip
  std::map<isa::MemorySpace, std::uint64_t> memory_bytes;  // of the chip
  unsigned contexts = 0;                                   // of an engine of the chip
  unsigned control_store_words = 0;                        // of an engine
  std::vector<workloads::FieldDefinition> fields;          // one a dimension
  std::size_t rules = 0;
  ParameterValues parameters;
  std::vector<TaskDeclaration> tasks;  // as the manifest declares them: the shape of their structs
  std::vector<MetadataDeclaration> metadata;
  std::vector<Stage> stages;             // in the mapping's order
  std::vector<PlacedUnit> units;         // that tasks use
  std::vector<std::size_t> stage_order;  // topological, receive first
  std::vector<Queue> queues;
  std::vector<TablePlacement> tables;  // in the builder's order
  PacketBuffers buffers;
  std::vector<VariableArea> variables;
  PacketCounters counters;
  std::vector<MemoryRange> memory_map;  // by memory and base
  std::vector<TuningValue> tuning;      // every key
  Optimize optimize{};
  Egress egress{};
  NoMatch no_match{};
};

}  // namespace nplab::mappings
