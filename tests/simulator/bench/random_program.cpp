#include "tests/simulator/bench/random_program.h"

#include "tests/simulator/bench/random_references.h"

namespace nplab::test {
namespace {

using isa::ControlStatusRegister;
using isa::Event;
using isa::Token;

class Generator : public RandomReferences {
 public:
  explicit Generator(const RandomProgramOptions& options) : RandomReferences(options) {}

  isa::ProgramImage program() {
    for (unsigned context = 1; context < options_.contexts; ++context)
      emit(0);
    for (unsigned context = 0; context < options_.contexts; ++context) {
      if (context > 0)
        words_[context - 1] = br_context(context, here());
      context_ = context;
      section();
    }
    return test::program(words_);
  }

 private:
  // A branch without target, defer and guess, and how much defer it allows.
  std::pair<Word, unsigned> branch() {
    const auto with_a = [this](unsigned operation, unsigned function) {
      return branch_word(operation, function, 0, 0, false) | field(source(below(2)), 36);
    };
    switch (below(8)) {
      case 0: return {br(If::kAlways, 0), 1};
      case 1:
      case 2:
      case 3: return {br(static_cast<If>(1 + below(8)), 0), 2};
      case 4: return {with_a(9, below(2)) | field(below(32), 53), 3};
      case 5:
        return {with_a(10, below(2)) | field(below(chance(2) ? 256 : 2), 28) | field(below(4), 26),
                3};
      case 6: return {branch_word(11, below(2), 0, 0, false) | field(below(4), 53), 2};
      default: {
        // rec_req_avail and push_protect are what they are at reset; the others are the owner's.
        const unsigned states = owns_registers() ? 4 : 2;
        return {br_inp_state(below(states), 0), 2};
      }
    }
  }
  // Finishes the word by defer, which it returns, and guess.
  unsigned finish_branch(Word& word, unsigned most_defer) {
    const unsigned defer = below(most_defer + 1);
    word |= field(defer, 16);
    if (most_defer > 1 && chance(3))
      word |= field(1, 18);
    return defer;
  }
  // Branches over some words; deferred ones, one of which may be a reference that is waited for
  // behind.
  void branch_over() {
    auto [word, most_defer] = branch();
    const unsigned defer = finish_branch(word, most_defer);
    Draft draft;
    const bool refers = defer > 0 && chance(4);
    if (refers) {
      draft = reference_to(any_target(), false);
      emit(draft.before);
    }
    const unsigned at = here();
    emit(word);
    for (unsigned i = 0; i < defer; ++i) {
      if (refers && i == 0) {
        emit(draft.word | bit_of(Token::kSigDone));
        busy_ = draft.busy;
      } else {
        emit(computing_word());
      }
    }
    compute(below(5));
    words_[at] |= here();
    compute(1);
    if (refers)
      wait(static_cast<unsigned>(draft.event));
  }
  void loop() {
    emit(immed(kCounter, 1 + below(4)));
    const unsigned first = here();
    const unsigned items = 1 + below(2);
    for (unsigned i = 0; i < items; ++i)
      chance(2) ? compute(1 + below(4)) : refer();
    emit(alu(kCounter, kCounter, Alu::kSub, value(1)));
    Word word = br(If::kNotEqual, first);
    const unsigned defer = finish_branch(word, 2);
    emit(word);
    compute(defer);
    // What is deferred behind the last turn, or what follows.
    emit(nop());
  }
  void jump_into_table() {
    const unsigned entries = 1 + below(4);
    emit(immed(kIndex, below(entries)));
    const unsigned defer = below(4);
    emit(jump(kIndex, here() + 1 + defer, defer));
    for (unsigned i = 0; i < defer + entries; ++i)
      emit(computing_word());
  }
  void return_to_address() {
    const unsigned load = here();
    emit(0);
    compute(below(3));
    const unsigned defer = below(4);
    emit(branch_word(14, 1, 0, defer, false) | field(kParts, 36));
    for (unsigned i = 0; i < defer; ++i)
      emit(computing_word());
    compute(below(4));
    words_[load] = field(6, 58) | field(kParts, 47) | here();
  }

