#include "state_space.h"

#include <algorithm>

namespace nplab::state_space {
namespace {

constexpr std::size_t kFirstTableSize = 1024;  // a power of two

}  // namespace

StateStore::StateStore(std::size_t bytes_per_state)
    : bytes_per_state_(bytes_per_state), table_(kFirstTableSize, kNoState) {}

// Multiplies and folds eight bytes at a time (after wyhash's mixing step).
std::uint64_t StateStore::hash(const std::byte* state) const {
  std::uint64_t mixed = 0x9E3779B97F4A7C15;
  for (std::size_t i = 0; i < bytes_per_state_; i += sizeof(std::uint64_t)) {
    std::uint64_t part = 0;
    std::memcpy(&part, state + i, std::min(sizeof(part), bytes_per_state_ - i));
    const auto product = static_cast<unsigned __int128>(mixed ^ part) * 0xD6E8FEB86659FD93U;
    mixed = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64) ^ i;
  }
  return mixed ^ mixed >> 32;
}

StateStore::Place StateStore::insert(const void* state) {
  const auto* bytes = static_cast<const std::byte*>(state);
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash(bytes) & mask;
  for (; table_[place] != kNoState; place = (place + 1) & mask) {
    if (std::memcmp(at(table_[place]), bytes, bytes_per_state_) == 0)
      return {table_[place], false};
  }
  const auto number = static_cast<StateNumber>(size_++);
  table_[place] = number;
  if (number % kStatesPerChunk == 0)
    chunks_.push_back(std::make_unique<std::byte[]>(kStatesPerChunk * bytes_per_state_));
  std::memcpy(chunks_.back().get() + number % kStatesPerChunk * bytes_per_state_, bytes,
              bytes_per_state_);
  if (size_ * 2 > table_.size())
    grow();
  return {number, true};
}

void StateStore::grow() {
  table_.assign(table_.size() * 2, kNoState);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t number = 0; number < size_; ++number) {
    std::size_t place = hash(at(static_cast<StateNumber>(number))) & mask;
    while (table_[place] != kNoState)
      place = (place + 1) & mask;
    table_[place] = static_cast<StateNumber>(number);
  }
}

std::span<const StateNumber> StepGraph::targets_of(std::size_t state) const {
  const std::size_t end = state + 1 < first_step_.size() ? first_step_[state + 1] : targets_.size();
  return {targets_.data() + first_step_[state], end - first_step_[state]};
}

// Most steps lead to states that were met later, so that a few passes from the last state to the
// first suffice, and steps need not be kept backwards.
StateNumber StepGraph::first_stuck(std::vector<bool>& reaches_end) const {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t state = first_step_.size(); state-- > 0;) {
      if (reaches_end[state])
        continue;
      for (const StateNumber target : targets_of(state)) {
        if (!reaches_end[target])
          continue;
        reaches_end[state] = has_changed = true;
        break;
      }
    }
  }
  for (std::size_t state = 0; state < reaches_end.size(); ++state) {
    if (!reaches_end[state])
      return static_cast<StateNumber>(state);
  }
  return kNoState;
}

}  // namespace nplab::state_space
