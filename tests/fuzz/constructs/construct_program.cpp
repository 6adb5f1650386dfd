#include "tests/fuzz/constructs/construct_program.h"

#include "support/input_file.h"
#include "tests/paths.h"

namespace nplab::test {
namespace {

constexpr const char* kHead =
    "#include <stdatomic.h>\n#include <microengine.h>\n"
    "volatile int source, sink;\nvolatile u64 wide;\n";

void replace_all(std::string& text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

struct Parts {
  std::string file;  // what stands at file level
  std::string body;  // what stands in a function
};

Parts parts_of(std::string construct, unsigned number) {
  replace_all(construct, "#", std::to_string(number));
  const auto at = construct.find("@@");
  return {construct.substr(0, at), construct.substr(at + 2)};
}

// In a function of its own, since labels are the function's.
void add_construct(std::string& text, std::string& calls, const std::string& construct,
                   unsigned number, const std::string& around) {
  const Parts parts = parts_of(construct, number);
  std::string body = around;
  replace_all(body, "@", parts.body);
  const std::string name = "construct" + std::to_string(number);
  text += parts.file + "\nstatic int " + name + "(void) {\n  " + body + "\n  return 0;\n}\n";
  calls += "  sink = " + name + "();\n";
}

std::string with_main(const std::string& text, const std::string& calls) {
  return kHead + text + "int main(void) {\n" + calls + "  return 0;\n}\n";
}

}  // namespace

const Grammar& construct_grammar() {
  static const Grammar grammar = [] {
    Diagnostics diagnostics;
    const auto file =
        read_input_file(source_path("tests/fuzz/constructs/constructs.grammar"), diagnostics);
    return Grammar(file.value().bytes);
  }();
  return grammar;
}

std::string program_of(const std::string& construct, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text, calls;
  add_construct(text, calls, construct_grammar().expand(construct, random), 0, "{ @ }");
  return with_main(text, calls);
}

std::string random_construct_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text, calls;
  for (unsigned i = 0, count = 1 + random() % 4; i != count; ++i) {
    const std::string construct = construct_grammar().draw("construct", random);
    add_construct(text, calls, construct, i, construct_grammar().draw("in", random));
  }
  return with_main(text, calls);
}

}  // namespace nplab::test