  void wait(unsigned events) {
    const bool single = (events & (events - 1)) == 0;
    if (single && chance(3)) {
      unsigned number = 0;
      while (events >> number != 1)
        ++number;
      const unsigned defer = below(3);
      emit(br_not_signal(number, here()) | field(defer, 16));
      for (unsigned i = 0; i < defer; ++i)
        emit(nop());
      busy_ = {};
      return;
    }
    const unsigned defer = below(2);
    emit(field(24, 58) | field(defer, 16) | events);
    if (defer == 1)
      emit(computing_word());
    busy_ = {};
  }
  // Reads at once what has just come: a value that is late shows.
  void use(const Busy& come) {
    for (unsigned file = 0; file < 2; ++file)
      for (unsigned n = 0; n < 8; ++n)
        if ((come.in[file] >> n & 1) != 0 && chance(2))
          emit(move(data_register(below(2)), file == 0 ? sram_transfer(n) : sdram_transfer(n)));
  }
  void refer_and_swap() {
    const Target target = any_target();
    Draft draft = reference_to(target, true);
    const unsigned defer = below(2);
    emit(draft.before);
    emit(draft.word | order_tokens(target) | bit_of(Token::kCtxSwap) | field(defer, 16));
    busy_ = draft.busy;
    if (defer == 1)
      emit(computing_word());
    busy_ = {};
    use(draft.busy);
  }
  void refer_and_wait() {
    const Target target = any_target();
    const Draft draft = reference_to(target, true);
    emit(draft.before);
    emit(draft.word | order_tokens(target) | bit_of(Token::kSigDone));
    busy_ = draft.busy;
    compute(below(8));
    wait(static_cast<unsigned>(draft.event));
    use(draft.busy);
  }
  // To two units at once.
  void refer_twice() {
    static constexpr std::array<std::pair<Target, Target>, 3> kPairs{
        {{Target::kSram, Target::kSdram},
         {Target::kScratch, Target::kSram},
         {Target::kSdram, Target::kScratch}}};
    const auto [one, other] = kPairs[below(kPairs.size())];
    const Draft first = reference_to(one, true);
    emit(first.before);
    emit(first.word | order_tokens(one) | bit_of(Token::kSigDone));
    busy_ = first.busy;
    compute(below(3));
    Draft second;
    do
      second = reference_to(other, true);
    while (overlap(second.busy));
    emit(second.before);
    emit(second.word | order_tokens(other) | bit_of(Token::kSigDone));
    busy_ = busy_ | second.busy;
    compute(below(4));
    const Busy both = busy_;
    const auto events = static_cast<unsigned>(first.event) | static_cast<unsigned>(second.event);
    if (chance(2)) {
      wait(events);
      return use(both);
    }
    wait(static_cast<unsigned>(first.event));
    busy_ = both;
    wait(static_cast<unsigned>(second.event));
    use(both);
  }
  [[nodiscard]] bool overlap(const Busy& other) const {
    for (unsigned file = 0; file < 2; ++file)
      if ((busy_.in[file] & other.in[file]) != 0 || (busy_.out[file] & other.out[file]) != 0)
        return true;
    return false;
  }
  // Two references to one unit that keep their order; the last one signals.
  void refer_in_order() {
    const Target target = any_target();
    const Draft first = reference_to(target, true);
    emit(first.before);
    emit(first.word | (chance(2) ? bit_of(Token::kChainRef) : 0u));
    busy_ = first.busy;
    compute(below(3));
    Draft second;
    do
      second = reference_to(target, true);
    while (target == Target::kFbi &&
           (busy_.in[0] & second.busy.in[0]) != 0);  // latencies of the FBI differ
    emit(second.before);
    emit(second.word | bit_of(Token::kSigDone));
    busy_ = busy_ | second.busy;
    compute(below(4));
    const Busy both = busy_;
    wait(static_cast<unsigned>(second.event));
    use(both);
  }
  // read_lock, then write_unlock, unlock or a write with the token.
  void lock() {
    std::vector<Word> before;
    const Word place = address(Target::kSram, 4, before);
    const unsigned count = 1 + below(4), first = below(8 - count + 1);
    const Word common = field(16, 58) | place | field(count - 1, 12);
    emit(before);
    emit(common | field(sram_transfer(first), 47) | field(2, 20) | order_tokens(Target::kSram) |
         bit_of(Token::kCtxSwap));
    if (!chance(3))
      compute(below(4));
    emit(before);
    switch (below(3)) {
      case 0:
        emit((common & ~field(15, 12)) | field(none, 47) | field(4, 20) | bit_of(Token::kCtxSwap));
        break;
      case 1:
        emit(common | field(sram_transfer(first), 47) | field(3, 20) | bit_of(Token::kCtxSwap));
        break;
      default:
        emit(common | field(sram_transfer(first), 47) | field(1, 20) | bit_of(Token::kCtxSwap) |
             bit_of(Token::kUnlock));
    }
  }
  // The thread signals itself and waits for it.
  void signal_itself() {
    const unsigned number = 4 * options_.engine + context_;
    const Word word = field(19, 58) |
                      field(static_cast<unsigned>(ControlStatusRegister::kInterThreadSignal), 25) |
                      field(4, 20);
    switch (below(3)) {
      case 0: emit(word | field(none, 36) | field(number, 47)); break;
      case 1:
        emit(immed(kIndex, number));
        emit(word | field(none, 47) | field(kIndex, 36));
        break;
      default:
        emit(move(none, value(number)));
        emit(word | field(none, 36) | field(0, 47) | bit_of(Token::kIndirectRef));
    }
    compute(below(3));
    wait(static_cast<unsigned>(Event::kInterThread));
  }
  void advance_sequence() {
    const unsigned which = below(2);
    const auto csr = which == 0 ? ControlStatusRegister::kIncrementSequence1
                                : ControlStatusRegister::kIncrementSequence2;
    emit(field(19, 58) | field(none, 36) | field(below(8), 47) |
         field(static_cast<unsigned>(csr), 25) | field(4, 20));
    wait(static_cast<unsigned>(which == 0 ? Event::kSeqNum1Change : Event::kSeqNum2Change));
  }
  void refer() {
    switch (below(8)) {
      case 0:
      case 1: return refer_and_swap();
      case 2:
      case 3: return refer_and_wait();
      case 4: return refer_twice();
      case 5: return refer_in_order();
      case 6: return lock();
      default: return owns_registers() && chance(2) ? advance_sequence() : signal_itself();
    }
  }
  void give_way() {
    const unsigned defer = below(2);
    emit(yield(defer));
    if (defer == 1)
      emit(computing_word());
  }

