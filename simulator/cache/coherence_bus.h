// The bus that joins the caches before one memory: transactions wait for it in their order, and one
// line is in flight at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "simulator/base/command.h"
#include "simulator/base/state_hash.h"

namespace nplab::simulator {

struct Transaction {
  enum class Kind : std::uint8_t { kFetch, kOwn, kWriteBack, kForward };
  Kind kind{};
  unsigned cache = 0;
  std::uint32_t line = 0;
  Command command;  // for which it is
  Cycle ready;
};

class CoherenceBus {
 public:
  // A transaction holds the bus for so many cycles.
  CoherenceBus(Cycles cycles, std::uint32_t line_bytes)
      : cycles_(cycles), line_bytes_(line_bytes) {}

  void add(const Transaction& transaction) { waiting_.push_back(transaction); }
  // When a transaction can be granted next; never() if none can.
  [[nodiscard]] Cycle next_grant() const;
  // Takes the first that is ready in cycle `at`, if the bus is free.
  [[nodiscard]] std::optional<Transaction> grant(Cycle at);
  // No transaction for the line is granted until it has landed.
  void take_off(std::uint32_t line) { in_flight_.push_back(line); }
  void land(std::uint32_t line);

  [[nodiscard]] std::span<const Transaction> waiting() const { return waiting_; }
  void hash(StateHash& hash) const;

 private:
  [[nodiscard]] bool is_in_flight(std::uint32_t line) const;
  [[nodiscard]] bool is_grantable(const Transaction& transaction) const;

  Cycles cycles_;
  std::uint32_t line_bytes_;
  std::vector<Transaction> waiting_;
  Cycle free_;
  std::vector<std::uint32_t> in_flight_;  // lines whose transactions are not over
};

}  // namespace nplab::simulator
