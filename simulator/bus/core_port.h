// The core processor as the chip sees it: a master of the command bus that makes one reference at a
// time. What it does is a program of the host's, which takes no time besides what it asks for.
// Simplified: the original's core has a bus of its own to the units; here its references are
// granted in rotation with those of the engines, as if it were one more, and then queue in the
// units as theirs do.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/program_image.h"
#include "simulator/base/ports.h"
#include "simulator/base/queued_references.h"

namespace nplab::simulator {

// Longwords that follow one another, all read or written in one cycle of the unit.
struct CoreReference {
  static constexpr unsigned kMostLongwords = 8;
  enum class Direction : std::uint8_t { kRead, kWrite };

  Direction direction{};
  isa::MemorySpace space{};
  std::uint32_t address =
      0;               // bytes, a multiple of 4; in SDRAM of 8, unless a single longword is written
  unsigned count = 0;  // of longwords, 1 to kMostLongwords; in SDRAM even, or a single one written
  std::array<std::uint32_t, kMostLongwords> longwords{};  // to be written
  // A control and status register of the FBI in the place of memory: its number, and one longword.
  std::optional<std::uint16_t> csr = std::nullopt;
};

class CoreProgram {
 public:
  // A reference to issue in cycle `at`, or never() when the program is over, or waits until it is
  // woken (CorePort::wake).
  struct Step {
    Cycle at = Cycle::never();
    CoreReference reference;
  };
  virtual ~CoreProgram() = default;
  // What comes next; the core is free from cycle `now` on, and `at` is not before it.
  virtual Step next(Cycle now) = 0;
  // The write under way changed the memory in cycle `at`: references that the unit serves later
  // find it.
  virtual void written(Cycle at) = 0;
  // The reference is done; what it read.
  virtual void completed(std::span<const std::uint32_t> longwords, Cycle at) = 0;
};

class CorePort final : public ThreadAccess, public Inspectable {
 public:
  // `program` outlives the port. `number` is that of an engine which the chip does not have.
  CorePort(EngineId number, CoreProgram& program) : id_(number), program_(program) {}

  // Once, before the first cycle.
  void connect(CommandSink& commands) { commands_ = &commands; }
  // The program that had nothing to do has something now.
  void wake() {
    if (state_ == State::kDue && step_.at == Cycle::never())
      state_ = State::kFree;
  }
  // Issues what is due before `horizon`. Requires that all answers that come before the last of
  // these cycles are there.
  void run(Cycle horizon);

  void pull(ThreadId thread, TransferRegister first, std::span<std::uint32_t> longwords,
            Cycle at) override;
  void answer(ThreadId thread, const Answer& answer) override;

  // Nothing is issued before this cycle, at `now`, unless it is woken.
  [[nodiscard]] Cycle earliest_issue(Cycle now) const {
    return state_ == State::kDue ? std::max(now, step_.at) : now;
  }
  // What it has issued to a unit.
  [[nodiscard]] const QueuedReferences& issued(isa::MemorySpace space) const {
    return issued_[static_cast<std::size_t>(space)];
  }

  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  enum class State : std::uint8_t { kFree, kDue, kUnderWay, kAnswered };

  void issue();
  void take_answer();
  [[nodiscard]] Command command_of(const CoreReference& reference, Cycle at) const;

  EngineId id_;
  CoreProgram& program_;
  CommandSink* commands_ = nullptr;
  State state_ = State::kFree;
  Cycle free_from_;         // kFree: the program is asked then
  CoreProgram::Step step_;  // kDue: to be issued; then under way
  Cycle answered_;          // kAnswered
  std::array<std::uint32_t, CoreReference::kMostLongwords> read_{};
  std::array<QueuedReferences, 3> issued_{};  // by isa::MemorySpace
};

}  // namespace nplab::simulator
