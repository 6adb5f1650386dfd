// Passes about references to memory: bursts, groups, shared waits, and the check of those that
// signal. Token 1 of a reference is ctx_swap, 2 sig_done; an event of ctx_arb: 1 sram, 2 sdram.
#include <catch2/catch.hpp>

#include "tests/compiler/passes/pass_bench.h"

namespace nplab::test {
namespace {

const MachinePass kMergeReads = llvm::createMicroengineMergeReads;
const MachinePass kGroupReferences = llvm::createMicroengineBankAssignment;
const MachinePass kShareWaits = llvm::createMicroengineShareWaits;
const MachinePass kCheckSignals = llvm::createMicroengineCheckSignals;

const std::string kOrdinary = " :: (\"microengine-ordinary\" volatile load (s32), addrspace 1)\n";
const std::string kVolatile = " :: (volatile load (s32), addrspace 1)\n";

std::string two_reads(const std::string& between, const std::string& kind_of_second = kOrdinary) {
  return "  bb.0:\n    %0:gpr = IMMED 4096, 0\n    %9:gpr = IMMED 8192, 0\n    %1:sramread = "
         "SRAM_READ_1_ri %0, 4, 1" +
         kOrdinary + between + "    %2:sramread = SRAM_READ_1_ri %0, 0, 1" + kind_of_second +
         "    %3:gpr = ADD_rr %1, %2, implicit-def dead $cc\n    EXIT implicit %3\n";
}

TEST_CASE("reads of neighbouring offsets become one burst where the first of them stood") {
  CHECK(file_check(after_machine_passes(two_reads(""), {kMergeReads}), R"(
CHECK: [[BURST:%[0-9]+]]:sramread_x2 = SRAM_READ_2_ri %0, 0, 1
CHECK-DAG: [[FIRST:%[0-9]+]]:gpr = COPY [[BURST]].word1
CHECK-DAG: [[SECOND:%[0-9]+]]:gpr = COPY [[BURST]].word0
CHECK-NOT: SRAM_READ
CHECK: ADD_rr [[FIRST]], [[SECOND]]
)") == "");
}

TEST_CASE(
    "reads stay apart when a write, a volatile read or a swap stands between, or one is volatile") {
  const char* both = "CHECK: SRAM_READ_1_ri %0, 4\nCHECK: SRAM_READ_1_ri %0, 0\n";
  const std::string write =
      "    %4:sramwrite = COPY %9\n    SRAM_WRITE_1_ri %4, %9, 0, 1 :: "
      "(\"microengine-ordinary\" volatile store (s32), addrspace 1)\n";
  const std::string read = "    %4:sramread = SRAM_READ_1_ri %9, 0, 1" + kVolatile;
  CHECK(file_check(after_machine_passes(two_reads(write), {kMergeReads}), both) == "");
  CHECK(file_check(after_machine_passes(two_reads(read), {kMergeReads}), both) == "");
  CHECK(file_check(after_machine_passes(two_reads("    CTX_ARB 512, 0\n"), {kMergeReads}), both) ==
        "");
  CHECK(file_check(after_machine_passes(two_reads("", kVolatile), {kMergeReads}), both) == "");
}

TEST_CASE("what depends on a reference moves after the next one to its unit that does not") {
  llvm::MicroengineOptions options;
  options.FillSlots = true;
  const std::string code = after_machine_passes(R"(
  bb.0:
    %0:gpr = IMMED 4096, 0
    %1:sramread = SRAM_READ_1_ri %0, 0, 1
    %2:gpr = ADD_ri %1, 1, implicit-def dead $cc
    %3:sramread = SRAM_READ_1_ri %0, 40, 1
    %4:gpr = ADD_rr %2, %3, implicit-def dead $cc
    EXIT implicit %4
)",
                                                {kGroupReferences}, "", options);
  CHECK(file_check(code, R"(
CHECK: SRAM_READ_1_ri %0, 0
CHECK-NEXT: SRAM_READ_1_ri %0, 40
CHECK: ADD_ri
)") == "");
}

TEST_CASE("a later read's wait serves an earlier read and an earlier write of its unit") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    liveins: $a0, $sw0
    SRAM_WRITE_1_ri $sw0, $a0, 16, 1
    $sr0 = SRAM_READ_1_ri $a0, 0, 1
    $sr1 = SRAM_READ_1_ri $a0, 8, 1
    EXIT implicit $sr0, implicit $sr1
)",
                                                {kShareWaits});
  CHECK(file_check(code, R"(
CHECK: SRAM_WRITE_1_ri $sw0, $a0, 16, 0
CHECK-NEXT: SRAM_READ_1_ri $a0, 0, 0
CHECK-NEXT: SRAM_READ_1_ri $a0, 8, 1, implicit-def $sr0, implicit $sw0
)") == "");
}

TEST_CASE(
    "a reference waits itself where its data is needed or its register changes before the next") {
  const std::string used = after_machine_passes(R"(
  bb.0:
    liveins: $a0, $b0
    $sr0 = SRAM_READ_1_ri $a0, 0, 1
    $a1 = ADD_rr $sr0, $b0, implicit-def dead $cc
    $sr1 = SRAM_READ_1_ri $a0, 8, 1
    EXIT implicit $a1, implicit $sr1
)",
                                                {kShareWaits});
  CHECK(file_check(used, "CHECK: SRAM_READ_1_ri $a0, 0, 1\nCHECK: SRAM_READ_1_ri $a0, 8, 1\n") ==
        "");
  const std::string changed = after_machine_passes(R"(
  bb.0:
    liveins: $a0, $sw0
    SRAM_WRITE_1_ri $sw0, $a0, 0, 1
    $sw0 = IMMED 7, 0
    SRAM_WRITE_1_ri $sw0, $a0, 4, 1
    EXIT
)",
                                                   {kShareWaits});
  CHECK(file_check(changed, R"(
CHECK: SRAM_WRITE_1_ri $sw0, $a0, 0, 1
CHECK: SRAM_WRITE_1_ri {{.*}}$sw0, $a0, 4, 1
)") == "");
}

