// The match engine as a unit of a chip, on the SRAM bus: threads write their keys to mailboxes and
// read the answers from there (isa/match/mailbox.h), one lookup at a time in each mailbox.
//
// Clocks: the unit's cycles begin at an exact rational multiple of the core's. A key posted by a
// write that the SRAM unit chose in core cycle t is there from t + 1 + request_latency on; an
// answer can be read answer_latency after the unit's cycle that found it has ended. Whether an
// answer is there depends on these cycles alone, so it does not matter how far the unit has run.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "isa/match/mailbox.h"
#include "isa/match/table_image.h"
#include "simulator/dram/clock_ratio.h"
#include "simulator/match_engine/match_engine.h"
#include "simulator/memory/sram_device.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::simulator::match {

// The published unit with its memory; controllers' window as given.
MatchDescription published_unit(unsigned channels, unsigned window);

// What the chip's file says of its unit.
MatchDescription description_of(const MatchUnitParameters& parameters);

// The size of the unit's tables.
isa::match::TableSize table_size(const MatchUnitParameters& parameters);

// What the unit is loaded with before a run.
struct MatchContents {
  isa::match::LookupProgram program;
  isa::match::TableImage tables;
  std::vector<isa::match::KeyPart> key;
};

struct MatchUnitCounters {
  std::uint64_t posted = 0;
  std::uint64_t answered = 0;
  std::uint64_t matched = 0;
  std::uint64_t answers_read = 0;   // reads that got an answer
  std::uint64_t reads_in_vain = 0;  // ... that came before it
  std::uint64_t references = 0;     // lines that lookups looked at
  Cycles total_latency = 0;         // core cycles from post to answer, of all that are answered
  Cycles longest_latency = 0;
  unsigned most_waiting = 0;  // posted, and without a session
};

class MatchUnit final : public ChipDevice, private RequestSource, private ResultSink {
 public:
  MatchUnit(const MatchUnitParameters& parameters, std::uint64_t core_hz,
            const MatchContents& contents);
  MatchUnit(const MatchUnit&) = delete;
  MatchUnit& operator=(const MatchUnit&) = delete;

  Answer read(std::uint32_t address, std::span<std::uint32_t> longwords, Cycle at) override;
  Answer write(std::uint32_t address, std::span<const std::uint32_t> longwords, Cycle at) override;
  void run(Cycle horizon) override { engine_.run(unit_cycle(horizon)); }
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

  [[nodiscard]] const MatchUnitCounters& counters() const { return counters_; }
  [[nodiscard]] const MatchEngine& engine() const { return engine_; }
  [[nodiscard]] const dram::ClockRatio& ratio() const { return ratio_; }
  // Once the run is over: ends the lookups under way, and gives the number of rules whose counters
  // or time stamps are not what the answers come to.
  [[nodiscard]] std::uint64_t settle();

 private:
  enum class State : std::uint8_t { kUnused, kPosted, kFound };
  struct Mailbox {
    State state{};
    std::uint32_t answer = 0;
    Cycle posted;
    Cycle readable;  // from this core cycle on
  };
  struct RuleState {
    std::uint64_t packets = 0;
    std::uint64_t last_seen = 0;
    friend bool operator==(const RuleState&, const RuleState&) = default;
  };

  [[nodiscard]] Cycle next() const override {
    return posted_.empty() ? Cycle::never() : posted_.front().arrival;
  }
  [[nodiscard]] const Request& front() const override { return posted_.front(); }
  void pop() override { posted_.pop_front(); }
  void finished(const Result& result) override;

  // The unit's first cycle that does not begin before a core cycle.
  [[nodiscard]] Cycle unit_cycle(Cycle core) const {
    return Cycle(static_cast<std::uint64_t>(ratio_.first_clock(core)));
  }

  std::uint32_t base_;
  Cycles request_latency_;
  Cycles answer_latency_;
  dram::ClockRatio ratio_;
  std::vector<isa::match::KeyPart> key_;
  std::vector<Mailbox> mailboxes_;
  std::deque<Request> posted_;      // that have no session yet, in their order
  std::vector<RuleState> answers_;  // by rule: what its entries must come to
  MatchUnitCounters counters_;
  mutable MatchEngine engine_;  // to be hashed, its ports are visited
};

}  // namespace nplab::simulator::match
