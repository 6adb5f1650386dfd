// Bad input other than programs: exit 2, every error at its place with what would be right, nothing
// written.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "tests/paths.h"
#include "tests/tools/support/capture_file.h"
#include "tests/tools/support/command.h"
#include "tests/tools/support/generated_input.h"
#include "tests/tools/support/refusal.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

Outcome refused_run(const ScratchFolder& folder, const Words& words) {
  return refused(folder, Words{"run"} + words +
                             Words{"--packets", "10", "--json", "out.json", "--csv", "out.csv"});
}

std::string mapping_file(const std::string& name) {
  return read_text(nplab::source_path("mappings/bit-vector/") + name + ".yaml");
}

// A shipped mapping with one text replaced.
std::string edited(const std::string& name, const std::string& from, const std::string& to) {
  std::string text = mapping_file(name);
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

Outcome refused_mapping(const std::string& text) {
  const ScratchFolder folder;
  (void)folder.write("m.yaml", text);
  return refused_run(folder, {"m.yaml"});
}

Outcome refused_rules(const std::string& mapping, const std::string& text) {
  const ScratchFolder folder;
  (void)folder.write("set.rules", text);
  return refused_run(folder, {mapping, "--rules", "set.rules"});
}

const std::string kGoodRule = "@10.0.0.0/8\t0.0.0.0/0\t0 : 65535\t0 : 65535\t0x06/0xFF\n";

}  // namespace

TEST_CASE("a mapping that is not YAML is refused at the place", "[bad_input]") {
  CHECK_THAT(refused_mapping(edited("bv1", "egress: same_port", "egress: [same_port")).err,
             Contains("m.yaml:") && Contains(": error: not valid YAML"));
}

TEST_CASE("an unknown key is refused with the key that is meant", "[bad_input]") {
  CHECK_THAT(
      refused_mapping(edited("bv1", "buffers:", "bufers:")).err,
      Contains("m.yaml:") && Contains("error: unknown key 'bufers'; did you mean 'buffers'?"));
}

TEST_CASE("pinned ranges that overlap are refused with both names and the first free address",
          "[bad_input]") {
  CHECK_THAT(refused_mapping(mapping_file("bv1") +
                             "memory: {sram: {received: 0x100, classified: 0x200}}\n")
                 .err,
             Contains("queue classified at 0x200") &&
                 Contains("overlaps queue received at 0x100") && Contains("first free address"));
}

TEST_CASE("an engine used twice is refused with both stages", "[bad_input]") {
  CHECK_THAT(refused_mapping(edited("bv1", "engines: [5]", "engines: [4]")).err,
             Contains("error: engine 4 is used twice") && Contains("'classify'") &&
                 Contains("'transmit'"));
}

TEST_CASE("check reports the wiring of a mapping together with rules that cannot be read",
          "[bad_input]") {
  const ScratchFolder folder;
  (void)folder.write("m.yaml", edited("bv1", "to: transmit", "to: transmitt"));
  (void)folder.write("set.rules", "@10.0.0.0/33 nonsense\n");
  const Outcome outcome = refused(folder, {"check", "m.yaml", "--rules", "set.rules"});
  CHECK_THAT(outcome.err, Contains("m.yaml:") && Contains("queue 'classified' has no consumer") &&
                              Contains("set.rules:1:"));
}

TEST_CASE("a queue without a consumer is refused with the stage that is meant", "[bad_input]") {
  CHECK_THAT(
      refused_mapping(edited("bv1", "to: transmit", "to: transmitt")).err,
      Contains("queue 'classified' has no consumer") && Contains("did you mean 'transmit'?"));
}

TEST_CASE("a cycle of stages is refused with its stages", "[bad_input]") {
  CHECK_THAT(refused_mapping(edited("bv2", "from: dimension3, to: intersection",
                                    "from: dimension3, to: dimension1"))
                 .err,
             Contains("dimension1 -> dimension2 -> dimension3 -> dimension1"));
}

TEST_CASE("all errors of a mapping are reported at once, each at its line and column",
          "[bad_input]") {
  std::string text = edited("bv1", "engines: [5]", "engines: [4]");
  text.replace(text.find("buffers:"), 8, "bufers:");
  text.replace(text.find("no_match: drop"), 14, "no_match: dorp");
  const Outcome outcome = refused_mapping(text);
  CHECK_THAT(outcome.err,
             Contains("bufers") && Contains("engine 4 is used twice") && Contains("'dorp'"));
}