const std::string kOrdinaryWrite =
    " :: (\"microengine-ordinary\" volatile store (s32), addrspace 3)\n";

TEST_CASE("ordinary references to several units signal, and one wait is for all of them") {
  const std::string code = after_machine_passes(
      "  bb.0:\n    liveins: $a0, $sw1\n"
      "    $sr0 = SRAM_READ_1_ri $a0, 0, 1" +
          kOrdinary + "    SCRATCH_WRITE_1_ri $sw1, $a0, 8, 1" + kOrdinaryWrite +
          "    $sr2 = SRAM_READ_1_ri $a0, 16, 1" + kOrdinary +
          "    $dr0_dr1 = SDRAM_READ_1_ri $a0, 0, 1" + kOrdinary +
          "    EXIT implicit $sr0, implicit $sr2, implicit $dr0_dr1\n",
      {kShareWaits});
  CHECK(file_check(code, R"(
CHECK: $sr0 = SRAM_READ_1_ri $a0, 0, 0
CHECK-NEXT: SCRATCH_WRITE_1_ri $sw1, $a0, 8, 2
CHECK-NEXT: $sr2 = SRAM_READ_1_ri $a0, 16, 2
CHECK-NEXT: $dr0_dr1 = SDRAM_READ_1_ri $a0, 0, 2
CHECK-NEXT: CTX_ARB 7, 0, {{.*}}implicit-def $sr0, implicit-def $sr2, implicit-def $dr0, implicit-def $dr1, implicit $sw1
CHECK-NEXT: EXIT
)") == "");
}

TEST_CASE(
    "references to several units wait one by one where one is volatile, signals itself, or needs "
    "what another brings") {
  const auto code = [](const std::string& second, const std::string& between = "") {
    return after_machine_passes(
        "  bb.0:\n    liveins: $a0, $sw1\n    $sr0 = SRAM_READ_1_ri $a0, 0, 1" + kOrdinary +
            between + second + "    EXIT implicit $sr0\n",
        {kShareWaits});
  };
  const char* apart = "CHECK: SRAM_READ_1_ri $a0, 0, 1\nCHECK-NOT: CTX_ARB 5\nCHECK: EXIT\n";
  CHECK(file_check(code("    SCRATCH_WRITE_1_ri $sw1, $a0, 8, 1\n"), apart) == "");
  CHECK(file_check(code("    $sr1 = SCRATCH_READ_1_ri $a0, 8, 1" + kVolatile), apart) == "");
  CHECK(file_check(code("    $sr1 = SCRATCH_READ_1_rr $a0, $sr0, 1" + kOrdinary), apart) == "");
  CHECK(file_check(code("    $sr0 = SCRATCH_READ_1_ri $a0, 8, 1" + kOrdinary), apart) == "");
  CHECK(file_check(code("    $sr1 = SCRATCH_READ_1_ri $a0, 8, 1" + kOrdinary,
                        "    $a1 = MOVE_r $sr0, implicit-def dead $cc\n"),
                   apart) == "");
  CHECK(file_check(code("    $sr1 = SCRATCH_READ_1_ri $a0, 8, 1" + kOrdinary +
                        "    SRAM_WRITE_1_ri $sw1, $a0, 0, 2\n"
                        "    CTX_ARB 1, 0\n"),
                   apart) == "");
}

TEST_CASE("a reference waits itself in front of a register that all contexts share") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    liveins: $a0, $b0, $sw0
    SRAM_WRITE_1_ri $sw0, $a0, 0, 1
    $absoluteb56 = MOVE_r $b0, implicit-def dead $cc
    $sr1 = SRAM_READ_1_ri $a0, 8, 1
    EXIT implicit $sr1
)",
                                                {kShareWaits});
  CHECK(file_check(code,
                   "CHECK: SRAM_WRITE_1_ri $sw0, $a0, 0, 1\nCHECK: SRAM_READ_1_ri $a0, 8, 1\n") ==
        "");
}

