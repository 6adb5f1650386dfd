// Rule sets as users bring them: listings of firewalls, statistics, conversion, generation.
#include <catch2/catch.hpp>

#include <tuple>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const std::string kListing =
    "*filter\n:INPUT ACCEPT [0:0]\n:FORWARD DROP [0:0]\n:OUTPUT ACCEPT [0:0]\n:web - [0:0]\n"
    "-A FORWARD -m conntrack --ctstate INVALID -j DROP\n"
    "-A FORWARD -d 10.1.0.0/16 -p tcp -j web\n"
    "-A FORWARD ! -s 10.0.0.0/8 -p udp -m multiport --dports 53,123 -j ACCEPT\n"
    "-A web -p tcp -m tcp --dport 80 -j ACCEPT\n"
    "-A web -p tcp -m tcp --dport 1:1023 -j REJECT --reject-with tcp-reset\n"
    "COMMIT\n";
// 10.1.0.5:80; 10.1.0.5:81 over TCP; 192.0.2.1 and 10.9.9.9 asking a name service.
const std::string kTrace =
    "3221225985 167837701 4000 80 6\n3221225985 167837701 4000 81 6\n"
    "3221225985 167837701 4000 53 17\n168364297 167837701 4000 53 17\n";

}  // namespace

TEST_CASE(
    "a listing of iptables runs on every mapping once its statements on connections are left out",
    "[rules]") {
  const ScratchFolder folder;
  const std::string rules = folder.write("fw.save", kListing),
                    trace = folder.write("t.trace", kTrace);
  for (const char* mapping : {"ls", "bv1", "bv2"}) {
    INFO(mapping);
    const auto record = record_of(
        {mapping, "--rules", rules, "--traffic", trace, "--packets", "0", "--unsupported", "skip"});
    check_record(record);
    CHECK(record.at("packets").at("sent") == 2);
    CHECK(record.at("packets").at("denied") == 2);
    CHECK(record.at("options").at("set").dump().find("workload.unsupported=skip") !=
          std::string::npos);
  }
}

TEST_CASE("a run names the statements of a listing that it refuses or leaves out", "[rules]") {
  const ScratchFolder folder;
  std::ignore = folder.write("fw.save", kListing);
  std::ignore = folder.write("t.trace", kTrace);
  const Words words{"run", "ls", "--rules", "fw.save", "--traffic", "t.trace", "--packets", "0"};
  const Outcome refused = call_nplab(words, folder.path());
  CHECK(refused.status == 2);
  CHECK(refused.err ==
        "fw.save:6:12: error: '-m conntrack' is not a 5-tuple match; --unsupported skip ignores "
        "such statements\n");
  const Outcome skipped = call_nplab(words + Words{"--unsupported", "skip"}, folder.path());
  CHECK(skipped.status == 0);
  CHECK(skipped.err ==
        "fw.save: warning: 1 of 5 statements left out (1: '-m conntrack' is not a 5-tuple match)\n"
        "fw.save:6:12: note: skipped: '-m conntrack' is not a 5-tuple match\n");
  const Outcome other = call_nplab(words + Words{"--chain", "web"}, folder.path());
  CHECK(other.status == 0);
  CHECK(other.err.empty());
}

TEST_CASE("statistics of a rule set are printed as text and as JSON", "[rules]") {
  const ScratchFolder folder;
  std::ignore = folder.write("three.rules",
                             "@10.0.0.0/8 0.0.0.0/0 0 : 65535 80 : 80 0x06/0xFF deny\n"
                             "@10.1.0.0/16 0.0.0.0/0 0 : 65535 80 : 80 0x06/0xFF\n"
                             "@0.0.0.0/0 0.0.0.0/0 0 : 65535 0 : 65535 0x00/0x00\n");
  const Outcome text = call_nplab({"rules", "three.rules"}, folder.path());
  CHECK(text.status == 0);
  CHECK(text.err.empty());
  CHECK(text.out ==
        "three.rules: 3 rules of 5 fields\n\n"
        "field                     distinct       any   intervals  worst case\n"
        "source_address                   3         1           5           7\n"
        "destination_address              1         3           1           7\n"
        "source_port                      1         3           1           7\n"
        "destination_port                 2         1           3           7\n"
        "protocol                         2         1           3           7\n\n"
        "actions                 allow 66.7 %, deny 33.3 %\n"
        "protocols               6 66.7 %, any 33.3 %\n"
        "source ports            any 100.0 %\n"
        "destination ports       exact 66.7 %, any 33.3 %\n"
        "port pairs              any-exact 66.7 %, any-any 33.3 %\n"
        "prefix lengths          0/0 33.3 %, 8/0 33.3 %, 16/0 33.3 %\n"
        "tuples                  3\n"
        "overlapping pairs       3, 1.00 per rule\n"
        "covered by earlier rule 1\n");
  const auto json =
      nlohmann::json::parse(call_nplab({"rules", "three.rules", "--json"}, folder.path()).out);
  CHECK(json.at("schema") == "nplab.rules/1");
  CHECK(json.at("rules") == 3);
  CHECK(json.at("fields")[3].at("intervals") == 3);
  CHECK(json.at("prefix_lengths").at("16/0") == 1);
  CHECK(json.at("overlapping_pairs") == 3);
}

