#include "experiments/debugging/packet_places.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/debugging/packet_holders.h"

namespace nplab::experiments {
namespace {

using nlohmann::json;
using View = simulator::RunVisitor::View;

void add_threads(const DebugTarget& target, const View& view, json& places) {
  for (const DebugProgram& program : target.programs) {
    for (const unsigned context : program.contexts) {
      for (const HeldPacket& held :
           held_packets(target, view, program.engine, simulator::ContextId(context)))
        if (const auto packet = view.frames.packet_at(held.address))
          places[std::to_string(*packet)].push_back(
              {{"engine", program.engine}, {"context", context}, {"place", held.place}});
    }
  }
}

// Whether memory has the ring's entry of this number, counted from the first one on.
bool is_written(const DebugQueue& queue, std::uint32_t number, std::uint32_t second_longword) {
  constexpr std::uint32_t kLapBit = 0x8000;  // ENTRY_LAP of mappings/library/queue.h
  switch (queue.mark) {
    case EntryMark::kLap:
      return ((second_longword & kLapBit) != 0) == ((number / queue.entries & 1) != 0);
    case EntryMark::kNotZero: return second_longword != 0;
    case EntryMark::kNone: break;
  }
  return true;
}

// The first longword of an entry is the address of the packet's buffer (packet.h of the engines'
// library). Slots follow the running counts of the ring.
void add_ring(const DebugQueue& queue, std::size_t ring, const View& view, json& places) {
  const simulator::RingCounters& counts = view.rings.at(queue.first_ring + ring);
  const auto& storage = view.parts.storage(queue.memory);
  for (std::uint32_t ahead = 0; ahead < counts.entries(); ++ahead) {
    const std::uint32_t number = counts.taken + ahead;
    const std::uint32_t entry =
        queue.first_entries[ring] + number % queue.entries * queue.entry_bytes;
    if (!is_written(queue, number, storage.peek(entry + 4)))
      continue;
    if (const auto packet = view.frames.packet_at(storage.peek(entry)))
      places[std::to_string(*packet)].push_back(
          {{"queue", queue.name}, {"ring", ring}, {"ahead", ahead}});
  }
}

// Whether the place is the queue, or a thread that takes packets from it and gives it none.
bool is_behind(const DebugQueue& queue, const json& place) {
  const auto has = [&](const std::vector<unsigned>& engines) {
    return std::count(engines.begin(), engines.end(), place.at("engine").get<unsigned>()) > 0;
  };
  return place.contains("queue") ? place.at("queue") == queue.name
                                 : has(queue.consumers) && !has(queue.producers);
}

// Whether threads of the engine give packets to this queue and to no other.
bool gives_only_to(const DebugTarget& target, unsigned engine, const DebugQueue& queue) {
  return std::all_of(target.queues.begin(), target.queues.end(), [&](const DebugQueue& other) {
    const bool gives = std::count(other.producers.begin(), other.producers.end(), engine) > 0;
    return gives == (&other == &queue);
  });
}

// A thread's variable names a packet until the thread goes on to the next: not the packet's place
// any more once it is in the queue, or with who took it from there.
void leave_out_givers(const DebugTarget& target, json& places) {
  for (json& of_packet : places) {
    const json all = of_packet;
    const auto has_gone_on = [&](const json& place) {
      return place.contains("engine") &&
             std::any_of(target.queues.begin(), target.queues.end(), [&](const DebugQueue& queue) {
               return gives_only_to(target, place.at("engine"), queue) &&
                      std::any_of(all.begin(), all.end(),
                                  [&](const json& other) { return is_behind(queue, other); });
             });
    };
    json kept = json::array();
    std::remove_copy_if(all.begin(), all.end(), std::back_inserter(kept), has_gone_on);
    of_packet = std::move(kept);
  }
}

}  // namespace

json packet_places(const DebugTarget& target, const View& view) {
  json places = json::object();
  add_threads(target, view, places);
  for (const DebugQueue& queue : target.queues)
    for (std::size_t ring = 0; ring < queue.first_entries.size(); ++ring)
      add_ring(queue, ring, view, places);
  leave_out_givers(target, places);
  return places;
}

}  // namespace nplab::experiments
