// The values that references send and receive: which of them stay in transfer registers.
#pragma once

#include "llvm/CodeGen/MachineRegisterInfo.h"

namespace llvm {

class MachineFunction;

// Before registers have banks, and with no kill flags on virtual registers. What a reference
// receives is read where it arrived, or moved out at once when its last use is far away; what feeds
// only a write register is computed straight into it. Registers of a reference that is under way
// are held until each wait for it.
void placeMicroengineTransfers(MachineFunction& Function);

// Whether the value may live in either bank of the general-purpose registers.
bool isMicroengineBankOpen(Register Value, const MachineRegisterInfo& Values);

}  // namespace llvm