TEST_CASE("a listing is converted to ClassBench lines and YAML of the same rules", "[rules]") {
  const ScratchFolder folder;
  std::ignore = folder.write("fw.save", kListing);
  const Words words{"rules", "fw.save", "--unsupported", "skip", "--to"};
  const Outcome lines = call_nplab(words + Words{"classbench"}, folder.path());
  CHECK(lines.status == 0);
  CHECK(
      lines.out.starts_with("@0.0.0.0/0\t10.1.0.0/16\t0 : 65535\t80 : 80\t0x06/0xFF\tallow\n"
                            "@0.0.0.0/0\t10.1.0.0/16\t0 : 65535\t1 : 1023\t0x06/0xFF\tdeny\n"));
  CHECK(lines.err ==
        "fw.save: warning: 1 of 5 statements left out (1: '-m conntrack' is not a 5-tuple match)\n"
        "fw.save:6:12: note: skipped: '-m conntrack' is not a 5-tuple match\n");
  std::ignore = folder.write("fw.rules", lines.out);
  CHECK(call_nplab(words + Words{"yaml", "--out", "fw.yaml"}, folder.path()).status == 0);
  const Words again{"--to", "classbench"};
  CHECK(call_nplab(Words{"rules", "fw.rules"} + again, folder.path()).out == lines.out);
  CHECK(call_nplab(Words{"rules", "fw.yaml"} + again, folder.path()).out == lines.out);
}

TEST_CASE(
    "a run may ask for generated rules in a word, and they are those of nplab rules --generate",
    "[rules]") {
  const ScratchFolder folder;
  const std::string rules = folder.file("r.rules");
  const std::string trace = folder.file("t.trace");
  REQUIRE(call_nplab({"rules", "--generate", "ipc", "--count", "70", "--seed", "5", "--out", rules})
              .status == 0);
  REQUIRE(call_nplab({"traffic", "--generate", rules, "--count", "90", "--out", trace}).status ==
          0);
  const Words run{"bv1", "--traffic", trace, "--packets", "0", "--arrival", "lossless", "--rules"};
  auto from_file = record_of(run + Words{rules});
  auto from_word = record_of(run + Words{"gen:ipc,count=70,seed=5"});
  CHECK(from_word.at("inputs").at("rules").at("name") == "gen:ipc,count=70,seed=5");
  CHECK(from_word.at("packets") == from_file.at("packets"));
  CHECK(from_word.at("cycles") == from_file.at("cycles"));
}

TEST_CASE("what is wrong with a word for generated rules is reported at once", "[rules]") {
  const auto errors = [](const std::string& spec, const Words& more = {}) {
    const Outcome outcome = call_nplab(Words{"check", "ls", "--rules", spec} + more);
    CHECK(outcome.status == 2);
    return outcome.err;
  };
  CHECK_THAT(errors("gen:alc"),
             Contains("there is no profile of rules 'alc'") && Contains("did you mean 'acl'"));
  CHECK_THAT(errors("gen:count=7"), Contains("begins with a profile"));
  const std::string several = errors("gen:acl,cuont=7,seed=x,count=0");
  CHECK_THAT(several, Contains("unknown key 'cuont'") && Contains("did you mean 'count'"));
  CHECK_THAT(several, Contains("expected a number after seed=, found 'x'"));
  CHECK_THAT(several, Contains("expected a count of 1 to 1000000 rules, found '0'"));
  CHECK_THAT(errors("gen:acl", {"--chain", "FORWARD"}), Contains("has no chain 'FORWARD'"));
}

