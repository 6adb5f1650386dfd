// nplab exec: one program on one engine.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

// Runs the source as a file of this name and gives the JSON behind it.
struct Execution {
  Outcome outcome;
  nlohmann::json json;
};

Execution execute(const std::string& source, const Words& words = {},
                  const std::string& name = "program.c") {
  const ScratchFolder folder;
  (void)folder.write(name, source);
  Outcome outcome = call_nplab(Words{"exec", name, "--json"} + words, folder.path());
  INFO(outcome.err);
  REQUIRE_FALSE(outcome.out.empty());
  return {outcome, nlohmann::json::parse(outcome.out)};
}

const std::string kHeader = "#include <microengine.h>\n";

}  // namespace

TEST_CASE("a program that returns 0 exits with 0", "[exec]") {
  const Execution run = execute("int main(void) { return 0; }");
  CHECK(run.outcome.status == 0);
  CHECK(run.outcome.err.empty());
  CHECK(run.json.at("return_value") == 0);
}

TEST_CASE("a program that returns another value exits with 1 and the value is told", "[exec]") {
  const Execution run = execute("int main(void) { return 7; }");
  CHECK(run.outcome.status == 1);
  CHECK(run.json.at("return_value") == 7);
  CHECK_FALSE(run.json.contains("fault"));
}

TEST_CASE("the console holds what the annotations wrote, in order", "[exec]") {
  const Execution run = execute(kHeader +
                                "int main(void) { console_hex(0xabcd1234); console_char('h'); "
                                "console_char('i'); return 0; }");
  CHECK(run.json.at("console") == "0xabcd1234\nhi");
}

TEST_CASE("annotations take no cycle", "[exec]") {
  const Execution with = execute(kHeader + "int main(void) { console_char('h'); return 0; }");
  const Execution without = execute("int main(void) { return 0; }");
  // The character itself has to be put into a register: one instruction.
  CHECK(with.json.at("cycles").at("total").get<int>() -
            without.json.at("cycles").at("total").get<int>() <=
        1);
}

TEST_CASE("memory asked for is given as longwords", "[exec]") {
  const Execution run = execute(
      kHeader + "int main(void) { sram_write2((__sram u32 *)0x100, 0x11223344, 5); return 0; }",
      {"--memory", "sram:0x100:3", "--memory", "scratch:0:1"});
  CHECK(run.outcome.status == 0);
  CHECK(run.json.at("memory") == nlohmann::json::parse("[[287454020, 5, 0], [0]]"));
}

TEST_CASE("the engine's cycles by state sum to the total", "[exec]") {
  const Execution run = execute(kHeader +
                                "int main(void) { u32 s = 0; for (u32 i = 0; i < 20; i++) s += "
                                "sram_read((__sram u32 *)(i * 4)); return s; }");
  const auto& cycles = run.json.at("cycles");
  const auto of = [&](const char* state) { return cycles.at(state).get<std::uint64_t>(); };
  CHECK(of("executing") + of("aborted") + of("stalled") + of("idle") == of("total"));
  CHECK(of("idle") > 20 * 10);  // twenty blocking reads of one thread
}

TEST_CASE("each of several threads runs the program", "[exec]") {
  const Execution run = execute(
      kHeader +
          "int main(void) { sram_write((__sram u32 *)(0x100 + 4 * ctx()), 10 + ctx()); return 0; }",
      {"--threads", "4", "--memory", "sram:0x100:4"});
  CHECK(run.outcome.status == 0);
  CHECK(run.json.at("memory") == nlohmann::json::parse("[[10, 11, 12, 13]]"));
}

TEST_CASE("a macro given with -D is seen and each level of optimisation gives the same answer",
          "[exec]") {
  for (const char* level : {"-O0", "-O1", "-O2", "-Os"}) {
    INFO(level);
    const Execution run =
        execute("int main(void) { int s = 0; for (int i = 0; i < N; i++) s += i * i; return s; }",
                {level, "-DN=10"});
    CHECK(run.json.at("return_value") == 285);
  }
}