  void load_longword(Code dst, std::uint32_t longword) {
    emit(immed(dst, longword & 0xffff));
    emit(field(4, 58) | field(dst, 47) | field(6, 20) | longword >> 16);
  }
  void section() {
    busy_ = {};
    blocks_left_ = PrivateMemory::kBlocks;
    emit(immed(kSramBase, PrivateMemory::sram(thread())));
    emit(immed(kSdramBase, PrivateMemory::sdram(thread())));
    emit(immed(kScratchBase, PrivateMemory::scratch(thread())));
    for (unsigned i = 0; i < 8; ++i)
      load_longword(chance(2) ? a(below(12)) : b(below(12)), random_longword());
    const unsigned end = here() + options_.words_a_context;
    while (here() < end)
      item();
    leave_codes();
    leave_write_registers();
    // A kill fetched behind a branch must not take effect.
    for (unsigned i = 0; i < 9; ++i)
      emit(nop());
    emit(kill());
  }
  std::uint32_t random_longword() {
    static constexpr std::array<std::uint32_t, 6> kEdges{0,          1,          0x7fffffff,
                                                         0x80000000, 0xffffffff, 0xffff};
    return chance(4) ? kEdges[below(kEdges.size())] : static_cast<std::uint32_t>(random_());
  }
  void item() {
    switch (below(12)) {
      case 0:
      case 1:
      case 2: return compute(1 + below(6));
      case 3:
      case 4:
      case 5: return branch_over();
      case 6: return loop();
      case 7: return chance(2) ? jump_into_table() : return_to_address();
      case 8: return give_way();
      default: return refer();
    }
  }
  // Which conditions hold: a byte each of the two registers.
  void leave_codes() {
    emit(immed(kIndex, 0));
    emit(immed(kParts, 0));
    for (unsigned condition = 1; condition <= 8; ++condition) {
      emit(br(static_cast<If>(condition), here() + 2));
      emit(field(4, 58) | field(condition <= 4 ? kIndex : kParts, 47) |
           field(1 + (condition - 1) % 4, 20) | 1);
    }
  }
  // Write-transfer registers cannot be read: they go to memory.
  void leave_write_registers() {
    emit(immed(kOffset, 512));
    emit(three_operands(16, sram_transfer(0), kSramBase, kOffset) | field(1, 20) | field(7, 12) |
         bit_of(Token::kCtxSwap));
    emit(three_operands(17, sdram_transfer(0), kSdramBase, kOffset) | field(1, 20) | field(3, 12) |
         bit_of(Token::kCtxSwap));
  }
};

}  // namespace

isa::ProgramImage random_program(const RandomProgramOptions& options) {
  return Generator(options).program();
}

}  // namespace nplab::test
