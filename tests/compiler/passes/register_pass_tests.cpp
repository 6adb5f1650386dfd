// Passes about values, banks, blocks and pseudo instructions. Conditions of COMPARE_BRANCH and
// SELECT are Microengine::Condition: 0 equal, 1 not equal, 2 greater (signed), 7 above or equal.
#include <catch2/catch.hpp>

#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/passes/MicroengineSelects.h"
#include "compiler/backend/passes/MicroengineSplitConstants.h"
#include "compiler/backend/passes/MicroengineStraighten.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "tests/compiler/passes/pass_bench.h"

namespace nplab::test {
namespace {

const MachinePass kSplitConstants = llvm::createMicroengineSplitConstants;
const MachinePass kAssignBanks = llvm::createMicroengineBankAssignment;
const MachinePass kStraighten = llvm::createMicroengineStraighten;
const MachinePass kExpandPseudos = llvm::createMicroengineExpandPseudos;
const MachinePass kReplaceSelects = machine_step([](llvm::MachineFunction& function) {
  for (llvm::MachineBasicBlock& block : function)
    for (llvm::MachineInstr& instruction : llvm::make_early_inc_range(block))
      if (instruction.getOpcode() == llvm::Microengine::SELECT_ri)
        llvm::Microengine::replaceSelect(instruction);
});

TEST_CASE("a constant of a join is loaded on each way to it, once a way") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    successors: %bb.2, %bb.1
    %0:gpr = IMMED 0, 0
    %9:gpr = IMMED 5, 0
    COMPARE_BRANCH_ri %9, 0, 0, %bb.2, implicit-def dead $cc
  bb.1:
    successors: %bb.2
    %1:gpr = ADD_ri %9, 1, implicit-def dead $cc
  bb.2:
    %2:gpr = PHI %0, %bb.0, %1, %bb.1
    %3:gpr = PHI %0, %bb.0, %0, %bb.1
    %4:gpr = PHI %0, %bb.0, %0, %bb.1
    EXIT implicit %2, implicit %3, implicit %4
)",
                                                {kSplitConstants});
  CHECK(file_check(code, R"(
CHECK: bb.0
CHECK: [[FIRST:%[0-9]+]]:gpr = IMMED 0, 0
CHECK-NEXT: COMPARE_BRANCH_ri
CHECK: bb.1
CHECK: [[SECOND:%[0-9]+]]:gpr = IMMED 0, 0
CHECK: bb.2
CHECK: PHI [[FIRST]], %bb.0, {{%[0-9]+}}, %bb.1
CHECK-NEXT: PHI [[FIRST]], %bb.0, [[SECOND]], %bb.1
CHECK-NEXT: PHI [[FIRST]], %bb.0, [[SECOND]], %bb.1
)") == "");
}

TEST_CASE(
    "a constant that only its own block's join needs is loaded again, though it follows the join") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    successors: %bb.1
    %0:gpr = IMMED 7, 0
  bb.1:
    successors: %bb.1, %bb.2
    %1:gpr = PHI %0, %bb.0, %3, %bb.1
    %2:gpr = PHI %0, %bb.0, %3, %bb.1
    %3:gpr = IMMED 0, 0
    COMPARE_BRANCH_ri %1, 0, 0, %bb.1, implicit-def dead $cc
  bb.2:
    EXIT implicit %1, implicit %2
)",
                                                {kSplitConstants});
  CHECK(file_check(code, R"(
CHECK: bb.1
CHECK: PHI {{%[0-9]+}}, %bb.0, [[LOADED:%[0-9]+]], %bb.1
CHECK-NEXT: PHI {{%[0-9]+}}, %bb.0, [[LOADED]], %bb.1
CHECK-NEXT: [[LOADED]]:gpr = IMMED 0, 0
CHECK-NEXT: COMPARE_BRANCH_ri
)") == "");
}

