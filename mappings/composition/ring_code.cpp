#include "mappings/composition/ring_code.h"

#include <fmt/format.h>

#include "mappings/composition/numbered_ring_code.h"
#include "mappings/composition/ring_get_code.h"
#include "mappings/composition/ring_put_code.h"
#include "mappings/composition/ring_terms.h"

namespace nplab::mappings {
namespace {

class RingRelease : private RingTerms {
 public:
  explicit RingRelease(const RingTerms& ring) : RingTerms(ring) {}

  // The end of the packet frees one entry; which one does not matter: all that were taken have been
  // read, and a slot is used again when as many are free.
  [[nodiscard]] std::string text() const {
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
};

std::string head_of(const Queue& queue, const RingTerms& ring) {
  std::string code = fmt::format("// queue {}: {} rings of {} entries of {} longwords in {}\n",
                                 queue.name, queue.instances.size(), queue.entries,
                                 queue.entry_longwords, memory_qualifier(queue.memory).substr(2));
  if (ring.uses_queue_locks())
    code += "#include \"queue_locks.h\"\n";
  return code;
}

}  // namespace

std::string ring_code(const Queue& queue, std::size_t number) {
  const RingTerms ring(queue, number);
  std::string code = head_of(queue, ring);
  code += ring.is_numbered() ? numbered_put_code(ring) : ring_put_code(ring);
  code += ring_get_code(ring);
  if (!ring.is_numbered() && queue.release == QueueRelease::kEndOfPacket)
    code += RingRelease(ring).text();
  return code + "\n";
}

}  // namespace nplab::mappings
