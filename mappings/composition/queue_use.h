// The C code by which a stage's threads go from one instance of a queue to the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// The instances of a queue that a stage's threads use, in the order of rotation.
class QueueUse {
 public:
  enum class Side { kProducer, kConsumer };

  QueueUse(const Queue& queue, const Stage& stage, Side side);

  // Declares `u32 NAME_queue`, the instance that the thread uses next.
  [[nodiscard]] std::string declaration() const;

  // What a get needs before the metadata.
  [[nodiscard]] std::string get_arguments() const;

  // Moves on to the thread's next instance, once nothing that was taken of this one is left.
  [[nodiscard]] std::string next() const;

 private:
  [[nodiscard]] bool rotates() const;
  [[nodiscard]] std::string advance() const;
  // The base of instance `turn` of every thread; a thread with fewer instances repeats its last.
  [[nodiscard]] std::vector<std::uint32_t> column(std::size_t turn) const;
  // The distance of neighbouring instances, when it is one for all.
  [[nodiscard]] std::optional<std::uint32_t> uniform_step() const;

  const Queue& queue_;
  const bool takes_quantum_;
  std::vector<std::vector<std::uint32_t>> bases_;  // by rank
};

}  // namespace nplab::mappings