TEST_CASE("errors of the mapping and of the rules are reported at once", "[bad_input]") {
  const ScratchFolder folder;
  (void)folder.write("m.yaml", edited("bv1", "engines: [5]", "engines: [4]"));
  (void)folder.write("set.rules", "10.0.0.0/8\n");
  CHECK_THAT(refused_run(folder, {"m.yaml", "--rules", "set.rules"}).err,
             Contains("engine 4 is used twice") && Contains("set.rules:1:"));
}

TEST_CASE("errors of all mappings of a comparison are reported at once", "[bad_input]") {
  const ScratchFolder folder;
  (void)folder.write("one.yaml", edited("bv1", "buffers:", "bufers:"));
  (void)folder.write("two.yaml", edited("bv2", "buffers:", "bufers:"));
  CHECK_THAT(refused(folder, {"compare", "one.yaml", "two.yaml", "--json", "out.json"}).err,
             Contains("one.yaml:") && Contains("two.yaml:"));
}

TEST_CASE("a mapping that is not known is refused with the nearest name", "[bad_input]") {
  const ScratchFolder folder;
  CHECK_THAT(refused_run(folder, {"bv3"}).err,
             Contains("there is no mapping 'bv3'") && Contains("did you mean 'bv"));
}

TEST_CASE("a chip that is not known is refused with the nearest name", "[bad_input]") {
  const ScratchFolder folder;
  CHECK_THAT(refused_run(folder, {"bv1", "--chip", "ixp1201"}).err,
             Contains("ixp1201") && Contains("did you mean 'ixp1200'?"));
}

TEST_CASE("each malformed rule is refused at its line and column", "[bad_input]") {
  const Outcome outcome =
      refused_rules("bv1", kGoodRule +
                               "@1.2.3.4/32 5.6.7.8/33 0 : 65535 0 : 10 0x06/0xFF\n"
                               "@1.2.3.4/32 5.6.7.8/32 0 : 65536 0 : 10 0x06/0xFF\n"
                               "@1.2.3.4/32 5.6.7.8/32 9 : 8 0 : 10 0x06/0xFF\n"
                               "@1.2.3.4/32 5.6.7.8/32 0 : 8 0 : 10 0x06/0xFF perhaps\n");
  CHECK_THAT(outcome.err, Contains("set.rules:2:21: error: ") &&
                              Contains("set.rules:3:28: error: ") &&
                              Contains("set.rules:4:28: error: ") && Contains("set.rules:5:") &&
                              Contains("perhaps"));
  CHECK_THAT(outcome.err, !Contains("set.rules:1:"));
}

TEST_CASE("a rule of YAML with a value outside its field is refused at its place", "[bad_input]") {
  const Outcome outcome =
      refused_rules("bv1",
                    "fields:\n"
                    "  - {name: source_address, bits: 8, at: {byte: 29, bit: 0}}\n"
                    "rules:\n"
                    "  - {name: one, source_address: 0-256}\n"
                    "  - {name: two, sorce_address: 5}\n");
  CHECK_THAT(outcome.err, Contains("set.rules:4:") && Contains("256") && Contains("set.rules:5:") &&
                              Contains("did you mean 'source_address'?"));
}

TEST_CASE("more than 512 rules are refused by bit vectors, with the number", "[bad_input]") {
  const std::string rules = GeneratedInput(1, 600, 0).rules_text();
  for (const char* mapping : {"bv1", "bv2"}) {
    INFO(mapping);
    CHECK_THAT(refused_rules(mapping, rules).err,
               Contains("set.rules:513:1: error: ") && Contains("600") && Contains("512"));
  }
}

TEST_CASE("rules of more dimensions than an algorithm takes are refused", "[bad_input]") {
  std::string text = "fields:\n";
  for (unsigned i = 0; i < 6; ++i) {
    text += "  - {name: field" + std::to_string(i) +
            ", bits: 8, at: {byte: " + std::to_string(30 + i) + ", bit: 0}}\n";
  }
  CHECK_THAT(refused_rules("bv1", text + "rules:\n  - {name: one, field0: 1}\n").err,
             Contains("6") && Contains("5"));
}

