#include <fmt/format.h>

#include "isa/mc/instruction_matcher.h"
#include "isa/mc/parts.h"
#include "isa/mc/target_streamer.h"
#include "isa/operand_text.h"
#include "llvm/MC/MCParser/MCAsmLexer.h"
#include "llvm/MC/MCParser/MCParsedAsmOperand.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/SMLoc.h"

using namespace llvm;
using namespace nplab::isa;

namespace {

// The generic parser hands over each statement; the syntax inside it is not the generic lexer's
// (`br!=0`, `~AND`), so statements are read as text and matched against the generated syntax
// tables.
class MicroengineAsmParser : public MCTargetAsmParser {
 public:
  MicroengineAsmParser(const MCSubtargetInfo& subtarget, const MCInstrInfo& instructions,
                       const MCTargetOptions& options)
      : MCTargetAsmParser(options, subtarget, instructions) {}

 private:
  bool equalIsAsmAssignment() override { return false; }  // br=0[...] is an instruction

  // Registers stand only inside of statements, which are not read through these.
  bool parseRegister(MCRegister&, SMLoc&, SMLoc&) override { return true; }
  ParseStatus tryParseRegister(MCRegister&, SMLoc&, SMLoc&) override {
    return ParseStatus::NoMatch;
  }

  bool ParseInstruction(ParseInstructionInfo&, StringRef name, SMLoc start,
                        OperandVector&) override;
  bool MatchAndEmitInstruction(SMLoc start, unsigned&, OperandVector&, MCStreamer& out,
                               std::uint64_t&, bool) override;
  ParseStatus parseDirective(AsmToken directive) override;
  void doBeforeLabelEmit(MCSymbol*, SMLoc position) override {
    refuse_label_behind_annotation(position);
  }
  void onEndOfFile() override;
  void convertToMapAndConstraints(unsigned, const OperandVector&) override {
  }  // inline assembly of other compilers

  std::string_view rest_of_statement(const char* start, const char* end);
  // Takes the end of a statement that is right; after a wrong one the generic parser looks for it.
  void end_statement() { getParser().parseOptionalToken(AsmToken::EndOfStatement); }
  bool report(const StatementError& error) {
    return Error(SMLoc::getFromPointer(error.position), error.message);
  }
  bool refuse_directive(StringRef name, SMLoc start);
  bool parse_label(StringRef name, SMLoc start);
  bool parse_annotation(const AnnotationDirective& directive, SMLoc start);
  void refuse_label_behind_annotation(SMLoc position);

