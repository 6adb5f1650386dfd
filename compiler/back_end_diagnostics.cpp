#include "compiler/back_end_diagnostics.h"

#include <algorithm>
#include <tuple>

#include "compiler/front_end/front_end.h"
#include "compiler/transforms/CheckProgram.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace nplab::compiler {
namespace {

bool matches(const std::optional<std::regex>& filter, llvm::StringRef pass) {
  return filter && std::regex_search(pass.begin(), pass.end(), *filter);
}

SourceLocation place_of(const llvm::DiagnosticInfoWithLocationBase& info) {
  llvm::StringRef path;
  unsigned line = 0;
  unsigned column = 0;
  info.getLocation(path, line, column);
  return {path.str(), static_cast<int>(line), static_cast<int>(column)};
}

bool is_same(const Remark& x, const Remark& y) {
  const auto key = [](const Remark& remark) {
    return std::tie(remark.location.file, remark.location.line, remark.location.column, remark.pass,
                    remark.message);
  };
  return key(x) == key(y);
}

void append_new(std::vector<Remark>& remarks, Remark remark) {
  const bool is_repeated = std::any_of(remarks.begin(), remarks.end(),
                                       [&](const Remark& other) { return is_same(other, remark); });
  if (!is_repeated)
    remarks.push_back(std::move(remark));
}

std::string assembler_message(const llvm::DiagnosticInfoSrcMgr& info) {
  return "inline assembly: " + info.getSMDiag().getMessage().str() + ": `" +
         info.getSMDiag().getLineContents().trim().str() + "`";
}

std::string printed(const llvm::DiagnosticInfo& info) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  return text;
}

}  // namespace

SourcePlaces places_of(const llvm::Module& module, const std::string& file) {
  SourcePlaces places{file, location_of({}, *module.getFunction("main")), {}};
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::MDNode* cookie = instruction.getMetadata("srcloc");
      if (!cookie)
        continue;
      for (const llvm::MDOperand& line : cookie->operands())
        if (auto* number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(line))
          places.assembly[number->getZExtValue()] =
              location_of(instruction.getDebugLoc(), function);
    }
  return places;
}

BackEndDiagnostics::BackEndDiagnostics(SourcePlaces places, const RemarkFilter& filter)
    : places_(std::move(places)), filter_(filter) {}

Diagnostics BackEndDiagnostics::take_diagnostics() {
  if (out_of_registers_ && !diagnostics_.has_errors())
    diagnostics_.error(
        places_.main,
        "out of registers: use fewer values, bursts or operands of inline assembly at a time");
  return std::move(diagnostics_);
}

bool BackEndDiagnostics::isPassedOptRemarkEnabled(llvm::StringRef pass) const {
  return matches(filter_.passed, pass);
}

bool BackEndDiagnostics::isMissedOptRemarkEnabled(llvm::StringRef pass) const {
  return matches(filter_.missed, pass);
}

bool BackEndDiagnostics::handleDiagnostics(const llvm::DiagnosticInfo& info) {
  if (auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info))
    add_remark(*remark);
  else if (info.getSeverity() == llvm::DS_Error)
    add_error(info);
  return true;
}

SourceLocation BackEndDiagnostics::place_of_assembly(std::uint64_t cookie) const {
  const auto found = places_.assembly.find(cookie);
  return found == places_.assembly.end() ? places_.main : found->second;
}

void BackEndDiagnostics::add_error(const llvm::DiagnosticInfo& info) {
  if (auto* unsupported = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info)) {
    diagnostics_.error(unsupported->isLocationAvailable()
                           ? place_of(*unsupported)
                           : location_of({}, unsupported->getFunction()),
                       unsupported->getMessage().str());
  } else if (auto* assembler = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info)) {
    diagnostics_.error(place_of_assembly(assembler->getLocCookie()), assembler_message(*assembler));
  } else if (auto* general = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info)) {
    // The allocator's; backend/passes/MicroengineOutOfRegisters.cpp finds the line.
    if (general->getMsgStr().str().starts_with("ran out of registers"))
      out_of_registers_ = true;
    else
      diagnostics_.error(place_of_assembly(general->getLocCookie()), general->getMsgStr().str());
  } else {
    diagnostics_.error(places_.main, printed(info));
  }
}

void BackEndDiagnostics::add_remark(const llvm::DiagnosticInfoOptimizationBase& info) {
  const bool is_about_intrinsic = info.getRemarkName() == "NoDefinition";
  const bool is_remark = info.isPassed() || info.isMissed();  // not a warning that nobody asked for
  if (!is_remark || !info.isEnabled() || !info.isLocationAvailable() || is_about_intrinsic)
    return;
  SourceLocation place = place_of(info);
  if (place.file.starts_with(kOwnFolder))
    return;
  append_new(remarks_,
             {std::move(place), info.getPassName().str(), info.getMsg(), info.isMissed()});
}

void append_remarks(std::vector<Remark>& remarks, std::vector<Remark> more) {
  for (Remark& remark : more)
    append_new(remarks, std::move(remark));
}

}  // namespace nplab::compiler
