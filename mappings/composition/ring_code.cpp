// More than 500 lines: the variants of a ring share how entries, laps and counts are written as C,
// and differ in a few lines each.
#include "mappings/composition/ring_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {
namespace {

constexpr std::uint32_t kLongestBurst = 8;  // longwords

// Counts go up by 2 for an entry: bit 0 of a count in memory is its lock.
constexpr std::uint32_t kCountStep = 2;

// Tail, freed and head.
constexpr unsigned kLockedCounts = 3;

class RingCode {
 public:
  RingCode(const Queue& queue, std::size_t number)
      : queue_(queue),
        protocol_(queue.protocol),
        number_(number),
        memory_(memory_qualifier(queue.memory).substr(2)) {}

  [[nodiscard]] std::string text() const {
    std::string code =
        fmt::format("// queue {}: {} rings of {} entries of {} longwords in {}\n", name(),
                    queue_.instances.size(), queue_.entries, queue_.entry_longwords, memory_);
    if (uses_queue_locks())
      code += "#include \"queue_locks.h\"\n";
    if (is_numbered())
      return code + numbered_put() + skip() + has_room() + get() + "\n";
    code += put() + (queue_.quantum > 1 ? get_of_quantum() : get());
    if (queue_.release == QueueRelease::kEndOfPacket)
      code += release();
    return code + "\n";
  }

 private:
  [[nodiscard]] const std::string& name() const { return queue_.name; }
  [[nodiscard]] bool has_lap_bit() const { return protocol_.shape != RingShape::kEntryFlag; }
  [[nodiscard]] bool is_numbered() const { return protocol_.shape == RingShape::kSequence; }

  // Addresses and words of the ring at `queue`.
  [[nodiscard]] std::string place(const std::string& offset) const {
    return protocol_.has_own_lines ? fmt::format("ON_OWN_LINE({})", offset) : offset;
  }
  [[nodiscard]] std::string address(const std::string& offset) const {
    return "queue + " + place(offset);
  }
  [[nodiscard]] std::string read(const std::string& offset) const {
    return fmt::format("{}_read((__{} void*)({}))", memory_, memory_, address(offset));
  }
  [[nodiscard]] std::string look_for_room() const {
    return fmt::format("look_for_room_{}({})", memory_, address("RING_FREED"));
  }
  [[nodiscard]] std::string write(const std::string& offset, const std::string& value) const {
    return fmt::format("{}_write((__{} void*)({}), {});", memory_, memory_, address(offset), value);
  }
  [[nodiscard]] std::string take(const std::string& offset) const {
    return fmt::format("take_{}_{}({}{}{})", primitive(), memory_, lock_of(offset), address(offset),
                       spent());
  }
  // Ends the lock with a new count.
  [[nodiscard]] std::string give(const std::string& offset, const std::string& count) const {
    return fmt::format("give_{}_{}({}{}, {}{});", primitive(), memory_, lock_of(offset),
                       address(offset), count, spent());
  }
  // As queue.h and queue_locks.h name it.
  [[nodiscard]] const char* primitive() const {
    switch (protocol_.primitive) {
      case LockPrimitive::kLockCam: return "cam";
      case LockPrimitive::kCompareAndSwap: return "swap";
      case LockPrimitive::kMutex: return "mutex";
      case LockPrimitive::kCondition: return "condition";
      case LockPrimitive::kTicket: return "ticket";
      case LockPrimitive::kMcs: return "mcs";
      case LockPrimitive::kAuto:
      case LockPrimitive::kTestAndSet: break;
    }
    return "count";
  }
  // The lock that protects a count, where it lies apart: an argument before the count's. A count
  // has one side that locks it.
  [[nodiscard]] std::string lock_of(const std::string& offset) const {
    if (!lies_apart(protocol_.primitive))
      return "";
    const std::uint64_t area = lock_area_offset(
        queue_.control_bytes() + std::uint64_t{4} * queue_.entries * queue_.entry_longwords);
    const unsigned side = offset == "RING_TAIL" ? 0 : offset == "RING_FREED" ? 1 : 2;
    std::string text = fmt::format("queue + {} + {} * LOCK_SIDE, ", area, side);
    if (protocol_.primitive == LockPrimitive::kMcs)
      text += fmt::format("queue + {} + {} * LOCK_SIDE, ", area, kLockedCounts);
    return text;
  }
  // Instructions that stand for code of a system.
  [[nodiscard]] std::string spent() const {
    switch (protocol_.primitive) {
      case LockPrimitive::kMutex: return fmt::format(", {}", protocol_.call_instructions);
      case LockPrimitive::kCondition:
        return fmt::format(", {}, {}", protocol_.call_instructions, protocol_.kernel_instructions);
      default: return "";
    }
  }
  [[nodiscard]] bool uses_queue_locks() const {
    return lies_apart(protocol_.primitive) || protocol_.primitive == LockPrimitive::kCompareAndSwap;
  }