  bool is_label_ = false;  // the statement that was parsed last is a label
  Statement statement_;    // otherwise this
  SMLoc annotation_;       // an annotation that waits for its instruction
};

// From `start`, at least to `end`, to the end of the statement. Comments are not part of it.
std::string_view MicroengineAsmParser::rest_of_statement(const char* start, const char* end) {
  while (getTok().isNot(AsmToken::EndOfStatement) && getTok().isNot(AsmToken::Eof)) {
    end = getTok().getEndLoc().getPointer();
    getLexer().Lex();
  }
  return {start, static_cast<std::size_t>(end - start)};
}

// `name#:`; the current token is the #.
bool MicroengineAsmParser::parse_label(StringRef name, SMLoc start) {
  getLexer().Lex();
  if (getTok().isNot(AsmToken::Colon))
    return Error(getTok().getLoc(), "a label is written `name#:`");
  getLexer().Lex();
  MCSymbol* symbol = getContext().getOrCreateSymbol(name);
  if (!symbol->isUndefined() || symbol->isVariable())
    return Error(start, fmt::format("label `{}#` is defined twice", name.str()));
  refuse_label_behind_annotation(start);
  getParser().getStreamer().emitLabel(symbol, start);
  end_statement();
  return false;
}

bool MicroengineAsmParser::ParseInstruction(ParseInstructionInfo&, StringRef name, SMLoc start,
                                            OperandVector&) {
  is_label_ = getTok().is(AsmToken::Hash);
  // `name` is in lower case, labels are not.
  if (is_label_)
    return parse_label(StringRef(start.getPointer(), name.size()), start);
  const auto parsed =
      parse_statement(rest_of_statement(start.getPointer(), start.getPointer() + name.size()));
  if (const auto* error = std::get_if<StatementError>(&parsed))
    return report(*error);
  statement_ = std::get<Statement>(parsed);
  return false;
}

bool MicroengineAsmParser::MatchAndEmitInstruction(SMLoc start, unsigned&, OperandVector&,
                                                   MCStreamer& out, std::uint64_t&, bool) {
  if (is_label_)
    return false;
  auto matched = match_instruction(statement_, getContext());
  if (const auto* error = std::get_if<StatementError>(&matched))
    return report(*error);
  MCInst& instruction = std::get<MCInst>(matched);
  instruction.setLoc(start);
  out.emitInstruction(instruction, getSTI());
  annotation_ = {};
  end_statement();
  return false;
}

ParseStatus MicroengineAsmParser::parseDirective(AsmToken directive) {
  const StringRef name = directive.getString();
  if (getTok().is(AsmToken::Hash))
    return parse_label(name, directive.getLoc());
  for (const AnnotationDirective& known : kAnnotationDirectives)
    if (name == known.name)
      return parse_annotation(known, directive.getLoc());
  if (refuse_directive(name, directive.getLoc()))
    return ParseStatus::Failure;
  // A text with the sections of its own line table gets no other.
  if (name == ".section" && getTok().getString().starts_with(".debug_"))
    getContext().setGenDwarfForAssembly(false);
  return ParseStatus::NoMatch;
}

// Directives of the generic parser that read other files, repeat statements, or make any number of
// bytes: what they make has no bound, and the first two would lead outside the source.
bool MicroengineAsmParser::refuse_directive(StringRef name, SMLoc start) {
  static constexpr StringRef kRefused[] = {".include", ".incbin", ".rept", ".rep", ".irp", ".irpc"};
  static constexpr StringRef kSized[] = {".zero", ".skip",  ".space",   ".fill",   ".org",
                                         ".ds",   ".ds.b",  ".balign",  ".align",  ".p2align",
                                         ".dcb",  ".dcb.b", ".balignw", ".balignl"};
  constexpr std::int64_t kMostBytes = 1 << 26;
  constexpr std::int64_t kMostFiles = 100'000;
  const std::string lower = name.lower();
  if (is_contained(kRefused, lower))
    return Error(start, fmt::format("{} is not supported: write the statements out", lower));
  const bool is_number =
      getTok().is(AsmToken::Integer) && (getLexer().peekTok().is(AsmToken::EndOfStatement) ||
                                         getLexer().peekTok().is(AsmToken::Comma));
  if (is_contained(kSized, lower) &&
      (!is_number || getTok().getIntVal() < 0 || getTok().getIntVal() > kMostBytes))
    return Error(getTok().getLoc(), fmt::format("{} takes a number up to {}", lower, kMostBytes));
  if (lower == ".file" && getTok().is(AsmToken::Integer) && getTok().getIntVal() > kMostFiles)
    return Error(getTok().getLoc(), fmt::format(".file takes a number up to {}", kMostFiles));
  return false;
}

// The operand code of a register, or of a number from 0 to 255.
std::optional<OperandCode> annotation_operand(std::string_view text) {
  if (const auto reg = parse_register(text))
    return reg;
  const auto number = parse_number(text);
  if (!number || *number < 0 || *number > 255)
    return std::nullopt;
  return static_cast<OperandCode>(kImmediateOperand | *number);
}

bool MicroengineAsmParser::parse_annotation(const AnnotationDirective& directive, SMLoc start) {
  const char* text_start = getTok().getLoc().getPointer();
  const std::string_view text = rest_of_statement(text_start, text_start);
  const auto texts = text.empty() ? std::vector<std::string_view>{} : split_list(text);
  if (texts.size() != directive.operands)
    return Error(start, fmt::format("{} takes {} operands, here are {}", directive.name,
                                    directive.operands, texts.size()));
  std::uint16_t codes[2] = {kNoRegister, kNoRegister};
  for (std::size_t i = 0; i != texts.size(); ++i) {
    const auto code = annotation_operand(texts[i]);
    if (!code)
      return Error(
          SMLoc::getFromPointer(texts[i].data()),
          fmt::format("`{}` does not fit here: expected a register or 0 to 255", texts[i]));
    codes[i] = *code;
  }
  auto* target =
      static_cast<MicroengineTargetStreamer*>(getParser().getStreamer().getTargetStreamer());
  target->emit_annotation(directive.kind, codes[0], codes[1]);
  annotation_ = start;
  end_statement();
  return false;
}

void MicroengineAsmParser::refuse_label_behind_annotation(SMLoc position) {
  if (!annotation_.isValid())
    return;
  Error(position,
        "an annotation marks the next instruction of the same block: no label may come between");
  annotation_ = {};
}

void MicroengineAsmParser::onEndOfFile() {
  if (annotation_.isValid())
    Error(annotation_, "an annotation marks the next instruction, but none follows");
}

}  // namespace

MCTargetAsmParser* llvm::createMicroengineAsmParser(const MCSubtargetInfo& subtarget, MCAsmParser&,
                                                    const MCInstrInfo& instructions,
                                                    const MCTargetOptions& options) {
  return new MicroengineAsmParser(subtarget, instructions, options);
}
