// Every intrinsic that microengine.h declares, with constants at the ends of what fields hold, and
// with a value that only the run knows: an object and its assembly text have the same words, or
// both are refused for the same reasons at the same lines.
#include <catch2/catch.hpp>

#include <regex>
#include <set>
#include <sstream>

#include "isa/assembly/assembler.h"
#include "isa/assembly/object_loader.h"
#include "support/input_file.h"
#include "tests/compiler/compiled.h"
#include "tests/paths.h"

namespace nplab::test {
namespace {

struct Parameter {
  std::string type;
  std::string usual;  // a value that fits
};

struct Intrinsic {
  std::string name;
  std::vector<Parameter> parameters;
};

std::vector<std::string> matches(const std::string& text, const std::regex& expression) {
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    found.push_back(at->str());
  return found;
}

std::string usual_value(const std::string& intrinsic, const std::string& parameter) {
  if (parameter.find('*') != std::string::npos)
    return "64";
  if (parameter == "u32 kind")
    return intrinsic == "__me_annotate"     ? "__annotation_poll_begin"
           : intrinsic == "__me_annotate_1" ? "__annotation_console_hex"
                                            : "__annotation_packet_drop";
  if (parameter == "u32 events")
    return "__event_voluntary";
  if (parameter == "u32 tokens")
    return "__token_ctx_swap";
  return "1";
}

Intrinsic parsed(const std::string& declaration) {
  static const std::regex parts("__ME (\\w+) (__me_\\w+)\\(([^)]*)\\);");
  std::smatch match;
  REQUIRE(std::regex_match(declaration, match, parts));
  Intrinsic intrinsic{match[2], {}};
  std::istringstream parameters(match[3]);
  for (std::string one; std::getline(parameters, one, ',');) {
    one.erase(0, one.find_first_not_of(" \n"));
    if (one == "void")
      continue;
    const auto star = one.find('*');
    const std::string type = star == std::string::npos ? "u32" : one.substr(0, star + 1);
    intrinsic.parameters.push_back({type, usual_value(intrinsic.name, one)});
  }
  return intrinsic;
}

std::vector<Intrinsic> declared_intrinsics() {
  Diagnostics diagnostics;
  const auto header = read_input_file(source_path("isa/include/microengine.h"), diagnostics);
  REQUIRE(header);
  std::vector<Intrinsic> intrinsics;
  for (const std::string& declaration :
       matches(header->bytes, std::regex("__ME \\w+ __me_\\w+\\([^)]*\\);")))
    intrinsics.push_back(parsed(declaration));
  return intrinsics;
}

// The wait that a reference which does not block needs.
std::string wait_of(const std::string& name) {
  if (!name.ends_with("_start"))
    return "";
  return name.starts_with("__me_sram")    ? " ctx_wait(sram);"
         : name.starts_with("__me_sdram") ? " ctx_wait(sdram);"
                                          : " ctx_wait(fbi);";
}

// atomic_begin() by its number: what follows would be refused.
bool is_atomic_mark(const Intrinsic& intrinsic, std::size_t parameter, const std::string& value) {
  return intrinsic.name == "__me_annotate" && parameter == 0 && value == "256";
}

// A statement for each parameter with each value, the other parameters as usual.
std::vector<std::string> statements_of(const Intrinsic& intrinsic) {
  static const char* const values[] = {
      "0",     "1",     "3",     "7",        "8",          "16",         "31",        "32",
      "63",    "64",    "127",   "128",      "255",        "256",        "1023",      "1024",
      "16383", "65535", "65536", "0x100000", "0x7fffffff", "0xffffffff", "run_time()"};
  std::set<std::string> statements;
  for (std::size_t varied = 0; varied <= intrinsic.parameters.size(); ++varied)
    for (const std::string value : values) {
      if (is_atomic_mark(intrinsic, varied, value))
        continue;
      std::string call = intrinsic.name + "(";
      for (std::size_t i = 0; i != intrinsic.parameters.size(); ++i) {
        const auto& [type, usual] = intrinsic.parameters[i];
        call += (i == 0 ? "(" : ", (") + type + ")" + (i == varied ? value : usual);
      }
      statements.insert("if (run_time()) { " + call + ");" + wait_of(intrinsic.name) + " }");
    }
  return {statements.begin(), statements.end()};
}

constexpr int kLinesBefore = 4;

std::string program_of(const std::vector<std::string>& statements) {
  std::string text =
      "#include <microengine.h>\nvolatile u32 source;\n"
      "static u32 run_time(void) { return source; }\nint main(void) {\n";
  for (const std::string& statement : statements)
    text += statement + "\n";
  return text + "return 0;\n}\n";
}

// The statements without those that are refused, each at its line and in words of C.
std::vector<std::string> without_refused(const std::vector<std::string>& statements,
                                         const Diagnostics& diagnostics) {
  std::set<std::size_t> refused;
  for (const Diagnostic& error : diagnostics.errors()) {
    INFO(diagnostics.to_string());
    const auto index = static_cast<std::size_t>(error.location.line - kLinesBefore - 1);
    REQUIRE(index < statements.size());
    INFO(statements[index]);
    CHECK(error.location.file == "test.c");
    CHECK(error.location.column > 0);
    CHECK(std::regex_search(error.message,
                            std::regex("cannot hold|must be a constant|exclude each other|"
                                       "there is no annotation")));
    refused.insert(index);
  }
  std::vector<std::string> rest;
  for (std::size_t i = 0; i != statements.size(); ++i)
    if (!refused.contains(i))
      rest.push_back(statements[i]);
  return rest;
}

void check_same_words(const std::string& text, const isa::ProgramImage& image) {
  Diagnostics diagnostics;
  const auto object = isa::assemble(text, "test.s", diagnostics);
  const auto assembled =
      object ? isa::load_object(*object, "test.s", {}, diagnostics) : std::nullopt;
  INFO(diagnostics.to_string());
  REQUIRE(assembled);
  CHECK(assembled->words == image.words);
}

// How many statements compile.
std::size_t check_intrinsic(const Intrinsic& intrinsic, compiler::Optimization level) {
  compiler::CompileOptions options;
  options.optimization = level;
  std::vector<std::string> statements = statements_of(intrinsic);
  for (;;) {
    Diagnostics of_object, of_text;
    const std::string source = program_of(statements);
    const auto image = compiler::compile(source, "test.c", options, of_object);
    const auto text = compiler::compile_to_assembly(source, "test.c", options, of_text);
    CHECK(of_object.to_string() == of_text.to_string());
    CHECK(image.has_value() == text.has_value());
    if (image && text) {
      check_same_words(*text, *image);
      return statements.size();
    }
    const std::size_t before = statements.size();
    statements = without_refused(statements, of_object);
    REQUIRE(statements.size() < before);
  }
}

constexpr compiler::Optimization kCheckedLevels[] = {compiler::Optimization::kO0,
                                                     compiler::Optimization::kO2};

// At each of the levels from the intrinsic's first one on.
void check_intrinsics(std::size_t levels) {
  const std::vector<Intrinsic> intrinsics = declared_intrinsics();
  CHECK(intrinsics.size() > 100);
  for (std::size_t i = 0; i != intrinsics.size(); ++i)
    for (std::size_t of_level = 0; of_level != levels; ++of_level) {
      const compiler::Optimization level = kCheckedLevels[(i + of_level) % 2];
      INFO(intrinsics[i].name << " at level " << static_cast<int>(level));
      CHECK(check_intrinsic(intrinsics[i], level) > 0);
    }
}

}  // namespace

TEST_CASE("every intrinsic with every boundary value gives the same object and text, or is refused",
          "[intrinsics]") {
  check_intrinsics(1);
}

TEST_CASE("every intrinsic with every boundary value gives the same object and text at each level",
          "[intrinsics][full]") {
  check_intrinsics(2);
}

}  // namespace nplab::test