TEST_CASE("a constant may be loaded between a block's PHIs and its branch back to itself") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    successors: %bb.1
    %0:gpr = IMMED 0, 0
    %1:gpr = IMMED 1, 0
  bb.1:
    successors: %bb.1, %bb.2
    %2:gpr = PHI %1, %bb.0, %0, %bb.1
    %3:gpr = PHI %1, %bb.0, %0, %bb.1
    COMPARE_BRANCH_ri %2, 0, 0, %bb.1, implicit-def dead $cc
  bb.2:
    EXIT implicit %2, implicit %3
)",
                                                {kSplitConstants});
  CHECK(file_check(code, R"(
CHECK: bb.1
CHECK: PHI {{%[0-9]+}}, %bb.0, [[LOADED:%[0-9]+]], %bb.1
CHECK-NEXT: PHI {{%[0-9]+}}, %bb.0, [[LOADED]], %bb.1
CHECK-NEXT: [[LOADED]]:gpr = IMMED 0, 0
CHECK-NEXT: COMPARE_BRANCH_ri
)") == "");
}

TEST_CASE(
    "the sources of one instruction get different banks, a third source that meets both is moved "
    "across") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    %0:gpr = IMMED 1, 0
    %1:gpr = IMMED 2, 0
    %2:gpr = IMMED 3, 0
    %3:gpr = ADD_rr %0, %1, implicit-def dead $cc
    %4:gpr = ADD_rr %1, %2, implicit-def dead $cc
    %5:gpr = ADD_rr %0, %2, implicit-def dead $cc
    EXIT implicit %3, implicit %4, implicit %5
)",
                                                {kAssignBanks});
  // The verifier's rule of banks holds behind the pass; an odd ring takes one move.
  CHECK(file_check(code, R"(
CHECK-NOT: COPY
CHECK: ADD_rr
CHECK: [[MOVED:%[0-9]+]]:gpr{{[ab]}} = COPY
CHECK-NOT: COPY
CHECK: EXIT
)") == "");
}

TEST_CASE("a value that has come is read where it arrived") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    %0:gpr = IMMED 4096, 0
    %1:sramread = SRAM_READ_1_ri %0, 0, 1
    %2:gpr = COPY %1
    %3:gpr = ADD_rr %2, %0, implicit-def dead $cc
    EXIT implicit %3
)",
                                                {kAssignBanks});
  CHECK(file_check(code, R"(
CHECK: [[VALUE:%[0-9]+]]:sramread = SRAM_READ_1_ri
CHECK-NOT: gpr{{[ab]}} = COPY [[VALUE]]
CHECK: EXIT
)") == "");
}

TEST_CASE(
    "a burst from SDRAM is taken apart where it came, though selection took it for one from SRAM") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    %0:gpr = IMMED 4096, 0
    %1:sdramread_x2 = SDRAM_READ_1_ri %0, 0, 1
    %2:sramread_x2 = COPY %1
    %3:gpr = COPY %2.word1
    EXIT implicit %3
)",
                                                {kAssignBanks});
  CHECK(file_check(code, R"(
CHECK: [[BURST:%[0-9]+]]:sdramread_x2 = SDRAM_READ_1_ri
CHECK-NOT: sramread_x2 = COPY
CHECK: COPY [[BURST]].word1
)") == "");
}

TEST_CASE(
    "a block that an unconditional branch alone leads to moves after it, and the branch goes") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    liveins: $a0
    successors: %bb.2, %bb.1
    COMPARE_BRANCH_ri $a0, 0, 0, %bb.2, implicit-def dead $cc
  bb.1:
    liveins: $a0
    $a1 = ADD_ri $a0, 1, implicit-def dead $cc
    BR %bb.3, 0
  bb.2:
    EXIT
  bb.3:
    liveins: $a1
    $a2 = ADD_ri $a1, 2, implicit-def dead $cc
    EXIT implicit $a2
)",
                                                {kStraighten});
  CHECK(file_check(code, R"(
CHECK: COMPARE_BRANCH_ri
CHECK: ADD_ri $a0, 1
CHECK-NOT: BR %
CHECK: ADD_ri $a1, 2
CHECK-NEXT: EXIT implicit $a2
CHECK: EXIT
)") == "");
}

