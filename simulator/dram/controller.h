// The controller of one DRAM channel: reads wait in a queue, writes in another that is emptied in
// batches; every clock at most one command is issued. Which request has its next command is the
// scheduler's choice (arbitration/policies.h), whether a row stays open the page policy's
// (page_policies.h).
// Simplified: a refresh is issued as soon as its interval is over and the rank's banks can be
// closed, none is postponed or brought forward. A read of a burst that waits to be written is
// answered from the queue of writes, and writes to one burst are merged there, as if every write
// were of all its bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/arbitration/policies.h"
#include "simulator/dram/commands.h"
#include "simulator/dram/controller_counters.h"
#include "simulator/dram/ddr4_timing.h"
#include "simulator/dram/device_timing.h"
#include "simulator/dram/page_policies.h"

namespace nplab::simulator::dram {

// Which refreshes are issued; the default first.
enum class Refresh : std::uint8_t { kAllBank, kNone };
std::vector<std::string> choice_words(Refresh refresh);

// What a batch of writes does to the reads; the default first.
enum class WriteDrain : std::uint8_t {
  kBatch,  // they wait until it is written
  // Its writes join their queue but for one place, and the scheduler chooses among both. A window
  // of one request cannot be shared: kBatch.
  kShared,
};
std::vector<std::string> choice_words(WriteDrain drain);

struct ControllerDescription {
  DramScheduler::Choice scheduler{};
  // Reads that wait, and the oldest requests of a queue that are considered, not counting writes
  // that wait for reads.
  unsigned window = 32;
  unsigned write_queue = 16;  // writes that wait
  unsigned write_high = 16;   // as many waiting begin a batch of writes
  unsigned write_idle = 8;    // ... and so many while no read waits
  unsigned write_low = 0;     // writes that a batch leaves
  WriteDrain write_drain{};
  unsigned most_hits = 4;  // of a row that go before an older request for another of its bank
  // Once a read has waited so many clocks no batch of writes begins until it is served.
  unsigned most_wait = 2048;
  PagePolicy::Choice page{};
  Refresh refresh{};
};

struct DramRequest {
  std::uint64_t tag = 0;
  bool is_write = false;
  Place place;
  Clock arrival = 0;
};

// A request whose data are moved: they are on the bus from `begin` to before `end`.
struct ServedRequest {
  std::uint64_t tag = 0;
  bool is_write = false;
  Clock begin = 0;
  Clock end = 0;
};

// What one clock brings.
struct Step {
  std::optional<DramCommand> command;
  Place place;
  std::optional<ServedRequest> served;
};

class Controller {
 public:
  Controller(const Organization& organization, const Ddr4Timing& timing,
             const ControllerDescription& description, const std::vector<Constraint>& constraints);

  // Whether the queue of the request's kind takes as many more; an empty one takes what it can be
  // asked for.
  [[nodiscard]] bool has_room(bool is_write, unsigned places = 1) const;
  enum class Added : std::uint8_t { kWaits, kFromWriteQueue };
  // The request arrives, before the commands of its clock, which has not been stepped yet. A read
  // of a burst that waits to be written is answered at once, and a write to it needs no place.
  // Requires room.
  Added add(const DramRequest& request);

  // Issues at most one command in clock `now`. Clocks ascend; all that next_clock() names are
  // stepped.
  Step step(Clock now);
  // No command is issued before this clock unless a request arrives; kNever if then none is.
  [[nodiscard]] Clock next_clock() const { return next_; }

  [[nodiscard]] const ControllerCounters& counters() const { return counters_; }
  // Requests that wait.
  [[nodiscard]] std::size_t waiting() const { return reads_.size() + writes_.size(); }
  // ... of one kind.
  [[nodiscard]] std::size_t waiting(bool is_write) const;
  void hash(StateHash& hash) const;

 private:
  struct Waiting {
    DramRequest request;
    bool after_read = false;  // of a write: an older read of its burst has not been served
    bool activated = false;   // a row was opened for it
    bool conflicted = false;  // another row was closed for it
  };
  using Queue = std::vector<Waiting>;  // by age
  class RequestView;
  enum class Wanted { kAnything, kRowsOnly };
  static constexpr std::size_t kMostConsidered = 64;  // bits of a word
  struct Candidates {
    std::uint64_t ready = 0;    // positions in the queue, a bit each
    std::uint64_t columns = 0;  // those of them that move data
    std::array<DramCommand, kMostConsidered> commands{};
  };

  [[nodiscard]] std::optional<Step> step_refresh(Clock now);
  void choose_direction(Clock now);
  [[nodiscard]] bool has_aged_read(Clock now) const;
  void join_reads();
  [[nodiscard]] std::size_t places_for_writes() const;
  [[nodiscard]] bool is_held_by_older(std::size_t position) const;
  void release_writes(const Place& place);
  [[nodiscard]] std::uint64_t banks_wanted(const Queue& queue) const;
  [[nodiscard]] std::uint64_t banks_hit(const Queue& queue) const;
  [[nodiscard]] std::size_t considered(const Queue& queue) const;
  void find_candidates(const Queue& queue, Wanted wanted, std::uint64_t left_alone, Clock now,
                       Candidates& candidates);
  Step issue(Queue& queue, unsigned position, DramCommand command, Clock now);
  Step issue_column(Queue& queue, unsigned position, Clock now);
  [[nodiscard]] unsigned further_hits(const DramRequest& request) const;

  Organization organization_;
  Ddr4Timing timing_;
  ControllerDescription description_;
  DramScheduler scheduler_;
  bool in_order_;
  bool is_shared_;
  PagePolicy page_;
  DeviceTiming device_;
  Queue reads_;  // in order: all requests; shared: with the writes of the batch
  Queue writes_;
  unsigned batch_ = 0;              // writes that are left of the batch; 0: reads are served
  std::vector<unsigned> hits_;      // by bank, since its row was opened
  std::vector<Clock> refresh_due_;  // by rank
  std::uint64_t refreshing_ = 0;    // ranks whose refresh is due, a bit each
  Clock next_ = 0;
  ControllerCounters counters_;
};

}  // namespace nplab::simulator::dram
