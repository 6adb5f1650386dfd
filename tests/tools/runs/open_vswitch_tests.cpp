// Open vSwitch's three levels: a cache of flows, mega flows, tuple space search.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;

namespace {

using Count = std::uint64_t;

const Words kNoCache{"--set", "front=none"};

Words set(const std::string& parameters) {
  return {"--set", "parameters={" + parameters + "}"};
}

nlohmann::json run_of(const std::string& mapping, const Words& more, const std::string& traffic,
                      const std::string& packets = "1500") {
  return record_of(Words{mapping, "--rules", "gen:acl,count=100,seed=4", "--traffic", traffic,
                         "--packets", packets, "--arrival", "lossless"} +
                   more);
}

Count count_of(const nlohmann::json& record, const char* name) {
  return record.at("packets").at(name).get<Count>();
}

Count references_to(const nlohmann::json& record, const std::string& table) {
  for (const auto& one : record.at("tables")) {
    if (one.at("name") == table)
      return one.at("references").get<Count>();
  }
  return 0;
}

}  // namespace

TEST_CASE("the three levels of Open vSwitch give each packet the reference's verdict",
          "[open_vswitch]") {
  const std::string mapping = GENERATE("ovs-data", "ovs-pipe", "ovs-cmp-data");
  const Words more = GENERATE(Words{}, kNoCache, set("mega_flows: 0"),
                              set("ordered: 1, early_stop: 1, mega_masks: 2"),
                              set("merged: 1, early_stop: 1, mega_flows_shift: 3"));
  INFO(mapping);
  const auto record = run_of(mapping, more, "gen:zipf=1:200,count=800", "800");
  check_record(record);
  const bool keeps = more.empty() || more.back().find("mega_flows: 0") == std::string::npos;
  CHECK((count_of(record, "mega_flow_hits") > 0) == keeps);
}

TEST_CASE("one mega flow knows the packets of many flows, of which a cache of flows knows none",
          "[open_vswitch]") {
  const ScratchFolder folder;
  const std::string file =
      folder.write("one.rules", "@10.0.0.0/8\t0.0.0.0/0\t0 : 65535\t0 : 65535\t0x00/0x00\n");
  const auto run = [&](const Words& more) {
    return record_of(Words{"ovs-data", "--rules", file, "--traffic", "gen:hit=1.0,count=1000",
                           "--packets", "1000", "--arrival", "lossless"} +
                     more);
  };
  const auto with_mega_flows = run({});
  check_record(with_mega_flows);
  INFO("16 threads may search before one of them has put the mega flow in");
  CHECK(count_of(with_mega_flows, "mega_flow_hits") >=
        count_of(with_mega_flows, "classified") - 16);
  CHECK(count_of(with_mega_flows, "cached") == 0);
  CHECK(count_of(run(set("mega_flows: 0")), "cached") == 0);
}

TEST_CASE("a search with a narrow mask makes mega flows that know more packets", "[open_vswitch]") {
  const ScratchFolder folder;
  INFO("the first rule examines eight bits of an address, the second one all of the other");
  const std::string file =
      folder.write("two.rules",
                   "@10.0.0.0/8\t0.0.0.0/0\t0 : 65535\t0 : 65535\t0x06/0xFF\n"
                   "@0.0.0.0/0\t192.168.1.1/32\t0 : 65535\t80 : 80\t0x11/0xFF\n");
  const auto hits = [&](const std::string& parameters) {
    const auto record = record_of(Words{"ovs-data", "--rules", file, "--traffic",
                                        "gen:hit=1.0,locality=0,count=1500", "--packets", "1500",
                                        "--arrival", "lossless"} +
                                  kNoCache + set(parameters));
    check_record(record);
    return count_of(record, "mega_flow_hits");
  };
  CHECK(hits("ordered: 1, early_stop: 1") > 2 * hits("ordered: 0, early_stop: 0"));
}

TEST_CASE("the slow path in the order of tuple space search probes as many tables",
          "[open_vswitch]") {
  const std::string traffic = "gen:hit=1.0,count=1000";
  const auto slow_path = run_of(
      "ovs-data", kNoCache + set("mega_flows: 0, ordered: 1, early_stop: 1"), traffic, "1000");
  const auto search = run_of("tss-data", {}, traffic, "1000");
  const auto probes = [](const nlohmann::json& record) {
    return static_cast<double>(references_to(record, "slots"));
  };
  INFO("packets under way at the stop differ");
  CHECK(probes(slow_path) == Approx(probes(search)).epsilon(0.01));
  const auto all = run_of("ovs-data", kNoCache + set("mega_flows: 0"), traffic, "1000");
  INFO("how many more depends on the rules");
  CHECK(probes(all) > probes(search));
}

TEST_CASE("packets wait for the slow path as long as the mapping says", "[open_vswitch]") {
  const auto median = [](const std::string& cycles) {
    const auto record =
        run_of("ovs-data", kNoCache + set("mega_flows: 0, upcall_cycles: " + cycles),
               "gen:hit=1.0,count=400", "400");
    check_record(record);
    return record.at("classification_cycles").at("p50").get<Count>();
  };
  CHECK(median("20000") >= 20000);
  CHECK(median("0") < 20000);
}

namespace {

Words updated_run(const std::string& mapping, const std::string& rate) {
  return {mapping,
          "--rules",
          "gen:fw,count=60,seed=3",
          "--traffic",
          "gen:zipf=1:40,count=4000",
          "--packets",
          "4000",
          "--updates",
          "gen:count=400,absent=0.4,rate=" + rate};
}

}  // namespace

TEST_CASE("a mega flow's verdict is right while rules come and go", "[open_vswitch]") {
  // In a pipeline packets wait before the slow path, so that their version is often no longer in
  // force when their mega flow could be kept.
  const auto [mapping, rate] =
      GENERATE(table<std::string, std::string>({{"ovs-data", "5000"}, {"ovs-pipe", "2000"}}));
  const Words more = GENERATE(Words{}, kNoCache);
  const auto record = record_of(updated_run(mapping, rate) + more);
  INFO(mapping << ": " << record.at("updates").dump());
  check_record(record);
  CHECK(record.at("updates").at("contested_packets").get<Count>() > 0);
  const Count cached = more.empty() ? count_of(record, "cached") : 0;
  CHECK(count_of(record, "mega_flow_hits") > 0);
  CHECK(count_of(record, "mega_flow_hits") + cached > 50);
}

TEST_CASE("mega flows that are not revalidated give wrong verdicts when rules change",
          "[open_vswitch]") {
  const ScratchFolder folder;
  const auto failed =
      call_nplab(Words{"run"} + updated_run("ovs-data", "20000") + kNoCache +
                 set("revalidated: 0") + Words{"--quiet", "--json", folder.file("run.json")});
  CHECK(failed.status == 1);
  CHECK(count_of(read_json(folder.file("run.json")), "misclassified") > 0);
}
