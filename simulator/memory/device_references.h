// The references to devices on the SRAM bus: where the devices lie, which answers are awaited, and
// the order of the answers that a thread gets. A thread's answers come in the order of its
// references: as long as one is awaited, the answers to what the thread asked later are kept.
// Some devices notify of their answers, others are asked for them.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "simulator/base/command.h"
#include "simulator/base/queued_references.h"
#include "simulator/base/state_hash.h"
#include "simulator/memory/sram_device.h"

namespace nplab::simulator {

class DeviceReferences {
 public:
  struct Range {
    std::uint32_t from = 0;
    std::uint32_t bytes = 0;
    SramDevice* device = nullptr;
    [[nodiscard]] bool holds(std::uint32_t address) const { return address - from < bytes; }
  };
  // A reference that the unit has served, and its answer.
  struct Served {
    Command command;
    std::vector<std::uint32_t> data;  // for the transfer registers
    unsigned longwords = 0;           // that were moved
    Cycle at;                         // in which the unit chose it
    Cycle done;                       // while it is awaited: as if the device took no time
  };

  void attach(const Range& range);
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  // The range that the address lies in; null: it is the memory's.
  [[nodiscard]] const Range* at(std::uint32_t address) const;

  // Whether an answer to the thread is awaited, so that one more is kept.
  [[nodiscard]] bool keeps(ThreadId thread) const;
  void keep(Served served) { waiting_.push_back({std::move(served), nullptr, {}}); }
  void await(Served served, const SramDevice& device, SramDevice::Ticket ticket) {
    waiting_.push_back({std::move(served), &device, ticket});
  }
  // A read whose device is asked for the answer.
  void ask(const Command& command, SramDevice& device);
  // Whether there are such reads.
  [[nodiscard]] bool asks() const { return asked_ != 0; }
  // The oldest of them whose device has the answer in cycle `at`; null: there is none.
  [[nodiscard]] const Command* answerable(Cycle at) const;
  // ... `read` has been served.
  void answered(const Command& read, Served served);
  // The awaited answer has come in cycle `at`, with what was read.
  void answered(const SramDevice& device, SramDevice::Ticket ticket,
                std::span<const std::uint32_t> longwords, Cycle at);
  // The next reference whose answer can be given, if any.
  [[nodiscard]] std::optional<Served> next();

  // The cycle in which an answer to the thread comes that would come in cycle `done` by itself.
  [[nodiscard]] Cycle in_order(ThreadId thread, Cycle done);

  // Served, and without an answer so far.
  [[nodiscard]] QueuedReferences awaited() const;
  void describe_waiting(std::vector<std::string>& lines) const;
  void hash(StateHash& hash) const;

 private:
  struct Waiting {
    Served served;
    const SramDevice* device = nullptr;  // whose answer is awaited; null: it has come
    SramDevice::Ticket ticket = 0;
    SramDevice* asked = nullptr;  // ... is asked for it; null: it notifies
  };

  std::vector<Range> ranges_;
  std::deque<Waiting> waiting_;   // in the order of their references
  unsigned asked_ = 0;            // of these
  std::vector<Cycle> last_done_;  // by thread: its last answer
};

}  // namespace nplab::simulator
