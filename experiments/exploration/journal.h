// The journal of a search: what every simulated point gave, a line of JSON each, so that a search
// that was stopped goes on where it was.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "experiments/exploration/objectives.h"
#include "experiments/exploration/space.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// A run to make: of a point, until so many packets are received.
struct Job {
  Point point;
  std::uint64_t packets = 0;
  friend auto operator<=>(const Job&, const Job&) = default;
};

// What came of it: figures, or why there are none.
struct Outcome {
  std::optional<MappingFigures> figures;
  std::string failure;
};

class Journal {
 public:
  // Reads `file` if it is there. `search` says what the outcomes depend on (space, rules, traffic,
  // chip, program); the file of another search is refused. Lines that were cut short are left out.
  static std::optional<Journal> open(const std::string& file, const std::string& search,
                                     Diagnostics& diagnostics);

  [[nodiscard]] const Outcome* find(const Job& job) const;
  [[nodiscard]] const std::map<Job, Outcome>& outcomes() const { return outcomes_; }
  // How many outcomes were there when it was opened.
  [[nodiscard]] std::size_t resumed() const { return resumed_; }

  // Keeps the outcome in memory.
  void add(const Job& job, Outcome outcome) { outcomes_[job] = std::move(outcome); }
  // Appends the outcome to the file, in one write, so that processes may append at the same time.
  void append(const Job& job, const Outcome& outcome) const;

 private:
  explicit Journal(std::string file) : file_(std::move(file)) {}

  std::string file_;
  std::map<Job, Outcome> outcomes_;
  std::size_t resumed_ = 0;
};

}  // namespace nplab::experiments