TEST_CASE("assembly is run as it stands", "[exec]") {
  const Execution run = execute("main#:\n  immed[a0, 9]\n  ctx_arb[kill]\n", {}, "program.s");
  CHECK(run.outcome.status == 1);
  CHECK(run.json.at("return_value") == 9);
}

TEST_CASE("abort exits with 3", "[exec]") {
  const Execution run = execute(kHeader + "int main(void) {\n  abort();\n}\n");
  CHECK(run.outcome.status == 3);
  CHECK_THAT(run.outcome.err, Contains("abort()"));
  CHECK_THAT(run.json.at("fault").get<std::string>(), Contains("abort()"));
}

TEST_CASE("abort is reported with its source line, at the start of a program and inside it",
          "[exec]") {
  for (const char* level : {"-O0", "-O2"}) {
    INFO(level);
    const Execution first = execute(kHeader + "int main(void) {\n  abort();\n}\n", {level});
    CHECK_THAT(first.outcome.err, Contains("program.c:3"));
    const Execution inside =
        execute(kHeader +
                    "int main(void) {\n  sram_write((__sram u32 *)64, 3);\n"
                    "  if (sram_read((__sram u32 *)64) == 3)\n    abort();\n  return 0;\n}\n",
                {level});
    CHECK(inside.outcome.status == 3);
    CHECK_THAT(inside.outcome.err, Contains("program.c:5"));
  }
}

TEST_CASE("locals in memory and global variables of one program lie apart", "[exec]") {
  const Execution run = execute(kHeader +
                                "u32 table[4] = {1, 2, 3, 4};\n"
                                "__scratch u32 other = 50;\n"
                                "int main(void) {\n"
                                "  volatile u32 local[8];\n"
                                "  for (u32 i = 0; i < 8; i++) local[i] = 100 * i;\n"
                                "  return local[table[ctx()]] + table[3] + other;\n"
                                "}\n");
  CHECK(run.json.at("return_value") == 100 + 4 + 50);
}

TEST_CASE("the compiler's warnings are printed and the program runs", "[exec]") {
  const Execution run = execute("int main(void) {\n  int unused;\n  return 0;\n}\n");
  CHECK(run.outcome.status == 0);
  CHECK_THAT(run.outcome.err, Contains("program.c:2:7: warning: unused variable 'unused'"));
}

TEST_CASE("a misaligned reference exits with 3 and names engine, thread, word and source line",
          "[exec]") {
  const Execution run = execute(
      kHeader +
      "int main(void) {\n  volatile u32 at = 0x102;\n  return sram_read((__sram u32 *)at);\n}\n");
  CHECK(run.outcome.status == 3);
  CHECK_THAT(run.outcome.err, Contains("engine 0 thread 0") && Contains("word ") &&
                                  Contains("program.c:4") && Contains("0x102") &&
                                  Contains("aligned"));
}

TEST_CASE("a reference outside a memory exits with 3 at its source line", "[exec]") {
  const Execution run = execute(kHeader +
                                    "int main(void) {\n  volatile u32 at = 0x7ffffff0;\n  return "
                                    "scratch_read((__scratch u32 *)at);\n}\n",
                                {"--chip", "ixp1200"});
  CHECK(run.outcome.status == 3);
  CHECK_THAT(run.outcome.err, Contains("program.c:4") && Contains("0x7ffffff0"));
}

TEST_CASE(
    "a thread that waits for an event that never comes exits with 3 and is reported with what it "
    "waits for",
    "[exec]") {
  const Execution run =
      execute(kHeader + "int main(void) {\n  ctx_wait(start_receive);\n  return 0;\n}\n",
              {"--cycles", "100000"});
  CHECK(run.outcome.status == 3);
  CHECK_THAT(run.outcome.err, Contains("thread 0: waits for start_receive"));
  REQUIRE(run.json.at("waiting").size() == 1);
}

