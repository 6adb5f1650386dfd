// What a match unit is asked, and what it answers.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/match/entry.h"
#include "simulator/base/time.h"

namespace nplab::simulator::match {

enum class RequestKind : std::uint8_t {
  kLookup,
  kInsert,
  kReplace,  // the rule with this tuple and key
  kErase,
  kReadState,
};

struct Request {
  RequestKind kind{};
  std::uint64_t number = 0;  // of the one who asks
  isa::match::Entry rule;    // of a lookup: the packet's key; else the rule's key and tuple
  std::uint32_t bytes = 0;   // of the packet
  Cycle arrival;             // stamped when it is taken in
};

enum class Outcome : std::uint8_t {
  kMatched,
  kNoMatch,
  kInserted,
  kReplaced,
  kErased,
  kRead,
  kAbsent,      // no such rule
  kSameKey,     // a rule of the key is there
  kCollides,    // another rule has the place
  kNoOverflow,  // all overflow slots are taken
};

struct Result {
  RequestKind kind{};
  std::uint64_t number = 0;
  Outcome outcome{};
  // Of a lookup: what matched last. Of a replace, erase or read: the rule as it was, with its
  // state.
  isa::match::Entry entry;
  Cycle begun;
  Cycle ended;
  unsigned references = 0;  // lines that were looked at
};

// Packets or rule updates that come to the unit.
class RequestSource {
 public:
  virtual ~RequestSource() = default;
  // When the next request is there; never: none is left.
  [[nodiscard]] virtual Cycle next() const = 0;
  // That is there.
  [[nodiscard]] virtual const Request& front() const = 0;
  virtual void pop() = 0;
};

class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void finished(const Result& result) = 0;
};

}  // namespace nplab::simulator::match
