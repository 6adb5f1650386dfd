#include "reports/analysis/published.h"

#include <catch2/catch.hpp>

#include "reports/text/text_report.h"
#include "sample_records.h"

namespace nplab::reports {
namespace {

// A run whose figures are the published ones of BV1, as far as they are printed.
RunRecord like_published(const std::string& mapping) {
  const PublishedRun& run = *find_published("BV1");
  RunRecord r;
  r.inputs.mapping.name = mapping;
  r.cycles = {static_cast<Count>(run.overall.at("microengine_cycles")),
              static_cast<Count>(run.overall.at("ix_bus_cycles"))};
  r.packets.received = static_cast<Count>(run.overall.at("packets_received"));
  r.packets.sent = static_cast<Count>(run.overall.at("packets_sent"));
  r.rates_mbps = {run.overall.at("receive_rate"), run.overall.at("transmit_rate")};
  r.memory.sdram.active_pct = run.overall.at("sdram_active");
  r.memory.sdram.mbps = run.overall.at("sdram_rate");
  r.memory.sram.active_pct = run.overall.at("sram_active");
  r.memory.sram.mbps = run.overall.at("sram_rate");
  for (std::size_t id = 0; id < run.engines.size(); ++id) {
    const PublishedEngine& published = run.engines[id];
    Engine engine;
    engine.id = id;
    engine.role = published.role;
    engine.executing_pct = published.executing_pct;
    engine.aborted_pct = published.aborted_pct;
    engine.idle_pct = published.idle_pct;
    engine.mips = published.mips;
    r.engines.push_back(engine);
  }
  return r;
}

bool contains(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("The published tables are in the program") {
  const PublishedRun* ls = find_published("LS");
  REQUIRE(ls);
  CHECK(ls->overall.size() == 10);
  CHECK(ls->overall.at("microengine_cycles") == 23277945);
  CHECK(ls->overall.at("packets_sent") == 31521);
  CHECK(ls->overall.at("sram_active") == 99.6);
  REQUIRE(ls->engines.size() == 6);
  CHECK(ls->engines[1].role == "cls");
  CHECK(ls->engines[1].executing_pct == 30.3);
  CHECK(ls->engines[5].mips == 107.6);
  const PublishedRun* bv1 = find_published("bv1");
  REQUIRE(bv1);
  CHECK(bv1->mapping == "BV1");
  CHECK(bv1->overall.at("transmit_rate") == 272.5);
  CHECK(bv1->engines.size() == 6);
  CHECK(find_published("bv2") == nullptr);
  CHECK(find_published("ls2") == nullptr);
}

TEST_CASE("A run equal to the published one has ratios of 1 and no marks") {
  const std::string text = render_published({like_published("mappings/bit-vector/bv1.yaml")});
  CHECK(contains(text, "\nbv1: published as BV1\n"));
  CHECK(contains(
      text, "  packets sent           packets        60643       60643          +0      1.000\n"));
  CHECK(contains(
      text, "  receive rate           Mb/s          335.36       335.4        +0.0      1.000\n"));
  CHECK(contains(
      text, "  sent / received        %             (80.9)        80.9        +0.0      1.000\n"));
  CHECK(contains(
      text, "  engine 5 Mips                           137       137.0        +0.0      1.000\n"));
  CHECK_FALSE(contains(text, "over 15 %\n"));
  CHECK(contains(text,
                 "\n"
                 "0 of 35 figures differ by more than 15 % from the published ones.\n"));
}

TEST_CASE("A figure further than 15 % from the published one is marked, on either side") {
  RunRecord r = like_published("bv1.yaml");
  r.packets.sent = 69739;  // 1.14999 of 60643
  r.rates_mbps.transmit = 272.5 * 1.16;
  r.memory.sram.mbps = 1239.8 * 0.84;
  const std::string text = render_published({r});
  CHECK(contains(
      text, "  packets sent           packets        60643       69739       +9096      1.150\n"));
  CHECK(contains(text,
                 "  transmit rate          Mb/s           272.5       316.1       +43.6      1.160 "
                 " over 15 %\n"));
  CHECK(contains(text,
                 "  SRAM rate              Mb/s          1239.8      1041.4      -198.4      0.840 "
                 " over 15 %\n"));
  CHECK(contains(text,
                 "\n"
                 "2 of 35 figures differ by more than 15 % from the published ones.\n"));
}

TEST_CASE("Stalled shares are what the printed shares leave of 100 %, without a ratio") {
  RunRecord r = like_published("ls.yaml");
  r.engines[1].stalled_pct = 50;
  CHECK(contains(render_published({r}),
                 "  engine 1 stalled       %             (56.0)        50.0        -6.0\n"));
}

TEST_CASE("A mapping without published figures is printed alone, saying so") {
  const std::string text =
      render_published({like_published("bv1.yaml"), like_published("mappings/bv2.yaml")});
  const auto begin = text.find("\nbv2: has no published figures; only ours are printed\n");
  REQUIRE(begin != std::string::npos);
  const std::string alone = text.substr(begin);
  CHECK(contains(alone, "  packets sent           packets            -       60643\n"));
  CHECK_FALSE(contains(alone, "figures are further"));
}

}  // namespace nplab::reports
