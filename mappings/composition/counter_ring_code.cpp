#include "mappings/composition/counter_ring_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {
namespace {

constexpr std::size_t kInfoLongword = 1;  // of an entry

// One generated function pair, from the queue's facts.
class CounterRingCode {
 public:
  explicit CounterRingCode(const Queue& queue)
      : queue_(queue), memory_(memory_qualifier(queue.memory)) {}

  std::string text() const {
    std::string code = fmt::format("// queue {}: {} of {} entries of {} longwords in {}\n",
                                   queue_.name, queue_.instances.size(), queue_.entries,
                                   queue_.entry_longwords, memory_.substr(2));
    code += put() + (queue_.quantum > 1 ? get_of_quantum() : get());
    if (queue_.release == QueueRelease::kEndOfPacket)
      code += release();
    return code + "\n";
  }

 private:
  [[nodiscard]] std::string word(const std::string& offset) const {
    return fmt::format("(*({} volatile u32 *)(queue + {}))", memory_, offset);
  }
  [[nodiscard]] std::string entry(const std::string& position, std::size_t longword) const {
    return fmt::format("(*({} volatile u32 *)({} + {}))", memory_, position, 4 * longword);
  }
  [[nodiscard]] std::string entry_address(const std::string& counter) const {
    return fmt::format("queue + QUEUE_ENTRIES + ({} & {}) * {}", counter, queue_.entries - 1,
                       4 * queue_.entry_longwords);
  }
  [[nodiscard]] std::string lock_call(const std::string& verb, const std::string& side) const {
    return fmt::format("{}_{}(queue + QUEUE_LOCK, {});", verb, memory_.substr(2), side);
  }
  [[nodiscard]] std::string lock(const std::string& side) const { return lock_call("lock", side); }
  [[nodiscard]] std::string unlock(const std::string& side) const {
    return lock_call("unlock", side);
  }
  [[nodiscard]] bool has_locked_producers() const {
    return queue_.protocol.producers.exclusion != Exclusion::kNone;
  }
  [[nodiscard]] bool has_locked_consumers() const {
    return queue_.protocol.consumers.exclusion != Exclusion::kNone;
  }
  [[nodiscard]] std::string freed() const {
    return queue_.release == QueueRelease::kEndOfPacket ? "QUEUE_RELEASED" : "QUEUE_HEAD";
  }
  [[nodiscard]] std::vector<std::string> values() const {
    std::vector<std::string> names{"buffer", "info"};
    for (const auto& field : queue_.carried)
      names.push_back(metadata_variable(field));
    return names;
  }

  [[nodiscard]] std::string is_full(const std::string& tail) const {
    if (queue_.quantum > 1)
      return entry(entry_address(tail), kInfoLongword);
    return fmt::format("{} - {} == {}", tail, word(freed()), queue_.entries);
  }

  // Producers read both counters each time, write the entry and then move the tail: a consumer
  // never sees an entry before it is written.
  [[nodiscard]] std::string put() const {
    const auto names = values();
    std::string parameters, stores;
    for (std::size_t i = 0; i < names.size(); ++i) {
      parameters += ", u32 " + names[i];
      stores += fmt::format("  {} = {};\n", entry("entry", i), names[i]);
    }
    const bool locks = has_locked_producers();
    const std::string unlock = this->unlock("QUEUE_PRODUCERS");
    std::string code =
        fmt::format("static inline u32 {}_put(u32 queue{}) {{\n", queue_.name, parameters);
    if (locks)
      code += "  " + lock("QUEUE_PRODUCERS") + "\n";
    code += fmt::format("  u32 tail = {};\n", word("QUEUE_TAIL"));
    const std::string leave = locks ? "{ " + unlock + " return 0; }" : "return 0;";
    code += fmt::format("  if ({}) {}\n  u32 entry = {};\n{}", is_full("tail"), leave,
                        entry_address("tail"), stores);
    code += fmt::format("  {} = tail + 1;\n", word("QUEUE_TAIL"));
    if (locks)
      code += "  " + unlock + "\n";
    return code + "  return 1;\n}\n";
  }

