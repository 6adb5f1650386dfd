#include "compiler/front_end/microengine_target.h"

#include "clang/Basic/MacroBuilder.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "isa/mc/microengine_mc.h"

// clang::TargetInfo::TargetOpts is private and only TargetInfo::CreateTargetInfo, a closed switch
// over the targets that Clang knows, sets it; without it Clang crashes. Access rules do not apply
// to the arguments of an explicit instantiation, so this reaches it without a patched header.
template <auto Member>
struct ExposeTargetOptions {
  friend std::shared_ptr<clang::TargetOptions>& target_options_of(clang::TargetInfo& target) {
    return target.*Member;
  }
};
std::shared_ptr<clang::TargetOptions>& target_options_of(clang::TargetInfo& target);
template struct ExposeTargetOptions<&clang::TargetInfo::TargetOpts>;

namespace nplab::compiler {
namespace {

constexpr clang::LangASMap kNoLanguageSpaces = {};

class MicroengineTargetInfo : public clang::TargetInfo {
 public:
  MicroengineTargetInfo(const llvm::Triple& triple, std::shared_ptr<clang::TargetOptions> options)
      : TargetInfo(triple) {
    target_options_of(*this) = std::move(options);
    BigEndian = true;
    TLSSupported = false;
    NoAsmVariants = true;
    PointerWidth = PointerAlign = 32;
    LongWidth = LongAlign = 32;
    LongLongAlign = 32;
    DoubleAlign = LongDoubleAlign = SuitableAlign = DefaultAlignForAttributeAligned = 32;
    HasFloat16 = true;  // refused with the rest of floating point
    MaxAtomicPromoteWidth = MaxAtomicInlineWidth =
        32;  // transforms/LowerAtomics.cpp says what of it there is
    SizeType = UnsignedInt;
    PtrDiffType = IntPtrType = SignedInt;
    AddrSpaceMap = &kNoLanguageSpaces;
    UseAddrSpaceMapMangling = true;
    resetDataLayout(llvm::MicroengineTargetMachine::Layout);
  }
  void getTargetDefines(const clang::LangOptions&, clang::MacroBuilder& builder) const override {
    builder.defineMacro("__microengine__");
  }
  llvm::ArrayRef<clang::Builtin::Info> getTargetBuiltins() const override { return {}; }
  BuiltinVaListKind getBuiltinVaListKind() const override { return VoidPtrBuiltinVaList; }
  // a, b: a register of that bank; s, S, d, D: a transfer register
  // (target/MicroengineISelLowering.h).
  bool validateAsmConstraint(const char*& name, ConstraintInfo& constraint) const override {
    if (std::string_view("absSdD").find(*name) == std::string_view::npos)
      return false;
    constraint.setAllowsRegister();
    return true;
  }
  // Debuggers are told which memory a pointer addresses, and nothing of variables without one.
  std::optional<unsigned> getDWARFAddressSpace(unsigned space) const override {
    return space == 0 ? std::nullopt : std::optional(space);
  }
  std::string_view getClobbers() const override { return ""; }
  llvm::ArrayRef<const char*> getGCCRegNames() const override {
    static const char* const names[] = {"a0", "a1", "a2",  "a3",  "a4",  "a5",  "a6",  "a7",
                                        "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15",
                                        "b0", "b1", "b2",  "b3",  "b4",  "b5",  "b6",  "b7",
                                        "b8", "b9", "b10", "b11", "b12", "b13", "b14", "b15"};
    return names;
  }
  llvm::ArrayRef<GCCRegAlias> getGCCRegAliases() const override { return {}; }
};

}  // namespace

void set_microengine_target(clang::CompilerInstance& clang) {
  clang.setTarget(new MicroengineTargetInfo(llvm::Triple(llvm::Microengine::kTriple),
                                            clang.getInvocation().TargetOpts));
  clang.getTarget().adjust(clang.getDiagnostics(), clang.getLangOpts());
}

}  // namespace nplab::compiler