  [[nodiscard]] std::string entry_address(const std::string& count) const {
    return fmt::format("{} + ({} >> 1 & {}) * {}", address("RING_ENTRIES"), count,
                       queue_.entries - 1, 4 * queue_.entry_longwords);
  }
  // The lap bit of the entry at a count, where packet information has room for it.
  [[nodiscard]] std::string lap(const std::string& count) const {
    const int shift = kLapBit - std::bit_width(queue_.entries);
    const std::string shifted =
        shift >= 0 ? fmt::format("{} << {}", count, shift) : fmt::format("{} >> {}", count, -shift);
    return fmt::format("({} & ENTRY_LAP)", shifted);
  }

  [[nodiscard]] std::vector<std::string> values() const {
    std::vector<std::string> names{"buffer", "info"};
    for (const auto& field : queue_.carried)
      names.push_back(metadata_variable(field));
    return names;
  }
  // The count of freed entries is a lock too where several engines write it.
  [[nodiscard]] bool freed_is_locked() const {
    if (queue_.release == QueueRelease::kEndOfPacket)
      return protocol_.releasers.count == CountPlace::kMemory;
    return protocol_.consumers.exclusion == Exclusion::kMemoryLock;
  }
  [[nodiscard]] std::string unlocked(const std::string& freed) const {
    return freed_is_locked() ? fmt::format("({} & ~1)", freed) : freed;
  }
  // Where consumers count in memory, that count says also what is free, unless packets' ends do.
  [[nodiscard]] std::string head_offset() const {
    return queue_.release == QueueRelease::kEndOfPacket ? "RING_HEAD" : "RING_FREED";
  }

  static bool locks(const QueueSide& side) { return side.exclusion == Exclusion::kMemoryLock; }
  static bool counts_for_engine(const QueueSide& side) { return side.count == CountPlace::kEngine; }
  static bool is_in_memory(const QueueSide& side) { return side.count == CountPlace::kMemory; }

  // Between reading and writing its count a consumer reads memory, which lets other threads run; so
  // does a producer whose count is in memory, or who looks at the entry first.
  [[nodiscard]] bool producers_take_turns() const {
    const QueueSide& side = protocol_.producers;
    return side.shares_engine && (is_in_memory(side) || !has_lap_bit());
  }
  [[nodiscard]] bool consumers_claim() const { return protocol_.taking == Taking::kClaims; }
  [[nodiscard]] bool consumers_take_turns() const {
    return protocol_.consumers.shares_engine && !consumers_claim();
  }

  [[nodiscard]] std::string shared_variable(const std::string& variable) const {
    return fmt::format("static __shared u32 {}_{};\n", name(), variable);
  }

  // Producers keep what they know of the freed entries; those with many rings read it each time.
  [[nodiscard]] bool keeps_freed() const {
    return has_lap_bit() && (!is_in_memory(protocol_.producers) ||
                             (locks(protocol_.producers) && protocol_.producers.rings == 1));
  }

  [[nodiscard]] std::string put_variables() const {
    const QueueSide& side = protocol_.producers;
    std::string code;
    if (producers_take_turns())
      code += shared_variable("putting");
    if (side.count == CountPlace::kEngine)
      code += shared_variable("tail");
    if (keeps_freed() && side.count != CountPlace::kThread)
      code += shared_variable("freed");
    return code;
  }
  [[nodiscard]] std::string put_parameters() const {
    if (protocol_.producers.count != CountPlace::kThread)
      return "";
    if (is_packed())
      return ", u32* counts";
    return has_lap_bit() ? ", u32* tail_count, u32* freed_count" : ", u32* tail_count";
  }