TEST_CASE("tables that do not fit a memory are refused with the arithmetic", "[bad_input]") {
  const ScratchFolder folder;
  (void)folder.write("set.rules", GeneratedInput(1, 500, 0).rules_text());
  const Outcome outcome =
      refused_run(folder, {"bv1", "--rules", "set.rules", "--set", "tables.vectors=scratch"});
  CHECK_THAT(outcome.err, Contains("vectors") && Contains("scratch") && Contains("4096"));
}

TEST_CASE("a truncated capture is refused", "[bad_input]") {
  const ScratchFolder folder;
  std::string capture = capture_of({{0, std::string(60, 'x')}, {1000, std::string(60, 'y')}});
  capture.resize(capture.size() - 7);
  (void)folder.write("cut.pcap", capture);
  CHECK_THAT(refused_run(folder, {"bv1", "--traffic", "cut.pcap"}).err,
             Contains("cut.pcap:") && Contains("error:") && Contains("truncated"));
}

TEST_CASE("a capture of another link than Ethernet is refused", "[bad_input]") {
  const ScratchFolder folder;
  std::string capture = capture_of({{0, std::string(60, 'x')}});
  capture[20] = 101;  // raw IP
  (void)folder.write("raw.pcap", capture);
  CHECK_THAT(refused_run(folder, {"bv1", "--traffic", "raw.pcap"}).err,
             Contains("raw.pcap:") && Contains("Ethernet"));
}

TEST_CASE("a malformed header trace is refused at each line", "[bad_input]") {
  const ScratchFolder folder;
  (void)folder.write("set.rules", kGoodRule);
  (void)folder.write("set.trace", "1 2 3 4 6\n1 2 3\n1 2 3 4 256\n");
  CHECK_THAT(refused_run(folder, {"bv1", "--rules", "set.rules", "--traffic", "set.trace"}).err,
             Contains("set.trace:2:") && Contains("set.trace:3:9"));
}

TEST_CASE("a generator with an unknown key is refused with the key that is meant", "[bad_input]") {
  const ScratchFolder folder;
  CHECK_THAT(refused_run(folder, {"bv1", "--traffic", "gen:hits=0.5"}).err,
             Contains("hits") && Contains("'hit'"));
}

TEST_CASE("a file that is not there is refused by its name", "[bad_input]") {
  const ScratchFolder folder;
  CHECK_THAT(refused_run(folder, {"bv1", "--rules", "none.rules"}).err,
             Contains("none.rules:") && Contains("No such file"));
  CHECK_THAT(refused_run(folder, {"bv1", "--traffic", "none.pcap"}).err,
             Contains("none.pcap:") && Contains("No such file"));
  CHECK_THAT(refused(folder, {"report", "none.json"}).err,
             Contains("none.json:") && Contains("No such file"));
  CHECK_THAT(refused(folder, {"cc", "none.c"}).err,
             Contains("none.c:") && Contains("No such file"));
  CHECK_THAT(refused(folder, {"exec", "none.c"}).err,
             Contains("none.c:") && Contains("No such file"));
}

TEST_CASE("a number that is none, or more than a number holds, is refused", "[bad_input]") {
  const ScratchFolder folder;
  for (const char* number : {"-5", "1e6", "0x10", "2.5", "99999999999999999999", ""}) {
    INFO(number);
    CHECK_THAT(refused(folder, {"run", "bv1", "--packets", number}).err,
               Contains("--packets") &&
                   Contains("expected an integer, found '" + std::string(number) + "'"));
  }
  CHECK_THAT(refused(folder, {"run", "bv1", "--seed", "-1"}).err, Contains("--seed"));
  CHECK_THAT(refused(folder, {"trace", "packet", "x", "bv1"}).err,
             Contains("N: expected an integer, found 'x'"));
  CHECK_THAT(refused(folder, {"rules", "--generate", "acl", "--count", "-1"}).err,
             Contains("--count"));
  CHECK_THAT(refused(folder, {"exec", "p.c", "--threads", "-1"}).err, Contains("--threads"));
}

