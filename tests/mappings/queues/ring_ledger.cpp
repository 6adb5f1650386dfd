#include "ring_ledger.h"

#include <algorithm>

namespace nplab::ring_model {
namespace {

// The items of a row of entries, in order; the next of each producer must be the next that it put.
Property judge_row(Ledger& ledger) {
  while (ledger.ahead[0] != kNothing) {
    const Item item = ledger.ahead[0];
    std::uint8_t& expected = ledger.items[producer_of(item)];
    if (number_of(item) < expected)
      return Property::kTakenTwice;
    if (number_of(item) > expected)
      return Property::kOutOfOrder;
    ++expected;
    ++ledger.taken;
    std::copy(ledger.ahead.begin() + 1, ledger.ahead.end(), ledger.ahead.begin());
    ledger.ahead.back() = kNothing;
  }
  return Property::kNone;
}

}  // namespace

const char* text_of(Property property) {
  switch (property) {
    case Property::kNone: return "nothing";
    case Property::kOverwritten: return "an entry was overwritten before it was read";
    case Property::kTakenTwice: return "an entry was taken twice";
    case Property::kOutOfOrder: return "an item came before one that was put earlier";
    case Property::kIncomplete: return "an incomplete entry was taken";
    case Property::kNothingThere: return "an entry was taken that had never been written";
  }
  return "";
}

Property take(Ledger& ledger, Memory& memory, std::uint32_t index, const Entry& read,
              std::uint32_t slot) {
  if (read.item == kNothing)
    return Property::kNothingThere;
  if (read.item == kAlreadyRead || index < ledger.taken)
    return Property::kTakenTwice;
  if (read.rest != read.item)
    return Property::kIncomplete;
  if (index - ledger.taken >= kMostTakenAhead)
    return Property::kOutOfOrder;
  Item& taken = ledger.ahead[index - ledger.taken];
  if (taken != kNothing)
    return Property::kTakenTwice;
  taken = read.item;
  Entry& entry = memory.entries[slot];
  if (entry.item == read.item)
    entry.item = kAlreadyRead;
  if (entry.rest == read.item)
    entry.rest = kAlreadyRead;
  return judge_row(ledger);
}

}  // namespace nplab::ring_model
