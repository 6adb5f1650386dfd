// Clang parses and types the expression inside a function of a small program; its tree becomes
// ours.
#include <fmt/format.h>

#include <memory>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "compiler/expressions/expression.h"
#include "compiler/expressions/expression_types.h"
#include "compiler/front_end/microengine_target.h"
#include "isa/mc/fatal_errors.h"
#include "isa/operand_text.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace nplab::compiler {
namespace {

using NodeKind = ExpressionNode::Kind;
using Operator = ExpressionOperator;

constexpr const char* kFile = "/expression.c";
constexpr const char* kExpressionName = "expression";
constexpr const char* kFunction = "__expression_function";
constexpr std::size_t kMostCharacters = 2000;  // Clang nests as deeply as the text does

[[noreturn]] void refuse(unsigned column, const std::string& message) {
  throw ExpressionProblem{column, message};
}

constexpr const char* kNoChange = "an expression here changes nothing: no assignment, no ++ and --";

std::optional<Operator> operator_of(clang::BinaryOperatorKind kind) {
  switch (kind) {
    case clang::BO_Mul: return Operator::kMultiply;
    case clang::BO_Div: return Operator::kDivide;
    case clang::BO_Rem: return Operator::kRemainder;
    case clang::BO_Add: return Operator::kAdd;
    case clang::BO_Sub: return Operator::kSubtract;
    case clang::BO_Shl: return Operator::kShiftLeft;
    case clang::BO_Shr: return Operator::kShiftRight;
    case clang::BO_LT: return Operator::kLess;
    case clang::BO_LE: return Operator::kLessEqual;
    case clang::BO_GT: return Operator::kGreater;
    case clang::BO_GE: return Operator::kGreaterEqual;
    case clang::BO_EQ: return Operator::kEqual;
    case clang::BO_NE: return Operator::kNotEqual;
    case clang::BO_And: return Operator::kAnd;
    case clang::BO_Xor: return Operator::kExclusiveOr;
    case clang::BO_Or: return Operator::kOr;
    case clang::BO_LAnd: return Operator::kLogicalAnd;
    case clang::BO_LOr: return Operator::kLogicalOr;
    default: return std::nullopt;
  }
}

class TreeBuilder {
 public:
  TreeBuilder(clang::ASTContext& context, const ExpressionNames& names)
      : context_(context), names_(names), types_(context, names) {}

  ParsedExpression build(const clang::Expr& expression) {
    // A statement reads the object that it names; the debugger shows the object.
    const clang::Expr* root = expression.IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(root))
      if (cast->getCastKind() == clang::CK_LValueToRValue ||
          cast->getCastKind() == clang::CK_ArrayToPointerDecay)
        root = cast->getSubExpr();
    ParsedExpression parsed;
    parsed.root = node(*root);
    parsed.types = std::move(types_.types);
    return parsed;
  }

 private:
  unsigned column_of(const clang::Expr& expression) const {
    const auto place = context_.getSourceManager().getPresumedLoc(expression.getExprLoc());
    return place.isValid() && place.getFilename() == std::string_view(kExpressionName)
               ? place.getColumn()
               : 1;
  }

  ExpressionNode made(const clang::Expr& from, NodeKind kind,
                      std::vector<ExpressionNode> operands = {}) {
    ExpressionNode one;
    one.kind = kind;
    one.type = types_.number(from.getType());
    one.column = column_of(from);
    one.operands = std::move(operands);
    return one;
  }

  template <typename... Operands>
  static std::vector<ExpressionNode> list(Operands... operands) {
    std::vector<ExpressionNode> nodes;
    (nodes.push_back(std::move(operands)), ...);
    return nodes;
  }