TEST_CASE("a word that names no command is refused at every level, with those that do",
          "[bad_input]") {
  const ScratchFolder folder;
  CHECK_THAT(refused(folder, {"rn", "bv1"}).err,
             Contains("unknown command 'rn'; did you mean 'run'?"));
  CHECK_THAT(refused(folder, {"trace", "paket", "1", "bv1"}).err,
             Contains("unknown command 'trace paket'; did you mean 'packet'?"));
  CHECK_THAT(refused(folder, {"lab", "zzz"}).err, Contains("unknown command 'lab zzz'; known: "));
}

TEST_CASE("an option or a word that a command does not take is named, an option with the nearest",
          "[bad_input]") {
  const ScratchFolder folder;
  CHECK_THAT(
      refused(folder, {"run", "bv1", "--packts", "3"}).err,
      Contains("nplab: error: 'nplab run' has no option '--packts'; did you mean '--packets'?"));
  CHECK_THAT(refused(folder, {"trace", "packet", "1", "bv1", "--sed", "2"}).err,
             Contains("'nplab trace packet' has no option '--sed'; did you mean '--seed'"));
  CHECK_THAT(refused(folder, {"run", "bv1", "-q"}).err,
             Contains("'nplab run' has no option '-q'; did you mean '--quiet'?"));
  CHECK_THAT(refused(folder, {"run", "bv1", "bv2"}).err,
             Contains("'nplab run' takes no further argument 'bv2'"));
}

TEST_CASE(
    "rules that are in no notation are refused with what would be, and SPECs where they are not "
    "taken",
    "[bad_input]") {
  const ScratchFolder folder;
  const std::string words = folder.write("words.rules", "hello world\n");
  CHECK_THAT(refused_run(folder, {"ls", "--rules", words}).err,
             Contains(":1:1: error: not a rule set; those that are read: ClassBench lines"));
  CHECK_THAT(refused(folder, {"traffic", "gen:hit=1"}).err,
             Contains("--generate RULES draws traffic"));
}

TEST_CASE("an arrival that is none is refused with those that are", "[bad_input]") {
  const ScratchFolder folder;
  CHECK_THAT(
      refused_run(folder, {"bv1", "--arrival", "fast"}).err,
      Contains("--arrival") && Contains("'fast'") && Contains("wire") && Contains("lossless"));
  CHECK_THAT(refused_run(folder, {"bv1", "--arrival", "101"}).err,
             Contains("--arrival") && Contains("100"));
}

TEST_CASE("ports that packets cannot arrive on are refused", "[bad_input]") {
  const ScratchFolder folder;
  CHECK_THAT(refused_run(folder, {"bv1", "--ports-in", "3-1"}).err, Contains("--ports-in"));
  CHECK_THAT(refused_run(folder, {"bv1", "--ports-in", "0,0"}).err, Contains("--ports-in"));
  CHECK_THAT(refused_run(folder, {"bv1", "--ports-in", "6"}).err,
             Contains("--ports-in") && Contains("port 6"));
}

TEST_CASE("an override that names nothing is refused with the name that is meant", "[bad_input]") {
  const ScratchFolder folder;
  CHECK_THAT(refused_run(folder, {"bv1", "--set", "foo"}).err, Contains("KEY=VALUE"));
  CHECK_THAT(refused_run(folder, {"bv1", "--set", "stages.clasify.threads=2"}).err,
             Contains("did you mean 'classify'?"));
  CHECK_THAT(refused_run(folder, {"bv1", "--set", "bufers=2"}).err,
             Contains("'bufers'") && Contains("'buffers'"));
  CHECK_THAT(refused_run(folder, {"bv1", "--set", "chip.engine.engins=2"}).err,
             Contains("engins") && Contains("'engines'"));
  CHECK_THAT(refused_run(folder, {"bv1", "--set", "workload.frame_byte=64"}).err,
             Contains("frame_byte") && Contains("'frame_bytes'"));
}

TEST_CASE("exec takes overrides of the chip alone", "[bad_input]") {
  const ScratchFolder folder;
  (void)folder.write("p.c", "int main(void) { return 0; }\n");
  const Outcome outcome = refused(folder, {"exec", "p.c", "--set", "engine.engines=1"});
  CHECK_THAT(outcome.err, Contains("--set engine.engines: error:") && Contains("chip.KEY=VALUE"));
}

