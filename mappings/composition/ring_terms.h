// How the C code of a ring writes its addresses, counts, locks and entries: the words that putting
// and getting are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// Counts go up by 2 for an entry: bit 0 of a count in memory is its lock.
constexpr std::uint32_t kCountStep = 2;

class RingTerms {
 public:
  // `number` is that of the queue in the placement.
  RingTerms(const Queue& queue, std::size_t number);

  [[nodiscard]] const std::string& name() const { return queue_.name; }
  [[nodiscard]] bool has_lap_bit() const { return protocol_.shape != RingShape::kEntryFlag; }
  [[nodiscard]] bool is_numbered() const { return protocol_.shape == RingShape::kSequence; }
  // Addresses and words of the ring at the C variable `queue`.
  [[nodiscard]] std::string address(const std::string& offset) const;
  [[nodiscard]] std::string read(const std::string& offset) const;
  [[nodiscard]] std::string look_for_room() const;
  [[nodiscard]] std::string write(const std::string& offset, const std::string& value) const;
  [[nodiscard]] std::string take(const std::string& offset) const;
  // Ends the lock with a new count.
  [[nodiscard]] std::string give(const std::string& offset, const std::string& count) const;
  [[nodiscard]] bool uses_queue_locks() const;
  [[nodiscard]] std::string entry_address(const std::string& count) const;
  // The lap bit of the entry at a count, where packet information has room for it.
  [[nodiscard]] std::string lap(const std::string& count) const;
  [[nodiscard]] std::vector<std::string> values() const;
  [[nodiscard]] std::string unlocked(const std::string& freed) const;
  // Where consumers count in memory, that count says also what is free, unless packets' ends do.
  [[nodiscard]] std::string head_offset() const;
  static bool locks(const QueueSide& side) { return side.exclusion == Exclusion::kMemoryLock; }
  static bool counts_for_engine(const QueueSide& side) { return side.count == CountPlace::kEngine; }
  static bool is_in_memory(const QueueSide& side) { return side.count == CountPlace::kMemory; }
  [[nodiscard]] std::string shared_variable(const std::string& variable) const;
  // The longwords that say that the entry is there are written last, the others in front of them.
  [[nodiscard]] std::string write_entry() const;
  [[nodiscard]] std::string is_missing(const std::string& count) const;
  // Reads the first burst of the entry at `entry` as `words`.
  [[nodiscard]] std::string read_entry() const;
  // The entry's values, the rest of a long entry after its first burst.
  [[nodiscard]] std::string load_values() const;

 protected:
  const Queue& queue_;
  const QueueProtocol& protocol_;
  const std::size_t number_;
  const std::string memory_;  // `sram` or `scratch`

 private:
  [[nodiscard]] std::string place(const std::string& offset) const;
  // As queue.h and queue_locks.h name it.
  [[nodiscard]] const char* primitive() const;
  // The lock that protects a count, where it lies apart: an argument before the count's. A count
  // has one side that locks it.
  [[nodiscard]] std::string lock_of(const std::string& offset) const;
  // Instructions that stand for code of a system.
  [[nodiscard]] std::string spent() const;
  // The count of freed entries is a lock too where several engines write it.
  [[nodiscard]] bool freed_is_locked() const;
};

}  // namespace nplab::mappings
