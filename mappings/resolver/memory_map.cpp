#include "mappings/resolver/memory_map.h"

#include <fmt/format.h>

#include <algorithm>

namespace nplab::mappings {
namespace {

constexpr std::uint64_t kFirstUnpinned = 8;

std::uint64_t aligned(std::uint64_t address, std::uint64_t alignment) {
  return (address + alignment - 1) / alignment * alignment;
}

std::string describe(const MemoryRange& range) {
  return fmt::format("{} at {:#x} to {:#x}", to_string(range.use), range.base,
                     range.base + std::max<std::uint64_t>(range.bytes, 1) - 1);
}

// The ranges of one memory, by base.
class Memory {
 public:
  Memory(isa::MemorySpace space, std::uint64_t bytes, Diagnostics& diagnostics)
      : space_(space), bytes_(bytes), diagnostics_(diagnostics) {}

  void place_at(const MemoryRequest& request, const Located<std::uint32_t>& pin) {
    const MemoryRange range = make_range(request, pin.value);
    if (pin.value % request.alignment != 0) {
      diagnostics_.error(pin.location,
                         fmt::format("{}: base {:#x} is not a multiple of {}",
                                     to_string(request.use), pin.value, request.alignment));
    } else if (request.use.purpose == MemoryPurpose::kTable && pin.value == 0) {
      diagnostics_.error(
          pin.location,
          fmt::format("{}: address 0 stands for nothing in tables; {:#x} is the lowest",
                      to_string(request.use), kFirstUnpinned));
    } else if (pin.value + request.bytes > bytes_) {
      diagnostics_.error(
          pin.location,
          fmt::format("{} ends beyond the memory: {:#x} + {} = {:#x}; {} has {} bytes "
                      "({:#x})",
                      to_string(request.use), pin.value, with_arithmetic(request),
                      pin.value + request.bytes, memory_name(space_), bytes_, bytes_));
    } else if (const MemoryRange* other = overlapping(range)) {
      overlaps_.push_back({request, pin, *other});
    } else {
      insert(range);
    }
  }

  void place(const MemoryRequest& request) {
    if (const auto base = first_free(request.bytes, request.alignment)) {
      insert(make_range(request, static_cast<std::uint32_t>(*base)));
      return;
    }
    diagnostics_.error(
        request.location,
        fmt::format("{} does not fit: it needs {}; {} has {} bytes, of which {} are taken, and its "
                    "largest free range "
                    "has {}",
                    to_string(request.use), with_arithmetic(request), memory_name(space_), bytes_,
                    taken(), largest_free()));
  }

  // After the placing of everything else, so that the free address is free for good.
  void report_overlaps() {
    for (const Overlap& overlap : overlaps_) {
      const auto free = first_free(overlap.request.bytes, overlap.request.alignment);
      diagnostics_.error(
          overlap.pin.location,
          fmt::format("{} overlaps {} in {}; {}",
                      describe(make_range(overlap.request, overlap.pin.value)),
                      describe(overlap.other), memory_name(space_),
                      free ? fmt::format("the first free address for its {} bytes is {:#x}",
                                         overlap.request.bytes, *free)
                           : fmt::format("no free range has its {} bytes", overlap.request.bytes)));
    }
  }

  [[nodiscard]] const std::vector<MemoryRange>& ranges() const { return ranges_; }

 private:
  struct Overlap {
    MemoryRequest request;
    Located<std::uint32_t> pin;
    MemoryRange other;
  };

  static std::string with_arithmetic(const MemoryRequest& request) {
    return request.arithmetic.empty()
               ? fmt::format("{} bytes", request.bytes)
               : fmt::format("{} = {} bytes", request.arithmetic, request.bytes);
  }

  [[nodiscard]] MemoryRange make_range(const MemoryRequest& request, std::uint32_t base) const {
    return {request.use, space_, base, request.bytes};
  }

  [[nodiscard]] const MemoryRange* overlapping(const MemoryRange& range) const {
    for (const MemoryRange& other : ranges_) {
      if (range.base < other.base + other.bytes && other.base < range.base + range.bytes)
        return &other;
    }
    return nullptr;
  }

  void insert(const MemoryRange& range) {
    const auto behind = std::upper_bound(
        ranges_.begin(), ranges_.end(), range,
        [](const MemoryRange& a, const MemoryRange& b) { return a.base < b.base; });
    ranges_.insert(behind, range);
  }

  // The gaps between the ranges, from low to high.
  template <typename Visit>
  void each_gap(Visit visit) const {
    std::uint64_t from = kFirstUnpinned;
    for (const MemoryRange& range : ranges_) {
      if (range.base > from)
        visit(from, std::uint64_t{range.base});
      from = std::max(from, range.base + range.bytes);
    }
    if (bytes_ > from)
      visit(from, bytes_);
  }

  [[nodiscard]] std::optional<std::uint64_t> first_free(std::uint64_t bytes,
                                                        std::uint64_t alignment) const {
    std::optional<std::uint64_t> found;
    each_gap([&](std::uint64_t from, std::uint64_t to) {
      const std::uint64_t base = aligned(from, alignment);
      if (!found && base + bytes <= to)
        found = base;
    });
    return found;
  }

  [[nodiscard]] std::uint64_t largest_free() const {
    std::uint64_t largest = 0;
    each_gap([&](std::uint64_t from, std::uint64_t to) { largest = std::max(largest, to - from); });
    return largest;
  }

  [[nodiscard]] std::uint64_t taken() const {
    std::uint64_t sum = 0;
    for (const MemoryRange& range : ranges_)
      sum += range.bytes;
    return sum;
  }

  isa::MemorySpace space_;
  std::uint64_t bytes_;
  Diagnostics& diagnostics_;
  std::vector<MemoryRange> ranges_;
  std::vector<Overlap> overlaps_;
};

const Located<std::uint32_t>* find_pin(const MemoryPins& pins, const MemoryRequest& request) {
  const auto names = pins.find(request.space);
  if (names == pins.end())
    return nullptr;
  const auto pin = names->second.find(request.use.name);
  return pin == names->second.end() ? nullptr : &pin->second;
}

}  // namespace

std::vector<MemoryRange> allocate_memory(
    const std::vector<MemoryRequest>& requests, const MemoryPins& pins,
    const std::map<isa::MemorySpace, std::uint64_t>& memory_bytes, Diagnostics& diagnostics) {
  std::vector<MemoryRange> ranges;
  for (const auto& [space, bytes] : memory_bytes) {
    Memory memory(space, bytes, diagnostics);
    for (const MemoryRequest& request : requests) {
      const auto* pin = find_pin(pins, request);
      if (request.space == space && pin != nullptr)
        memory.place_at(request, *pin);
    }
    for (const MemoryRequest& request : requests) {
      if (request.space == space && find_pin(pins, request) == nullptr)
        memory.place(request);
    }
    memory.report_overlaps();
    ranges.insert(ranges.end(), memory.ranges().begin(), memory.ranges().end());
  }
  return ranges;
}

}  // namespace nplab::mappings
