// Facts that the description states once and everybody asks for.
#include <catch2/catch.hpp>

#include "assembled.h"
#include "isa/instruction.h"

using namespace nplab::isa;
using namespace nplab::isa::testing;

TEST_CASE("The description says where a program continues after each operation", "[isa]") {
  CHECK(traits_of(Operation::kAluAdd).flow == ControlFlow::kNext);
  CHECK(traits_of(Operation::kSramRead).flow == ControlFlow::kNext);
  CHECK(traits_of(Operation::kCtxArb).flow == ControlFlow::kNext);
  CHECK(traits_of(Operation::kBr).flow == ControlFlow::kBranch);
  CHECK(traits_of(Operation::kBrEqual).flow == ControlFlow::kConditionalBranch);
  CHECK(traits_of(Operation::kBrBset).flow == ControlFlow::kConditionalBranch);
  CHECK(traits_of(Operation::kBrNotEqualByte).flow == ControlFlow::kConditionalBranch);
  CHECK(traits_of(Operation::kBrNotSignal).flow == ControlFlow::kConditionalBranch);
  CHECK(traits_of(Operation::kJump).flow == ControlFlow::kComputed);
  CHECK(traits_of(Operation::kRtn).flow == ControlFlow::kComputed);
}

TEST_CASE("An operation branches if, and only if, it aborts what follows it without a swap",
          "[isa]") {
  const ProgramImage image = assembled(
      "a#: nop\nalu[a0, a0, +, b0]\nsram[read, $0, a0, 0, 1]\nctx_arb[voluntary]\n"
      "br[a#]\nbr=0[a#]\nbr_bset[a0, 3, a#]\nbr=ctx[1, a#]\nbr_inp_state[rec_req_avail, a#]\n"
      "jump[a0, a#]\nrtn[a0]\n");
  for (const std::uint64_t word : image.words) {
    const auto instruction = decode(word);
    REQUIRE(instruction);
    INFO(to_string(instruction->operation));
    const bool aborts =
        instruction->aborts != AbortClass::kNone && instruction->aborts != AbortClass::kSwap;
    CHECK(aborts == (traits_of(instruction->operation).flow != ControlFlow::kNext));
  }
}

TEST_CASE("The description says which words hold a control-store address", "[isa]") {
  CHECK(traits_of(Operation::kBr).names_target);
  CHECK(traits_of(Operation::kBrEqualCtx).names_target);
  CHECK(traits_of(Operation::kJump).names_target);
  CHECK(traits_of(Operation::kLoadAddr).names_target);
  CHECK_FALSE(traits_of(Operation::kRtn).names_target);
  CHECK_FALSE(traits_of(Operation::kImmed).names_target);
  CHECK_FALSE(traits_of(Operation::kSdramWrite).names_target);
}

TEST_CASE("The description says by which event each unit completes a reference", "[isa]") {
  CHECK(completion_event(Unit::kSram) == Event::kSram);
  CHECK(completion_event(Unit::kSdram) == Event::kSdram);
  CHECK(completion_event(Unit::kScratch) == Event::kFbi);
  CHECK(completion_event(Unit::kFbi) == Event::kFbi);
  CHECK(completion_event(Unit::kHash) == Event::kFbi);
  CHECK(completion_event(Unit::kPci) == Event::kPci);
}

TEST_CASE("A word whose operand has a number without a meaning is not an instruction", "[isa]") {
  const auto word_of = [](const std::string& text) { return assembled(text).words.at(0); };
  constexpr std::uint64_t kOne = 1;
  const std::uint64_t on_context = word_of("a#: br=ctx[3, a#]\n");
  CHECK(decode(on_context));
  CHECK_FALSE(decode(on_context + (kOne << 53)));  // context 4
  const std::uint64_t double_shift = word_of("dbl_shf[a0, a1, b1, >>1]\n");
  CHECK(decode(double_shift));
  CHECK_FALSE(decode(double_shift - (kOne << 17)));  // <<1
  const std::uint64_t waiting = word_of("ctx_arb[sram]\n");
  CHECK(decode(waiting));
  CHECK_FALSE(decode(waiting - 1));  // for nothing
  const std::uint64_t immediate = word_of("immed[a0, 1, <<16]\n");
  CHECK(decode(immediate));
  CHECK_FALSE(decode(immediate + (kOne << 17)));  // position 3
}
