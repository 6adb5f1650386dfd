// What a pass did, or could not do, at a place of the source: LLVM's remarks, which -Rpass and
// -Rpass-missed ask for by the pass's name.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/CodeGen/MachineInstr.h"

namespace llvm::Microengine {

// Names of passes, as -Rpass has them.
inline constexpr char kMergeReadsName[] = "microengine-merge-reads";
inline constexpr char kSelectsName[] = "microengine-selects";
inline constexpr char kShareWaitsName[] = "microengine-share-waits";
inline constexpr char kStraightenName[] = "microengine-straighten";
inline constexpr char kPredictBranchesName[] = "microengine-guess-branches";
inline constexpr char kFillSlotsName[] = "microengine-fill-slots";

// `what` names the kind of remark; the message is one sentence without a full stop.
void remark(const MachineInstr& Place, const char* Pass, StringRef What, const Twine& Message);
void missedRemark(const MachineInstr& Place, const char* Pass, StringRef What,
                  const Twine& Message);

// "line 12", for sentences that name another instruction; "another line" if it has none.
std::string lineOf(const MachineInstr& Place);

}  // namespace llvm::Microengine

namespace llvm {
// Which slots after branches and context swaps were filled, and which were not: once nothing moves
// any more.
void remarkMicroengineSlots(MachineFunction& Function);
}  // namespace llvm
