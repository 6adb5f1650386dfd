#include "mappings/resolver/placement.h"

#include <fmt/format.h>

#include "mappings/files/yaml_values.h"

namespace nplab::mappings {

std::string to_string(const MetadataElement& element) {
  return element.dimension ? fmt::format("{}[{}]", element.name, *element.dimension) : element.name;
}

std::string to_string(const TaskCall& call) {
  return call.dimension ? fmt::format("{}[{}]", call.task, *call.dimension) : call.task;
}

std::optional<MetadataElement> Queue::carried_ring() const {
  if (release != QueueRelease::kEndOfPacket || instances.size() <= 1)
    return std::nullopt;
  return MetadataElement{"ring_of_" + name, std::nullopt};
}

std::string Queue::memory_text() const {
  return in_registers() ? "registers" : memory_name(memory);
}

std::optional<MetadataElement> Queue::carried_order() const {
  if (protocol.shape != RingShape::kSequence)
    return std::nullopt;
  return MetadataElement{"order_of_" + name, std::nullopt};
}

std::string to_string(const MemoryUse& use) {
  switch (use.purpose) {
    case MemoryPurpose::kTable: return "table " + use.name;
    case MemoryPurpose::kQueue: return "queue " + use.name;
    case MemoryPurpose::kBufferDescriptors: return "buffer descriptors";
    case MemoryPurpose::kPacketBuffers: return "packet buffers";
    case MemoryPurpose::kVariables: return "compiler's variables";
    case MemoryPurpose::kCounters: return "packet counters";
  }
  return "";
}

}  // namespace nplab::mappings