  ExpressionNode constant(const clang::Expr& from, std::uint64_t value) {
    ExpressionNode one = made(from, NodeKind::kConstant);
    one.value = value;
    return one;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  ExpressionNode node(const clang::Expr& from) {
    const clang::Expr& one = *from.IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&one))
      return cast_node(*cast);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&one))
      return name_node(*name);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&one))
      return member_node(*member);
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&one))
      return element_node(*element);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&one))
      return unary_node(*unary);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&one))
      return binary_node(*binary);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&one))
      return made(one, NodeKind::kConditional,
                  list(node(*choice->getCond()), node(*choice->getTrueExpr()),
                       node(*choice->getFalseExpr())));
    clang::Expr::EvalResult known;
    if (one.getType()->isIntegralOrEnumerationType() && one.EvaluateAsInt(known, context_))
      return constant(one, static_cast<std::uint64_t>(known.Val.getInt().getExtValue()));
    if (llvm::isa<clang::CallExpr>(one))
      refuse(column_of(one), "functions cannot be called here");
    refuse(column_of(one), "this cannot be evaluated here");
  }

  ExpressionNode cast_node(const clang::CastExpr& cast) {
    const clang::Expr& inner = *cast.getSubExpr();
    switch (cast.getCastKind()) {
      case clang::CK_LValueToRValue: {
        ExpressionNode object = node(inner);
        const bool is_value =
            object.kind == NodeKind::kRegister || object.kind == NodeKind::kLongword;
        return is_value ? object : made(cast, NodeKind::kRead, list(std::move(object)));
      }
      case clang::CK_ArrayToPointerDecay: return made(cast, NodeKind::kAddress, list(node(inner)));
      case clang::CK_NoOp: return node(inner);
      case clang::CK_NullToPointer: return constant(cast, 0);
      case clang::CK_IntegralCast:
      case clang::CK_BooleanToSignedIntegral:
      case clang::CK_IntegralToPointer:
      case clang::CK_PointerToIntegral:
      case clang::CK_IntegralToBoolean:
      case clang::CK_PointerToBoolean:
      case clang::CK_BitCast:
      case clang::CK_AddressSpaceConversion:
        return made(cast, NodeKind::kConvert, list(node(inner)));
      default: refuse(column_of(cast), "this conversion cannot be done here");
    }
  }

  ExpressionNode name_node(const clang::DeclRefExpr& name) {
    const clang::ValueDecl& declared = *name.getDecl();
    if (const auto* enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(&declared))
      return constant(name, static_cast<std::uint64_t>(enumerator->getInitVal().getExtValue()));
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declared);
    if (variable == nullptr)
      refuse(column_of(name), fmt::format("'{}' is not a variable", declared.getNameAsString()));
    const std::string text = declared.getNameAsString();
    const bool is_local = variable->isLocalVarDecl();
    for (std::size_t i = 0; i < names_.objects.size(); ++i)
      if (names_.objects[i].name == text && names_.objects[i].space.has_value() != is_local) {
        ExpressionNode one = made(name, NodeKind::kObject);
        one.value = i;
        return one;
      }
    const auto code = isa::parse_register(text);
    if (!code)
      refuse(column_of(name), fmt::format("a memory needs an address: {}[ADDRESS]", text));
    ExpressionNode one = made(name, NodeKind::kRegister);
    one.value = *code;
    return one;
  }

  ExpressionNode member_node(const clang::MemberExpr& member) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
    if (field == nullptr)
      refuse(column_of(member), "this is not a member");
    ExpressionNode base = node(*member.getBase());
    if (member.isArrow())
      base = made(*member.getBase(), NodeKind::kDereference, list(std::move(base)));
    ExpressionNode one = made(member, NodeKind::kMember, list(std::move(base)));
    const auto& layout = context_.getASTRecordLayout(field->getParent());
    one.value = layout.getFieldOffset(field->getFieldIndex());
    one.bits = field->isBitField()
                   ? field->getBitWidthValue(context_)
                   : static_cast<std::uint32_t>(context_.getTypeSize(field->getType()));
    return one;
  }

  ExpressionNode element_node(const clang::ArraySubscriptExpr& element) {
    const clang::Expr& base = *element.getBase()->IgnoreParens();
    ExpressionNode index = node(*element.getIdx());
    const auto* decay = llvm::dyn_cast<clang::ImplicitCastExpr>(&base);
    const bool is_array = decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay;
    if (is_array && is_memory(*decay->getSubExpr())) {
      ExpressionNode one = made(element, NodeKind::kLongword, list(std::move(index)));
      one.space = space_of(element.getType(), names_.default_space);
      return one;
    }
    if (is_array)
      return made(element, NodeKind::kElement, list(node(*decay->getSubExpr()), std::move(index)));
    ExpressionNode sum = made(base, NodeKind::kPointerSum, list(node(base), std::move(index)));
    sum.value = bytes_of(element.getType());
    return made(element, NodeKind::kDereference, list(std::move(sum)));
  }

  bool is_memory(const clang::Expr& expression) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParens());
    const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    return variable && !variable->isLocalVarDecl() && variable->getType()->isIncompleteArrayType();
  }

  std::uint64_t bytes_of(clang::QualType type) const {
    if (type->isIncompleteType() || type->isFunctionType())
      return 1;  // as GNU C counts
    return static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
  }

  ExpressionNode unary_node(const clang::UnaryOperator& unary) {
    const clang::Expr& inner = *unary.getSubExpr();
    const auto applied = [&](Operator operation) {
      ExpressionNode one = made(unary, NodeKind::kUnary, list(node(inner)));
      one.operation = operation;
      return one;
    };
    switch (unary.getOpcode()) {
      case clang::UO_Plus:
      case clang::UO_Extension: return node(inner);
      case clang::UO_Minus: return applied(Operator::kNegate);
      case clang::UO_Not: return applied(Operator::kComplement);
      case clang::UO_LNot: return applied(Operator::kNot);
      case clang::UO_Deref: return made(unary, NodeKind::kDereference, list(node(inner)));
      case clang::UO_AddrOf: return made(unary, NodeKind::kAddress, list(node(inner)));
      default: refuse(column_of(unary), kNoChange);
    }
  }

  ExpressionNode binary_node(const clang::BinaryOperator& binary) {
    if (binary.isAssignmentOp())
      refuse(column_of(binary), kNoChange);
    const clang::Expr &left = *binary.getLHS(), &right = *binary.getRHS();
    if (binary.getOpcode() == clang::BO_Comma)
      return node(right);
    const bool is_sum = binary.isAdditiveOp();
    const bool from_left = left.getType()->isAnyPointerType();
    const bool from_right = right.getType()->isAnyPointerType();
    if (is_sum && from_left && from_right) {
      ExpressionNode one =
          made(binary, NodeKind::kPointerDifference, list(node(left), node(right)));
      one.value = std::max<std::uint64_t>(bytes_of(left.getType()->getPointeeType()), 1);
      return one;
    }
    if (is_sum && (from_left || from_right)) {
      ExpressionNode one =
          made(binary, NodeKind::kPointerSum,
               from_left ? list(node(left), node(right)) : list(node(right), node(left)));
      one.value = bytes_of(binary.getType()->getPointeeType());
      if (binary.getOpcode() == clang::BO_Sub)
        one.value = 0 - one.value;
      return one;
    }
    const auto operation = operator_of(binary.getOpcode());
    if (!operation)
      refuse(column_of(binary), "this operator cannot be evaluated here");
    ExpressionNode one = made(binary, NodeKind::kBinary, list(node(left), node(right)));
    one.operation = *operation;
    return one;
  }

  clang::ASTContext& context_;
  const ExpressionNames& names_;
  TypeNumbers types_;
};