TEST_CASE("no wait is shared between units, nor a read's with a write after it") {
  const std::string code = after_machine_passes(R"(
  bb.0:
    liveins: $a0, $sw1
    $sr0 = SRAM_READ_1_ri $a0, 0, 1
    SRAM_WRITE_1_ri $sw1, $a0, 16, 1
    $sr2 = SCRATCH_READ_1_ri $a0, 0, 1
    EXIT implicit $sr0, implicit $sr2
)",
                                                {kShareWaits});
  CHECK(file_check(code, R"(
CHECK: SRAM_READ_1_ri $a0, 0, 1
CHECK: SRAM_WRITE_1_ri {{.*}}$sw1, $a0, 16, 1
CHECK: SCRATCH_READ_1_ri $a0, 0, 1
)") == "");
}

std::string checked_signals(const std::string& between, const std::string& reference) {
  return after_machine_passes("  bb.0:\n    liveins: $a0, $b0, $sw0\n    " + reference + "\n    " +
                                  between + "\n    CTX_ARB 1, 0\n    EXIT\n",
                              {kCheckSignals});
}

TEST_CASE("a register of a reference under way that is touched before the wait is an error") {
  const std::string read = "$sr0 = SRAM_READ_1_ri $a0, 0, 2",
                    write = "SRAM_WRITE_1_ri $sw0, $a0, 0, 2";
  const std::string error =
      "CHECK: error: {{.*}}out of transfer registers while this reference is under way\n";
  CHECK(file_check(checked_signals("$a1 = MOVE_r $sr0, implicit-def dead $cc", read), error) == "");
  CHECK(file_check(checked_signals("$sw0 = MOVE_r $b0, implicit-def dead $cc", write), error) ==
        "");
  CHECK(file_check(checked_signals("$sr1 = SRAM_READ_1_ri $a0, 8, 1", read), error) == "");
  const char* none = "CHECK-NOT: error:\n";
  CHECK(file_check(checked_signals("$a1 = MOVE_r $b0, implicit-def dead $cc", read), none) == "");
  CHECK(file_check(checked_signals("$dr0_dr1 = SDRAM_READ_1_ri $a0, 0, 1", read), none) == "");
}

}  // namespace
}  // namespace nplab::test
