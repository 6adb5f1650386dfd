#include "mappings/composition/ring_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {
namespace {

constexpr std::uint32_t kLongestBurst = 8;  // longwords

// Tail, freed and head.
constexpr unsigned kLockedCounts = 3;

}  // namespace

RingTerms::RingTerms(const Queue& queue, std::size_t number)
    : queue_(queue),
      protocol_(queue.protocol),
      number_(number),
      memory_(memory_qualifier(queue.memory).substr(2)) {}

std::string RingTerms::address(const std::string& offset) const {
  return "queue + " + place(offset);
}

std::string RingTerms::read(const std::string& offset) const {
  return fmt::format("{}_read((__{} void*)({}))", memory_, memory_, address(offset));
}

std::string RingTerms::look_for_room() const {
  return fmt::format("look_for_room_{}({})", memory_, address("RING_FREED"));
}

std::string RingTerms::write(const std::string& offset, const std::string& value) const {
  return fmt::format("{}_write((__{} void*)({}), {});", memory_, memory_, address(offset), value);
}

std::string RingTerms::take(const std::string& offset) const {
  return fmt::format("take_{}_{}({}{}{})", primitive(), memory_, lock_of(offset), address(offset),
                     spent());
}

std::string RingTerms::give(const std::string& offset, const std::string& count) const {
  return fmt::format("give_{}_{}({}{}, {}{});", primitive(), memory_, lock_of(offset),
                     address(offset), count, spent());
}

bool RingTerms::uses_queue_locks() const {
  return lies_apart(protocol_.primitive) || protocol_.primitive == LockPrimitive::kCompareAndSwap;
}

std::string RingTerms::entry_address(const std::string& count) const {
  return fmt::format("{} + ({} >> 1 & {}) * {}", address("RING_ENTRIES"), count, queue_.entries - 1,
                     4 * queue_.entry_longwords);
}

std::string RingTerms::lap(const std::string& count) const {
  const int shift = kLapBit - std::bit_width(queue_.entries);
  const std::string shifted =
      shift >= 0 ? fmt::format("{} << {}", count, shift) : fmt::format("{} >> {}", count, -shift);
  return fmt::format("({} & ENTRY_LAP)", shifted);
}

std::vector<std::string> RingTerms::values() const {
  std::vector<std::string> names{"buffer", "info"};
  for (const auto& field : queue_.carried)
    names.push_back(metadata_variable(field));
  return names;
}

std::string RingTerms::unlocked(const std::string& freed) const {
  return freed_is_locked() ? fmt::format("({} & ~1)", freed) : freed;
}

std::string RingTerms::head_offset() const {
  return queue_.release == QueueRelease::kEndOfPacket ? "RING_HEAD" : "RING_FREED";
}

std::string RingTerms::shared_variable(const std::string& variable) const {
  return fmt::format("static __shared u32 {}_{};\n", name(), variable);
}

std::string RingTerms::write_entry() const {
  std::vector<std::string> words = values();
  words[1] = fmt::format("info | {}", lap("tail"));
  std::string code = fmt::format("  const u32 entry = {};\n", entry_address("tail"));
  code += fmt::format("  queue_entry_put(entry, {});\n", number_);
  for (std::size_t first = words.size() - (words.size() - 1) % kLongestBurst - 1;;
       first -= kLongestBurst) {
    const std::size_t count = std::min<std::size_t>(kLongestBurst, words.size() - first);
    std::string list;
    for (std::size_t i = first; i < first + count; ++i)
      list += ", " + words[i];
    code += fmt::format("  {0}_write{1}((__{0} void*)(entry + {2}){3});\n", memory_,
                        count == 1 ? "" : std::to_string(count), 4 * first, list);
    if (first == 0)
      return code;
  }
}

std::string RingTerms::is_missing(const std::string& count) const {
  const std::string other_lap = fmt::format("(words[1] & ENTRY_LAP) != {}", lap(count));
  return has_lap_bit() ? other_lap : "!words[1] || " + other_lap;
}

std::string RingTerms::read_entry() const {
  return fmt::format("  const u32x{1} words = {0}_read{1}((__{0} void*)entry);\n", memory_,
                     std::min(queue_.entry_longwords, kLongestBurst));
}

std::string RingTerms::load_values() const {
  std::string code = fmt::format("  queue_entry_taken(entry, {});\n", number_);
  const auto names = values();
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), kLongestBurst); ++i) {
    code += i == 1 ? "  *info = words[1] & ~ENTRY_LAP;\n"
                   : fmt::format("  *{} = words[{}];\n", names[i], i);
  }
  for (std::size_t first = kLongestBurst; first < names.size(); first += kLongestBurst) {
    const std::size_t count = std::min<std::size_t>(kLongestBurst, names.size() - first);
    const std::string address = fmt::format("(__{} void*)(entry + {})", memory_, 4 * first);
    if (count == 1) {
      code += fmt::format("  *{} = {}_read({});\n", names[first], memory_, address);
      continue;
    }
    code += fmt::format("  const u32x{0} words_{1} = {2}_read{0}({3});\n", count, first, memory_,
                        address);
    for (std::size_t i = 0; i < count; ++i)
      code += fmt::format("  *{} = words_{}[{}];\n", names[first + i], first, i);
  }
  return code;
}

std::string RingTerms::place(const std::string& offset) const {
  return protocol_.has_own_lines ? fmt::format("ON_OWN_LINE({})", offset) : offset;
}

const char* RingTerms::primitive() const {
  switch (protocol_.primitive) {
    case LockPrimitive::kLockCam: return "cam";
    case LockPrimitive::kCompareAndSwap: return "swap";
    case LockPrimitive::kMutex: return "mutex";
    case LockPrimitive::kCondition: return "condition";
    case LockPrimitive::kTicket: return "ticket";
    case LockPrimitive::kMcs: return "mcs";
    case LockPrimitive::kAuto:
    case LockPrimitive::kTestAndSet: break;
  }
  return "count";
}

std::string RingTerms::lock_of(const std::string& offset) const {
  if (!lies_apart(protocol_.primitive))
    return "";
  const std::uint64_t area = lock_area_offset(
      queue_.control_bytes() + std::uint64_t{4} * queue_.entries * queue_.entry_longwords);
  const unsigned side = offset == "RING_TAIL" ? 0 : offset == "RING_FREED" ? 1 : 2;
  std::string text = fmt::format("queue + {} + {} * LOCK_SIDE, ", area, side);
  if (protocol_.primitive == LockPrimitive::kMcs)
    text += fmt::format("queue + {} + {} * LOCK_SIDE, ", area, kLockedCounts);
  return text;
}

std::string RingTerms::spent() const {
  switch (protocol_.primitive) {
    case LockPrimitive::kMutex: return fmt::format(", {}", protocol_.call_instructions);
    case LockPrimitive::kCondition:
      return fmt::format(", {}, {}", protocol_.call_instructions, protocol_.kernel_instructions);
    default: return "";
  }
}

bool RingTerms::freed_is_locked() const {
  if (queue_.release == QueueRelease::kEndOfPacket)
    return protocol_.releasers.count == CountPlace::kMemory;
  return protocol_.consumers.exclusion == Exclusion::kMemoryLock;
}

}  // namespace nplab::mappings
