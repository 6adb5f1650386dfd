// Does everything that needs memory lie where it may?
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "mappings/resolver/verify_parts.h"

namespace nplab::mappings {
namespace {

constexpr std::uint32_t kLongword = 4;
constexpr std::uint32_t kQuadword = 8;

// Something that occupies memory, as the placement's own parts give it.
struct Occupant {
  MemoryUse use;
  std::string name;
  isa::MemorySpace space{};
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  std::uint32_t alignment = kQuadword;

  [[nodiscard]] std::uint64_t end() const { return base + bytes; }
};

std::string describe(const Occupant& one) {
  return fmt::format("{} ({} at {:#x}, {} bytes)", one.name, memory_name(one.space), one.base,
                     one.bytes);
}

void add_rings(const Queue& queue, std::vector<Occupant>& occupants) {
  if (queue.in_registers())
    return;
  const std::uint64_t entries =
      16 + std::uint64_t{kLongword} * queue.entries * queue.entry_longwords;
  const std::uint64_t bytes = std::max(entries, queue.instance_bytes());
  for (std::size_t i = 0; i < queue.instances.size(); ++i) {
    occupants.push_back({{MemoryPurpose::kQueue, queue.name},
                         fmt::format("ring {} of queue {}", i, queue.name),
                         queue.memory,
                         queue.instances[i].base,
                         bytes,
                         kLongword});
  }
}

std::vector<Occupant> occupants_of(const Placement& placement) {
  std::vector<Occupant> occupants;
  for (const TablePlacement& table : placement.tables) {
    occupants.push_back({{MemoryPurpose::kTable, table.name},
                         "table " + table.name,
                         table.space,
                         table.base,
                         table.bytes});
  }
  for (const Queue& queue : placement.queues)
    add_rings(queue, occupants);
  const PacketBuffers& buffers = placement.buffers;
  occupants.push_back({{MemoryPurpose::kPacketBuffers, "buffers"},
                       "packet buffers",
                       isa::MemorySpace::kSdram,
                       buffers.base,
                       std::uint64_t{2048} * buffers.count,
                       2048});
  occupants.push_back({{MemoryPurpose::kBufferDescriptors, "descriptors"},
                       "buffer descriptors",
                       isa::MemorySpace::kSram,
                       buffers.descriptors_base,
                       std::uint64_t{8} * buffers.count});
  for (const VariableArea& area : placement.variables) {
    occupants.push_back({{MemoryPurpose::kVariables, "variables"},
                         fmt::format("variables of engine {}", area.engine),
                         area.space,
                         area.base,
                         std::uint64_t{area.bytes_per_thread} * placement.contexts});
  }
  const PacketCounters& counters = placement.counters;
  const std::uint64_t of_a_port = 16 + 8 * std::uint64_t{counters.contexts};
  occupants.push_back({{MemoryPurpose::kCounters, "counters"},
                       "packet counters",
                       isa::MemorySpace::kScratch,
                       counters.base,
                       32 + counters.ports * of_a_port});
  return occupants;
}

std::vector<Occupant> ranges_of(const Placement& placement) {
  std::vector<Occupant> ranges;
  for (const MemoryRange& range : placement.memory_map) {
    ranges.push_back(
        {range.use, "range " + to_string(range.use), range.space, range.base, range.bytes});
  }
  return ranges;
}

void check_each(const Placement& placement, const std::vector<Occupant>& occupants,
                Findings& findings) {
  for (const Occupant& one : occupants) {
    const auto memory = placement.memory_bytes.find(one.space);
    const std::uint64_t room = memory == placement.memory_bytes.end() ? 0 : memory->second;
    if (one.base % one.alignment != 0)
      findings.push_back(fmt::format("{} is not aligned to {}", describe(one), one.alignment));
    if (one.end() > room) {
      findings.push_back(
          fmt::format("{} ends outside the memory of {} bytes", describe(one), room));
    }
    if (one.use.purpose == MemoryPurpose::kTable && one.base == 0)
      findings.push_back(fmt::format("{} lies at address 0, which ends lists", describe(one)));
  }
}

void check_overlaps(std::vector<Occupant> occupants, Findings& findings) {
  std::erase_if(occupants, [](const Occupant& one) { return one.bytes == 0; });
  std::sort(occupants.begin(), occupants.end(), [](const Occupant& a, const Occupant& b) {
    return std::pair(a.space, a.base) < std::pair(b.space, b.base);
  });
  const Occupant* last = nullptr;  // of those so far in this memory, the one that ends last
  for (const Occupant& one : occupants) {
    const bool is_same_memory = last != nullptr && last->space == one.space;
    if (is_same_memory && one.base < last->end())
      findings.push_back(fmt::format("{} overlaps {}", describe(one), describe(*last)));
    if (!is_same_memory || one.end() > last->end())
      last = &one;
  }
}

// The memory map has a range for every occupant, and no range without one.
void check_map(const std::vector<Occupant>& occupants, const std::vector<Occupant>& ranges,
               Findings& findings) {
  const auto holds = [](const Occupant& range, const Occupant& one) {
    return range.use == one.use && range.space == one.space && range.base <= one.base &&
           one.end() <= range.end();
  };
  for (const Occupant& one : occupants) {
    if (std::none_of(ranges.begin(), ranges.end(),
                     [&](const Occupant& range) { return holds(range, one); }))
      findings.push_back(fmt::format("{} lies outside its range of the memory map", describe(one)));
  }
  for (const Occupant& range : ranges) {
    if (std::none_of(occupants.begin(), occupants.end(),
                     [&](const Occupant& one) { return holds(range, one); }))
      findings.push_back(fmt::format("{} of the memory map holds nothing", describe(range)));
  }
}

}  // namespace

void verify_fit(const Placement& placement, Findings& findings) {
  const auto occupants = occupants_of(placement);
  const auto ranges = ranges_of(placement);
  check_each(placement, occupants, findings);
  check_overlaps(occupants, findings);
  check_overlaps(ranges, findings);
  check_map(occupants, ranges, findings);
  if (placement.buffers.count == 0)
    findings.push_back("there are no packet buffers");
  for (const Queue& queue : placement.queues) {
    if (!std::has_single_bit(queue.entries))
      findings.push_back(
          fmt::format("queue {} has {} entries, not a power of two", queue.name, queue.entries));
    if (queue.entry_longwords != 2 + queue.carried.size()) {
      findings.push_back(fmt::format("queue {} carries {} values in entries of {} longwords",
                                     queue.name, queue.carried.size(), queue.entry_longwords));
    }
    if (queue.quantum == 0 || queue.quantum > queue.entries) {
      findings.push_back(fmt::format("queue {} has {} entries and a quantum of {}", queue.name,
                                     queue.entries, queue.quantum));
    }
  }
}

}  // namespace nplab::mappings
