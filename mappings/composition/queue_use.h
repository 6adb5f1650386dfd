// The C code by which a stage's threads use the rings of a queue: where they keep their counts, and
// how they go from one ring to the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// The rings of a queue that a stage's threads use, in the order of rotation.
class QueueUse {
 public:
  enum class Side { kProducer, kConsumer };

  QueueUse(const Queue& queue, const Stage& stage, Side side);

  // Declares `u32 NAME_queue`, the ring that the thread uses next, and what belongs to it.
  [[nodiscard]] std::string declaration() const;

  // What put and get need before the packet: `NAME_queue, &NAME_tail, &NAME_freed`.
  [[nodiscard]] std::string arguments() const;

  // Moves on to the thread's next ring, once nothing that was taken of this one is left.
  [[nodiscard]] std::string next() const;

  // How many rings a thread goes round.
  [[nodiscard]] unsigned rings() const;

  // Wakes a consumer of the entry that was put, by what put gave back, `NAME_place`. `contexts`: of
  // an engine of the chip.
  [[nodiscard]] std::string signal(unsigned contexts) const;

 private:
  // A packet's number names the ring and the slot; the thread keeps nothing.
  [[nodiscard]] bool is_numbered() const {
    return side_ == Side::kProducer && queue_.protocol.shape == RingShape::kSequence;
  }
  [[nodiscard]] bool rotates() const { return rings() > 1; }
  // Variables that each ring has for itself in the thread's registers, without `NAME_`.
  [[nodiscard]] std::vector<std::string> counts() const;
  [[nodiscard]] std::string advance() const;
  [[nodiscard]] std::string rotate(const std::string& variable) const;
  // The base of ring `turn` of every thread; a thread with fewer rings repeats its last.
  [[nodiscard]] std::vector<std::uint32_t> column(std::size_t turn) const;
  // The distance of neighbouring rings, when it is one for all.
  [[nodiscard]] std::optional<std::uint32_t> uniform_step() const;

  const Queue& queue_;
  const Side side_;
  std::vector<std::vector<const QueueInstance*>> rings_;  // by rank
};

}  // namespace nplab::mappings
