#include "mappings/composition/ring_get_code.h"

#include <fmt/format.h>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {
namespace {

class RingGet : private RingTerms {
 public:
  explicit RingGet(const RingTerms& ring) : RingTerms(ring) {}

  [[nodiscard]] std::string text() const { return queue_.quantum > 1 ? get_of_quantum() : get(); }

 private:
  [[nodiscard]] bool consumers_claim() const { return protocol_.taking == Taking::kClaims; }
  // Between reading and writing its count a consumer reads memory, which lets other threads run.
  [[nodiscard]] bool consumers_take_turns() const {
    return protocol_.consumers.shares_engine && !consumers_claim();
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
};

}  // namespace

std::string ring_get_code(const RingTerms& ring) {
  return RingGet(ring).text();
}

}  // namespace nplab::mappings
