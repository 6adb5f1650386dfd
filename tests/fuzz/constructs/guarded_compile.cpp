#include "tests/fuzz/constructs/guarded_compile.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <regex>
#include <sstream>

#include "compiler/compiler.h"
#include "isa/assembly/assembler.h"
#include "isa/assembly/object_loader.h"
#include "support/forked_work.h"

namespace nplab::test {
namespace {

constexpr rlim_t kSeconds = 60;                   // of processor time, all levels
constexpr rlim_t kMemory = 4ull << 30;            // bytes
constexpr std::chrono::seconds kCompileTime{20};  // of processor time, a level
constexpr const char* kFile = "fuzz.c";

struct Level {
  const char* name;
  compiler::Optimization optimization;
};
constexpr Level kLevels[] = {{"-O0", compiler::Optimization::kO0},
                             {"-O1", compiler::Optimization::kO1},
                             {"-O2", compiler::Optimization::kO2},
                             {"-Os", compiler::Optimization::kOs},
                             {"-O published", compiler::Optimization::kPublished}};

compiler::CompileOptions options_at(compiler::Optimization optimization) {
  compiler::CompileOptions options;
  options.optimization = optimization;
  options.verify = compiler::MachineVerifier::kOn;
  options.frame = {isa::MemorySpace::kSram, 0x1000, 0x10000};
  options.data = {.sram = 0x100000, .sdram = 0x100000};
  options.bounds.processor_time = kCompileTime;
  return options;
}

// What is written to file descriptor 2, by LLVM past our diagnostics.
class StandardError {
 public:
  StandardError() : file_(memfd_create("standard error", 0)) { dup2(file_, STDERR_FILENO); }
  std::string take() {
    std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
    const ssize_t size = pread(file_, text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    (void)!ftruncate(file_, 0);
    lseek(file_, 0, SEEK_SET);
    return text;
  }

 private:
  int file_;
};

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', '\1');
  return text;
}

// Sends `level kind text` lines, in which \1 stands for the end of a line.
using Report = std::function<void(const std::string& kind, const std::string& text)>;

void report_refusal(const Report& report, const std::string& diagnostics) {
  report("refused", diagnostics);
  if (const std::string complaint = complaint_about(diagnostics); !complaint.empty())
    report("complaint", complaint + ":\n" + diagnostics);
}

std::string warnings_text(const compiler::CompileReport& report) {
  Diagnostics warnings;
  for (const Diagnostic& warning : report.warnings)
    warnings.warning(warning.location, warning.message);
  return warnings.to_string();
}

void compare_with_text(const std::string& assembly, const isa::ProgramImage& image,
                       const compiler::CompileOptions& options, const Report& report) {
  Diagnostics diagnostics;
  const auto object = isa::assemble(assembly, "fuzz.s", diagnostics);
  const auto image_of_text =
      object ? isa::load_object(*object, "fuzz.s", options.data, diagnostics) : std::nullopt;
  if (!image_of_text)
    report("complaint", "the assembly text is refused:\n" + diagnostics.to_string() + assembly);
  else if (image_of_text->words != image.words)
    report("complaint", "the assembly text gives other words than the object:\n" + assembly);
}

void compile_at(compiler::Optimization optimization, const std::string& source,
                const Report& report) {
  const compiler::CompileOptions options = options_at(optimization);
  Diagnostics of_object, of_text;
  compiler::CompileReport compile_report;
  const auto object =
      compiler::compile_to_object(source, kFile, options, of_object, &compile_report);
  if (const std::string complaint = complaint_about(warnings_text(compile_report));
      !complaint.empty())
    report("complaint", "a warning: " + complaint + ":\n" + warnings_text(compile_report));
  const auto assembly = compiler::compile_to_assembly(source, kFile, options, of_text);
  if (object.has_value() != assembly.has_value() || of_object.to_string() != of_text.to_string())
    report("complaint", "-S and -o differ:\n" + of_object.to_string() + of_text.to_string());
  if (!object)
    return report_refusal(report, of_object.to_string());
  const auto image = isa::load_object(*object, kFile, options.data, of_object);
  if (!image)
    return report_refusal(report, of_object.to_string());
  report("compiled", "");
  if (assembly)
    compare_with_text(*assembly, *image, options, report);
}

void limit_resources() {
  const rlimit seconds{kSeconds, kSeconds};
  setrlimit(RLIMIT_CPU, &seconds);
#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes for itself
  const rlimit memory{kMemory, kMemory};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

void add_line(CompileOutcome& outcome, const std::string& line) {
  std::string text = line;
  std::replace(text.begin(), text.end(), '\1', '\n');
  const auto tab = text.find('\t'), second = text.find('\t', tab + 1);
  const std::string level = text.substr(0, tab), kind = text.substr(tab + 1, second - tab - 1);
  const std::string rest = second == std::string::npos ? "" : text.substr(second + 1);
  outcome.compiled |= kind == "compiled";
  if (kind == "refused") {
    outcome.refused = true;
    outcome.text = rest;
  }
  if (kind == "complaint")
    outcome.complaints.push_back(level + ": " + rest);
}

using Work = std::function<void(const Report& report)>;

// Each piece of work by name, all in one process.
CompileOutcome run_guarded(const std::vector<std::pair<std::string, Work>>& pieces) {
  Diagnostics diagnostics;
  auto process = ForkedWork::start(
      "fuzzing",
      [&](const ForkedWork::Send& send) {
        limit_resources();
        StandardError standard_error;
        for (const auto& [name, work] : pieces) {
          const auto report = [&, level = name](const std::string& kind, const std::string& text) {
            send(level + "\t" + kind + "\t" + one_line(text) + "\n");
          };
          report("begins", "");
          work(report);
          if (const std::string text = standard_error.take(); !text.empty())
            report("complaint", "written past the diagnostics: " + text);
        }
      },
      diagnostics);
  CompileOutcome outcome;
  std::string text;
  for (std::string part; !(part = process.value().read()).empty();)
    text += part;
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line); last = line)
    add_line(outcome, line);
  if (!process->end()->succeeded())
    outcome.complaints.push_back("after " + last + ": the process " + process->end()->text());
  return outcome;
}

}  // namespace

