// The core processor's program that updates rules while the engines classify.
//
// An update writes a rule's memory first and then one link, so a lookup sees it wholly or not at
// all. What a lookup sees of several updates depends on when it passes where, and could be right
// for no rule set that there ever was: an insert that it missed, a delete after it that it did
// not. So an update waits until all lookups are over that began before an earlier one, where a
// packet may match the rules of both and the two are not
//   - a delete and then an insert,
//   - deletes, the better rule first, or
//   - inserts, the worse rule first.
// Of such updates a lookup that finds R and misses better rules is right for the set in force
// after the deletes, and before the inserts, of those better rules. Memory of a deleted rule is
// used again after such a wait, too.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "mappings/resolver/placement.h"
#include "mappings/tables/table_builder.h"
#include "simulator/bus/core_port.h"
#include "workloads/updates/updates.h"
#include "workloads/updates/versioned_reference.h"

namespace nplab::experiments {

struct UpdateCounters {
  std::uint64_t inserts = 0;  // whose link is written
  std::uint64_t deletes = 0;
  std::uint64_t references = 0;
  std::uint64_t longwords_written = 0;
  std::uint64_t waits = 0;  // for lookups
  simulator::Cycles wait_cycles = 0;
  simulator::Cycles total_latency = 0;  // from taking an update up to its link
  simulator::Cycles greatest_latency = 0;
  simulator::Cycle first, last;  // links
};

// Must two rules' updates, `earlier` and then `later`, not be seen by one lookup? By their kinds
// and priorities alone.
bool need_wait_between(const workloads::RuleUpdate& earlier, const workloads::RuleUpdate& later);

// Where a flow cache has the version of the rules; nothing without one.
std::optional<mappings::TablePlace> flow_version_place(const mappings::Placement& placement);

// Where the table of mappings/include/readers.h lies. An algorithm that takes updates has one.
mappings::TablePlace readers_place(const mappings::Placement& placement);

class ControlPlane final : public simulator::CoreProgram {
 public:
  // `readers` is readers_place, `flow_version` is flow_version_place. `reference` learns of every
  // rule that comes or goes. What is given outlives this.
  ControlPlane(const workloads::RuleUpdates& updates,
               std::unique_ptr<mappings::TableUpdater> tables, const mappings::TablePlace& readers,
               workloads::VersionedReference& reference,
               const std::optional<mappings::TablePlace>& flow_version = {});

  Step next(simulator::Cycle now) override;
  void written(simulator::Cycle at) override;
  void completed(std::span<const std::uint32_t> longwords, simulator::Cycle at) override;

  [[nodiscard]] const UpdateCounters& counters() const { return counters_; }

 private:
  // What the reference under way, or the next one, is for.
  enum class Phase {
    kTakeUp,   // the next update
    kPrepare,  // memory of the update
    kOpen,     // makes the flow cache's version odd: lookups neither use the cache nor fill it
    kLink,
    kComplete,   // what follows the link
    kClose,      // makes it even again
    kLook,       // at lookups of the epoch that is not in use
    kFlip,       // the epoch
    kLookAgain,  // at those of the epoch that was in use
  };

  Step take_up(simulator::Cycle now);
  void look_at_readers(std::span<const std::uint32_t> readers, simulator::Cycle at);
  void end_wait(simulator::Cycle at);
  [[nodiscard]] bool must_wait(const workloads::RuleUpdate& update) const;
  [[nodiscard]] bool overlap(workloads::RuleIndex a, workloads::RuleIndex b) const;
  Step write(simulator::Cycle at, const mappings::TableWrite& write);
  Step write_version(simulator::Cycle at);
  Step read_readers(simulator::Cycle at);
  Step complete(simulator::Cycle at);
  // The link is written, and so many references of the completion are done.
  void go_on_after(std::size_t completed, simulator::Cycle at);
  void end_update();

  const workloads::RuleUpdates& plan_;
  const std::unique_ptr<mappings::TableUpdater> tables_;
  const mappings::TablePlace readers_;
  workloads::VersionedReference& reference_;
  const std::optional<mappings::TablePlace> flow_version_;
  std::uint32_t version_ = 0;  // the next one to write, less 1
  Phase phase_ = Phase::kTakeUp;
  std::size_t next_update_ = 0;
  simulator::Cycle taken_up_;
  bool is_taken_up_ = false;      // the next update, though it may wait for lookups
  mappings::TableChange change_;  // under way
  std::size_t next_preparation_ = 0;
  std::size_t next_completion_ = 0;
  std::vector<std::size_t> unsettled_;  // updates that lookups under way may have seen, or not
  simulator::Cycle not_before_;         // the next look
  simulator::Cycle waits_from_;
  std::uint32_t epoch_ = 0;
  UpdateCounters counters_;
};

}  // namespace nplab::experiments