  // Where a consumer wants the values of an entry: as parameters, and what loads them.
  struct Results {
    std::string parameters, loads;
  };
  [[nodiscard]] Results results() const {
    Results results;
    const auto names = values();
    for (std::size_t i = 0; i < names.size(); ++i) {
      results.parameters += ", u32 *" + names[i];
      results.loads += fmt::format("  *{} = {};\n", names[i], entry("entry", i));
    }
    return results;
  }
  [[nodiscard]] std::string get() const {
    const auto [parameters, loads] = results();
    const bool locks = has_locked_consumers();
    const std::string unlock = this->unlock("QUEUE_CONSUMERS");
    std::string code =
        fmt::format("static inline u32 {}_get(u32 queue{}) {{\n", queue_.name, parameters);
    // Looking costs no lock; what was seen is looked at again after it.
    if (locks) {
      code += fmt::format("  if ({} == {}) return 0;\n", word("QUEUE_HEAD"), word("QUEUE_TAIL"));
      code += "  " + lock("QUEUE_CONSUMERS") + "\n";
    }
    code += fmt::format("  u32 head = {};\n", word("QUEUE_HEAD"));
    code += fmt::format("  if (head == {}) {}\n", word("QUEUE_TAIL"),
                        locks ? "{ " + unlock + " return 0; }" : "return 0;");
    code += fmt::format("  u32 entry = {};\n{}", entry_address("head"), loads);
    code += fmt::format("  {} = head + 1;\n", word("QUEUE_HEAD"));
    if (locks)
      code += "  " + unlock + "\n";
    return code + "  return 1;\n}\n";
  }

  // Takes up to a quantum of entries under one lock and reads them one by one as they are asked
  // for. Packet information is never 0, so that a zero in its place says that the entry is free.
  [[nodiscard]] std::string get_of_quantum() const {
    const auto [parameters, loads] = results();
    const bool locks = has_locked_consumers();
    const std::string unlock = this->unlock("QUEUE_CONSUMERS");
    std::string code =
        fmt::format("static inline u32 {}_get(u32 queue, u32 *next, u32 *left{}) {{\n", queue_.name,
                    parameters);
    code += "  if (!*left) {\n";
    if (locks) {
      code += fmt::format("    if ({} == {}) return 0;\n", word("QUEUE_HEAD"), word("QUEUE_TAIL"));
      code += "    " + lock("QUEUE_CONSUMERS") + "\n";
    }
    code += fmt::format("    u32 head = {};\n    u32 taken = {} - head;\n", word("QUEUE_HEAD"),
                        word("QUEUE_TAIL"));
    code +=
        fmt::format("    if (!taken) {}\n", locks ? "{ " + unlock + " return 0; }" : "return 0;");
    code += fmt::format("    if (taken > {0}) taken = {0};\n    {1} = head + taken;\n",
                        queue_.quantum, word("QUEUE_HEAD"));
    if (locks)
      code += "    " + unlock + "\n";
    code += "    *next = head;\n    *left = taken;\n  }\n";
    code += fmt::format("  u32 entry = {};\n{}  {} = 0;\n", entry_address("*next"), loads,
                        entry("entry", kInfoLongword));
    return code + "  *next += 1;\n  *left -= 1;\n  return 1;\n}\n";
  }

  // The end of the packet frees one entry; which one does not matter, since a slot is only used
  // again when as many are free.
  [[nodiscard]] std::string release() const {
    return fmt::format("static inline void {}_release(u32 queue) {{\n  {}\n  {} += 1;\n  {}\n}}\n",
                       queue_.name, lock_call("lock", "QUEUE_RELEASERS"), word("QUEUE_RELEASED"),
                       lock_call("unlock", "QUEUE_RELEASERS"));
  }

  const Queue& queue_;
  const std::string memory_;
};

}  // namespace

std::string counter_ring_code(const Queue& queue) {
  return CounterRingCode(queue).text();
}

}  // namespace nplab::mappings