std::string expanded(const std::string& instructions,
                     const llvm::MicroengineOptions& options = {}) {
  return after_machine_passes(
      "  bb.0:\n    liveins: $a0, $b0, $a5\n    successors: %bb.2, %bb.1\n" + instructions +
          "  bb.1:\n    EXIT\n  bb.2:\n    EXIT\n",
      {kExpandPseudos}, "", options);
}

// What becomes of instructions that stand behind `a1 = a0 - 1`, which can set the condition codes.
std::string behind_decrement(const std::string& instructions,
                             const llvm::MicroengineOptions& options = {}) {
  return expanded("    $a1 = SUB_ri $a0, 1, implicit-def dead $cc\n" + instructions, options);
}

TEST_CASE("a comparison with zero takes the codes of the instruction that computed the value") {
  const std::string code =
      behind_decrement("    COMPARE_BRANCH_ri $a1, 0, 1, %bb.2, implicit-def dead $cc\n");
  CHECK(file_check(code, "CHECK: SUB_ri $a0, 1, implicit-def $cc\nCHECK-NEXT: BR_NE %bb.2, 0\n") ==
        "");
}

TEST_CASE(
    "a comparison has its own instruction where the codes tell of another value, or of an order") {
  const std::string other =
      behind_decrement("    COMPARE_BRANCH_ri $a5, 0, 1, %bb.2, implicit-def dead $cc\n");
  CHECK(file_check(
            other,
            "CHECK: SUB_ri $a0, 1\nCHECK-NEXT: SUB_cc_ri $a5, 0\nCHECK-NEXT: BR_NE %bb.2, 0\n") ==
        "");
  const std::string order =
      behind_decrement("    COMPARE_BRANCH_ri $a1, 0, 2, %bb.2, implicit-def dead $cc\n");
  CHECK(file_check(
            order,
            "CHECK: SUB_ri $a0, 1\nCHECK-NEXT: SUB_cc_ri $a1, 0\nCHECK-NEXT: BR_GT %bb.2, 0\n") ==
        "");
}

TEST_CASE(
    "codes are looked for above what leaves them alone, but not above what changes the value") {
  llvm::MicroengineOptions options;
  options.FillSlots = true;
  const std::string compare = "    COMPARE_BRANCH_ri $a1, 0, 1, %bb.2, implicit-def dead $cc\n";
  const std::string kept = behind_decrement("    $a2 = IMMED 7, 0\n" + compare, options);
  CHECK(file_check(kept, "CHECK-NOT: SUB_cc_ri\nCHECK: BR_NE %bb.2, 0\n") == "");
  const std::string changed = behind_decrement("    $a1 = IMMED 7, 0\n" + compare, options);
  CHECK(file_check(changed, "CHECK: SUB_cc_ri $a1, 0\nCHECK-NEXT: BR_NE %bb.2, 0\n") == "");
}

std::string frame_access(const std::string& access, llvm::MicroengineAddressSpace::Space space) {
  llvm::MicroengineOptions options;
  options.DefaultSpace = space;
  return after_machine_passes("  bb.0:\n    liveins: $a0, $b15, $sw0, $sw1, $sw2\n    " + access +
                                  "    EXIT implicit $a0, implicit $b15\n",
                              {kExpandPseudos}, "", options);
}

TEST_CASE("a burst of any length is spilled and fetched with one reference of that length") {
  const auto sram = llvm::MicroengineAddressSpace::kSram;
  CHECK(file_check(frame_access("$sr0_sr1_sr2 = RELOAD 0, 8, implicit-def dead $cc\n", sram),
                   "CHECK: $sr0_sr1_sr2 = SRAM_READ_3_ri $b15, 8, 1\n") == "");
  CHECK(file_check(frame_access("SPILL $sw0_sw1_sw2, 0, 4, implicit-def dead $cc\n", sram),
                   "CHECK: SRAM_WRITE_3_ri $sw0_sw1_sw2, $b15, 4, 1\n") == "");
}

