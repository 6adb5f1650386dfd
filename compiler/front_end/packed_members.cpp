#include "compiler/front_end/packed_members.h"

#include <algorithm>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecordLayout.h"
#include "compiler/front_end/syntax_walk.h"

namespace nplab::compiler {
namespace {

using Bytes = std::int64_t;

// The largest power of two that divides the alignment and the offset.
Bytes aligned_at(Bytes alignment, Bytes offset) {
  return offset == 0 ? alignment : std::min(alignment, offset & -offset);
}

class MisalignedMembers : public SyntaxWalk {
 public:
  MisalignedMembers(clang::ASTContext& context, const SourceReport& report)
      : context_(context), report_(report) {}

  void see(const clang::Stmt& statement) override {
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&statement))
      check_cast(*cast);
    else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&statement))
      excuse(element->getBase());
    else if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(&statement))
      check_unary(*operation);
  }

 private:
  void check_cast(const clang::CastExpr& cast) {
    const bool is_to_bytes =
        cast.getType()->isPointerType() && alignment_of(cast.getType()->getPointeeType()) == 1;
    if (is_to_bytes || cast.getCastKind() == clang::CK_PointerToIntegral)
      excuse(cast.getSubExpr());
    if (cast.getCastKind() == clang::CK_ArrayToPointerDecay && !excused_.contains(&cast))
      check(cast.getSubExpr(),
            context_.getAsArrayType(cast.getSubExpr()->getType())->getElementType());
  }
  void check_unary(const clang::UnaryOperator& operation) {
    if (operation.getOpcode() == clang::UO_Deref)
      excuse(operation.getSubExpr());
    if (operation.getOpcode() == clang::UO_AddrOf && !excused_.contains(&operation))
      check(operation.getSubExpr(), operation.getSubExpr()->getType());
  }

  // The pointer that an expression gives is not kept.
  void excuse(const clang::Expr* pointer) {
    for (;;) {
      excused_.insert(pointer);
      if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(pointer))
        pointer = paren->getSubExpr();
      else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(pointer);
               cast && cast->getCastKind() != clang::CK_ArrayToPointerDecay)
        pointer = cast->getSubExpr();
      else
        return;
    }
  }

  void check(const clang::Expr* place, clang::QualType pointee) {
    const clang::MemberExpr* member = packed_member(place);
    if (member && known_alignment(place) < alignment_of(pointee))
      report_(place->getExprLoc(), member->getMemberDecl()->getNameAsString());
  }

  // The member that an lvalue lies in, however deep.
  static const clang::MemberExpr* packed_member(const clang::Expr* place) {
    place = place->IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
      return member;
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place);
    return element && !is_plain_pointer(element->getBase()) ? packed_member(element->getBase())
                                                            : nullptr;
  }
  static bool is_plain_pointer(const clang::Expr* base) {
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(base->IgnoreParens());
    return !cast || cast->getCastKind() != clang::CK_ArrayToPointerDecay;
  }

  [[nodiscard]] Bytes alignment_of(clang::QualType type) const {
    if (type->isVoidType() || type->isFunctionType() || type->isIncompleteType())
      return 1;
    return context_.getTypeAlignInChars(type).getQuantity();
  }

  // What is known of an lvalue's address.
  [[nodiscard]] Bytes known_alignment(const clang::Expr* place) const {
    place = place->IgnoreParens();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
      return alignment_of_member(*member);
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      const Bytes size = context_.getTypeSizeInChars(element->getType()).getQuantity();
      if (is_plain_pointer(element->getBase()))
        return aligned_at(alignment_of(element->getType()), size);
      const auto* decay = llvm::cast<clang::ImplicitCastExpr>(element->getBase()->IgnoreParens());
      return aligned_at(known_alignment(decay->getSubExpr()), size);
    }
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place))
      return context_.getDeclAlign(name->getDecl()).getQuantity();
    return alignment_of(place->getType());
  }
  [[nodiscard]] Bytes alignment_of_member(const clang::MemberExpr& member) const {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
    if (!field || field->isBitField())
      return alignment_of(member.getType());
    const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(field->getParent());
    const Bytes offset =
        context_.toCharUnitsFromBits(layout.getFieldOffset(field->getFieldIndex())).getQuantity();
    const Bytes base = member.isArrow()
                           ? alignment_of(member.getBase()->getType()->getPointeeType())
                           : known_alignment(member.getBase());
    return aligned_at(base, offset);
  }

  clang::ASTContext& context_;
  const SourceReport& report_;
  std::set<const clang::Expr*> excused_;
};

}  // namespace

void find_misaligned_members(clang::ASTContext& context, const SourceReport& report) {
  MisalignedMembers(context, report).over(*context.getTranslationUnitDecl());
}

}  // namespace nplab::compiler
