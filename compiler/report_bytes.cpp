#include "compiler/report_bytes.h"

namespace nplab::compiler {
namespace {

// The numbers of a structure, in one order for both directions.
template <class Function, class Visit>
void visit_numbers(Function& function, Visit&& visit) {
  visit(function.words);
  visit(function.references);
  visit(function.bursts);
  visit(function.filled_slots);
  visit(function.guessed_branches);
  visit(function.overlapped);
  visit(function.spills);
}

template <class Report, class Visit>
void visit_program_numbers(Report& report, Visit&& visit) {
  visit(report.words);
  visit(report.frame_bytes);
  visit(report.reserved_registers);
  visit(report.registers.bank_a);
  visit(report.registers.bank_b);
  visit(report.registers.sram_read);
  visit(report.registers.sram_write);
  visit(report.registers.sdram_read);
  visit(report.registers.sdram_write);
}

}  // namespace

void write_report(ByteWriter& to, const CompileReport& report) {
  const auto write = [&](std::uint32_t value) { to.number(value); };
  to.number(report.warnings.size());
  for (const Diagnostic& warning : report.warnings)
    to.diagnostic(warning);
  to.number(report.remarks.size());
  for (const Remark& remark : report.remarks) {
    to.diagnostic({remark.location, remark.message});
    to.text(remark.pass);
    to.number(remark.missed ? 1 : 0);
  }
  to.number(report.functions.size());
  for (const FunctionReport& function : report.functions) {
    to.text(function.name);
    visit_numbers(function, write);
  }
  to.number(report.calls.size());
  for (const CallReport& call : report.calls) {
    to.text(call.name);
    to.number(call.places);
  }
  visit_program_numbers(report, write);
}

CompileReport read_report(ByteReader& from) {
  CompileReport report;
  const auto read = [&](std::uint32_t& value) {
    value = static_cast<std::uint32_t>(from.number());
  };
  for (std::uint64_t count = from.number(); count != 0; --count)
    report.warnings.push_back(from.diagnostic());
  for (std::uint64_t count = from.number(); count != 0; --count) {
    Diagnostic said = from.diagnostic();
    std::string pass = from.text();
    report.remarks.push_back(
        {std::move(said.location), std::move(pass), std::move(said.message), from.number() != 0});
  }
  for (std::uint64_t count = from.number(); count != 0; --count) {
    FunctionReport function;
    function.name = from.text();
    visit_numbers(function, read);
    report.functions.push_back(std::move(function));
  }
  for (std::uint64_t count = from.number(); count != 0; --count) {
    std::string name = from.text();
    report.calls.push_back({std::move(name), static_cast<std::uint32_t>(from.number())});
  }
  visit_program_numbers(report, read);
  return report;
}

}  // namespace nplab::compiler
