#include "experiments/debugging/packet_places.h"

#include <nlohmann/json.hpp>

#include "experiments/debugging/packet_view.h"

namespace nplab::experiments {
namespace {

using nlohmann::json;
using View = simulator::RunVisitor::View;

void add_threads(const DebugTarget& target, const View& view, json& places) {
  for (const DebugProgram& program : target.programs) {
    for (const unsigned context : program.contexts) {
      const json thread = {{"engine", program.engine}, {"context", context}};
      for (const json& packet : work_view(thread, target, view)) {
        json place = thread;
        place["register"] = packet.at("register");
        places[packet.at("packet").dump()].push_back(std::move(place));
      }
    }
  }
}

// The first longword of an entry is the address of the packet's buffer (packet.h of the engines'
// library). Slots follow the running counts of the ring.
void add_ring(const DebugQueue& queue, std::size_t ring, const View& view, json& places) {
  const simulator::RingCounters& counts = view.rings.at(queue.first_ring + ring);
  const auto& storage = view.parts.storage(queue.memory);
  for (std::uint32_t ahead = 0; ahead < counts.entries(); ++ahead) {
    const std::uint32_t slot = (counts.taken + ahead) % queue.entries;
    const std::uint32_t buffer = storage.peek(queue.first_entries[ring] + slot * queue.entry_bytes);
    if (const auto packet = view.frames.packet_at(buffer))
      places[std::to_string(*packet)].push_back(
          {{"queue", queue.name}, {"ring", ring}, {"ahead", ahead}});
  }
}

}  // namespace

json packet_places(const DebugTarget& target, const View& view) {
  json places = json::object();
  add_threads(target, view, places);
  for (const DebugQueue& queue : target.queues)
    for (std::size_t ring = 0; ring < queue.first_entries.size(); ++ring)
      add_ring(queue, ring, view, places);
  return places;
}

}  // namespace nplab::experiments
