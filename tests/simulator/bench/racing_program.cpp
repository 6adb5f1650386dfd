#include "tests/simulator/bench/racing_program.h"

#include <array>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/simulator/bench/words.h"

namespace nplab::test {
namespace {

using Register = isa::ControlStatusRegister;
using Kind = isa::Annotation::Kind;

constexpr unsigned kFbi = 19, kHash = 20;
constexpr unsigned kAutoPushOn = 1 << 9;
constexpr unsigned kSramLockReads = 2, kSramWriteUnlock = 3, kSramUnlock = 4;

Word fast_wr_of(unsigned data, Register csr) {
  return field(kFbi, 58) | field(data, 47) | field(none, 36) |
         field(static_cast<unsigned>(csr), 25) | field(4, 20);
}

class Writer {
 public:
  explicit Writer(const RacingProgramOptions& options) : options_(options), random_(options.seed) {}

  isa::ProgramImage write() {
    for (unsigned i = 0; i < 8; ++i)
      add(immed(a(i), random_() % 65536));
    while (words_.size() < options_.words)
      add_something();
    add(br(If::kAlways, 8));
    isa::ProgramImage image = program(std::move(words_));
    image.annotations = std::move(annotations_);
    return image;
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }
  void add(Word word) {
    INFO("word " << std::hex << word);
    REQUIRE(isa::decode(word));
    words_.push_back(word);
  }
  [[nodiscard]] unsigned here() const { return static_cast<unsigned>(words_.size()); }

  Code source() {
    switch (below(4)) {
      case 0: return sram_transfer(below(8));
      case 1: return sdram_transfer(below(8));
      default: return a(below(8));
    }
  }
  Code destination() {
    switch (below(4)) {
      case 0: return sram_transfer(below(8));
      case 1: return sdram_transfer(below(8));
      default: return a(below(8));
    }
  }

  void add_arithmetic() {
    const auto function = static_cast<Alu>(std::array{0u, 1u, 5u, 8u, 9u}[below(5)]);
    add(alu(destination(), source(), function, b(below(8))));
    if (chance(2))
      add(alu_shf(b(below(8)), source(), Alu::kOr, b(below(8)), 3, 1 + below(30)));
  }

  void add_branch() {
    const unsigned over = 1 + below(3);
    const unsigned defer = std::min(over - 1, below(3));
    switch (below(6)) {
      case 0: add(br_bset(source(), below(4), here() + 1 + over, defer)); break;
      case 1: add(br_inp_state(below(4), here() + 1 + over)); break;
      case 2:
        add(options_.waits ? br(If::kLess, here() + 1 + over)
                           : br_not_signal(4 + below(3), here() + 1 + over));
        break;
      case 3:
        add(br(If::kEqual, here() + 1 + over, std::min(defer, 1u),
               chance(2) ? Fetch::kTarget : Fetch::kFallThrough));
        break;
      case 4: add(br_context(below(4), here() + 1 + over, std::min(defer, 1u))); break;
      default: add(br(If::kAlways, here() + 1 + over, std::min(defer, 1u))); break;
    }
    for (unsigned i = 0; i < over; ++i)
      add(alu(a(below(8)), source(), Alu::kAdd, b(below(8))));
  }

  // Completes by a swap, silently, or with a signal that is waited for at once.
  void add_completed(Word word, isa::Event event) {
    const unsigned tokens = (chance(4) ? static_cast<unsigned>(isa::Token::kChainRef) : 0);
    switch (options_.waits ? 3 : below(4)) {
      case 0: return add(word | tokens);
      case 1:
        add(word | tokens | static_cast<unsigned>(Completion::kSignal));
        if (chance(2))
          add_arithmetic();
        return add(ctx_arb(event));
      default:
        return add(word | tokens | static_cast<unsigned>(Completion::kSwap) |
                   field(chance(3) ? 1 : 0, 16)),
               add_slot();
    }
  }
  void add_slot() { add(alu(a(below(8)), source(), Alu::kAdd, b(below(8)))); }

  unsigned order_tokens() {
    constexpr std::array kTokens{isa::Token::kOptimizeMem, isa::Token::kPriority,
                                 isa::Token::kOrdered};
    return chance(2) ? static_cast<unsigned>(kTokens[below(3)]) : 0;
  }
  Code offset(unsigned step) {
    if (options_.faults && chance(60))
      return value(1 + below(3));
    return value(step * below(120 / step));
  }

