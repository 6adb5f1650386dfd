#include "mappings/composition/numbered_ring_code.h"

#include <fmt/format.h>

namespace nplab::mappings {
namespace {

class NumberedPut : private RingTerms {
 public:
  explicit NumberedPut(const RingTerms& ring) : RingTerms(ring) {}

  [[nodiscard]] std::string text() const { return numbered_put() + skip() + has_room(); }

 private:
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
  // Of a packet's number and its port, `order`: the count of its entry and the port's ring.
  [[nodiscard]] std::string ring_of_order() const {
    return fmt::format("  const u32 tail = order >> 3 & ~1u;\n  const u32 queue = {};\n",
                       ring_of_port("(order & 15)"));
  }
  [[nodiscard]] std::string ring_of_port(const std::string& port) const {
    return fmt::format("{:#x} + {} * {}", queue_.instances.front().base, port,
                       queue_.instance_bytes());
  }
};

}  // namespace

std::string numbered_put_code(const RingTerms& ring) {
  return NumberedPut(ring).text();
}

}  // namespace nplab::mappings
