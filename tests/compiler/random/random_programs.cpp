// random_programs FIRST COUNT [packed|calls]: programs of csmith with seeds FIRST and on, with
// packed structures, or with functions that refuse to be inlined, if that is said, compiled by our
// compiler at every level of C's own and run on the test chip, against another compiler's for a
// 32-bit big-endian machine under qemu. Every program is generated, compiled and run in a process
// of its own with a limit of memory and time. Exit status 0: all equal; 1: a program gave another
// sum, was refused for what it says, or broke the compiler; 77: a tool is missing.
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <vector>

#include "compiler/compiler.h"
#include "simulator/run/exec.h"
#include "support/forked_work.h"
#include "support/input_file.h"
#include "support/process.h"
#include "tests/chip_text.h"
#include "tests/paths.h"

namespace {

namespace fs = std::filesystem;
using namespace nplab;
using compiler::Optimization;

constexpr int kSkipped = 77;
constexpr rlim_t kMemory = 3ull << 30;             // bytes a process
constexpr rlim_t kSeconds = 120;                   // of processor time a program, all levels
constexpr simulator::Cycles kCycles = 30'000'000;  // a run: 10 s of a slow host
constexpr std::chrono::seconds kReferenceTime{5};
constexpr const char* kReference = "powerpc-linux-gnu-gcc";
constexpr const char* kSafeMath = "/usr/include/csmith";  // safe_math.h

enum class Kind { kPlain, kPacked, kCalls };

// Large enough to be interesting, small enough for everything inlined to fit the control store
// mostly.
std::vector<std::string> csmith_options(Kind kind) {
  const char* packed = kind == Kind::kPacked ? "--packed-struct" : "--no-packed-struct";
  return {"--no-argc",
          "--concise",
          "--quiet",
          packed,
          "--max-funcs",
          kind == Kind::kCalls ? "8" : "4",
          "--max-block-depth",
          "3",
          "--max-block-size",
          "3",
          "--max-expr-complexity",
          "6",
          "--max-array-dim",
          "2",
          "--max-array-len-per-dim",
          "5",
          "--max-struct-fields",
          "6"};
}

struct Level {
  const char* name;
  Optimization optimization;
};
constexpr Level kLevels[] = {{"O0", Optimization::kO0},
                             {"O1", Optimization::kO1},
                             {"O2", Optimization::kO2},
                             {"Os", Optimization::kOs}};

// What a command prints; nothing when it fails.
std::optional<std::string> output_of(const ProcessRequest& request) {
  Diagnostics failed;
  const auto result = run_successfully(request, failed);
  return result ? std::optional(result->out) : std::nullopt;
}

bool is_installed(const std::string& program) {
  return output_of({.command = {"sh", "-c", "command -v " + program}}).has_value();
}

// Debian's two packages of one emulator; what it runs is linked statically.
std::string reference_machine() {
  static const std::string machine =
      is_installed("qemu-ppc-static") ? "qemu-ppc-static" : "qemu-ppc";
  return machine;
}

simulator::ChipDescription test_chip() {
  Diagnostics diagnostics;
  const auto root = test::chip_text("test", diagnostics);
  return simulator::read_chip(root.value(), diagnostics).value();
}

// With `noinline` at each prototype of a function.
std::string with_calls(const std::string& text) {
  static const std::regex prototype("\nstatic ([^=;{]*func_[0-9]+\\()");
  return std::regex_replace(text, prototype, "\nstatic __attribute__((noinline)) $1");
}

// What the reference prints; empty if it takes too long, as endless programs of csmith do.
std::string reference_sum(const std::string& source, const std::string& binary) {
  // Our structures align nothing to more than a longword.
  const std::vector<std::string> compile{
      kReference, "-O1",          "-w",
      "-fwrapv",  "-fno-builtin", "-fpack-struct=4",
      "-static",  "-I",           source_path() + "/tests/compiler/random",
      "-I",       kSafeMath,      "-o",
      binary,     source};
  if (!output_of({.command = compile}))
    return {};
  const std::string printed =
      output_of({.command = {reference_machine(), binary}, .time_limit = kReferenceTime})
          .value_or("");
  const auto line_end = printed.find('\n');
  return line_end == std::string::npos ? printed : printed.substr(0, line_end + 1);
}

// Variables and frames lie in SDRAM in every fifth program, and in SRAM in the others.
compiler::CompileOptions options_at(Optimization optimization, unsigned seed) {
  compiler::CompileOptions options;
  options.optimization = optimization;
  options.include_directories = {source_path("tests/compiler/random"), kSafeMath};
  const bool in_sdram = seed % 5 == 0;
  options.frame = {in_sdram ? isa::MemorySpace::kSdram : isa::MemorySpace::kSram, 0x1000, 0x10000};
  options.data = {.sram = 0x100000, .sdram = 0x100000};
  options.bounds = {std::chrono::seconds(kSeconds), kMemory >> 20};
  // -O0 of SDRAM is 40,000 words long, over which LLVM's verifier takes minutes.
  if (!in_sdram || optimization != Optimization::kO0)
    options.verify = compiler::MachineVerifier::kOn;
  return options;
}

// One word for the summary, and behind a space what is to be printed.
std::string outcome_at(const Level& level, const std::string& path, const std::string& text,
                       const std::string& expected, unsigned seed,
                       const simulator::ChipDescription& chip) {
  Diagnostics diagnostics;
  auto image = compiler::compile(text, path, options_at(level.optimization, seed), diagnostics);
  if (!image) {
    const std::string why = diagnostics.to_string();
    const bool too_large = why.find("control-store words") != std::string::npos;
    // csmith takes the addresses of any members; a reference through those would be a fault.
    const bool is_misaligned = why.find("in a packed structure, may be misaligned") != why.npos;
    return too_large ? "too_large" : is_misaligned ? "misaligned_pointer" : "refused " + why;
  }
  simulator::ExecInputs inputs;
  inputs.chip = chip;
  inputs.image = std::move(*image);
  inputs.most_cycles = kCycles;
  const simulator::ExecResult result = simulator::exec(inputs);
  if (result.fault)
    return "fault " + result.fault->message + " at " + result.fault->source;
  if (!result.ended)
    return "too_long";
  return result.console == expected ? "equal" : "wrong " + result.console + " expected " + expected;
}

// In the process of its own: a line of the level's name and outcome for each level.
void run_child(const ForkedWork::Send& send, unsigned seed, Kind kind,
               const simulator::ChipDescription& chip) {
  const rlimit seconds{kSeconds, kSeconds};
  setrlimit(RLIMIT_CPU, &seconds);
  const fs::path folder = fs::temp_directory_path() / ("nplab-random-" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string source = (folder / "program.c").string();
  std::vector<std::string> generate{"csmith", "--seed", std::to_string(seed), "--output", source};
  const std::vector<std::string> options = csmith_options(kind);
  generate.insert(generate.end(), options.begin(), options.end());
  const bool generated = output_of({.command = generate, .folder = folder}).has_value();
  const std::string expected =
      generated ? reference_sum(source, (folder / "reference").string()) : "";
  Diagnostics diagnostics;
  const auto file = read_input_file(source, diagnostics);
  if (expected.empty() || !file) {
    send("all no_reference\n");
  } else {
#ifndef __SANITIZE_ADDRESS__                // which reserves terabytes for itself
    const rlimit memory{kMemory, kMemory};  // only now: qemu reserves what it never uses
    setrlimit(RLIMIT_AS, &memory);
#endif
    const std::string text = kind == Kind::kCalls ? with_calls(file->bytes) : file->bytes;
    for (const Level& level : kLevels) {
      send(std::string(level.name) + " ");
      std::string outcome = outcome_at(level, source, text, expected, seed, chip);
      for (char& letter : outcome)
        if (letter == '\n')
          letter = ' ';
      send(outcome + "\n");
    }
  }
  fs::remove_all(folder);
}

std::string text_of_child(unsigned seed, Kind kind, const simulator::ChipDescription& chip) {
  Diagnostics diagnostics;
  auto work = ForkedWork::start(
      "seed " + std::to_string(seed),
      [&](const ForkedWork::Send& send) { run_child(send, seed, kind, chip); }, diagnostics);
  if (!work)
    return " " + diagnostics.to_string();
  std::string text;
  for (std::string part; !(part = work->read()).empty();)
    text += part;
  if (!work->end()->succeeded())
    text += " died (its process " + work->end()->text() + ")\n";
  return text;
}

class Summary {
 public:
  void add(unsigned seed, const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      at = end == std::string::npos ? text.size() : end + 1;
      const std::size_t space = line.find(' ');
      const std::string outcome = line.substr(space + 1, line.find(' ', space + 1) - space - 1);
      ++counts_[outcome];
      const bool is_fine = outcome == "equal" || outcome == "too_large" || outcome == "too_long" ||
                           outcome == "no_reference" || outcome == "misaligned_pointer";
      if (is_fine)
        continue;
      ++failures_;
      std::cout << "seed " << seed << ": " << line << std::endl;
    }
  }
  int finish() const {
    for (const auto& [outcome, count] : counts_)
      std::cout << outcome << " " << count << "\n";
    return failures_ == 0 && counts_.count("equal") ? 0 : 1;
  }

 private:
  std::map<std::string, unsigned> counts_;
  unsigned failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string kind_name = argc == 4 ? argv[3] : "";
  const Kind kind = kind_name == "packed"  ? Kind::kPacked
                    : kind_name == "calls" ? Kind::kCalls
                                           : Kind::kPlain;
  if (argc != 3 && kind == Kind::kPlain) {
    std::cerr << "usage: random_programs FIRST_SEED COUNT [packed|calls]\n";
    return 2;
  }
  for (const std::string& tool :
       {std::string("csmith"), std::string(kReference), reference_machine()})
    if (!is_installed(tool)) {
      std::cout << "skipped: " << tool << " is not installed\n";
      return kSkipped;
    }
  const auto chip = test_chip();
  const unsigned first = std::strtoul(argv[1], nullptr, 10),
                 count = std::strtoul(argv[2], nullptr, 10);
  Summary summary;
  for (unsigned seed = first; seed != first + count; ++seed)
    summary.add(seed, text_of_child(seed, kind, chip));
  return summary.finish();
}