  void add_sram() {
    constexpr std::array kCommands{
        0u, 0u, 1u, 1u, 8u, 10u, kSramLockReads, kSramWriteUnlock, kSramUnlock};
    const unsigned command = kCommands[below(options_.quick_answers ? 9 : 8)];
    const bool burst = command < 2;
    const Word word =
        reference({ReferenceUnit::kSram, command, sram_transfer(below(4)), value(0), offset(4),
                   burst ? 1 + below(4) : 1, Completion::kSilent, 0, order_tokens()});
    add_completed(command == kSramUnlock ? (word & ~field(0x7ff, 47)) | field(none, 47) : word,
                  isa::Event::kSram);
    if (command != kSramLockReads)
      return;
    const bool unlock = options_.quick_answers;
    add(reference({ReferenceUnit::kSram, unlock ? kSramUnlock : kSramWriteUnlock,
                   unlock ? none : sram_transfer(0), value(0), offset(4), 1, Completion::kSilent}));
  }
  void add_sdram() {
    const bool to_fifo = chance(4);
    const unsigned command = to_fifo ? 2 + below(2) : below(2);
    const Code address = to_fifo ? value(8 * below(8)) : value(0);
    add_completed(
        reference({ReferenceUnit::kSdram, command, to_fifo ? none : sdram_transfer(2 * below(2)),
                   address, to_fifo ? value(chance(2) ? 0 : 64) : offset(8), 1 + below(2),
                   Completion::kSilent, 0, order_tokens()}),
        isa::Event::kSdram);
  }
  void add_scratch() {
    const unsigned command = std::array{0u, 1u, 6u, 8u, 10u}[below(5)];
    add_completed(
        reference({ReferenceUnit::kScratch, command, command == 6 ? none : sram_transfer(below(4)),
                   value(0), offset(4), command < 2 ? 1 + below(4) : 1, Completion::kSilent}),
        isa::Event::kFbi);
  }

  void add_fbi() {
    static constexpr std::array kRead{Register::kReceiveReady, Register::kTransmitPointer,
                                      Register::kCycleCount,   Register::kSequenceNumber1,
                                      Register::kSelfDestruct, Register::kReceiveControl};
    const auto csr = static_cast<Code>(kRead[below(kRead.size())]);
    switch (below(4)) {
      case 0:
        return add_completed(field(kHash, 58) | field(sram_transfer(0), 47) | field(none, 36) |
                                 field(none, 25) | field(below(2), 20) | field(1, 12),
                             isa::Event::kFbi);
      case 1:
        return add_completed(
            three_operands(kFbi, sram_transfer(below(4)), value(4 * below(16)), value(0)) |
                field(2 + below(2), 20) | field(below(4), 12),
            isa::Event::kFbi);
      default:
        return add_completed(three_operands(kFbi, sram_transfer(below(8)), none, csr),
                             isa::Event::kFbi);
    }
  }
  void add_fast_write() {
    static constexpr std::array kPlain{Register::kSelfDestruct, Register::kHashMultiplier0,
                                       Register::kIncrementSequence1, Register::kIncrementSequence2,
                                       Register::kSequenceNumber1};
    if (options_.quick_answers && chance(3))
      return add(fast_wr_of(below(options_.threads), Register::kInterThreadSignal));
    if (!options_.waits && chance(6)) {
      const unsigned on = chance(4) ? 0 : kAutoPushOn;
      return add(fast_wr_of(below(options_.threads) | on, Register::kReceiveReadyCount));
    }
    const Register csr = kPlain[below(options_.quick_answers ? kPlain.size() : 2)];
    add(chance(2) ? fast_wr(a(below(8)), csr) : fast_wr_of(below(100), csr));
  }

  // A request that finds room, as a rule; whoever is named is signalled.
  void add_receive() {
    if (!options_.faults || !chance(4)) {
      add(br_inp_state(0, here() + 2));
      add(br(If::kAlways, here() + 3));
    }
    add(immed(a(7), below(8) | below(16) << 4 | below(options_.threads) << 8));
    add(fast_wr(a(7), Register::kReceiveRequest));
  }
  // Whatever element; one that is not sent yet is a fault.
  void add_transmit() {
    const unsigned element = below(16);
    add(immed(a(6), 0x301 | below(8)));
    add(immed(b(6), 0x40, 2));
    add(alu(sram_transfer(0), a(6), Alu::kOr, b(6)));
    add(immed(b(7), 1024 + 4 * element));
    add(three_operands(kFbi, sram_transfer(0), b(7), value(0)) | field(3, 20) |
        static_cast<unsigned>(Completion::kSwap));
    add(fast_wr_of(element, Register::kTransmitValidate));
  }

  void add_annotation() {
    constexpr std::array kKinds{Kind::kPacketVerdict, Kind::kPacketForward, Kind::kPacketDrop,
                                Kind::kConsoleHex};
    annotations_.push_back({here(), kKinds[below(4)], value(64 * below(2)), value(below(7))});
  }

  void add_something() {
    if (chance(12))
      add_annotation();
    if (options_.faults && chance(200))
      words_.push_back(~Word{0});
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
      case 3: return add_arithmetic();
      case 4:
      case 5: return add_branch();
      case 6:
      case 7:
      case 8: return add_sram();
      case 9: return add_sdram();
      case 10:
      case 11: return add_scratch();
      case 12: return add_fbi();
      case 13: return add_fast_write();
      case 14: return add_receive();
      default:
        if (options_.faults && chance(4))
          return add_transmit();
        return add(yield());
    }
  }

  RacingProgramOptions options_;
  std::mt19937_64 random_;
  std::vector<Word> words_;
  std::vector<isa::Annotation> annotations_;
};

}  // namespace

isa::ProgramImage racing_program(const RacingProgramOptions& options) {
  return Writer(options).write();
}

}  // namespace nplab::test
