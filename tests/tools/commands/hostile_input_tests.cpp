// Input that is damaged or meant to do harm: a message at its place, within bounds of time and
// memory, and no file lost.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/paths.h"
#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;
using Catch::StartsWith;

namespace {

std::string replaced(std::string text, const std::string& old_part, const std::string& new_part) {
  const auto at = text.find(old_part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old_part.size(), new_part);
}

std::string bv1() {
  return read_text(nplab::source_path("mappings/bit-vector/bv1.yaml"));
}

void check_refused(const Outcome& outcome, const std::string& text) {
  INFO(outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains(text));
}

constexpr const char* kProgram = "int main(void) { return 0; }\n";

}  // namespace

TEST_CASE("a stage without threads is refused by every command that takes a mapping",
          "[hostile_input]") {
  const ScratchFolder folder;
  const std::string with = "name: classify, role: tasks, engines: [1, 2, 3, 4], threads: 4";
  const std::string without = "name: classify, role: tasks, engines: [1, 2, 3, 4]";
  const std::string missing = folder.write("missing.yaml", replaced(bv1(), with, without));
  const std::string misspelt =
      folder.write("misspelt.yaml", replaced(bv1(), with, without + ", thraeds: 4"));
  const std::string empty =
      folder.write("empty.yaml", replaced(bv1(), with, without + ", threads: [[], [], [], []]"));
  for (const char* command : {"check", "show", "run", "compare"}) {
    INFO(command);
    check_refused(call_nplab({command, missing}),
                  "missing.yaml:13:5: error: the key 'threads' is missing here");
    check_refused(call_nplab({command, misspelt}), "did you mean 'threads'?");
    CHECK(call_nplab({command, empty}).status == 2);
  }
  check_refused(call_nplab({"check", missing, "--set", "queues.received.release=end_of_packet"}),
                "'threads' is missing");
}

TEST_CASE("YAML that contains itself, or grows by aliases, is refused at its place",
          "[hostile_input]") {
  const ScratchFolder folder;
  check_refused(call_nplab({"check", folder.write("self.yaml", "a: &a [*a]\n")}),
                "self.yaml:1:4: error: lists and maps are nested more than 64 deep");
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    std::string line = "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 9; ++j)
      line += (j == 0 ? "*a" : ", *a") + std::to_string(i - 1);
    bomb += line + "]\n";
  }
  check_refused(call_nplab({"check", folder.write("bomb.yaml", bomb)}),
                "aliases make this file many times as large");
  check_refused(call_nplab({"check", "bv1", "--set", "stages=&a [*a]"}),
                "--set stages: error: lists and maps are nested");
}

TEST_CASE("of many errors the first fifty are printed, then how many more there are of each kind",
          "[hostile_input]") {
  const ScratchFolder folder;
  std::string keys = bv1();
  for (int i = 0; i < 100'000; ++i)
    keys += "key" + std::to_string(i) + ": 1\n";
  const Outcome outcome = call_nplab({"check", folder.write("keys.yaml", keys)});
  CHECK(outcome.status == 2);
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 52);
  CHECK_THAT(outcome.err, Contains("and 99950 more errors:\n   99950 x unknown key '...'\n"));
}

TEST_CASE("an empty name is refused where it stands", "[hostile_input]") {
  for (const char* key : {"chip", "workload", "algorithm"}) {
    INFO(key);
    check_refused(call_nplab({"check", "bv1", "--set", std::string(key) + "=\"\""}),
                  "--set " + std::string(key) + ": error: is empty");
    check_refused(call_nplab({"check", "bv1", "--set", std::string(key) + "=\""}), "error: ");
  }
}

TEST_CASE("no output takes the place of an input, whatever its name", "[hostile_input]") {
  const ScratchFolder folder;
  const std::string mapping = folder.write("m.yaml", bv1());
  const std::string program = folder.write("p.c", kProgram);
  const std::string assembly = folder.write("p.s", "ctx_arb[kill]\n");
  std::filesystem::create_symlink(program, folder.path() / "link.c");
  const std::string refusal = "is an input of this command and is not overwritten";
  check_refused(call_nplab({"run", mapping, "--packets", "50", "--json", mapping}), refusal);
  check_refused(
      call_nplab({"run", "m.yaml", "--packets", "50", "--csv", "./m.yaml"}, folder.path()),
      refusal);
  check_refused(call_nplab({"cc", program, "-o", folder.file("link.c")}), refusal);
  check_refused(call_nplab({"as", assembly, "-o", assembly}), refusal);
  const std::string record = folder.file("r.json");
  REQUIRE(call_nplab({"run", "bv1", "--packets", "50", "--quiet", "--json", record}).status == 0);
  const std::string text = read_text(record);
  check_refused(call_nplab({"report", record, "--csv", record}), refusal);
  CHECK(read_text(mapping) == bv1());
  CHECK(read_text(program) == kProgram);
  CHECK(read_text(record) == text);
}

TEST_CASE("two outputs want two files", "[hostile_input]") {
  const ScratchFolder folder;
  check_refused(call_nplab({"run", "bv1", "--packets", "50", "--json", folder.file("a"), "--csv",
                            folder.file("./a")}),
                "is given for two outputs");
  CHECK(folder.names().empty());
}

TEST_CASE("assembly that reads, repeats or makes without bound is refused at its line",
          "[hostile_input]") {
  const ScratchFolder folder;
  const std::pair<const char*, const char*> programs[] = {
      {".rept 1000000000\nnop\n.endr\n", "p.s:1:1: error: .rept is not supported"},
      {".include \"p.s\"\n", "p.s:1:1: error: .include is not supported"},
      {".incbin \"/dev/zero\"\n", "p.s:1:1: error: .incbin is not supported"},
      {".zero 100000000000\n", "p.s:1:7: error: .zero takes a number up to 67108864"},
      {".fill 1 << 40, 8, 1\n", "p.s:1:7: error: .fill takes a number"},
      {".file 4000000000 \"x\"\n", "p.s:1:7: error: .file takes a number"},
      {"main#:\n.size main, x\nctx_arb[kill]\n", "p.s:"},
  };
  for (const auto& [text, refusal] : programs) {
    INFO(text);
    const Outcome outcome = call_nplab({"as", folder.write("p.s", text), "-o", folder.file("p.o")});
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(refusal));
    CHECK_FALSE(std::filesystem::exists(folder.file("p.o")));
  }
}

TEST_CASE("C with brackets nested 15,000 deep compiles or is refused, and does not crash",
          "[hostile_input]") {
  const ScratchFolder folder;
  const std::string open(15'000, '('), close(15'000, ')');
  const std::string in_directive = "#if " + open + "1" + close + "\n" + kProgram + "#endif\n";
  CHECK(call_nplab({"cc", folder.write("a.c", in_directive), "-o", folder.file("a.o")}).status ==
        0);
  const std::string blocks =
      "int main(void) { " + std::string(15'000, '{') + std::string(15'000, '}') + " return 0; }\n";
  check_refused(call_nplab({"cc", folder.write("b.c", blocks), "-o", folder.file("b.o")}),
                "bracket nesting level exceeded maximum of 256");
  const std::string lists =
      "int x[] = " + std::string(15'000, '{') + "1" + std::string(15'000, '}') + ";\n" + kProgram;
  check_refused(call_nplab({"cc", folder.write("c.c", lists), "-o", folder.file("c.o")}),
                "bracket nesting level exceeded maximum of 256");
}
