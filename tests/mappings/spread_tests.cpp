// Threads that the resolver places, and queues that are emptied a quantum at a time.
#include <catch2/catch.hpp>

#include "fixtures.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;
using Catch::Contains;

namespace {

const SourceLocation kSet = without_lines("--set");

std::vector<ThreadPlace> classifiers(const std::string& order, const std::string& threads) {
  const auto placed = place_shipped(
      "abv-cmp-data", published_rules(),
      {{"stages.classify.placement", order, kSet}, {"stages.classify.threads", threads, kSet}},
      multiprocessor_facts());
  return placed.placement.stages.at(1).threads;
}

std::string errors_with(const std::string& key, const std::string& value) {
  return place_errors(edited("abv-data", "mapping:", "mapping:"), published_rules(),
                      {{key, value, kSet}});
}

}  // namespace

TEST_CASE("striped threads go to all engines before an engine has a second") {
  CHECK(classifiers("striped", "3") == std::vector<ThreadPlace>{{0, 0}, {1, 0}, {2, 0}});
  CHECK(classifiers("striped", "10") ==
        std::vector<ThreadPlace>{
            {0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}});
}

TEST_CASE("tiled threads fill an engine before the next has one") {
  CHECK(classifiers("tiled", "3") == std::vector<ThreadPlace>{{0, 0}, {0, 1}, {0, 2}});
  CHECK(classifiers("tiled", "5") ==
        std::vector<ThreadPlace>{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}});
}

TEST_CASE("with a thread for every context, striped and tiled are the same") {
  CHECK(classifiers("striped", "32") == classifiers("tiled", "32"));
}

TEST_CASE("stages that are spread over the same engines take what the stages before them left") {
  const auto placement =
      place_shipped("hicuts-cmp-pipe", published_rules(), {{"stages.levels1.threads", "2", kSet}},
                    multiprocessor_facts())
          .placement;
  CHECK(placement.stages.at(1).threads == std::vector<ThreadPlace>{{0, 0}, {1, 0}});
  CHECK(placement.stages.at(2).threads.at(0) ==
        ThreadPlace{0, 1});  // six engines were emptier and had their turn first
  CHECK(placement.stages.at(2).threads.at(2) == ThreadPlace{2, 0});
}

TEST_CASE("a spread stage that wants more contexts than are free is refused with the numbers") {
  const std::string text = edited("abv-data", "engines: [1, 2, 3, 4], threads: 4,",
                                  "engines: [1, 2, 3, 4], placement: striped, threads: 17,");
  CHECK_THAT(
      place_errors(text),
      Contains("stage 'classify' wants 17 threads; its engines have 16 free contexts of 16"));
}

TEST_CASE(
    "with placement the number of threads is one number, and the words are striped and tiled") {
  CHECK_THAT(
      place_errors(edited("abv-data", "engines: [1, 2, 3, 4], threads: 4,",
                          "engines: [1, 2, 3, 4], placement: tiled, threads: [4, 4, 4, 4],")),
      Contains("with `placement` the threads of all engines are one number"));
  CHECK_THAT(place_errors(edited("abv-data", "engines: [1, 2, 3, 4], threads: 4,",
                                 "engines: [1, 2, 3, 4], placement: spread, threads: 4,")),
             Contains("'spread' is not one of striped, tiled"));
  CHECK_THAT(place_errors(edited("abv-data", "engines: [1, 2, 3, 4], threads: 4,",
                                 "engines: [1, 2, 1], placement: tiled, threads: 4,")),
             Contains("stage 'classify' lists engine 1 twice"));
}

TEST_CASE(
    "a quantum is 1 to 100 headers, at most the ring's entries, and the packet's end cannot give "
    "entries back") {
  CHECK_THAT(errors_with("queues.received.quantum", "101"), Contains("1 to 100"));
  CHECK_THAT(errors_with("queues.received",
                         "{name: received, from: receive, to: classify, per: shared, entries: 64, "
                         "memory: sram, quantum: 65}"),
             Contains("queue 'received' has 64 entries, fewer than a quantum of 65"));
  CHECK_THAT(errors_with("queues.received",
                         "{name: received, from: receive, to: classify, per: shared, entries: 64, "
                         "memory: sram, quantum: 5, release: end_of_packet}"),
             Contains("a quantum over 1 needs release: dequeue"));
}