TEST_CASE("a rule that forwards to a port the chip has not is refused at its line", "[bad_input]") {
  const ScratchFolder folder;
  const std::string rules =
      folder.write("r.rules",
                   "@0.0.0.0/0 0.0.0.0/0 0 : 65535 0 : 65535 0x06/0xFF forward:7\n"
                   "@0.0.0.0/0 0.0.0.0/0 0 : 65535 0 : 65535 0x11/0xFF forward:12\n");
  const Words words{"bv1", "--rules", rules, "--traffic", "gen:count=10"};
  const Outcome outcome = refused_run(folder, words + Words{"--set", "egress=by_action"});
  CHECK_THAT(
      outcome.err,
      Contains("r.rules:2:1: error: the rule forwards to port 12; ixp1200 has ports 0 to 7"));
  CHECK_THAT(outcome.err, !Contains("r.rules:1"));
}

TEST_CASE("a stride that complete nodes have no room for is refused by the builder",
          "[bad_input]") {
  const ScratchFolder folder;
  const Outcome outcome = refused_run(folder, {"bv1", "--set", "parameters.stride=2"});
  CHECK_THAT(outcome.err, Contains("stride 2") && Contains("node_quadwords"));
}

TEST_CASE("errors of several options are reported at once", "[bad_input]") {
  const ScratchFolder folder;
  const Outcome outcome =
      refused_run(folder, {"bv1", "--set", "foo", "--arrival", "fast", "--ports-in", "3-1"});
  CHECK_THAT(outcome.err, Contains("foo") && Contains("fast") && Contains("--ports-in"));
}

TEST_CASE("a record that cannot be written is refused before the simulation", "[bad_input]") {
  const ScratchFolder folder;
  CHECK_THAT(refused(folder, {"run", "bv1", "--json", "none/r.json"}).err,
             Contains("none/r.json") && Contains("folder"));
  CHECK_THAT(refused(folder, {"run", "bv1", "--csv", "none/r.csv"}).err,
             Contains("none/r.csv") && Contains("folder"));
}

TEST_CASE("a record that the disk has no room for is not success, and leaves nothing",
          "[bad_input]") {
  const ScratchFolder folder;
  for (const char* option : {"--json", "--csv", "--html"}) {
    // Through a link, so that a device that were replaced would not be the system's.
    fs::create_symlink("/dev/full", folder.file("full"));
    const Outcome outcome =
        call_nplab({"run", "ls", "--packets", "20", "--quiet", option, folder.file("full")});
    INFO(option);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err,
               Contains("full:0:0: error: cannot be written: No space left on device"));
    CHECK(fs::is_symlink(folder.file("full")));
    CHECK(folder.names().size() == 1);
    fs::remove(folder.file("full"));
  }
  CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("standard output that is full is not success", "[bad_input]") {
  for (const std::string words :
       {"run ls --packets 20", "run ls --packets 20 --json -", "list", "--help"}) {
    const Outcome outcome =
        run_program("sh", {"-c", "'" + nplab::program_path() + "' " + words + " > /dev/full"});
    INFO(words);
    CHECK(outcome.status == 2);
    CHECK(outcome.err == "nplab: error: cannot write standard output: No space left on device\n");
  }
}

TEST_CASE("an interrupted run leaves nothing behind", "[bad_input]") {
  const ScratchFolder folder;
  const int nameless = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (nameless < 0) {
    WARN("skipped: files without a name are not known to the file system of " << folder.path());
    return;
  }
  ::close(nameless);
  // The trace goes into a pipe, which tells when the simulation is under way and frames are
  // captured. As a terminal does it, the whole process group is interrupted.
  const std::string run =
      "'" + nplab::program_path() +
      "' run bv1 --packets 1000000 --json run.json --html run.html --csv run.csv "
      "--pcap-out captures --trace trace.kanata --trace-cycles 30000-40000";
  const Outcome outcome =
      run_program("bash",
                  {"-c", "set -m; mkfifo trace.kanata; " + run +
                             " & exec 3<trace.kanata; "
                             "head -c 4000 <&3 >&2; kill -INT -$!; wait $!; echo $?"},
                  folder.path());
  CHECK(outcome.out == std::to_string(128 + SIGINT) + "\n");
  CHECK(outcome.err.size() >= 4000);
  CHECK(folder.names() == std::vector<std::string>{"captures", "trace.kanata"});
  CHECK(fs::is_empty(folder.path() / "captures"));
}

