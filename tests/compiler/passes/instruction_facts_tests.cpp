// Facts of instructions that the passes ask for come from the description.
#include <catch2/catch.hpp>

#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineTransfers.h"
#include "compiler/backend/passes/MicroengineSlots.h"
#include "isa/mc/instruction_syntax.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "tests/compiler/passes/pass_bench.h"

namespace nplab::test {
namespace {

using llvm::Microengine::MemorySpace;

// `visit` for every instruction of the description, without operands.
void for_each_instruction(const std::function<void(llvm::MachineInstr&, llvm::StringRef)>& visit) {
  after_slot_passes("  bb.0:\n    EXIT\n", {machine_step([&](llvm::MachineFunction& function) {
                      const llvm::TargetInstrInfo& instructions =
                          *function.getSubtarget().getInstrInfo();
                      for (const isa::InstructionSyntax& syntax : isa::instruction_syntaxes()) {
                        llvm::MachineInstr* instruction = function.CreateMachineInstr(
                            instructions.get(syntax.opcode), llvm::DebugLoc());
                        visit(*instruction, instructions.getName(syntax.opcode));
                        function.deleteMachineInstr(instruction);
                      }
                    })});
}

TEST_CASE("the code generator and the assembler see the same abort class of each instruction") {
  unsigned branches = 0;
  for_each_instruction([&](llvm::MachineInstr& instruction, llvm::StringRef name) {
    INFO(name.str());
    const isa::AbortClass found = llvm::Microengine::abortClassOf(instruction.getDesc());
    CHECK(found == isa::syntax_of(instruction.getOpcode()).aborts);
    if (found == isa::AbortClass::kNone)
      return;
    ++branches;
    CHECK(llvm::Microengine::mostSlots(instruction) == isa::maximum_defer(found));
  });
  CHECK(branches == 20);  // 9 on codes or none, 8 on bits, bytes and state, jump, rtn, ctx_arb
}

TEST_CASE("reads and writes of the memories are transfers, other references are not") {
  for_each_instruction([&](llvm::MachineInstr& instruction, llvm::StringRef name) {
    INFO(name.str());
    const auto transfer = llvm::Microengine::transferOf(instruction);
    const auto [unit, rest] = name.split('_');
    const auto [direction, count] = rest.split('_');
    const bool moves_longwords = (direction == "READ" || direction == "WRITE") &&
                                 count.take_while(llvm::isDigit).size() == 1 &&
                                 (unit == "SRAM" || unit == "SDRAM" || unit == "SCRATCH");
    REQUIRE(transfer.has_value() == moves_longwords);
    if (!transfer)
      return;
    CHECK(transfer->Reads == (direction == "READ"));
    CHECK(transfer->Unit == (unit == "SRAM"    ? MemorySpace::kSram
                             : unit == "SDRAM" ? MemorySpace::kSdram
                                               : MemorySpace::kScratch));
  });
}

TEST_CASE("sums and differences may set the overflow flag, the other functions clear it") {
  using namespace llvm::Microengine;
  for_each_instruction([](llvm::MachineInstr& instruction, llvm::StringRef name) {
    INFO(name.str());
    const llvm::MCInstrDesc& description = instruction.getDesc();
    if (clearsOverflow(description))
      CHECK(description.hasImplicitDefOfPhysReg(CC));
  });
  const auto clears = [](unsigned opcode) {
    bool result = false;
    for_each_instruction([&](llvm::MachineInstr& instruction, llvm::StringRef) {
      if (instruction.getOpcode() == opcode)
        result = clearsOverflow(instruction.getDesc());
    });
    return result;
  };
  CHECK(clears(AND_rr));
  CHECK(clears(NOT_r));
  CHECK(clears(SHIFT_MOVE_r));
  CHECK(clears(DOUBLE_SHIFT));
  CHECK_FALSE(clears(ADD_rr));
  CHECK_FALSE(clears(RSUB_ri));
  CHECK_FALSE(clears(ADD_SIGN_rr));
  CHECK_FALSE(clears(SRAM_READ_1_ri));
}

TEST_CASE("a reference completes with the event of its unit") {
  for_each_instruction([](llvm::MachineInstr& instruction, llvm::StringRef name) {
    if (!llvm::Microengine::isReference(instruction.getDesc()))
      return;
    INFO(name.str());
    const isa::Event expected = name.starts_with("SRAM_")    ? isa::Event::kSram
                                : name.starts_with("SDRAM_") ? isa::Event::kSdram
                                : name.starts_with("PCI_")   ? isa::Event::kPci
                                                             : isa::Event::kFbi;
    CHECK(llvm::Microengine::eventOf(instruction) == static_cast<unsigned>(expected));
  });
}

}  // namespace
}  // namespace nplab::test
