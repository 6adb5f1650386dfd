#include "isa/mc/instruction_matcher.h"

#include <fmt/format.h>
#include <algorithm>

#include "isa/mc/argument_reader.h"
#include "isa/mc/microengine_mc.h"
#include "isa/operand_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "support/near_miss.h"

namespace nplab::isa {
namespace {

using Candidates = std::vector<const InstructionSyntax*>;

bool is_same_word(std::string_view x, std::string_view y) {
  return llvm::StringRef(x).equals_insensitive(y);
}

bool takes_events(const InstructionSyntax& syntax) {
  return syntax.argument_count != 0 && syntax.arguments().back().kind == ArgumentKind::kEventList;
}

std::size_t fewest_arguments(const InstructionSyntax& syntax) {
  return llvm::count_if(syntax.arguments(),
                        [](const auto& x) { return x.presence == Presence::kRequired; });
}

bool takes_this_many(const InstructionSyntax& syntax, std::size_t count) {
  if (takes_events(syntax))
    return count >= 1;
  return count >= fewest_arguments(syntax) && count <= syntax.argument_count;
}

StatementError unknown_mnemonic(const Statement& statement) {
  std::vector<std::string> names;
  for (const InstructionSyntax& syntax : instruction_syntaxes())
    if (!llvm::is_contained(names, syntax.mnemonic))
      names.emplace_back(syntax.mnemonic);
  std::string hint = suggestion(statement.mnemonic, names);
  hint = hint.starts_with("known") ? "" : "; " + hint;
  return {statement.mnemonic.data(),
          fmt::format("unknown instruction `{}`{}", statement.mnemonic, hint)};
}

StatementError wrong_count(const Statement& statement, const Candidates& candidates) {
  std::size_t fewest = SIZE_MAX;
  std::size_t most = 0;
  for (const InstructionSyntax* candidate : candidates) {
    fewest = std::min(fewest, fewest_arguments(*candidate));
    most = std::max<std::size_t>(most, candidate->argument_count);
  }
  const std::string range =
      fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
  return {statement.mnemonic.data(),
          fmt::format("{} takes {} operand{}, here {} {}", statement.mnemonic, range,
                      most == 1 ? "" : "s", statement.arguments.size() == 1 ? "is" : "are",
                      statement.arguments.size())};
}

// How well a statement fits a form: the arguments that do not, and a rank in which words of the
// language count more than operands, so that the reported form is the one that was meant.
struct Fit {
  const InstructionSyntax* syntax;
  std::vector<std::size_t> misfits;
  int rank = 0;
};

Fit fit_of(const InstructionSyntax& syntax, const Statement& statement, llvm::MCContext& context) {
  Fit fit{&syntax, {}, 0};
  for (std::size_t i = 0;
       i != std::min<std::size_t>(statement.arguments.size(), syntax.argument_count); ++i) {
    const ArgumentSyntax& argument = syntax.arguments()[i];
    const bool is_literal = argument.kind == ArgumentKind::kLiteral && argument.text != "--";
    if (argument.kind == ArgumentKind::kEventList ||
        read_argument(argument, statement.arguments[i], context))
      continue;
    fit.misfits.push_back(i);
    fit.rank -= is_literal ? 100 : 1;
  }
  return fit;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : " or ") + part;
  return text;
}

// `$6` where a burst of 4 should begin.
std::string burst_hint(const ArgumentSyntax& argument, std::string_view text,
                       llvm::MCContext& context) {
  if (argument.kind != ArgumentKind::kRegister || !text.starts_with("$") || !parse_register(text))
    return {};
  const auto& register_class = context.getRegisterInfo()->getRegClass(argument.parameter);
  const unsigned longest_start =
      context.getRegisterInfo()->getEncodingValue(*(register_class.end() - 1)) & 7;
  const bool is_sdram =
      (context.getRegisterInfo()->getEncodingValue(*register_class.begin()) & 8) != 0;
  if (register_class.getNumRegs() > 8 || is_sdram != text.starts_with("$$"))
    return {};
  return fmt::format("a burst of {} registers from {} runs past {}7", 8 - longest_start, text,
                     is_sdram ? "$$" : "$");
}

StatementError misfit_error(const Statement& statement, const std::vector<Fit>& fits,
                            llvm::MCContext& context) {
  int best = fits.front().rank;
  for (const Fit& fit : fits)
    best = std::max(best, fit.rank);
  std::size_t place = SIZE_MAX;
  for (const Fit& fit : fits)
    if (fit.rank == best)
      place = std::min(place, fit.misfits.front());
  const std::string_view text = statement.arguments[place];
  std::vector<std::string> expected;
  for (const Fit& fit : fits) {
    if (fit.rank != best || fit.misfits.front() != place)
      continue;
    const ArgumentSyntax& argument = fit.syntax->arguments()[place];
    const std::string hint = burst_hint(argument, text, context);
    if (!hint.empty())
      return {text.data(), hint};
    const std::string description = description_of(argument);
    if (!llvm::is_contained(expected, description))
      expected.push_back(description);
  }
  return {text.data(), fmt::format("`{}` does not fit here: expected {}", text, joined(expected))};
}

enum class Bank { kNone, kA, kB };

// The bank that a general-purpose register is read from.
Bank bank_of(unsigned code) {
  if (code < 0x20)
    return (code & 0x10) != 0 ? Bank::kB : Bank::kA;
  if (code >= 0x100 && code < 0x180)
    return (code & 0x40) != 0 ? Bank::kB : Bank::kA;
  return Bank::kNone;
}

std::optional<StatementError> bank_conflict(const InstructionSyntax& syntax,
                                            const Statement& statement) {
  std::string_view first;
  Bank first_bank = Bank::kNone;
  for (std::size_t i = 0; i != statement.arguments.size() && i != syntax.argument_count; ++i) {
    const ArgumentSyntax& argument = syntax.arguments()[i];
    if (argument.kind != ArgumentKind::kRegister ||
        argument.parameter != llvm::Microengine::SRCRegClassID)
      continue;
    const std::string_view text = statement.arguments[i];
    const Bank bank = bank_of(*parse_register(text));
    if (bank == Bank::kNone)
      continue;
    if (bank == first_bank)
      return StatementError{
          text.data(),
          fmt::format("both sources are in bank {}: {} and {}; one must be in bank {} "
                      "or a transfer register",
                      bank == Bank::kA ? 'A' : 'B', first, text, bank == Bank::kA ? 'B' : 'A')};
    first = text;
    first_bank = bank;
  }
  return std::nullopt;
}

std::variant<llvm::MCInst, StatementError> build(const InstructionSyntax& syntax,
                                                 const Statement& statement,
                                                 llvm::MCContext& context) {
  if (auto conflict = bank_conflict(syntax, statement))
    return *conflict;
  std::vector<llvm::MCOperand> operands(syntax.operand_count, llvm::MCOperand::createImm(0));
  for (std::size_t i = 0;
       i != std::min<std::size_t>(statement.arguments.size(), syntax.argument_count); ++i) {
    const ArgumentSyntax& argument = syntax.arguments()[i];
    if (argument.kind == ArgumentKind::kEventList) {
      const auto events = read_events(std::span(statement.arguments).subspan(i));
      if (const auto* error = std::get_if<StatementError>(&events))
        return *error;
      operands[argument.operand] = std::get<llvm::MCOperand>(events);
    } else if (argument.kind != ArgumentKind::kLiteral) {
      operands[argument.operand] = *read_argument(argument, statement.arguments[i], context);
    }
  }
  if (syntax.destination == Destination::kKept)
    operands[1] = operands[0];
  const auto tokens = read_tokens(syntax, statement);
  if (const auto* error = std::get_if<StatementError>(&tokens))
    return *error;
  if (syntax.tokens != TokensKind::kNone)
    operands[syntax.tokens_operand].setImm(std::get<unsigned>(tokens));
  llvm::MCInst instruction;
  instruction.setOpcode(syntax.opcode);
  for (const llvm::MCOperand& operand : operands)
    instruction.addOperand(operand);
  return instruction;
}

}  // namespace

std::variant<llvm::MCInst, StatementError> match_instruction(const Statement& statement,
                                                             llvm::MCContext& context) {
  Candidates named;
  for (const InstructionSyntax& syntax : instruction_syntaxes())
    if (is_same_word(syntax.mnemonic, statement.mnemonic))
      named.push_back(&syntax);
  if (named.empty())
    return unknown_mnemonic(statement);
  std::vector<Fit> fits;
  for (const InstructionSyntax* candidate : named) {
    if (!takes_this_many(*candidate, statement.arguments.size()))
      continue;
    fits.push_back(fit_of(*candidate, statement, context));
    if (fits.back().misfits.empty())
      return build(*candidate, statement, context);
  }
  if (fits.empty())
    return wrong_count(statement, named);
  return misfit_error(statement, fits, context);
}

}  // namespace nplab::isa