CompileOutcome compile_guarded(const std::string& source) {
  std::vector<std::pair<std::string, Work>> pieces;
  for (const Level& level : kLevels)
    pieces.emplace_back(level.name, [&source, &level](const Report& report) {
      compile_at(level.optimization, source, report);
    });
  return run_guarded(pieces);
}

CompileOutcome assemble_guarded(const std::string& source) {
  const auto assemble = [&](const Report& report) {
    Diagnostics of_text, of_object;
    const auto object = isa::assemble(source, "fuzz.s", of_text);
    if (!object)
      return report_refusal(report, of_text.to_string());
    // An object has no lines: whatever is said of it, the loader does not crash.
    isa::load_object(*object, "fuzz.o", {}, of_object);
    report("compiled", "");
  };
  return run_guarded({{"as", assemble}});
}

std::string complaint_about(const std::string& diagnostics) {
  static const std::regex own_words(
      "LLVM|llvm|lang:|annot select|cannot go on|atal error|nsupported library|egaliz|\\bDAG\\b|"
      "\\bMVT\\b|\\bSelectionDAG|\\b[iv][0-9]*(i8|i16|i32|i64|i128)\\b|addrspace|getelementptr|"
      "%[0-9]+ ?=|@[a-zA-Z_]|unknown intrinsic|\\bundef\\b|\\bpoison\\b|blockaddress|basic "
      "block|machine "
      "code|physreg|irtual register|\\b[Pp]ass '|constant expression of|needs the routine|takes "
      "more than|: its process|'llc'|module asm|not "
      "implemented|nreachable executed|EVT|SDNode|GlobalISel|DWARF|ELF|xpected relocatable|"
      "\\bfixup|MCInst");
  static const std::regex place("^[^:]+:([0-9]+):([0-9]+): (error|warning): .+");
  // After the first 50 of a severity, the number of the others and then of each kind.
  static const std::regex rest(
      "^and [0-9]+ more (errors?|warnings?):$|^ *[0-9]+ (x .+|of other kinds)$");
  constexpr int kMostLines = 2 * (50 + 1 + 21);
  std::istringstream lines(diagnostics);
  int count = 0;
  // The user's own words.
  static const std::regex quoted("`[^`]*`|the name '[^']*' for the assembler|absolute with @");
  for (std::string line; std::getline(lines, line); ++count) {
    std::smatch match;
    const std::string said = std::regex_replace(line, quoted, "");
    if (std::regex_search(said, match, own_words))
      return "words of LLVM's own, `" + match.str() + "`";
    if (std::regex_match(line, rest))
      continue;
    if (!std::regex_match(line, match, place))
      return "not FILE:LINE:COLUMN: error: MESSAGE";
    if (match[1] == "0" || match[2] == "0")
      return "no line or column";
  }
  return count > kMostLines ? "too many lines" : "";
}

}  // namespace nplab::test
