// Rule sets as users bring them: listings of firewalls, statistics, conversion, generation.
#include <catch2/catch.hpp>

#include "tests/tools/command.h"
#include "tests/tools/record_checks.h"

using namespace nplab::tools::testing;

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
const std::string kTrace = "3221225985 167837701 4000 80 6\n3221225985 167837701 4000 81 6\n"
                           "3221225985 167837701 4000 53 17\n168364297 167837701 4000 53 17\n";

}  // namespace

TEST_CASE("a listing of iptables runs on every mapping once its statements on connections are left out", "[rules]") {
  const ScratchFolder folder;
  const std::string rules = folder.write("fw.save", kListing), trace = folder.write("t.trace", kTrace);
  for (const char* mapping : {"ls", "bv1", "bv2"}) {
    INFO(mapping);
    const auto record = record_of({mapping, "--rules", rules, "--traffic", trace, "--packets", "0", "--unsupported",
                                   "skip"});
    check_record(record);
    CHECK(record.at("packets").at("sent") == 2);
    CHECK(record.at("packets").at("denied") == 2);
    CHECK(record.at("options").at("set").dump().find("workload.unsupported=skip") != std::string::npos);
  }
}

TEST_CASE("a run names the statements of a listing that it refuses or leaves out", "[rules]") {
  const ScratchFolder folder;
  folder.write("fw.save", kListing);
  folder.write("t.trace", kTrace);
  const Words words{"run", "ls", "--rules", "fw.save", "--traffic", "t.trace", "--packets", "0"};
  const Outcome refused = call_nplab(words, folder.path());
  CHECK(refused.status == 2);
  CHECK(refused.err == "fw.save:6:12: error: '-m conntrack' is no match of the 5-tuple; --unsupported skip leaves such "
                       "statements out\n");
  const Outcome skipped = call_nplab(words + Words{"--unsupported", "skip"}, folder.path());
  CHECK(skipped.status == 0);
  CHECK(skipped.err == "fw.save:6:12: note: skipped: '-m conntrack' is no match of the 5-tuple\n");
  const Outcome other = call_nplab(words + Words{"--chain", "web"}, folder.path());
  CHECK(other.status == 0);
  CHECK(other.err.empty());
}
