// Random references, each ready to be completed by its tokens.
#pragma once

#include "tests/simulator/bench/random_words.h"

namespace nplab::test {

enum class Target { kSram, kSdram, kScratch, kFbi };

// One reference ready to be completed by its tokens.
struct Draft {
  std::vector<Word> before;  // sets up addresses and overrides
  Word word = 0;
  Busy busy;
  isa::Event event{};
};

class RandomReferences : public RandomWords {
 protected:
  using RandomWords::RandomWords;

  Target any_target() {
    switch (below(owns_registers() ? 4 : 3)) {
      case 0: return Target::kSram;
      case 1: return Target::kSdram;
      case 2: return Target::kScratch;
      default: return Target::kFbi;
    }
  }
  static unsigned unit_number(Target target) { return 16 + static_cast<unsigned>(target); }
  static isa::Event event_of(Target target) {
    if (target == Target::kSram)
      return isa::Event::kSram;
    return target == Target::kSdram ? isa::Event::kSdram : isa::Event::kFbi;
  }
  static unsigned burst_mask(unsigned first, unsigned longwords) {
    unsigned mask = 0;
    for (unsigned i = 0; i < longwords; ++i)
      mask |= 1u << (first + i) % 8;
    return mask;
  }

  // a and b of a byte address in the thread's part, a multiple of `step`, with room behind it.
  Word address(Target target, unsigned step, std::vector<Word>& before) {
    const Code base = target == Target::kSram    ? kSramBase
                      : target == Target::kSdram ? kSdramBase
                                                 : kScratchBase;
    const unsigned offset = step * below(120 / step);
    if (thread() == 0 && chance(3))
      return field(value(offset), 36) | field(value(step * below(64 / step)), 25);
    if (chance(3)) {
      before.push_back(immed(kOffset, offset));
      return field(base, 36) | field(kOffset, 25);
    }
    return field(base, 36) | field(value(offset), 25);
  }

  // What indirect_ref can override of a burst of 1 to `most` units of `longwords`; `number` is the
  // first register's.
  struct Burst {
    unsigned number = 0;
    unsigned count = 1;
    bool incoming = false;
    bool outgoing = false;
  };
  void override_parts(Draft& draft, Burst& burst, unsigned most, bool takes_mask) {
    std::uint32_t parts = 0;
    if (most > 1 && chance(2)) {
      burst.count = 1 + below(most);
      parts |= 1u << 20 | (burst.count - 1) << 16;
    }
    if (chance(2)) {
      burst.number = below(8);
      parts |= 1u << 15 | (8 * context_ + burst.number) << 10;
    }
    if (takes_mask && chance(2))
      parts |= 1u << 31 | below(256) << 23;
    draft.before.push_back(immed(kParts, parts & 0xffff));
    draft.before.push_back(field(4, 58) | field(kParts, 47) | field(6, 20) | parts >> 16);
    if (chance(2))
      draft.before.push_back(move(none, kParts));
    else
      draft.before.push_back(alu_shf(none, none, Alu::kB, kParts, 0, 0));
    draft.word |= bit_of(isa::Token::kIndirectRef);
  }

