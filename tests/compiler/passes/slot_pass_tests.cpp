// Slots, guesses and tests of signs: what the last passes make of machine code that is otherwise
// done. The last operand of a branch is its tokens: `defer` in bits 1..0, `guess_branch` in bit 2;
// of a reference, ctx_swap in bit 0 and `defer` in bits 13..12.
#include <catch2/catch.hpp>

#include "compiler/backend/passes/MicroengineFillFromSuccessors.h"
#include "compiler/backend/passes/MicroengineTestSigns.h"
#include "tests/compiler/passes/pass_bench.h"

namespace nplab::test {
namespace {

const MachinePass kFillSlots = machine_step(llvm::fillMicroengineSlots);
const MachinePass kFillFromSuccessors = machine_step(llvm::fillMicroengineSlotsFromSuccessors);
const MachinePass kTestSigns = machine_step(llvm::testMicroengineSignsByCodes);
const MachinePass kGuessBranches = llvm::createMicroenginePredictBranches;

TEST_CASE("a branch takes what stands above it and does not decide it into its slots") {
  const std::string code = after_slot_passes(R"(
  bb.0:
    liveins: $a0, $b0, $a1
    successors: %bb.1, %bb.2
    $b1 = ADD_ri $a0, 1, implicit-def dead $cc
    SUB_cc_ri $a1, 10, implicit-def $cc
    $a2 = IMMED 7, 0
    BR_EQ %bb.2, 0, implicit $cc
  bb.1:
    liveins: $b1, $a2
    EXIT
  bb.2:
    liveins: $b1, $a2
    EXIT
)",
                                             {kFillSlots});
  CHECK(file_check(code, R"(
CHECK: bb.0
CHECK: SUB_cc_ri $a1, 10
CHECK-NEXT: BR_EQ %bb.2, 2
CHECK-NEXT: ADD_ri $a0, 1
CHECK-NEXT: IMMED 7
CHECK: bb.1
)") == "");
}

TEST_CASE("what a reference brings is not read in the slot of its swap") {
  const std::string code = after_slot_passes(R"(
  bb.0:
    liveins: $a0, $b1
    $sr0 = SRAM_READ_1_ri $a0, 0, 1
    $a1 = ADD_rr $sr0, $b1, implicit-def dead $cc
    $a2 = IMMED 7, 0
    EXIT implicit $a1, implicit $a2
)",
                                             {kFillSlots});
  CHECK(file_check(code, R"(
CHECK: SRAM_READ_1_ri $a0, 0, 4097
CHECK-NEXT: $a2 = IMMED 7
CHECK-NEXT: ADD_rr $sr0, $b1
)") == "");
}

TEST_CASE(
    "a certain branch takes a copy of its target's first instruction and goes to the second") {
  const std::string code = after_slot_passes(R"(
  bb.0:
    liveins: $a0
    BR %bb.1, 0
  bb.2:
    liveins: $a0
    BR %bb.1, 0
  bb.1:
    liveins: $a0
    $b1 = ADD_ri $a0, 1, implicit-def dead $cc
    $b2 = ADD_ri $a0, 2, implicit-def dead $cc
    EXIT implicit $b1, implicit $b2
)",
                                             {kFillFromSuccessors});
  CHECK(file_check(code, R"(
CHECK: bb.0
CHECK: BR %[[BEHIND:bb.[0-9]+]], 1
CHECK-NEXT: ADD_ri $a0, 1
CHECK: ADD_ri $a0, 1
CHECK: [[BEHIND]]
CHECK: ADD_ri $a0, 2
)") == "");
}

TEST_CASE("an annotated instruction is not copied away from its annotation") {
  const std::string code = after_slot_passes(R"(
  bb.0:
    liveins: $a0
    BR %bb.2, 0
  bb.1:
    liveins: $a0
    EXIT
  bb.2:
    liveins: $a0
    ANNOTATE_r 4, $a0
    $b1 = ADD_ri $a0, 1, implicit-def dead $cc
    EXIT implicit $b1
)",
                                             {kFillFromSuccessors});
  CHECK(file_check(code, R"(
CHECK: BR %bb.2, 0
CHECK-NOT: ADD_ri
CHECK: ANNOTATE_r 4
CHECK-NEXT: ADD_ri
)") == "");
}

// Two branches to one target: the first takes its compare and the instruction behind it, and so
// splits it in three; the second takes the compare alone.
TEST_CASE("nothing in a slot spoils condition codes that a target which was split takes along") {
  const std::string code = after_slot_passes(R"(
  bb.0:
    liveins: $a0, $a1, $a2
    successors: %bb.3, %bb.1
    BR_BSET $a1, 0, %bb.3, 4
  bb.1:
    liveins: $a0, $a1, $a2
    successors: %bb.3, %bb.2
    $b2 = IMMED 9, 0
    BR_BSET $a1, 1, %bb.3, 4
  bb.2:
    liveins: $a2, $b2
    $b1 = ADD_ri $a2, 5, implicit-def dead $cc
    EXIT implicit $b1, implicit $b2
  bb.3:
    liveins: $a0, $a2
    successors: %bb.5, %bb.4
    SUB_cc_ri $a0, 10, implicit-def $cc
    $b2 = IMMED 7, 0
    BR_EQ %bb.5, 0, implicit $cc
  bb.4:
    liveins: $b2
    EXIT implicit $b2
  bb.5:
    liveins: $b2
    EXIT implicit $b2
)",
                                             {kFillFromSuccessors});
  CHECK(file_check(code, R"(
CHECK: BR_BSET $a1, 0, %bb.{{[0-9]+}}, 6
CHECK-NEXT: SUB_cc_ri $a0, 10
CHECK-NEXT: $b2 = IMMED 7
CHECK: BR_BSET $a1, 1, %bb.{{[0-9]+}}, 5
CHECK-NEXT: SUB_cc_ri $a0, 10
CHECK-NOT: ADD_ri
CHECK: liveins: $a2, $b2
CHECK: ADD_ri $a2, 5
)") == "");
}

TEST_CASE("a slot is not filled with what sets the codes that an emptied block hands on") {
  // The loop's latch takes the head's compare; then it moves up from the head behind the branch of
  // the entry, whose other way begins with an instruction that overwrites what it compares.
  const std::string code = after_slot_passes(R"(
  bb.0:
    liveins: $a0, $a1, $a2
    successors: %bb.2
    BR %bb.2, 0
  bb.1:
    liveins: $a1, $a2
    successors: %bb.3
    $a0 = ADD_ri $a1, 1, implicit-def dead $cc
    BR %bb.3, 0
  bb.2:
    liveins: $a0, $a1, $a2
    successors: %bb.4, %bb.3
    BR_BSET $a1, 1, %bb.4, 4
  bb.3:
    liveins: $a0, $a1, $a2
    successors: %bb.1, %bb.5
    SUB_cc_ri $a0, 10, implicit-def $cc
    BR_EQ %bb.1, 0, implicit $cc
  bb.5:
    liveins: $a1
    EXIT implicit $a1
  bb.4:
    liveins: $a1, $a2
    $a0 = ADD_ri $a2, 1, implicit-def dead $cc
    EXIT implicit $a0, implicit $a1
)",
                                             {kFillFromSuccessors});
  CHECK(file_check(code, R"(
CHECK: BR_BSET $a1, 1, %bb.{{[0-9]+}}, 5
CHECK-NEXT: SUB_cc_ri $a0, 10
CHECK-NOT: ADD_ri $a2
CHECK: bb.
CHECK: BR_EQ
CHECK: ADD_ri $a2, 1
)") == "");
}

TEST_CASE("a sign is read from the codes of the shift that gave it, not from those of a sum") {
  const auto code = [](const std::string& setter) {
    return after_slot_passes(
        "\n  bb.0:\n    liveins: $a0, $b0\n    successors: %bb.1, %bb.2\n    $b1 = " + setter +
            ", implicit-def $cc\n    $a2 = IMMED 7, 0\n    BR_BSET $b1, 31, %bb.2, 0\n"
            "  bb.1:\n    EXIT\n  bb.2:\n    EXIT\n",
        {kTestSigns});
  };
  CHECK(file_check(code("SHIFT_MOVE_r $b0, 33"), "CHECK-NOT: BR_BSET\nCHECK: BR_LT %bb.2, 0\n") ==
        "");
  CHECK(file_check(code("ADD_ri $b0, 1"), "CHECK-NOT: BR_LT\nCHECK: BR_BSET $b1, 31, %bb.2, 0\n") ==
        "");
}

TEST_CASE("a sign is tested by its bit where the value changed after the setter of the codes") {
  const std::string code = after_slot_passes(R"(
  bb.0:
    liveins: $a0, $b0
    successors: %bb.1, %bb.2
    $b1 = SHIFT_MOVE_r $b0, 33, implicit-def $cc
    $b1 = IMMED 7, 0
    BR_BSET $b1, 31, %bb.2, 0
  bb.1:
    EXIT
  bb.2:
    EXIT
)",
                                             {kTestSigns});
  CHECK(file_check(code, "CHECK: BR_BSET $b1, 31\n") == "");
}

TEST_CASE("the branch back of a loop is guessed, one out of it is not") {
  const std::string code = after_slot_passes(R"(
  bb.0:
    liveins: $a0
    successors: %bb.1
  bb.1:
    liveins: $a0
    successors: %bb.3, %bb.2
    SUB_cc_ri $a0, 3, implicit-def $cc
    BR_EQ %bb.3, 0, implicit $cc
  bb.2:
    liveins: $a0
    successors: %bb.1, %bb.3
    $a0 = SUB_ri $a0, 1, implicit-def $cc
    BR_NE %bb.1, 0, implicit $cc
  bb.3:
    EXIT
)",
                                             {kGuessBranches});
  CHECK(file_check(code, R"(
CHECK: BR_EQ %bb.3, 0
CHECK: BR_NE %bb.1, 4
)") == "");
}

}  // namespace
}  // namespace nplab::test
