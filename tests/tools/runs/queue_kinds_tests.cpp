// Runs of listed mappings with every kind of queue: all packets arrive and are classified.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

struct QueueKind {
  const char* summary;
  Words settings;  // KEY=VALUE
};

// The setting for each of the queues.
Words of_queues(std::initializer_list<const char*> queues, const std::string& setting) {
  Words settings;
  for (const char* queue : queues)
    settings.push_back(std::string("queues.") + queue + "." + setting);
  return settings;
}
const auto kOfBv2 = {"received", "found1", "found2", "found3", "classified"};
const auto kOfBv1 = {"received", "classified"};

Words overrides(const Words& settings) {
  Words words;
  for (const std::string& setting : settings)
    words = words + Words{"--set", setting};
  return words;
}

void check_run(const std::string& mapping, const QueueKind& kind) {
  INFO(mapping << ": " << kind.summary);
  const auto record =
      record_of(Words{mapping, "--packets", "300", "--drain", "--arrival", "lossless"} +
                overrides(kind.settings));
  check_record(record);
  check_all_classified(record);
}

}  // namespace

TEST_CASE("a pipeline classifies every packet whatever its queues synchronise by",
          "[queue_kinds]") {
  for (const QueueKind& kind : {
           QueueKind{"claimed entries", {}},
           QueueKind{"signals", of_queues(kOfBv2, "wait=signal")},
           QueueKind{"pauses between polls", of_queues(kOfBv2, "poll_cycles=200")},
           QueueKind{"locks in memory", of_queues(kOfBv2, "sync=memory_lock")},
           QueueKind{"quanta", {"queues.classified.quantum=4"}},
       })
    check_run("bv2", kind);
}

TEST_CASE("entries given back at the end of packets serve every arrangement of rings",
          "[queue_kinds]") {
  for (const QueueKind& kind : {
           QueueKind{"a ring per consumer that all producers fill",
                     {"queues.found1.per=consumer_thread", "queues.found1.route=all"}},
           QueueKind{"a ring per pair", {"queues.found1.per=pair"}},
           QueueKind{"a ring per producer", {"queues.found1.per=producer_thread"}},
           QueueKind{"a ring per producer with signals",
                     Words{"queues.found1.per=producer_thread"} + of_queues(kOfBv2, "wait=signal")},
       })
    check_run("bv2", kind);
}

TEST_CASE("threads of four engines share rings by any lock that every chip has", "[queue_kinds]") {
  const Words shared = of_queues(kOfBv1, "per=shared");
  for (const QueueKind& kind : {
           QueueKind{"test-and-set", shared},
           QueueKind{"lock CAM", shared + of_queues(kOfBv1, "primitive=lock_cam")},
           QueueKind{"mutex", shared + of_queues(kOfBv1, "primitive=mutex")},
           QueueKind{"condition variable", shared + of_queues(kOfBv1, "primitive=condition")},
           QueueKind{"signals", of_queues(kOfBv1, "wait=signal")},
       })
    check_run("bv1", kind);
}

TEST_CASE("signals and quanta exclude each other", "[queue_kinds]") {
  const Outcome outcome = call_nplab({"check", "bv2", "--set", "queues.classified.wait=signal",
                                      "--set", "queues.classified.quantum=4"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("has a quantum over 1"));
}