  // Bursts of memory: command 0 read, 1 write.
  Draft burst(Target target, bool writes, bool overrides) {
    const bool sdram = target == Target::kSdram;
    const unsigned most = sdram ? 4 : 8;
    Draft draft;
    draft.event = event_of(target);
    Burst part{below(8), 1 + below(most), !writes, writes};
    draft.word = field(unit_number(target), 58) | address(target, sdram ? 8 : 4, draft.before) |
                 field(writes ? 1 : 0, 20) | field(part.count - 1, 12);
    // Without indirect_ref a burst is named by registers that follow one another.
    const unsigned longwords = sdram ? 2 : 1;
    part.number = below(8 - part.count * longwords + 1);
    draft.word |= field(sdram ? sdram_transfer(part.number) : sram_transfer(part.number), 47);
    if (overrides && chance(4))
      override_parts(draft, part, most, sdram && writes);
    const unsigned mask = burst_mask(part.number, part.count * longwords);
    (writes ? draft.busy.out : draft.busy.in)[sdram ? 1 : 0] = mask;
    return draft;
  }
  // bit_wr: 8 set, 9 clear, 10 test and set, 11 test and clear.
  Draft bit_operation(Target target) {
    Draft draft;
    draft.event = event_of(target);
    const unsigned n = below(8);
    draft.word = field(unit_number(target), 58) | field(sram_transfer(n), 47) |
                 address(target, 4, draft.before) | field(8 + below(4), 20);
    draft.busy.in[0] = draft.busy.out[0] = 1u << n;
    return draft;
  }
  Draft sram_reference(bool overrides) {
    switch (below(6)) {
      case 0: return bit_operation(Target::kSram);
      case 1:
        if (options_.free_lists)
          return list_reference();
        [[fallthrough]];
      default: return burst(Target::kSram, chance(2), overrides);
    }
  }
  Draft list_reference() {
    Draft draft;
    draft.event = isa::Event::kSram;
    const Word list = field(2 * context_ + below(2), 12);
    const unsigned n = below(8);
    if (blocks_left_ > 0 && chance(2)) {
      --blocks_left_;
      const std::uint32_t block = PrivateMemory::block(thread(), blocks_left_);
      draft.before = {immed(kIndex, block & 0xffff),
                      field(4, 58) | field(kIndex, 47) | field(6, 20) | block >> 16};
      draft.word = three_operands(16, none, kIndex, value(0)) | field(12, 20) | list;
      return draft;
    }
    draft.word = three_operands(16, sram_transfer(n), none, none) | field(13, 20) | list;
    draft.busy.in[0] = 1u << n;
    return draft;
  }
  Draft sdram_reference(bool overrides) {
    if (!chance(6))
      return burst(Target::kSdram, chance(2), overrides);
    // Between SDRAM and a FIFO: b is the FIFO's address.
    Draft draft;
    draft.event = isa::Event::kSdram;
    const unsigned command = 2 + below(2);
    Word b = field(value(chance(2) ? 0 : 64), 25);
    if (chance(2)) {
      draft.before.push_back(immed(kOffset, 64 * below(16)));
      b = field(kOffset, 25);
    }
    draft.word = field(17, 58) | field(none, 47) | field(kSdramBase, 36) | b | field(command, 20) |
                 field(below(8), 12);
    return draft;
  }
  Draft scratch_reference(bool overrides) {
    switch (below(5)) {
      case 0: return bit_operation(Target::kScratch);
      case 1: {
        Draft draft;
        draft.event = isa::Event::kFbi;
        draft.word = field(18, 58) | field(none, 47) | address(Target::kScratch, 4, draft.before) |
                     field(6, 20);
        return draft;
      }
      default: return burst(Target::kScratch, chance(2), overrides);
    }
  }
  isa::ControlStatusRegister plain_register() {
    using Register = isa::ControlStatusRegister;
    static constexpr std::array kRegisters{Register::kThreadDone,      Register::kSelfDestruct,
                                           Register::kHashMultiplier0, Register::kHashMultiplier1,
                                           Register::kHashMultiplier2, Register::kHashMultiplier3,
                                           Register::kHashMultiplier5};
    return kRegisters[below(kRegisters.size())];
  }
  Draft fbi_reference() {
    Draft draft;
    draft.event = isa::Event::kFbi;
    const unsigned n = below(8);
    const Word csr = field(static_cast<unsigned>(plain_register()), 25);
    const Word no_a = field(none, 36);
    switch (below(5)) {
      case 0:
        draft.word = field(19, 58) | field(sram_transfer(n), 47) | no_a | csr;
        draft.busy.in[0] = 1u << n;
        return draft;
      case 1:
        draft.word = field(19, 58) | field(sram_transfer(n), 47) | no_a | csr | field(1, 20);
        draft.busy.out[0] = 1u << n;
        return draft;
      case 2: {
        const unsigned count = 1 + below(8), first = below(8 - count + 1);
        const bool reads = chance(2);
        draft.word = field(19, 58) | field(sram_transfer(first), 47) | field(value(0), 36) |
                     field(value(4 * below(20)), 25) | field(reads ? 2 : 3, 20) |
                     field(count - 1, 12);
        (reads ? draft.busy.in : draft.busy.out)[0] = burst_mask(first, count);
        return draft;
      }
      default: {
        const unsigned keys = 1 + below(3), first = below(8 - 2 * keys + 1);
        draft.word = field(20, 58) | field(sram_transfer(first), 47) | no_a | field(none, 25) |
                     field(below(2), 20) | field(2 * keys - 1, 12);
        draft.busy.in[0] = draft.busy.out[0] = burst_mask(first, 2 * keys);
        return draft;
      }
    }
  }
  Draft reference_to(Target target, bool overrides) {
    switch (target) {
      case Target::kSram: return sram_reference(overrides);
      case Target::kSdram: return sdram_reference(overrides);
      case Target::kScratch: return scratch_reference(overrides);
      case Target::kFbi: break;
    }
    return fbi_reference();
  }
  // Tokens that change the order, for a reference that is alone in its unit.
  Word order_tokens(Target target) {
    Word tokens = 0;
    if (chance(4))
      tokens |= bit_of(isa::Token::kChainRef);
    if (chance(4))
      tokens |= bit_of(isa::Token::kPriority);
    if (chance(4))
      tokens |= bit_of(isa::Token::kOrdered);
    const bool memory = target == Target::kSram || target == Target::kSdram;
    if (memory && chance(3))
      tokens |= bit_of(isa::Token::kOptimizeMem);
    return tokens;
  }

  unsigned blocks_left_ = 0;  // that the context has not put on a free list yet
};

}  // namespace nplab::test
