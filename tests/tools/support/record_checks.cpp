#include "tests/tools/support/record_checks.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>

namespace nplab::tools::testing {
namespace {

using nlohmann::json;
using Count = std::uint64_t;

Count count(const json& object, const char* key) {
  return object.at(key).get<Count>();
}

Count sum_of_values(const json& object) {
  Count sum = 0;
  for (const auto& [key, value] : object.items())
    sum += value.get<Count>();
  return sum;
}

// Of an object that is left out when it has no counts.
Count sum_of_parts(const json& object, const char* key) {
  return object.contains(key) ? sum_of_values(object.at(key)) : 0;
}

Count part(const json& object, const char* key, const std::string& name) {
  return object.contains(key) && object.at(key).contains(name) ? count(object.at(key), name.c_str())
                                                               : 0;
}

struct LineSums {
  Count executing = 0;
  Count aborted = 0;
  Count stalled = 0;
  Count waiting = 0;
};

std::map<Count, LineSums> sums_by_engine(const json& lines) {
  std::map<Count, LineSums> sums;
  for (const json& line : lines) {
    LineSums& engine = sums[count(line, "engine")];
    engine.executing += count(line, "executing");
    engine.aborted += count(line, "aborted");
    engine.stalled += count(line, "stalled");
    engine.waiting += count(line, "waiting");
  }
  return sums;
}

// Cycles that the engine's threads spent in one state, or waiting for anything.
Count threads_in(const json& engine, const char* state) {
  Count sum = 0;
  for (const json& thread : engine.at("threads"))
    sum += count(thread, state);
  return sum;
}

Count threads_waiting(const json& engine) {
  Count sum = 0;
  for (const json& thread : engine.at("threads"))
    sum += sum_of_values(thread.at("waiting"));
  return sum;
}

void check_thread(const json& thread, Count cycles) {
  INFO("thread " << thread.at("id"));
  CHECK(count(thread, "executing") + count(thread, "aborted") + count(thread, "stalled") +
            count(thread, "ready") + sum_of_values(thread.at("waiting")) + count(thread, "off") ==
        cycles);
  CHECK(sum_of_parts(thread, "waiting_on") == sum_of_values(thread.at("waiting")));
}

// Every stalled cycle has its queue, every idle cycle what each thread did in it.
void check_causes(const json& engine) {
  CHECK(sum_of_parts(engine, "stalled_on") == count(engine.at("cycles"), "stalled"));
  for (const json& thread : engine.at("threads")) {
    INFO("thread " << thread.at("id"));
    CHECK(sum_of_parts(thread, "idle") == count(engine.at("cycles"), "idle"));
  }
}

void check_lines(const json& record) {
  for (const json& line : record.at("lines")) {
    INFO("line " << line.at("file") << ":" << line.at("line"));
    CHECK(sum_of_parts(line, "stalled_on") == count(line, "stalled"));
    CHECK(sum_of_parts(line, "waiting_on") == count(line, "waiting"));
  }
  for (const char* memory : {"sram", "sdram", "scratch"}) {
    INFO(memory);
    const json& unit = record.at("memory").at(memory);
    const json by_core = unit.value("by_core", json{{"references", 0}, {"longwords", 0}});
    Count references = count(by_core, "references");
    Count longwords = count(by_core, "longwords");
    for (const json& line : record.at("lines")) {
      references += part(line, "references", memory);
      longwords += part(line, "longwords", memory);
    }
    CHECK(references == count(unit, "references") + count(unit.at("under_way"), "references"));
    CHECK(longwords == count(unit, "longwords") + count(unit.at("under_way"), "longwords"));
  }
}

void check_engine(const json& engine, const LineSums& lines, Count cycles) {
  INFO("engine " << engine.at("id"));
  const json& states = engine.at("cycles");
  CHECK(sum_of_values(states) == cycles);
  CHECK(states.size() == 4);
  for (const json& thread : engine.at("threads"))
    check_thread(thread, cycles);
  CHECK(threads_in(engine, "executing") == count(states, "executing"));
  CHECK(threads_in(engine, "aborted") == count(states, "aborted"));
  CHECK(threads_in(engine, "stalled") == count(states, "stalled"));
  CHECK(lines.executing == count(states, "executing"));
  CHECK(lines.aborted == count(states, "aborted"));
  CHECK(lines.stalled == count(states, "stalled"));
  CHECK(lines.waiting == threads_waiting(engine));
  CHECK(sum_of_values(engine.at("aborted_by")) == count(states, "aborted"));
  check_causes(engine);
}

void check_packets(const json& record) {
  const json& packets = record.at("packets");
  // A no-match packet leaves the equation only where the mapping drops it.
  CHECK(count(packets, "received") ==
        count(packets, "sent") + count(packets, "denied") + count(packets, "no_match") +
            count(packets, "dropped_queue_full") + sum_of_values(packets.at("dropped_other")) +
            count(packets, "in_flight"));
  CHECK(count(packets, "offered") >=
        count(packets, "received") + count(packets, "missed_by_media"));
  CHECK(count(packets, "classified") > 0);
  CHECK(count(packets, "classified") >=
        count(packets, "sent") + count(packets, "denied") + count(packets, "no_match"));
  CHECK(count(packets, "misclassified") == 0);
  CHECK(count(packets, "misforwarded") == 0);
  Count received = 0;
  Count sent = 0;
  Count overflow = 0;
  for (const json& port : record.at("ports")) {
    received += count(port, "received");
    sent += count(port, "sent");
    overflow += count(port, "overflow");
  }
  CHECK(received == count(packets, "received"));
  CHECK(sent == count(packets, "sent"));
  CHECK(overflow == count(packets, "missed_by_media"));
}

}  // namespace

void check_record(const json& record) {
  INFO("mapping " << record.at("inputs").at("mapping").at("name"));
  CHECK(record.at("schema") == "nplab.run/1");
  CHECK_FALSE(record.contains("failure"));
  const Count cycles = count(record.at("cycles"), "core");
  CHECK(cycles > 0);
  auto lines = sums_by_engine(record.at("lines"));
  CHECK_FALSE(record.at("engines").empty());
  for (const json& engine : record.at("engines"))
    check_engine(engine, lines[count(engine, "id")], cycles);
  check_lines(record);
  check_packets(record);
}

void check_all_classified(const json& record) {
  const json& packets = record.at("packets");
  CHECK(count(packets, "received") == count(packets, "offered"));
  CHECK(count(packets, "classified") == count(packets, "offered"));
  CHECK(count(packets, "in_flight") == 0);
  CHECK(count(packets, "missed_by_media") == 0);
  CHECK(count(packets, "misclassified") == 0);
  CHECK(count(packets, "misforwarded") == 0);
}

}  // namespace nplab::tools::testing
