#include "compiler/transforms/CheckBuiltins.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

namespace nplab::compiler {
namespace {

namespace intrinsic = llvm::Intrinsic;

constexpr unsigned kMostProductBits = 64;

constexpr const char* kVariableArguments =
    "variable arguments: pass the values in a struct or an array";
constexpr const char* kNoStack =
    "a return address, a frame's address or a jump between functions: there are no calls, and no "
    "stack";

// Those that every level turns into code of ours, or drops.
bool is_known(intrinsic::ID builtin) {
  static const llvm::DenseSet<unsigned> known = {intrinsic::memcpy,
                                                 intrinsic::memcpy_inline,
                                                 intrinsic::memmove,
                                                 intrinsic::memset,
                                                 intrinsic::memset_inline,
                                                 intrinsic::lifetime_start,
                                                 intrinsic::lifetime_end,
                                                 intrinsic::dbg_declare,
                                                 intrinsic::dbg_value,
                                                 intrinsic::dbg_assign,
                                                 intrinsic::dbg_label,
                                                 intrinsic::expect,
                                                 intrinsic::assume,
                                                 intrinsic::ctlz,
                                                 intrinsic::cttz,
                                                 intrinsic::ctpop,
                                                 intrinsic::bswap,
                                                 intrinsic::bitreverse,
                                                 intrinsic::fshl,
                                                 intrinsic::fshr,
                                                 intrinsic::abs,
                                                 intrinsic::smax,
                                                 intrinsic::smin,
                                                 intrinsic::umax,
                                                 intrinsic::umin,
                                                 intrinsic::sadd_sat,
                                                 intrinsic::ssub_sat,
                                                 intrinsic::uadd_sat,
                                                 intrinsic::usub_sat,
                                                 intrinsic::sadd_with_overflow,
                                                 intrinsic::ssub_with_overflow,
                                                 intrinsic::uadd_with_overflow,
                                                 intrinsic::usub_with_overflow,
                                                 intrinsic::trap,
                                                 intrinsic::debugtrap,
                                                 intrinsic::ubsantrap,
                                                 intrinsic::objectsize,
                                                 intrinsic::is_constant,
                                                 intrinsic::vector_reduce_add,
                                                 intrinsic::vector_reduce_mul,
                                                 intrinsic::vector_reduce_and,
                                                 intrinsic::vector_reduce_or,
                                                 intrinsic::vector_reduce_xor,
                                                 intrinsic::vector_reduce_smax,
                                                 intrinsic::vector_reduce_smin,
                                                 intrinsic::vector_reduce_umax,
                                                 intrinsic::vector_reduce_umin,
                                                 intrinsic::prefetch,
                                                 intrinsic::annotation,
                                                 intrinsic::ptr_annotation,
                                                 intrinsic::var_annotation,
                                                 intrinsic::launder_invariant_group,
                                                 intrinsic::strip_invariant_group,
                                                 intrinsic::ptrmask,
                                                 intrinsic::get_rounding,
                                                 intrinsic::donothing,
                                                 intrinsic::sideeffect,
                                                 intrinsic::experimental_noalias_scope_decl};
  return known.contains(builtin);
}

bool has_floating_point(const llvm::CallBase& call) {
  return call.getType()->getScalarType()->isFloatingPointTy() ||
         llvm::any_of(call.args(), [](const llvm::Value* argument) {
           return argument->getType()->getScalarType()->isFloatingPointTy();
         });
}

}  // namespace

std::optional<std::string> builtin_problem(const llvm::CallBase& call) {
  const intrinsic::ID builtin = call.getIntrinsicID();
  switch (builtin) {
    case intrinsic::vastart:
    case intrinsic::vaend:
    case intrinsic::vacopy: return kVariableArguments;
    case intrinsic::stacksave:  // of a local without constant size, which is refused itself
    case intrinsic::stackrestore: return std::nullopt;
    case intrinsic::returnaddress:
    case intrinsic::frameaddress:
    case intrinsic::sponentry:
    case intrinsic::addressofreturnaddress:
    case intrinsic::eh_unwind_init:
    case intrinsic::eh_dwarf_cfa:
    case intrinsic::eh_sjlj_setjmp:
    case intrinsic::eh_sjlj_longjmp: return kNoStack;
    case intrinsic::readcyclecounter:
    case intrinsic::readsteadycounter: return "a counter of the host's: use cycle_count()";
    case intrinsic::umul_with_overflow:
    case intrinsic::smul_with_overflow:
      if (call.getArgOperand(0)->getType()->getScalarSizeInBits() > kMostProductBits)
        return "the overflow of a product of 64-bit values into another signedness: convert one of "
               "them first";
      return std::nullopt;
    case intrinsic::expect_with_probability:  // whose probability is a constant in floating point
      return std::nullopt;
    default: break;
  }
  if (has_floating_point(call))
    return "floating point: use integers or fixed point";
  if (!is_known(builtin))
    return "this builtin function of Clang's: write it in C";
  return std::nullopt;
}

}  // namespace nplab::compiler
