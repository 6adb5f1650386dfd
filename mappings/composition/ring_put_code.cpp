#include "mappings/composition/ring_put_code.h"

#include <fmt/format.h>

namespace nplab::mappings {
namespace {

class RingPut : private RingTerms {
 public:
  explicit RingPut(const RingTerms& ring) : RingTerms(ring) {}

  [[nodiscard]] std::string text() const {
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

 private:
  // Between reading and writing its count a producer reads memory, which lets other threads run,
  // where the count is in memory, or where it looks at the entry first.
  [[nodiscard]] bool producers_take_turns() const {
    const QueueSide& side = protocol_.producers;
    return side.shares_engine && (is_in_memory(side) || !has_lap_bit());
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
};

}  // namespace

std::string ring_put_code(const RingTerms& ring) {
  return RingPut(ring).text();
}

}  // namespace nplab::mappings