  [[nodiscard]] std::string put() const {
    std::string parameters;
    for (const std::string& value : values())
      parameters += ", u32 " + value;
    std::string code = put_variables();
    code += fmt::format("static inline u32 {}_put(u32 queue{}{}) {{\n", name(), put_parameters(),
                        parameters);
    if (producers_take_turns())
      code += fmt::format("  BEGIN_TURN({}_putting);\n", name());
    code += begin_put();
    // Where the entry itself says that it is taken, nobody may look at it again before it is
    // written.
    code += has_lap_bit() ? advance_tail() + write_entry() : write_entry() + advance_tail();
    return code +
           fmt::format("  return {};\n}}\n", queue_.wait == QueueWait::kSignal ? "tail | 1" : "1");
  }

  // What leaves a full ring as it is.
  [[nodiscard]] std::string abandon_put() const {
    std::string code;
    if (locks(protocol_.producers))
      code += give("RING_TAIL", "tail") + " ";
    if (producers_take_turns())
      code += fmt::format("END_TURN({}_putting); ", name());
    return code + "return 0; ";
  }

  [[nodiscard]] std::string tail() const {
    switch (protocol_.producers.count) {
      case CountPlace::kThread: return "*tail_count";
      case CountPlace::kEngine: return name() + "_tail";
      case CountPlace::kMemory: break;
    }
    return "tail";
  }
  [[nodiscard]] std::string known_freed() const {
    return protocol_.producers.count == CountPlace::kThread ? "*freed_count" : name() + "_freed";
  }

  // Defines `tail`, the count of the entry to write, and leaves when there is no room.
  [[nodiscard]] std::string begin_put() const {
    const QueueSide& side = protocol_.producers;
    std::string code;
    if (locks(side)) {
      code += fmt::format("  const u32 tail = {};\n", take("RING_TAIL"));
    } else if (reads_counts_together()) {
      code += fmt::format(
          "  const u32x2 counts = {0}_read2((__{0} void*)(queue + RING_TAIL));\n"
          "  const u32 tail = counts[0];\n",
          memory_);
    } else if (is_in_memory(side)) {
      code += fmt::format("  const u32 tail = {};\n", read("RING_TAIL"));
    }
    code += has_lap_bit() ? leave_without_room() : leave_unless_free();
    if (!is_in_memory(side))
      code += fmt::format("  const u32 tail = {};\n", is_packed() ? "*counts >> 16" : tail());
    return code;
  }

  // Two counts side by side take one reference.
  [[nodiscard]] bool reads_counts_together() const {
    const QueueSide& side = protocol_.producers;
    return !locks(side) && is_in_memory(side) && has_lap_bit() && !protocol_.has_own_lines;
  }

  [[nodiscard]] bool is_packed() const {
    return has_lap_bit() && packs_counts(protocol_.producers);
  }

  // The tail in the upper half of a register, what is known to be free in the lower.
  [[nodiscard]] std::string leave_without_packed_room() const {
    return fmt::format(
        "  if ((*counts - (*counts << 16)) >> 16 >= {0}) {{\n"
        "    *counts = *counts >> 16 << 16 | {1} << 16 >> 16;\n"
        "    if ((*counts - (*counts << 16)) >> 16 >= {0}) {{ return 0; }}\n  }}\n",
        kCountStep * queue_.entries, unlocked(look_for_room()));
  }

  [[nodiscard]] std::string leave_without_room() const {
    const std::uint32_t full = kCountStep * queue_.entries;
    if (is_packed())
      return leave_without_packed_room();
    if (!keeps_freed()) {
      const std::string now = reads_counts_together() ? "counts[1]" : read("RING_FREED");
      return fmt::format("  if (tail - {} >= {}) {{ {}}}\n", unlocked(now), full, abandon_put());
    }
    const bool is_shared = counts_for_engine(protocol_.producers);
    const std::string begin = is_shared ? "atomic_begin(); " : "";
    const std::string end = is_shared ? "atomic_end(); " : "";
    return fmt::format(
        "  {5}if ({0} - {1} >= {2}) {{\n    {6}{1} = {3};\n    {5}if ({0} - {1} >= {2}) {{ "
        "{6}{4}}}\n"
        "  }}\n",
        tail(), known_freed(), full, unlocked(look_for_room()), abandon_put(), begin, end);
  }
  [[nodiscard]] std::string leave_unless_free() const {
    return fmt::format("  if ({}_read((__{} void*)({} + 4))) {{ {}}}\n", memory_, memory_,
                       entry_address(tail()), abandon_put());
  }