// The first error, at its place in the expression.
class FirstError : public clang::DiagnosticConsumer {
 public:
  explicit FirstError(unsigned end) : end_(end) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    if (level < clang::DiagnosticsEngine::Error || found)
      return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    found = ExpressionProblem{end_, text.str().str()};
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid())
      return;
    const auto place = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
    if (place.isValid() && place.getFilename() == std::string_view(kExpressionName) &&
        place.getLine() == 1)
      found->column = std::min(place.getColumn(), end_);
  }

  std::optional<ExpressionProblem> found;

 private:
  unsigned end_;  // the column after the expression
};

using Result = std::variant<ParsedExpression, ExpressionProblem>;

// Builds the tree while Clang's is there.
class Reader : public clang::ASTConsumer {
 public:
  Reader(const ExpressionNames& names, const FirstError& errors, std::optional<Result>& result)
      : names_(names), errors_(errors), result_(result) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (errors_.found)
      return;
    try {
      result_ = TreeBuilder(context, names_).build(expression_in(context));
    } catch (const ExpressionProblem& problem) {
      result_ = problem;
    }
  }

 private:
  static const clang::Expr& expression_in(const clang::ASTContext& context) {
    for (const clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      if (!function || !function->hasBody() || function->getName() != kFunction)
        continue;
      const auto* outer = llvm::dyn_cast<clang::CompoundStmt>(function->getBody());
      const auto* inner = outer && !outer->body_empty()
                              ? llvm::dyn_cast<clang::CompoundStmt>(outer->body_back())
                              : nullptr;
      if (inner && inner->size() == 1)
        if (const auto* expression = llvm::dyn_cast<clang::Expr>(inner->body_front()))
          return *expression;
    }
    refuse(1, "this is not an expression of C");
  }

  const ExpressionNames& names_;
  const FirstError& errors_;
  std::optional<Result>& result_;
};