TEST_CASE("every thread of a deadlock is told", "[exec]") {
  const Execution run = execute("main#:\n  ctx_arb[inter_thread]\n  ctx_arb[kill]\n",
                                {"--threads", "3", "--cycles", "100000"}, "program.s");
  CHECK(run.outcome.status == 3);
  for (const char* thread : {"thread 0: waits for inter_thread", "thread 1: waits for inter_thread",
                             "thread 2: waits for inter_thread"}) {
    CHECK_THAT(run.outcome.err, Contains(thread));
  }
}

TEST_CASE("a program that never ends is stopped at --cycles with 3", "[exec]") {
  const Execution run = execute("main#:\n  br[main#]\n", {"--cycles", "5000"}, "program.s");
  CHECK(run.outcome.status == 3);
  CHECK_THAT(run.outcome.err, Contains("5000"));
}

TEST_CASE("a program that runs beyond its last word exits with 3", "[exec]") {
  const Execution run = execute("main#:\n  immed[a0, 1]\n", {"--cycles", "5000"}, "program.s");
  CHECK(run.outcome.status == 3);
}

TEST_CASE("several engines run the program, each reported, and share memory", "[exec]") {
  const std::string counting =
      kHeader + "int main(void) { scratch_incr((__scratch u32 *)0x40); return 0; }";
  const Execution run =
      execute(counting, {"--engines", "6", "--threads", "4", "--memory", "scratch:0x40:1"});
  CHECK(run.json.at("memory")[0][0] == 24);
  REQUIRE(run.json.at("engines").size() == 6);
  for (const auto& engine : run.json.at("engines")) {
    CHECK(engine.at("total") == run.json.at("cycles").at("total"));
    CHECK(engine.at("executing") > 0);
  }
}

TEST_CASE("locals in memory are each engine's own", "[exec]") {
  const std::string source = kHeader + R"(
int main(void) {
  volatile u32 table[8];
  for (u32 i = 0; i < 8; ++i) table[i] = 100 * engine() + i;
  u32 sum = 0;
  for (u32 i = 0; i < 8; ++i) sum += table[i];
  *(__sram u32 *)(0x100 + 4 * engine()) = sum;
  return 0;
})";
  const Execution run = execute(source, {"--engines", "3", "--memory", "sram:0x100:3"});
  CHECK(run.json.at("memory")[0] == nlohmann::json{28, 828, 1628});
}

TEST_CASE("no variable, local or global, is where a null pointer points to", "[exec]") {
  const std::string source = kHeader + R"(
__sram u32 in_sram = 1;
__sdram u32 in_sdram = 2;
__scratch u32 in_scratch = 3;
int main(void) {
  u32 local = 4;
  __sram u32 *volatile sram = &in_sram;
  __sdram u32 *volatile sdram = &in_sdram;
  __scratch u32 *volatile scratch = &in_scratch;
  u32 *volatile plain = &local;
  return sram && sdram && scratch && plain ? *sram + *sdram + *scratch + *plain - 10 : 1;
})";
  for (const char* level : {"-O0", "-O2", "-Os"})
    CHECK(execute(source, {level}).json.at("return_value") == 0);
}

TEST_CASE("lockstep and windows end in the same state", "[exec]") {
  const std::string source = kHeader +
                             "int main(void) { for (u32 i = 0; i < 20; ++i) "
                             "scratch_incr((__scratch u32 *)(4 * ctx())); return 0; }";
  const Execution windows = execute(source, {"--engines", "4", "--threads", "4"});
  const Execution lockstep =
      execute(source, {"--engines", "4", "--threads", "4", "--mode", "lockstep"});
  CHECK(windows.json == lockstep.json);
  CHECK(windows.json.at("state_hash").get<std::string>().size() == 16);
}

