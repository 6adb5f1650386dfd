#include "isa/match/table_image.h"

namespace nplab::isa::match {

std::vector<std::string> choice_words(Collisions /*collisions*/) {
  return {"refuse", "chain"};
}

std::string sentence_of(Placed placed) {
  switch (placed) {
    case Placed::kPlaced: return "it is in its place";
    case Placed::kCollides: return "another rule has its place";
    case Placed::kSameKey: return "another rule has the same key";
    case Placed::kNoOverflow: return "all overflow slots are taken";
  }
  return "";
}

Placed TableImage::insert(const Entry& rule) {
  Entry entry = rule;
  entry.link = 0;
  Slot slot = home_slot(hash_of(rule.tuple, rule.key), size_.home_slots);
  Entry there = memory_.read(slot);
  while (there.link != 0 && !there.holds(rule.tuple, rule.key)) {
    slot = there.link;
    there = memory_.read(slot);
  }
  if (there.tuple == kNoTuple) {
    memory_.write(slot, entry);
    return Placed::kPlaced;
  }
  Placed refusal = Placed::kSameKey;
  if (!there.holds(rule.tuple, rule.key)) {
    if (collisions_ == Collisions::kChain && overflow_used_ < size_.overflow_slots) {
      there.link = static_cast<Slot>(size_.home_slots + overflow_used_++);
      memory_.write(slot, there);
      memory_.write(there.link, entry);
      return Placed::kPlaced;
    }
    refusal = collisions_ == Collisions::kChain ? Placed::kNoOverflow : Placed::kCollides;
  }
  ++refused_;
  return refusal;
}

}  // namespace nplab::isa::match
