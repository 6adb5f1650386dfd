#include "compiler/backend/MicroengineWaits.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

MicroengineWaits::MicroengineWaits(const Module& Program) {
  const NamedMDNode* Waits = Program.getNamedMetadata(kWaitsMetadata);
  if (!Waits)
    return;
  for (const MDNode* One : Waits->operands()) {
    const auto* Code = mdconst::extract<ConstantInt>(One->getOperand(1));
    Codes[cast<DISubprogram>(One->getOperand(0))] = Code->getZExtValue();
  }
}

unsigned MicroengineWaits::codeAt(const DILocation* Location) const {
  for (; Location; Location = Location->getInlinedAt()) {
    auto Found = Codes.find(Location->getScope()->getSubprogram());
    if (Found != Codes.end())
      return Found->second;
  }
  return 0;
}