  [[nodiscard]] std::string advance_tail() const {
    const QueueSide& side = protocol_.producers;
    std::string code;
    if (locks(side))
      code += "  " + give("RING_TAIL", "tail + 2") + "\n";
    else if (is_in_memory(side))
      code += "  " + write("RING_TAIL", "tail + 2") + "\n";
    else if (is_packed())
      code += "  *counts += 2 << 16;\n";
    else
      code += fmt::format("  {} = tail + 2;{}\n", tail(),
                          has_lap_bit() && counts_for_engine(side) ? " atomic_end();" : "");
    if (producers_take_turns())
      code += fmt::format("  END_TURN({}_putting);\n", name());
    return code;
  }

  // The longwords that say that the entry is there are written last, the others in front of them.
  [[nodiscard]] std::string write_entry() const {
    std::vector<std::string> words = values();
    words[1] = fmt::format("info | {}", lap("tail"));
    std::string code = fmt::format("  const u32 entry = {};\n", entry_address("tail"));
    code += fmt::format("  queue_entry_put(entry, {});\n", number_);
    for (std::size_t first = words.size() - (words.size() - 1) % kLongestBurst - 1;;
         first -= kLongestBurst) {
      const std::size_t count = std::min<std::size_t>(kLongestBurst, words.size() - first);
      std::string list;
      for (std::size_t i = first; i < first + count; ++i)
        list += ", " + words[i];
      code += fmt::format("  {0}_write{1}((__{0} void*)(entry + {2}){3});\n", memory_,
                          count == 1 ? "" : std::to_string(count), 4 * first, list);
      if (first == 0)
        return code;
    }
  }

