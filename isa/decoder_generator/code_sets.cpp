#include "isa/decoder_generator/code_sets.h"

#include <set>

#include "llvm/TableGen/SetTheory.h"

namespace nplab::isa::generator {
namespace {

// A burst stands in a field as its first register.
class FirstRegisters : public llvm::SetTheory::Expander {
  void expand(llvm::SetTheory& sets, llvm::Record* tuples,
              llvm::SetTheory::RecSet& elements) override {
    llvm::ListInit* registers = tuples->getValueAsListInit("SubRegs");
    sets.evaluate(registers->getElement(0), elements, tuples->getLoc());
  }
};

std::vector<CodeRange> ranges_of(const std::set<int>& codes) {
  std::vector<CodeRange> ranges;
  for (const int code : codes) {
    if (ranges.empty() || ranges.back().last + 1 != code)
      ranges.push_back({code, code});
    ranges.back().last = code;
  }
  return ranges;
}

int encoding_of(const llvm::Record* reg) {
  const llvm::BitsInit* bits = reg->getValueAsBitsInit("HWEncoding");
  int code = 0;
  for (unsigned bit = 0; bit != bits->getNumBits(); ++bit)
    code |= static_cast<int>(llvm::cast<llvm::BitInit>(bits->getBit(bit))->getValue()) << bit;
  return code;
}

}  // namespace

std::map<std::string, std::vector<CodeRange>> read_code_sets(const llvm::RecordKeeper& records) {
  llvm::SetTheory sets;
  sets.addFieldExpander("RegisterClass", "MemberList");
  sets.addExpander("RegisterTuples", std::make_unique<FirstRegisters>());
  std::map<std::string, std::vector<CodeRange>> code_sets;
  for (llvm::Record* register_class : records.getAllDerivedDefinitions("RegisterClass")) {
    std::set<int> codes;
    for (const llvm::Record* reg : *sets.expand(register_class))
      codes.insert(encoding_of(reg));
    code_sets[register_class->getName().str()] = ranges_of(codes);
  }
  return code_sets;
}

}  // namespace nplab::isa::generator