TEST_CASE("engines and threads that the chip or the language does not have are refused by name",
          "[exec]") {
  const ScratchFolder folder;
  (void)folder.write("program.c", "int main(void) { return 0; }");
  const auto call = [&](const char* program, const Words& words) {
    return call_nplab(Words{"exec", program} + words, folder.path());
  };
  const Outcome many = call("program.c", {"--engines", "7", "--threads", "5"});
  CHECK(many.status == 2);
  CHECK_THAT(many.err, Contains("--engines 7") && Contains("has 6 engines"));
  CHECK_THAT(many.err, Contains("--threads 5") && Contains("has 4 contexts"));
}

TEST_CASE(
    "C runs on all eight contexts of a chip that has them, with frames and numbers of their own",
    "[exec]") {
  const std::string source = kHeader + R"(
int main(void) {
  volatile u32 table[4];
  for (u32 i = 0; i < 4; ++i) table[i] = thread_number();
  ctx_swap();
  *(__sram u32 *)(0x100 + 4 * thread_number()) = 1 + table[0] + table[1] + table[2] + table[3];
  return 0;
})";
  const Execution run = execute(source, {"--set", "chip.engine.contexts=8", "--engines", "2",
                                         "--threads", "8", "--memory", "sram:0x100:16"});
  std::vector<unsigned> expected;
  for (unsigned thread = 0; thread < 16; ++thread)
    expected.push_back(1 + 4 * thread);
  CHECK(run.json.at("memory")[0] == nlohmann::json(expected));
}

TEST_CASE("numbers of a file lie in memory when the program starts", "[exec]") {
  const ScratchFolder folder;
  (void)folder.write("sum.c",
                     "#include \"microengine.h\"\n"
                     "int main(void) {\n"
                     "  u32x2 read = sram_read2((__sram u32*)0x100);\n"
                     "  return read[0] + read[1];\n"
                     "}\n");
  (void)folder.write("two.txt", "# two numbers\n0x10 # the first\n7\n");
  CHECK_THAT(call_nplab({"exec", "sum.c", "--load", "sram:0x100:two.txt"}, folder.path()).out,
             Catch::StartsWith("returned 23 "));
  (void)folder.write("bad.txt", "1\n  two\n0x100000000\n");
  const Outcome bad = call_nplab({"exec", "sum.c", "--load", "sram:0x100:bad.txt"}, folder.path());
  CHECK(bad.status == 2);
  CHECK_THAT(bad.err, Catch::Contains("bad.txt:2:3: error: ") &&
                          Catch::Contains("bad.txt:3:1: error: ") && Catch::Contains("'two'"));
  for (const char* text : {"sram:0x100", "dram:0:two.txt", "sram:x:two.txt", "sram:2:two.txt",
                           "sram:0xfffffffc:two.txt", "sram:0:nowhere.txt"}) {
    CAPTURE(text);
    const Outcome refused = call_nplab({"exec", "sum.c", "--load", text}, folder.path());
    CHECK(refused.status == 2);
    CHECK_THAT(refused.err, Catch::Contains("error: "));
  }
}

TEST_CASE("a program that did not end or that failed has no return value", "[exec]") {
  const ScratchFolder folder;
  const auto run = [&](const std::string& body, const Words& more = {}) {
    (void)folder.write("p.c", "#include \"microengine.h\"\nint main(void) { " + body + " }\n");
    return call_nplab(Words{"exec", "p.c", "--cycles", "1000"} + more, folder.path());
  };
  const Outcome endless = run("for (;;) ctx_swap_voluntary();");
  CHECK(endless.status == 3);
  CHECK_THAT(endless.out, Catch::StartsWith("did not end within 1000 cycles"));
  const Outcome fault = run("return sram_read((__sram u32*)3);");
  CHECK(fault.status == 3);
  CHECK_THAT(fault.out, Catch::StartsWith("failed after "));
  const Outcome json = run("abort(); return 0;", {"--json"});
  CHECK(json.status == 3);
  CHECK(nlohmann::json::parse(json.out).at("return_value").is_null());
}