TEST_CASE("captures that cannot be written are refused before the simulation", "[bad_input]") {
  const ScratchFolder folder;
  (void)folder.write("file", "");
  CHECK_THAT(refused_run(folder, {"bv1", "--pcap-out", "file/captures"}).err,
             Contains("file/captures"));
}

TEST_CASE("a record that is none is refused at the place", "[bad_input]") {
  const ScratchFolder folder;
  (void)folder.write("r.json", "{\"schema\": \"nplab.run/1\"}");
  CHECK_THAT(refused(folder, {"report", "r.json"}).err, Contains("r.json:") && Contains("error:"));
  (void)folder.write("r.json", "{\n  broken");
  CHECK_THAT(refused(folder, {"report", "r.json"}).err, Contains("r.json:2:"));
}

TEST_CASE("a stage beyond the control store is refused when the mapping is checked",
          "[bad_input]") {
  std::string program = "main#:\n";
  for (unsigned i = 0; i < 1100; ++i)
    program += "  alu[a0, a0, +, 1]\n";
  const ScratchFolder folder;
  (void)folder.write("big.s", program + "  br[main#]\n");
  std::string mapping = edited("bv1", "engines: [1, 2, 3, 4]", "engines: [1, 2, 3]");
  mapping.replace(mapping.find("from: classify, to: transmit"), 28, "from: patch, to: transmit");
  mapping.replace(
      mapping.find("queues:"), 7,
      "  - {name: patch, role: program, engines: [4], threads: 4, program: big.s}\nqueues:\n"
      "  - {name: judged, from: classify, to: patch, per: shared, entries: 128, memory: sram}");
  (void)folder.write("m.yaml", mapping);
  CHECK_THAT(refused(folder, {"check", "m.yaml"}).err,
             Contains("big.s") && Contains("1101") && Contains("1024"));
}

TEST_CASE("a misspelt key of the chip or the workload is refused with the nearest one",
          "[bad_input]") {
  const auto error = [](const std::string& text) {
    return call_nplab({"check", "bv1", "--set", text}).err;
  };
  CHECK(error("chip.sram.latncy=4") ==
        "--set chip.sram.latncy: error: unknown key 'latncy'; did you mean 'pipeline_latency' or "
        "'push_latency'?\n");
  CHECK(error("chip.srm.bytes=4") ==
        "--set chip.srm.bytes: error: there is no 'srm' in 'srm.bytes'; did you mean 'sram'?\n");
  CHECK(error("workload.slt.gap_bytes=4") ==
        "--set workload.slt.gap_bytes: error: there is no 'slt' in 'slt.gap_bytes'; did you mean "
        "'slot'?\n");
}

TEST_CASE("a file beyond the memory of the process is refused by name", "[bad_input]") {
  const ScratchFolder folder;
  // Enough to load the program, not for two GiB of zeros.
  const std::string kilobytes = "1500000";
  const Outcome outcome = run_program(
      "/bin/sh",
      {"-c", "ulimit -v " + kilobytes + "; exec \"$0\" rules /dev/zero", nplab::program_path()},
      folder.path());
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("/dev/zero:0:0: error: does not fit into the memory"));
}

TEST_CASE("what stands on the command line is named without line and column", "[bad_input]") {
  const ScratchFolder folder;
  for (const Words& words :
       {Words{"run", "bv9"}, Words{"study", "no-study"}, Words{"predict", "bv9"},
        Words{"explore", "no-algorithm"}, Words{"run", "bv1", "--chip", "no-chip"},
        Words{"run", "bv1", "--rules", "gen:no-profile,count=5"}, Words{"traffic", "gen:uniform"},
        Words{"new", "mapping", "BAD", "--from", "bv1"}, Words{"lab", "check", "99"}}) {
    const Outcome outcome = call_nplab(words, folder.path());
    INFO(words[0] + " " + words[1] + "\n" + outcome.err);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("error: ") && !Contains(":0:0:"));
  }
}
