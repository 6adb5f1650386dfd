// construct_fuzzer table [EVERY] | constructs FIRST COUNT | c FIRST COUNT | assembly FIRST COUNT:
// programs of constructs that Clang accepts, each construct of constructs.grammar alone (of EVERY
// that many, one), or random programs of some with seeds FIRST and on; or damaged C and assembly;
// at every level. What is neither compiled nor refused at a line in words of C is printed with its
// program. Exit status 0: nothing found; 1: something.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>

#include "tests/fuzz/constructs/construct_program.h"
#include "tests/fuzz/constructs/damaged_source.h"
#include "tests/fuzz/constructs/guarded_compile.h"

namespace {

using namespace nplab::test;

class Summary {
 public:
  void add(const std::string& name, const std::string& program, const CompileOutcome& outcome) {
    ++counts_[outcome.compiled && outcome.refused ? "compiled at some levels"
              : outcome.compiled                  ? "compiled"
                                                  : "refused"];
    if (outcome.complaints.empty())
      return;
    ++counts_["found"];
    std::cout << "---- " << name << "\n";
    for (const std::string& complaint : outcome.complaints)
      std::cout << complaint << "\n";
    std::cout << program << std::endl;
  }
  int finish() const {
    for (const auto& [outcome, count] : counts_)
      std::cout << outcome << " " << count << "\n";
    return counts_.contains("found") ? 1 : 0;
  }

 private:
  std::map<std::string, unsigned> counts_;
};

struct Mode {
  const char* name;
  std::function<std::string(std::uint64_t seed)> program;
  std::function<CompileOutcome(const std::string& program)> outcome;
};

const Mode* mode_named(const std::string& name) {
  static const auto c = c_sources(), assembly = assembly_sources();
  static const Mode modes[] = {
      {"constructs", random_construct_program, compile_guarded},
      {"c", [](std::uint64_t seed) { return damaged_source(c, SourceLanguage::kC, seed); },
       compile_guarded},
      {"assembly",
       [](std::uint64_t seed) { return damaged_source(assembly, SourceLanguage::kAssembly, seed); },
       assemble_guarded}};
  const auto* found = std::find_if(std::begin(modes), std::end(modes),
                                   [&](const Mode& mode) { return mode.name == name; });
  return found == std::end(modes) ? nullptr : found;
}

int check_table(std::size_t every) {
  Summary summary;
  std::size_t number = 0;
  for (const std::string& construct : construct_grammar().alternatives("construct")) {
    if (number++ % every != 0)
      continue;
    const std::string program = program_of(construct, 1);
    const CompileOutcome outcome = compile_guarded(program);
    summary.add(construct, program, outcome);
  }
  return summary.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0] == "table")
    return check_table(arguments.size() == 2 ? std::stoul(arguments[1]) : 1);
  const Mode* mode = arguments.size() == 3 ? mode_named(arguments[0]) : nullptr;
  if (!mode) {
    std::cerr << "usage: construct_fuzzer table [EVERY] | constructs FIRST COUNT | c FIRST COUNT | "
                 "assembly FIRST COUNT\n";
    return 2;
  }
  const std::uint64_t first = std::stoull(arguments[1]), count = std::stoull(arguments[2]);
  Summary summary;
  for (std::uint64_t seed = first; seed != first + count; ++seed) {
    const std::string program = mode->program(seed);
    summary.add("seed " + std::to_string(seed), program, mode->outcome(program));
  }
  return summary.finish();
}