class ReadAction : public clang::ASTFrontendAction {
 public:
  ReadAction(const ExpressionNames& names, const FirstError& errors, std::optional<Result>& result)
      : names_(names), errors_(errors), result_(result) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&,
                                                        llvm::StringRef) override {
    return std::make_unique<Reader>(names_, errors_, result_);
  }

 private:
  const ExpressionNames& names_;
  const FirstError& errors_;
  std::optional<Result>& result_;
};

std::string program_text(const std::string& text, const ExpressionNames& names) {
  const ExpressionDeclarations declared = expression_declarations(text, names);
  return fmt::format("{}void {}(void) {{\n{}{{\n#line 1 \"{}\"\n{}\n;}}}}\n", declared.outer,
                     kFunction, declared.inner, kExpressionName, text);
}

std::optional<Result> read(const std::string& text, const ExpressionNames& names) {
  clang::CompilerInstance clang;
  auto* errors = new FirstError(static_cast<unsigned>(text.size()) + 1);
  clang.createDiagnostics(errors, /*ShouldOwnClient=*/true);
  const char* arguments[] = {"-triple",
                             "unknown-unknown-none-elf",
                             "-x",
                             "c",
                             "-std=gnu17",
                             "-ffreestanding",
                             "-fno-signed-char",
                             "-w",
                             "-fsyntax-only",
                             kFile};
  if (!clang::CompilerInvocation::CreateFromArgs(clang.getInvocation(), arguments,
                                                 clang.getDiagnostics()))
    return std::nullopt;
  clang::ProcessWarningOptions(clang.getDiagnostics(), clang.getDiagnosticOpts(),
                               /*ReportDiags=*/false);
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile(kFile, 0, llvm::MemoryBuffer::getMemBufferCopy(program_text(text, names), kFile));
  clang.createFileManager(files);
  set_microengine_target(clang);
  std::optional<Result> result;
  ReadAction action(names, *errors, result);
  for (const clang::FrontendInputFile& input : clang.getFrontendOpts().Inputs) {
    if (!action.BeginSourceFile(clang, input))
      break;
    if (llvm::Error error = action.Execute())
      llvm::consumeError(std::move(error));
    action.EndSourceFile();
  }
  if (errors->found)
    return *errors->found;
  return result;
}

}  // namespace

Result parse_expression(const std::string& text, const ExpressionNames& names) {
  if (text.size() > kMostCharacters)
    return ExpressionProblem{
        1, fmt::format("an expression has at most {} characters", kMostCharacters)};
  const bool is_one_line = text.find_first_of("\n\r#\\\0", 0, 5) == std::string::npos;
  if (!is_one_line || text.find_first_not_of(" \t") == std::string::npos)
    return ExpressionProblem{1, "an expression of C on one line is expected"};
  std::optional<Result> result;
  const auto fatal = isa::run_to_fatal_error([&] { result = read(text, names); });
  if (fatal || !result)
    return ExpressionProblem{1, "this is not an expression of C"};
  return *result;
}

}  // namespace nplab::compiler
