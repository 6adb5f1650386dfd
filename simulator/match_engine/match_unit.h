// The match engine as a unit of a chip, on the SRAM bus: threads write their keys to mailboxes and
// read the answers from there (isa/match/mailbox.h), one lookup at a time in each mailbox. A read
// that comes before its answer waits in the mailbox. A key is taken while the queue of requests has
// room; else it waits in the SRAM unit's queue. The core processor inserts, replaces and deletes
// rules at a port of its own, one request after another.
//
// Clocks: the unit's cycles begin at an exact rational multiple of the core's. A key posted by a
// write that the SRAM unit chose in core cycle t is there from t + 1 + request_latency on; an
// answer can be read answer_latency after the unit's cycle that found it has ended. A request's
// place is free once the unit's cycle that took it has begun.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "isa/match/mailbox.h"
#include "isa/match/table_image.h"
#include "simulator/dram/clock_ratio.h"
#include "simulator/match_engine/match_engine.h"
#include "simulator/memory/sram_device.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::simulator::match {

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
  std::uint64_t matched_bytes = 0;  // of the packets
  std::uint64_t answers_read = 0;
  std::uint64_t reads_that_waited = 0;  // ... that came before the answer
  Cycles read_wait = 0;                 // core cycles that they waited
  std::uint64_t posts_that_waited = 0;  // keys that found the queue of requests full
  Cycles post_wait = 0;                 // core cycles that they waited
  std::uint64_t references = 0;         // lines that lookups looked at
  Cycles total_latency = 0;             // core cycles from post to answer, of all that are answered
  Cycles longest_latency = 0;
  unsigned most_waiting = 0;  // posted, and without a session
  std::uint64_t updates = 0;  // requests of the service port that ended
  std::uint64_t updates_refused = 0;

  void hash(StateHash& hash) const {
    hash.add_all(std::array<std::uint64_t, 8>{posted, answered, matched, answers_read,
                                              reads_that_waited, read_wait, posts_that_waited,
                                              post_wait});
    hash.add_all(
        std::array<std::uint64_t, 4>{references, total_latency, longest_latency, most_waiting});
    hash.add_all(std::array<std::uint64_t, 3>{matched_bytes, updates, updates_refused});
  }
};

class MatchUnit final : public ChipDevice, private RequestSource, private ResultSink {
 public:
  MatchUnit(const MatchUnitParameters& parameters, std::uint64_t core_hz,
            const MatchContents& contents);
  MatchUnit(const MatchUnit&) = delete;
  MatchUnit& operator=(const MatchUnit&) = delete;

  Answer read(std::uint32_t address, std::span<std::uint32_t> longwords, Cycle at) override;
  Answer write(std::uint32_t address, std::span<const std::uint32_t> longwords, Cycle at) override;
  bool takes_write(std::uint32_t address, Cycle at) override;
  bool has_answer(std::uint32_t address, Cycle at) override;
  void run(Cycle horizon) override { engine_.run(unit_cycle(horizon)); }
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

  [[nodiscard]] const MatchUnitCounters& counters() const { return counters_; }
  [[nodiscard]] const MatchEngine& engine() const { return engine_; }
  [[nodiscard]] Wires& wires() { return engine_.wires(); }
  [[nodiscard]] const MatchDescription& description() const { return description_; }
  [[nodiscard]] const dram::ClockRatio& ratio() const { return ratio_; }
  // Is called after each of the unit's cycles from now on; may be null.
  void observe(CycleObserver* observer) { engine_.observe(observer); }
  // Who works the modules of a cycle through from now on; null: the unit itself.
  void run_by(CycleRunner* runner) { engine_.run_by(runner); }
  // Once the run is over: ends the lookups under way, and gives the number of rules whose counters
  // or time stamps are not what the answers come to.
  [[nodiscard]] std::uint64_t settle();

 private:
  enum class State : std::uint8_t { kUnused, kPosted, kFound };
  struct Mailbox {
    State state{};
    std::uint32_t answer = 0;
    std::uint32_t bytes = 0;  // of the packet
    Cycle posted;
    Cycle readable;                     // from this core cycle on
    std::optional<Cycle> read_since{};  // by a read that waits
    std::optional<Cycle> post_since{};  // a key that waits
    [[nodiscard]] bool is_answered(Cycle at) const {
      return state == State::kFound && readable <= at;
    }
    void add_to(StateHash& hash) const;
  };
  struct RuleState {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    std::uint64_t last_seen = 0;
    void add(const RuleState& more) {
      packets += more.packets;
      bytes += more.bytes;
      last_seen = std::max(last_seen, more.last_seen);
    }
    friend bool operator==(const RuleState&, const RuleState&) = default;
  };
  class ServicePort final : public RequestSource {
   public:
    [[nodiscard]] Cycle next() const override { return pending ? request.arrival : Cycle::never(); }
    [[nodiscard]] const Request& front() const override { return request; }
    void pop() override { pending = false; }

    Request request;
    bool pending = false;  // not taken by the unit yet
    Mailbox outcome;
    std::array<std::uint32_t, isa::match::kServiceStateWords> rule_state{};  // of the last request
  };

  [[nodiscard]] bool is_service(std::uint32_t address) const {
    return address - base_ >= isa::match::kService;
  }
  // Where an answer is awaited that is read at this address.
  [[nodiscard]] Mailbox& mailbox_at(std::uint32_t address) {
    return is_service(address) ? service_.outcome
                               : mailboxes_[(address - base_) / isa::match::kMailboxBytes];
  }
  Answer write_service(unsigned offset, std::span<const std::uint32_t> longwords, Cycle at);
  Answer read_rule_state(std::span<std::uint32_t> longwords, Cycle at) const;
  [[nodiscard]] Cycle next() const override {
    return posted_.empty() ? Cycle::never() : posted_.front().arrival;
  }
  [[nodiscard]] const Request& front() const override { return posted_.front(); }
  void pop() override { posted_.pop_front(); }
  void finished(const Result& result) override;
  void finished_update(const Result& result);
  // The core cycle from which on a result can be read.
  [[nodiscard]] Cycle readable_from(const Result& result) const;
  static void add_to(std::vector<RuleState>& rules, std::uint32_t rule, const RuleState& more);

  void describe_mailbox(std::size_t place, std::vector<std::string>& lines) const;
  // The unit's first cycle that does not begin before a core cycle.
  [[nodiscard]] Cycle unit_cycle(Cycle core) const {
    return Cycle(static_cast<std::uint64_t>(ratio_.first_clock(core)));
  }

  std::uint32_t base_;
  Cycles request_latency_;
  Cycles answer_latency_;
  std::size_t request_queue_;
  dram::ClockRatio ratio_;
  MatchDescription description_;
  std::vector<isa::match::KeyPart> key_;
  std::vector<Mailbox> mailboxes_;
  std::deque<Request> posted_;  // that have no session yet, in their order
  ServicePort service_;
  std::vector<RuleState> answers_;  // by rule: what its entries must come to
  std::vector<RuleState> gone_;     // by rule: what deleted and replaced entries had counted
  MatchUnitCounters counters_;
  mutable MatchEngine engine_;  // to be hashed, its ports are visited
};

}  // namespace nplab::simulator::match