TEST_CASE(
    "a value in a frame in SDRAM is spilled and fetched through a pair of transfer registers") {
  const auto sdram = llvm::MicroengineAddressSpace::kSdram;
  CHECK(file_check(frame_access("SPILL $a0, 0, 16, implicit-def dead $cc\n", sdram), R"(
CHECK: $dw0 = MOVE_r $a0
CHECK-NEXT: $dw1 = MOVE_r $a0
CHECK-NEXT: SDRAM_WRITE_1_ri $dw0_dw1, $b15, 16, 1
)") == "");
  CHECK(file_check(frame_access("$a0 = RELOAD 0, 16, implicit-def dead $cc\n", sdram), R"(
CHECK: $dr0_dr1 = SDRAM_READ_1_ri $b15, 16, 1
CHECK-NEXT: $a0 = MOVE_r $dr0
)") == "");
}

std::string sum_of_pairs(const std::string& upper) {
  return after_machine_passes(
      "  bb.0:\n    liveins: $a0, $b0, $a5\n    early-clobber $a1, " + upper +
          " = ADD_PAIR $a0, $b0, $a5, $b0, implicit-def dead $cc\n    EXIT implicit $a1\n",
      {kExpandPseudos});
}

TEST_CASE(
    "a sum of 64 bits is two instructions that the carry joins, one if the upper half is not "
    "used") {
  CHECK(file_check(sum_of_pairs("$b1"),
                   "CHECK: ADD_rr $a0, $b0\nCHECK-NEXT: ADD_CARRY_rr $a5, $b0\n") == "");
  CHECK(file_check(sum_of_pairs("dead $b1"), "CHECK: ADD_rr $a0, $b0\nCHECK-NOT: ADD_CARRY\n") ==
        "");
}

TEST_CASE(
    "an annotation that ends a block gets an instruction of its own, whatever marks stand after "
    "it") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    liveins: $a0
    successors: %bb.1
    ANNOTATE_r 4, $a0
    $a0 = KILL $a0
  bb.1:
    liveins: $a0
    EXIT implicit $a0
)",
                                                {kExpandPseudos});
  CHECK(file_check(code, "CHECK: ANNOTATE_r 4, $a0\nCHECK: NOP\nCHECK: bb.1\n") == "");
}

std::string selected(unsigned condition, unsigned if_true, unsigned if_false) {
  return after_machine_passes(
      "  bb.0:\n    %0:gpr = IMMED 9, 0\n    %1:gpr = IMMED " + std::to_string(if_true) +
          ", 0\n    %2:gpr = IMMED " + std::to_string(if_false) +
          ", 0\n    %3:gpr = SELECT_ri %0, 5, %1, %2, " + std::to_string(condition) +
          ", implicit-def dead $cc\n    EXIT implicit %3\n",
      {kReplaceSelects});
}

TEST_CASE(
    "a choice of neighbouring constants by an unsigned order is a carry added to the smaller") {
  CHECK(file_check(selected(7, 4, 3), R"(
CHECK: %2:gpr = IMMED 3
CHECK: [[FIVE:%[0-9]+]]:gpr = IMMED 5
CHECK: SUBTRACT_PAIR %0, [[FIVE]], %2
CHECK-NOT: SELECT_ri
)") == "");
  CHECK(file_check(selected(7, 3, 4), R"(
CHECK: %1:gpr = IMMED 3
CHECK: [[INVERTED:%[0-9]+]]:gpr = NOT_r %0
CHECK: ADD_PAIR {{%[0-9]+}}, [[INVERTED]], %1
CHECK-NOT: SELECT_ri
)") == "");
}

TEST_CASE("a choice by a signed order, or of constants further apart, stays a choice") {
  CHECK(file_check(selected(2, 4, 3), "CHECK: SELECT_ri\n") == "");
  CHECK(file_check(selected(7, 5, 3), "CHECK: SELECT_ri\n") == "");
}

}  // namespace
}  // namespace nplab::test
