// nplab predict as a user calls it.
#include <catch2/catch.hpp>

#include <cstdlib>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

// The cache folder of calls in its lifetime.
class CacheFolder {
 public:
  CacheFolder() { setenv("NPLAB_CACHE", folder_.path().c_str(), 1); }
  ~CacheFolder() { setenv("NPLAB_CACHE", "off", 1); }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  [[nodiscard]] std::vector<fs::path> profiles() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_.path() / "profiles"))
      files.push_back(entry.path());
    return files;
  }

 private:
  ScratchFolder folder_;
};

nlohmann::json prediction_of(const Words& words) {
  const Outcome outcome = call_nplab(Words{"predict"} + words + Words{"--json", "-"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

}  // namespace

TEST_CASE("predict writes rates, latency, uses and the bound as JSON, and its schema says so",
          "[predict]") {
  const CacheFolder cache;
  const auto json = prediction_of({"ls"});
  CHECK(json.at("schema") == "nplab.predict/1");
  const auto& prediction = json.at("predictions").at(0);
  CHECK(prediction.at("mapping") == "ls");
  CHECK(prediction.at("packets_per_s") > 0);
  CHECK(prediction.at("rates_mbps").at("receive") > 0);
  CHECK(prediction.at("rates_mbps").at("transmit") > 0);
  CHECK(prediction.at("latency_cycles").at("p50") > 0);
  std::vector<std::string> resources;
  for (const auto& use : prediction.at("uses")) {
    resources.push_back(use.at("resource"));
    CHECK(use.at("use_pct") >= use.at("useful_pct"));
  }
  CHECK(resources == std::vector<std::string>{"engine0", "engine1", "engine2", "engine3", "engine4",
                                              "engine5", "sram", "sdram", "scratch", "ports_in",
                                              "ports_out"});
  CHECK(prediction.at("bound").at("resource") == "sram");
  CHECK(prediction.at("bound").contains("use_pct"));
  CHECK(prediction.at("bound").contains("gain_if_removed_pct"));
  CHECK(json.at("profile").at("packets") == 500);
  CHECK(json.at("profile").contains("seconds"));
  const auto schema = nlohmann::json::parse(call_nplab({"schema", "predict"}).out);
  CHECK(schema.at("properties").size() == json.size());
  for (const auto& [key, value] : json.items())
    CHECK(schema.at("properties").contains(key));
}

TEST_CASE("a cached profile gives the same prediction, and a damaged one is measured anew",
          "[predict]") {
  const CacheFolder cache;
  const auto first = prediction_of({"bv1"});
  CHECK(first.at("profile").at("cached") == false);
  REQUIRE(cache.profiles().size() == 1);
  const auto second = prediction_of({"bv1"});
  CHECK(second.at("profile").at("cached") == true);
  CHECK(second.at("predictions") == first.at("predictions"));
  const std::string kept = read_text(cache.profiles().front().string());
  fs::resize_file(cache.profiles().front(), 100);
  const auto third = prediction_of({"bv1"});
  CHECK(third.at("profile").at("cached") == false);
  CHECK(third.at("predictions") == first.at("predictions"));
  CHECK(read_text(cache.profiles().front().string()).size() > 100);
  CHECK_FALSE(kept.empty());
}

TEST_CASE("another parameter has another profile", "[predict]") {
  const CacheFolder cache;
  const auto one = prediction_of({"bv1"});
  const auto other = prediction_of({"bv1", "--set", "tuning.transmit_work=400"});
  CHECK(cache.profiles().size() == 2);
  CHECK(other.at("predictions").at(0).at("packets_per_s") <
        one.at("predictions").at(0).at("packets_per_s"));
}

TEST_CASE("one mapping's run tells what another mapping of the algorithm would do", "[predict]") {
  const CacheFolder cache;
  const auto json = prediction_of({"hicuts-data", "hicuts-pipe", "--from", "hicuts-pipe"});
  CHECK(json.at("predictions").size() == 2);
  CHECK(cache.profiles().size() == 1);
}

TEST_CASE("predict refuses mappings that are not there, of another algorithm or written by hand",
          "[predict]") {
  const CacheFolder cache;
  const Outcome missing = call_nplab({"predict", "bv9", "hicuts-dat"});
  CHECK(missing.status == 2);
  CHECK(missing.out.empty());
  CHECK_THAT(missing.err, Contains("bv9: error: ") && Contains("hicuts-dat: error: "));
  const Outcome other = call_nplab({"predict", "ls", "--from", "bv1"});
  CHECK(other.status == 2);
  CHECK_THAT(other.err, Contains("'bv1' is a mapping of bit-vector"));
}
