#include "simulator/bus/core_port.h"

#include <algorithm>
#include <cassert>

#include "simulator/base/command_text.h"
#include "simulator/base/state_hash.h"

namespace nplab::simulator {
namespace {

constexpr std::uint32_t kQuadwordBytes = 8;
constexpr unsigned kLongwordsOfQuadword = 2;
constexpr std::uint8_t kFirstLongword = 0xf0;  // byte masks of a quadword
constexpr std::uint8_t kSecondLongword = 0x0f;

isa::Operation operation_of(const CoreReference& reference) {
  const bool reads = reference.direction == CoreReference::Direction::kRead;
  switch (reference.space) {
    case isa::MemorySpace::kSram:
      return reads ? isa::Operation::kSramRead : isa::Operation::kSramWrite;
    case isa::MemorySpace::kSdram:
      return reads ? isa::Operation::kSdramRead : isa::Operation::kSdramWrite;
    case isa::MemorySpace::kScratch: break;
  }
  return reads ? isa::Operation::kScratchRead : isa::Operation::kScratchWrite;
}

isa::Unit unit_of(isa::MemorySpace space) {
  switch (space) {
    case isa::MemorySpace::kSram: return isa::Unit::kSram;
    case isa::MemorySpace::kSdram: return isa::Unit::kSdram;
    case isa::MemorySpace::kScratch: break;
  }
  return isa::Unit::kScratch;
}

}  // namespace

Command CorePort::command_of(const CoreReference& reference, Cycle at) const {
  Command command;
  command.operation = operation_of(reference);
  command.unit = unit_of(reference.space);
  command.thread = ThreadId(id_, ContextId(0));
  command.count = static_cast<std::uint8_t>(reference.count);
  command.address = reference.address;
  command.signals = true;
  command.issuer = Issuer::kCore;
  command.issued = at;
  if (reference.csr) {
    command.operation = reference.direction == CoreReference::Direction::kRead
                            ? isa::Operation::kCsrRead
                            : isa::Operation::kCsrWrite;
    command.unit = isa::Unit::kFbi;
    command.csr = *reference.csr;
    return command;
  }
  if (reference.space != isa::MemorySpace::kSdram)
    return command;
  command.transfer.file = TransferRegister::File::kSdram;
  command.count = static_cast<std::uint8_t>((reference.count + 1) / kLongwordsOfQuadword);
  if (reference.count % kLongwordsOfQuadword == 0)
    return command;
  assert(reference.count == 1 && reference.direction == CoreReference::Direction::kWrite &&
         "SDRAM moves quadwords");
  command.byte_mask = reference.address % kQuadwordBytes == 0 ? kFirstLongword : kSecondLongword;
  command.address = reference.address / kQuadwordBytes * kQuadwordBytes;
  return command;
}

void CorePort::run(Cycle horizon) {
  for (;;) {
    switch (state_) {
      case State::kFree:
        if (free_from_ >= horizon)
          return;
        step_ = program_.next(free_from_);
        assert(step_.at >= free_from_ && "time goes forwards");
        state_ = State::kDue;
        break;
      case State::kDue:
        if (step_.at >= horizon)
          return;
        issue();
        break;
      case State::kUnderWay: return;
      case State::kAnswered:
        if (answered_ + 1 >= horizon)
          return;
        take_answer();
        break;
    }
  }
}

// The FIFO is empty: the previous reference is complete.
void CorePort::issue() {
  assert(commands_->can_accept(id_) && "a FIFO has an entry");
  const Command command = command_of(step_.reference, step_.at);
  commands_->push(command);
  if (!step_.reference.csr)
    issued_[static_cast<std::size_t>(step_.reference.space)].add(command);
  state_ = State::kUnderWay;
}

void CorePort::take_answer() {
  const bool reads = step_.reference.direction == CoreReference::Direction::kRead;
  state_ = State::kFree;
  free_from_ = answered_ + 1;
  program_.completed(std::span(read_).first(reads ? step_.reference.count : 0), answered_);
}

// A write is served in the cycle in which its data are pulled.
void CorePort::pull(ThreadId, TransferRegister, std::span<std::uint32_t> longwords, Cycle at) {
  const CoreReference& reference = step_.reference;
  if (longwords.size() > reference.count)
    std::fill(longwords.begin(), longwords.end(), reference.longwords[0]);
  else
    std::copy_n(reference.longwords.begin(), longwords.size(), longwords.begin());
  program_.written(at);
}

void CorePort::answer(ThreadId, const Answer& answer) {
  assert(state_ == State::kUnderWay && "nothing but a reference is answered");
  std::copy_n(answer.longwords.begin(), std::min(answer.longwords.size(), read_.size()),
              read_.begin());
  answered_ = answer.at;
  state_ = State::kAnswered;
}

void CorePort::describe_waiting(std::vector<std::string>& lines) const {
  if (state_ == State::kUnderWay)
    lines.push_back("core processor: waits for " + to_text(command_of(step_.reference, step_.at)));
}

void CorePort::hash(StateHash& hash) const {
  hash.add(static_cast<std::uint64_t>(state_));
  hash.add(state_ == State::kDue || state_ == State::kUnderWay ? step_.at : Cycle());
  hash.add(state_ == State::kAnswered ? answered_ : Cycle());
  for (const QueuedReferences& issued : issued_)
    hash.add(issued.references);
}

}  // namespace nplab::simulator
