// What the pipeline and the code generator report, with places in the source: errors (an
// intrinsic's operand that is not a constant, registers that run out) and remarks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/options/compile_options.h"
#include "compiler/options/compile_report.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "support/diagnostics.h"

namespace llvm {
class DiagnosticInfoOptimizationBase;
class Module;
}  // namespace llvm

namespace nplab::compiler {

// Where main and inline assembly stand in the source. LLVM names the latter by a number that the
// front end gave.
struct SourcePlaces {
  std::string file;
  SourceLocation main;
  std::map<std::uint64_t, SourceLocation> assembly;
};
SourcePlaces places_of(const llvm::Module& module, const std::string& file);

// A handler for one run of passes; the context that it is given to owns it. `filter` must outlive
// it.
class BackEndDiagnostics : public llvm::DiagnosticHandler {
 public:
  BackEndDiagnostics(SourcePlaces places, const RemarkFilter& filter);

  // What was collected.
  Diagnostics take_diagnostics();
  std::vector<Remark> take_remarks() { return std::move(remarks_); }

  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override;
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override;
  bool isAnalysisRemarkEnabled(llvm::StringRef) const override { return false; }
  bool isAnyRemarkEnabled() const override { return filter_.passed || filter_.missed; }
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override;

 private:
  void add_error(const llvm::DiagnosticInfo& info);
  void add_remark(const llvm::DiagnosticInfoOptimizationBase& info);
  SourceLocation place_of_assembly(std::uint64_t cookie) const;

  SourcePlaces places_;
  const RemarkFilter& filter_;
  std::vector<Remark> remarks_;
  Diagnostics diagnostics_;
  bool out_of_registers_ = false;
};

// `more` after `remarks`, without those that are there already.
void append_remarks(std::vector<Remark>& remarks, std::vector<Remark> more);

}  // namespace nplab::compiler