  // Reads the first burst of the entry at `entry` as `words`.
  [[nodiscard]] std::string read_entry() const {
    return fmt::format("  const u32x{1} words = {0}_read{1}((__{0} void*)entry);\n", memory_,
                       std::min(queue_.entry_longwords, kLongestBurst));
  }
  [[nodiscard]] std::string is_missing(const std::string& count) const {
    const std::string other_lap = fmt::format("(words[1] & ENTRY_LAP) != {}", lap(count));
    return has_lap_bit() ? other_lap : "!words[1] || " + other_lap;
  }
  // The entry's values, the rest of a long entry after its first burst.
  [[nodiscard]] std::string load_values() const {
    std::string code = fmt::format("  queue_entry_taken(entry, {});\n", number_);
    const auto names = values();
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), kLongestBurst); ++i) {
      code += i == 1 ? "  *info = words[1] & ~ENTRY_LAP;\n"
                     : fmt::format("  *{} = words[{}];\n", names[i], i);
    }
    for (std::size_t first = kLongestBurst; first < names.size(); first += kLongestBurst) {
      const std::size_t count = std::min<std::size_t>(kLongestBurst, names.size() - first);
      const std::string address = fmt::format("(__{} void*)(entry + {})", memory_, 4 * first);
      if (count == 1) {
        code += fmt::format("  *{} = {}_read({});\n", names[first], memory_, address);
        continue;
      }
      code += fmt::format("  const u32x{0} words_{1} = {2}_read{0}({3});\n", count, first, memory_,
                          address);
      for (std::size_t i = 0; i < count; ++i)
        code += fmt::format("  *{} = words_{}[{}];\n", names[first + i], first, i);
    }
    return code;
  }

  [[nodiscard]] std::string get_variables() const {
    std::string code;
    if (consumers_take_turns())
      code += shared_variable("taking");
    if (protocol_.consumers.count == CountPlace::kEngine)
      code += shared_variable("head");
    if (consumers_claim())
      code += shared_variable("taken");
    return code;
  }
  [[nodiscard]] std::string get_parameters() const {
    std::string parameters;
    if (protocol_.consumers.count == CountPlace::kThread)
      parameters += ", u32* head_count";
    if (consumers_claim())
      parameters += ", u32* claim";
    if (queue_.quantum > 1)
      parameters += ", u32* next, u32* left";
    for (const std::string& value : values())
      parameters += ", u32* " + value;
    return parameters;
  }

  // Defines `head`, the count of the next entry.
  [[nodiscard]] std::string begin_get() const {
    if (consumers_claim())
      return claim();
    std::string code;
    if (consumers_take_turns())
      code += fmt::format("  BEGIN_TURN({}_taking);\n", name());
    switch (protocol_.consumers.count) {
      case CountPlace::kThread: return code + "  const u32 head = *head_count;\n";
      case CountPlace::kEngine: return code + fmt::format("  const u32 head = {}_head;\n", name());
      case CountPlace::kMemory: break;
    }
    return code + fmt::format("  const u32 head = {};\n", locks(protocol_.consumers)
                                                              ? take(head_offset())
                                                              : read(head_offset()));
  }
  // A thread's claim is a count with bit 0 set, or 0 when it has none.
  [[nodiscard]] std::string claim() const {
    return fmt::format(
        "  if (!*claim) {{\n    atomic_begin();\n    *claim = {0}_head | 1;\n"
        "    {0}_head = {0}_head + {1};\n    atomic_end();\n  }}\n"
        "  const u32 head = *claim - 1;\n",
        name(), kCountStep);
  }
  // Slots are given back in the order of their claims, so that all before the last one given back
  // have been read; a thread that was served early waits for those before it.
  [[nodiscard]] std::string end_claim() const {
    return fmt::format(
               "  *claim = 0;\n  atomic_begin();\n  while ({0}_taken != head) {{\n"
               "    atomic_end();\n    wait_for_turn();\n    atomic_begin();\n  }}\n"
               "  {0}_taken = head + {1};\n",
               name(), kCountStep) +
           end_claim_with_notice();
  }
  // Notices must reach memory in their order: nobody else of the engine runs before one is issued.
  [[nodiscard]] std::string end_claim_with_notice() const {
    if (!gives_notice())
      return "  atomic_end();\n";
    const std::string write_notice = "atomic_last(); " + write("RING_FREED", "head + 2");
    const std::string condition = notice_condition();
    if (condition.empty())
      return "  " + write_notice + "\n";
    return fmt::format("  if ({}) {{ {} }} else {{ atomic_end(); }}\n", condition, write_notice);
  }
  [[nodiscard]] std::string abandon_get() const {
    std::string code;
    if (locks(protocol_.consumers))
      code += give(head_offset(), "head") + " ";
    if (consumers_take_turns())
      code += fmt::format("END_TURN({}_taking); ", name());
    return code + "return 0; ";
  }
  [[nodiscard]] std::string advance_head(std::uint32_t entries) const {
    if (consumers_claim())
      return end_claim();
    const std::string next = fmt::format("head + {}", kCountStep * entries);
    std::string code;
    switch (protocol_.consumers.count) {
      case CountPlace::kThread: code += fmt::format("  *head_count = {};\n", next); break;
      case CountPlace::kEngine: code += fmt::format("  {}_head = {};\n", name(), next); break;
      case CountPlace::kMemory:
        code +=
            "  " +
            (locks(protocol_.consumers) ? give(head_offset(), next) : write(head_offset(), next)) +
            "\n";
        break;
    }
    // Notices must not overtake one another.
    code += entries == 1 ? notice() : "";
    if (consumers_take_turns())
      code += fmt::format("  END_TURN({}_taking);\n", name());
    return code;
  }

  // Consumers that count in registers say now and then how far they are.
  [[nodiscard]] bool gives_notice() const {
    return has_lap_bit() && queue_.release != QueueRelease::kEndOfPacket &&
           !is_in_memory(protocol_.consumers);
  }
  // When they do, at the entry at `head`; empty: always.
  [[nodiscard]] std::string notice_condition() const {
    const std::uint32_t step = kCountStep * entries_per_notice(queue_.entries);
    return step == kCountStep ? "" : fmt::format("!((head + 2) & {})", step - 1);
  }
  [[nodiscard]] std::string notice() const {
    if (!gives_notice())
      return "";
    const std::string condition = notice_condition();
    return fmt::format("  {}{}\n", condition.empty() ? "" : fmt::format("if ({}) ", condition),
                       write("RING_FREED", "head + 2"));
  }

  // Of a packet's number and its port, `order`: the count of its entry and the port's ring.
  [[nodiscard]] std::string ring_of_order() const {
    return fmt::format("  const u32 tail = order >> 3 & ~1u;\n  const u32 queue = {};\n",
                       ring_of_port("(order & 15)"));
  }
  [[nodiscard]] std::string ring_of_port(const std::string& port) const {
    return fmt::format("{:#x} + {} * {}", queue_.instances.front().base, port,
                       queue_.instance_bytes());
  }
  // Nobody else puts into the slot, and receive saw that it is free.
  [[nodiscard]] std::string numbered_put() const {
    std::string parameters;
    for (const std::string& value : values())
      parameters += ", u32 " + value;
    return fmt::format("static inline u32 {}_put(u32 order{}) {{\n", name(), parameters) +
           ring_of_order() + write_entry() + "  return 1;\n}\n";
  }
  // For a packet that was dropped: an entry without a buffer.
  [[nodiscard]] std::string skip() const {
    return fmt::format("static inline void {}_skip(u32 order) {{\n", name()) + ring_of_order() +
           fmt::format("  {0}_write2((__{0} void*)({1}), 0, {2});\n}}\n", memory_,
                       entry_address("tail"), lap("tail"));
  }
  // Asked by receive, which alone counts the port's packets.
  [[nodiscard]] std::string has_room() const {
    return fmt::format(
        "static inline u32 {}_has_room(u32 port, u32 number, u32* freed) {{\n"
        "  if (number - *freed < {}) return 1;\n  const u32 queue = {};\n  *freed = {};\n"
        "  return number - *freed < {};\n}}\n",
        name(), kCountStep * queue_.entries, ring_of_port("port"), read("RING_FREED"),
        kCountStep * queue_.entries);
  }

  // The next entry; those of packets that were dropped are passed over.
  [[nodiscard]] std::string numbered_get() const {
    std::string code = begin_get();
    code += fmt::format("  const u32 entry = {};\n", entry_address("head")) + read_entry();
    code += fmt::format("  if ({}) {{ {}}}\n", is_missing("head"), abandon_get());
    code += "  if (words[0]) {\n" + indented(load_values() + advance_head(1), 1) +
            "    return 1;\n  }\n" + advance_head(1);
    return "  for (;;) {\n" + indented(code, 1) + "  }\n}\n";
  }

  [[nodiscard]] std::string get() const {
    std::string code = get_variables();
    code += fmt::format("static inline u32 {}_get(u32 queue{}) {{\n", name(), get_parameters());
    if (is_numbered())
      return code + numbered_get();
    code += begin_get();
    code += fmt::format("  const u32 entry = {};\n", entry_address("head")) + read_entry();
    code += fmt::format("  if ({}) {{ {}}}\n", is_missing("head"), abandon_get());
    code += load_values() + advance_head(1);
    return code + "  return 1;\n}\n";
  }

  // Takes a quantum of entries when the first of them is there, and reads them one by one as they
  // are asked for and come. An entry that was read is made free.
  [[nodiscard]] std::string get_of_quantum() const {
    std::string code = get_variables();
    code += fmt::format("static inline u32 {}_get(u32 queue{}) {{\n", name(), get_parameters());
    code += "  u32 entry;\n  if (!*left) {\n" + indented(begin_get(), 1);
    code += fmt::format("    entry = {};\n", entry_address("head")) + indented(read_entry(), 1);
    code += fmt::format("    if ({}) {{ {}}}\n", is_missing("head"), abandon_get());
    code += indented(load_values() + advance_head(queue_.quantum), 1);
    code += fmt::format("    *next = head;\n    *left = {};\n  }} else {{\n", queue_.quantum);
    code += fmt::format("    entry = {};\n", entry_address("*next")) + indented(read_entry(), 1);
    code += fmt::format("    if ({}) return 0;\n", is_missing("*next"));
    code += indented(load_values(), 1) + "  }\n";
    code += fmt::format("  {0}_write((__{0} void*)(entry + 4), 0);\n", memory_);
    return code + "  *next += 2;\n  *left -= 1;\n  return 1;\n}\n";
  }

  // The end of the packet frees one entry; which one does not matter: all that were taken have been
  // read, and a slot is used again when as many are free.
  [[nodiscard]] std::string release() const {
    const bool is_counted = protocol_.releasers.count == CountPlace::kEngine;
    std::string code = is_counted ? shared_variable("released") : "";
    code += fmt::format("static inline void {}_release(u32 queue) {{\n", name());
    code += fmt::format("  queue_entry_freed({}, {});\n", address("RING_FREED"), number_);
    if (is_counted) {
      code += fmt::format(
          "  atomic_begin();\n  const u32 released = {0}_released + 2;\n  {0}_released = "
          "released;\n"
          "  atomic_last();\n",
          name());
      return code + fmt::format("  {}\n}}\n", write("RING_FREED", "released"));
    }
    code += fmt::format("  const u32 released = {};\n", take("RING_FREED"));
    return code + fmt::format("  {}\n}}\n", give("RING_FREED", "released + 2"));
  }

  const Queue& queue_;
  const QueueProtocol& protocol_;
  const std::size_t number_;
  const std::string memory_;  // `sram` or `scratch`
};

}  // namespace

std::string ring_code(const Queue& queue, std::size_t number) {
  return RingCode(queue, number).text();
}

}  // namespace nplab::mappings