TEST_CASE("generated rules and traffic run, each packet classified right", "[rules]") {
  const ScratchFolder folder;
  for (const char* profile : {"acl", "fw", "ipc"}) {
    INFO(profile);
    const std::string rules = folder.file("set.rules"), trace = folder.file("set.trace"),
                      pcap = folder.file("set.pcap");
    REQUIRE(
        call_nplab({"rules", "--generate", profile, "--count", "60", "--seed", "5", "--out", rules})
            .status == 0);
    const Words draw{"traffic", "--generate", rules,    "--count", "60",
                     "--hit",   "0.8",        "--seed", "2",       "--out"};
    REQUIRE(call_nplab(draw + Words{trace}).status == 0);
    REQUIRE(call_nplab(draw + Words{pcap, "--size", "imix"}).status == 0);
    for (const std::string& traffic : {trace, pcap}) {
      const auto record = record_of({"bv1", "--rules", rules, "--traffic", traffic, "--packets",
                                     "0", "--arrival", "lossless"});
      check_all_classified(record);
      CHECK(record.at("packets").at("offered") == 60);
      const auto statistics =
          nlohmann::json::parse(call_nplab({"traffic", traffic, "--rules", rules, "--json"}).out);
      const std::uint64_t hits = statistics.at("rules").at("hits");
      CHECK(record.at("packets").at("no_match") == 60 - hits);
    }
  }
}

TEST_CASE("what nplab rules and nplab traffic cannot do is said with exit 2", "[rules]") {
  const ScratchFolder folder;
  std::ignore =
      folder.write("a.yaml", "fields: [{name: a, bits: 8, at: {byte: 30}}]\nrules: [{a: 1}]\n");
  const auto errors = [&](const Words& words) {
    const Outcome outcome = call_nplab(words, folder.path());
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(errors({"rules"}).find("name one rule set to examine, or use --generate to make one") !=
        std::string::npos);
  CHECK(errors({"rules", "--generate", "alc"}).find("there is no profile of rules 'alc'") !=
        std::string::npos);
  CHECK(errors({"rules", "a.yaml", "--to", "classbench"}).find("write other fields as YAML") !=
        std::string::npos);
  CHECK(errors({"rules", "a.yaml", "--to", "profile"}).find("a profile describes 5-tuples") !=
        std::string::npos);
  CHECK(errors({"rules", "a.yaml", "--chain", "x"}).find("has no chain 'x'") != std::string::npos);
  CHECK(errors({"traffic"}).find("name one capture or header trace") != std::string::npos);
  CHECK(errors({"traffic", "--generate", "a.yaml", "--to", "pcap"}).find("--out FILE") !=
        std::string::npos);
  CHECK(
      errors({"traffic", "--generate", "a.yaml", "--size", "63", "--to", "pcap", "--out", "x.pcap"})
          .find("expected a size of 64 to 1518") != std::string::npos);
  CHECK(folder.names() == std::vector<std::string>{"a.yaml"});
}

TEST_CASE("interfaces of the packets decide a listing's matches in runs and conversions",
          "[rules]") {
  const ScratchFolder folder;
  std::ignore = folder.write("fw.save",
                             "*filter\n:FORWARD DROP [0:0]\n:lan - [0:0]\n"
                             "-A FORWARD -i eth0 -o eth1 -j lan\n-A FORWARD -i eth1 -j ACCEPT\n"
                             "-A lan -p udp -j ACCEPT\nCOMMIT\n");
  const Words convert{"rules", "fw.save", "--to", "classbench"};
  const Outcome undecided = call_nplab(convert, folder.path());
  CHECK(undecided.status == 2);
  CHECK_THAT(undecided.err, Contains("fw.save:4:12: error: '-i' is not a 5-tuple match; "
                                     "--interface in=NAME decides it"));
  const Outcome decided =
      call_nplab(convert + Words{"--interface", "in=eth0,out=eth1"}, folder.path());
  CHECK(decided.status == 0);
  CHECK(decided.err.empty());
  CHECK(decided.out ==
        "@0.0.0.0/0\t0.0.0.0/0\t0 : 65535\t0 : 65535\t0x11/0xFF\tallow\n"
        "@0.0.0.0/0\t0.0.0.0/0\t0 : 65535\t0 : 65535\t0x00/0x00\tdeny\n");
  const auto record = record_of({"ls", "--rules", (folder.path() / "fw.save").string(),
                                 "--interface", "in=eth0,out=eth1", "--packets", "200"});
  CHECK(record.at("packets").at("misclassified") == 0);
  const Outcome skipped = call_nplab(convert + Words{"--unsupported", "skip"}, folder.path());
  CHECK_THAT(skipped.err, Contains("fw.save: warning: 3 of 3 statements left out, 1 of them in 1 "
                                   "chain that only skipped jumps lead to"));
  const Outcome misspelt = call_nplab(convert + Words{"--interface", "eth0"}, folder.path());
  CHECK(misspelt.status == 2);
  CHECK_THAT(misspelt.err,
             Contains("--interface") && Contains("in=NAME,out=NAME") && Contains("eth0"));
}
