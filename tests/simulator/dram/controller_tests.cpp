// The controller by itself: exact clocks of its commands under each policy.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <sstream>

#include "simulator/dram/clock_ratio.h"
#include "simulator/dram/synthetic_load.h"
#include "tests/simulator/dram/dram_bench.h"

namespace nplab::test {
namespace {

using simulator::DramScheduler;

template <class Choice>
Choice named(const std::string& name) {
  const auto words = choice_words(Choice());
  const auto found = std::find(words.begin(), words.end(), name);
  REQUIRE(found != words.end());
  return static_cast<Choice>(found - words.begin());
}

DramDescription memory_of(const std::string& scheduler, const std::string& page = "open") {
  DramDescription description;
  description.timing = ddr4_2666();
  description.controller.scheduler = named<DramScheduler::Choice>(scheduler);
  description.controller.page = named<PagePolicy::Choice>(page);
  description.controller.refresh = Refresh::kNone;
  return description;
}

// In the mapping row, rank, bank, column, group, channel.
std::uint64_t burst_at(unsigned row, unsigned bank, unsigned column, unsigned group) {
  return ((row * 4ull + bank) * 128 + column) * 4 + group;
}

struct Request {
  std::uint64_t burst;
  bool is_write = false;
  Clock at = 0;
};

// The commands, "ACT 0, RD 19"; requests are tagged by their position.
std::string commands(const DramDescription& description, const std::vector<Request>& requests,
                     std::map<std::uint64_t, Clock>* ends = nullptr) {
  DramMemory memory(description);
  RecordedTrace trace;
  memory.observe(&trace);
  const auto note = [ends](const ServedRequest& served) {
    if (ends != nullptr)
      (*ends)[served.tag] = served.end;
  };
  for (std::size_t i = 0; i < requests.size(); ++i) {
    memory.run(requests[i].at, note);
    memory.add(i, requests[i].burst, requests[i].is_write, requests[i].at);
  }
  memory.run(5'000, note);
  std::string text;
  for (const IssuedCommand& command : trace.commands)
    text += (text.empty() ? "" : ", ") + std::string(name_of(command.command)) + " " +
            std::to_string(command.at);
  return text;
}

// Clocks that a read waits which comes at clock 500 of writes that fill every free place; kNever:
// it is not served before clock 200,000.
Clock wait_under_writes(const DramDescription& description) {
  constexpr Clock kArrival = 500, kEnd = 200'000;
  DramMemory memory(description);
  std::mt19937_64 random(1);
  Clock served = kNever;
  bool asked = false;
  std::uint64_t tag = 1;
  for (Clock now = 0; now < kEnd && served == kNever; ++now) {
    if (!asked && now >= kArrival && memory.has_room(1, false)) {
      memory.add(0, 1, false, now);
      asked = true;
    }
    for (std::uint64_t burst = 2 + random() % 100'000; memory.has_room(burst, true); ++burst)
      memory.add(tag++, burst, true, now);
    memory.run(now + 1, [&](const ServedRequest& request) {
      if (!request.is_write)
        served = request.end - kArrival;
    });
  }
  return served;
}

}  // namespace

TEST_CASE(
    "an unloaded read takes tRCD + CL + BL/2 from a closed bank, and tRP more from another row") {
  std::map<std::uint64_t, Clock> ends;
  const auto description = memory_of("fr_fcfs");
  CHECK(commands(description,
                 {{burst_at(1, 0, 0, 0)},
                  {burst_at(1, 0, 1, 0), false, 1'000},
                  {burst_at(2, 0, 0, 0), false, 2'000}},
                 &ends) == "ACT 0, RD 19, RD 1000, PRE 2000, ACT 2019, RD 2038");
  CHECK(ends == std::map<std::uint64_t, Clock>{{0, 42}, {1, 1'023}, {2, 2'061}});
  CHECK(DramMemory(description).unloaded_clocks() == 42);
}

TEST_CASE("in order, nothing is done for a request before the one before it") {
  const std::vector<Request> requests{{burst_at(1, 0, 0, 0)},
                                      {burst_at(2, 0, 0, 0)},
                                      {burst_at(1, 0, 1, 0)},
                                      {burst_at(1, 1, 0, 1)}};
  CHECK(commands(memory_of("in_order"), requests) ==
        "ACT 0, RD 19, PRE 43, ACT 62, RD 81, PRE 105, ACT 124, RD 143, ACT 144, RD 163");
  // FR-FCFS: the other bank's row is opened at once, the hit goes first.
  CHECK(commands(memory_of("fr_fcfs"), requests) ==
        "ACT 0, ACT 4, RD 19, RD 23, RD 27, PRE 43, ACT 62, RD 81");
}

TEST_CASE("the window bounds how far FR-FCFS looks") {
  DramDescription description = memory_of("fr_fcfs");
  description.controller.window = 1;
  DramMemory memory(description);
  memory.add(0, 0, false, 0);
  CHECK_FALSE(memory.has_room(1, false));
  CHECK(memory.has_room(1, true));
}

TEST_CASE("an older request of a bank is passed by no more row hits than most_hits") {
  DramDescription description = memory_of("fr_fcfs");
  description.controller.most_hits = 2;
  std::vector<Request> requests{{burst_at(1, 0, 0, 0)}};
  requests.push_back({burst_at(2, 0, 0, 0), false, 1});
  for (unsigned column = 1; column < 5; ++column)
    requests.push_back({burst_at(1, 0, column, 0), false, 2});
  std::map<std::uint64_t, Clock> ends;
  CHECK(commands(description, requests, &ends) ==
        "ACT 0, RD 19, RD 26, PRE 43, ACT 62, RD 81, PRE 105, ACT 124, RD 143, RD 150, RD 157");
  CHECK(ends[1] < ends[3]);
}

TEST_CASE("a closed page is closed with its last hit, an open one when another row is wanted") {
  const std::vector<Request> requests{
      {burst_at(1, 0, 0, 0)}, {burst_at(1, 0, 1, 0)}, {burst_at(2, 0, 0, 0), false, 200}};
  CHECK(commands(memory_of("fr_fcfs", "closed"), requests) ==
        "ACT 0, RD 19, RDA 26, ACT 200, RDA 219");
  CHECK(commands(memory_of("fr_fcfs", "open"), requests) ==
        "ACT 0, RD 19, RD 26, PRE 200, ACT 219, RD 238");
}

TEST_CASE(
    "writes wait for their high mark, go in a batch down to the low mark, and turn the bus twice") {
  DramDescription description = memory_of("fr_fcfs");
  description.controller.write_queue = 8;
  description.controller.write_high = 4;
  description.controller.write_idle = 4;
  description.controller.write_low = 2;
  std::vector<Request> requests;
  for (unsigned i = 0; i < 3; ++i)
    requests.push_back({burst_at(1, 0, i, i), true, i});
  CHECK(commands(description, requests).find("WR") == std::string::npos);
  requests.push_back({burst_at(1, 0, 3, 3), true, 100});
  // Two of four are written; the others' rows are open for the next batch.
  const std::string text = commands(description, requests);
  CHECK(std::count(text.begin(), text.end(), 'W') == 2);
  DramMemory memory(description);
  for (unsigned i = 0; i < 4; ++i)
    memory.add(i, burst_at(1, 0, i, i), true, 0);
  memory.run(1'000, [](const ServedRequest&) {});
  CHECK(memory.counters().write_batches == 1);
  CHECK(memory.waiting() == 2);
}

TEST_CASE("a read of a burst that waits to be written is answered from the queue of writes") {
  DramMemory memory(memory_of("fr_fcfs"));
  CHECK(memory.add(0, 7, true, 0) == Controller::Added::kWaits);
  CHECK(memory.add(1, 7, false, 1) == Controller::Added::kFromWriteQueue);
  CHECK(memory.add(2, 7, true, 2) == Controller::Added::kFromWriteQueue);
  CHECK(memory.add(3, 8, false, 3) == Controller::Added::kWaits);
  CHECK(memory.counters().from_write_queue == 1);
  CHECK(memory.counters().merged_writes == 1);
}

TEST_CASE("a write goes after an older read of its burst") {
  DramDescription description = memory_of("fr_fcfs");
  description.controller.write_high = description.controller.write_idle = 1;
  std::map<std::uint64_t, Clock> ends;
  commands(description, {{burst_at(1, 0, 0, 0), false, 0}, {burst_at(1, 0, 0, 0), true, 0}}, &ends);
  REQUIRE(ends.size() == 2);
  CHECK(ends[0] < ends[1]);
}

TEST_CASE("reads and writes of few bursts and rows never wait for one another forever") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    DramDescription description = memory_of("fr_fcfs", seed % 2 == 0 ? "open" : "closed");
    description.organization = {.groups = 1, .banks = 2, .rows = 2, .columns = 8};
    description.controller.refresh = Refresh::kAllBank;
    description.controller.write_high = 4 + seed % 8;
    DramMemory memory(description);
    CHECK(run_load(memory, {.seed = seed, .warm_up = 0, .requests = 5'000}, 20).requests >= 4'999);
  }
}

// The writes want a row each, of one bank; the read is of another. A read comes 22 clocks after a
// write (CWL + BL/2 + tWTR_S), the row of a write is closed after 38 (CWL + BL/2 + tWR).
TEST_CASE("reads wait for a batch of writes, or share a queue with it") {
  const auto commands_with = [](WriteDrain drain) {
    DramDescription description = memory_of("fr_fcfs");
    description.controller.write_drain = drain;
    description.controller.write_high = description.controller.write_idle = 4;
    std::vector<Request> requests;
    for (unsigned row = 1; row <= 4; ++row)
      requests.push_back({burst_at(row, 0, 0, 0), true, 0});
    requests.push_back({burst_at(1, 1, 0, 1), false, 1});
    return commands(description, requests);
  };
  CHECK(commands_with(WriteDrain::kBatch) ==
        "ACT 0, ACT 4, WR 19, PRE 57, ACT 76, WR 95, PRE 133, ACT 152, WR 171, PRE 209, ACT 228, "
        "WR 247, RD 269");
  CHECK(commands_with(WriteDrain::kShared) ==
        "ACT 0, ACT 4, WR 19, RD 41, PRE 57, ACT 76, WR 95, PRE 133, ACT 152, WR 171, PRE 209, "
        "ACT 228, WR 247");
}

// Hits of an open row go first, and every one of them keeps the bus for writes.
TEST_CASE("a read that shares a queue with writes to one row goes after them") {
  DramDescription description = memory_of("fr_fcfs");
  description.controller.write_drain = WriteDrain::kShared;
  description.controller.write_high = description.controller.write_idle = 4;
  std::vector<Request> requests;
  for (unsigned column = 0; column < 4; ++column)
    requests.push_back({burst_at(1, 0, column, 0), true, 0});
  requests.push_back({burst_at(1, 1, 0, 1), false, 1});
  CHECK(commands(description, requests) == "ACT 0, ACT 4, WR 19, WR 26, WR 33, WR 40, RD 62");
}

TEST_CASE("requests to one burst keep their order, whatever a batch of writes does to reads") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    DramDescription description = memory_of("fr_fcfs", seed % 3 == 0 ? "closed" : "open");
    description.organization = {.groups = 2, .banks = 2, .rows = 2, .columns = 4};
    description.controller.write_drain = seed % 2 == 0 ? WriteDrain::kBatch : WriteDrain::kShared;
    description.controller.window = 4 + seed % 8;
    description.controller.write_high = description.controller.write_idle = 1 + seed % 8;
    DramMemory memory(description);
    std::mt19937_64 random(seed);
    std::map<std::uint64_t, std::uint64_t> bursts, last;  // of a tag; the last tag of a burst
    std::uint64_t served = 0, wrong = 0;
    const auto note = [&](const ServedRequest& request) {
      ++served;
      std::uint64_t& before = last[bursts.at(request.tag)];
      wrong += request.tag + 1 <= before ? 1 : 0;
      before = request.tag + 1;
    };
    Clock now = 0;
    for (std::uint64_t tag = 0; tag < 2'000; now += static_cast<Clock>(random() % 12)) {
      memory.run(now, note);
      const bool is_write = random() % 2 == 0;
      const std::uint64_t burst = random() % memory.mapping().bursts();
      if (!memory.has_room(burst, is_write))
        continue;
      bursts[tag] = burst;
      memory.add(tag++, burst, is_write, now);
    }
    CHECK(served > 500);
    CHECK(wrong == 0);
  }
}

TEST_CASE("writes that wait for reads do not hide a batch's later writes from the scheduler") {
  DramDescription description = memory_of("fr_fcfs");
  description.controller.window = 2;
  description.controller.write_high = 3;
  description.controller.write_idle = 1;
  const std::uint64_t a = burst_at(1, 0, 0, 0), b = burst_at(1, 0, 0, 1), c = burst_at(1, 0, 0, 2);
  std::map<std::uint64_t, Clock> ends;
  commands(description, {{a}, {b}, {a, true}, {b, true}, {c, true}}, &ends);
  REQUIRE(ends.size() == 5);
  CHECK(ends[4] < ends[0]);  // the batch: the other writes wait for their reads
  CHECK(ends[0] < ends[2]);
  CHECK(ends[1] < ends[3]);
}

TEST_CASE("whatever the window and the size of a batch, all that waits is served in the end") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    DramDescription description = memory_of("fr_fcfs", seed % 3 == 0 ? "closed" : "open");
    description.organization = {.groups = 2, .banks = 2, .rows = 2, .columns = 4};
    description.controller.window = 1 + seed % 10;
    description.controller.write_high = 1 + seed % 8;
    description.controller.write_idle = 1;
    description.controller.write_drain = seed % 2 == 0 ? WriteDrain::kBatch : WriteDrain::kShared;
    DramMemory memory(description);
    const auto ignore = [](const ServedRequest&) {};
    std::mt19937_64 random(seed);
    std::uint64_t tag = 0;
    Clock now = 0;
    for (; now < 20'000; now += static_cast<Clock>(random() % 12)) {
      memory.run(now, ignore);
      const bool is_write = random() % 2 == 0;
      const std::uint64_t burst = random() % memory.mapping().bursts();
      if (memory.has_room(burst, is_write))
        memory.add(tag++, burst, is_write, now);
    }
    memory.run(now + 10'000, ignore);
    CHECK(memory.waiting() == 0);
    CHECK(tag > 300);  // one at a time, each with a row of its own (tRC): 20'000 / 62
  }
}

TEST_CASE("a read that has waited most_wait clocks is served after the batch that is under way") {
  for (const char* page : {"open", "closed"}) {
    DramDescription description = memory_of("fr_fcfs", page);
    // The longest batch: 16 writes, each with a row of its own in one bank.
    const Ddr4Timing& timing = description.timing;
    const auto batch = static_cast<Clock>(
        16 * (timing.t_rcd + timing.cwl + timing.burst + timing.t_wr + timing.t_rp));
    for (const unsigned most_wait : {100u, 2'048u, 10'000u}) {
      INFO(page << " " << most_wait);
      description.controller.most_wait = most_wait;
      const Clock waited = wait_under_writes(description);
      CHECK(waited > static_cast<Clock>(most_wait));  // it is the bound that lets it pass
      CHECK(waited < static_cast<Clock>(most_wait) + batch);
    }
    description.controller.most_wait = 1'000'000;
    CHECK(wait_under_writes(description) == kNever);
  }
}

TEST_CASE("writes without end leave a place of a shared queue to a read") {
  for (const unsigned window : {1u, 2u, 4u, 16u, 32u}) {
    INFO(window);
    DramDescription description = memory_of("fr_fcfs");
    description.controller.write_drain = WriteDrain::kShared;
    description.controller.window = window;
    CHECK(wait_under_writes(description) < 3'500);
  }
}

TEST_CASE("every rank is refreshed once in an interval, busy or idle") {
  for (const bool busy : {false, true})
    for (const unsigned ranks : {1u, 2u, 4u}) {
      DramDescription description = memory_of("fr_fcfs");
      description.organization.ranks = ranks;
      description.controller.refresh = Refresh::kAllBank;
      DramMemory memory(description);
      if (busy)
        run_load(memory, {.warm_up = 0, .requests = 100'000}, 20);
      const Clock reached = memory.next_clock();
      const Clock end = (reached / 10'398 + 20) * 10'398 + 5'000;
      memory.run(end, [](const ServedRequest&) {});
      const auto refreshes = memory.counters().commands[number_of(DramCommand::kRefresh)];
      INFO(ranks);
      CHECK(refreshes >= ranks * static_cast<std::uint64_t>(end / 10'398));
      CHECK(refreshes <= ranks * static_cast<std::uint64_t>(end / 10'398 + 1));
    }
}

TEST_CASE(
    "every request of a random load is served once, and the data clocks are those of its bursts") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    DramDescription description = memory_of(seed % 3 == 0 ? "in_order" : "fr_fcfs");
    description.organization.channels = 2;
    DramMemory memory(description);
    std::mt19937_64 random(seed);
    std::map<std::uint64_t, unsigned> served;
    std::uint64_t waits = 0;
    Clock now = 0;
    for (std::uint64_t tag = 0; tag < 3'000; now += static_cast<Clock>(random() % 12)) {
      memory.run(now, [&served](const ServedRequest& request) { ++served[request.tag]; });
      const bool is_write = random() % 2 == 0;
      const std::uint64_t burst = random() % 512;
      if (memory.has_room(burst, is_write))
        waits += memory.add(tag++, burst, is_write, now) == Controller::Added::kWaits ? 1 : 0;
    }
    memory.run(now + 100'000, [&served](const ServedRequest& request) { ++served[request.tag]; });
    CHECK(served.size() + memory.waiting() == waits);
    CHECK(std::all_of(served.begin(), served.end(), [](const auto& of) { return of.second == 1; }));
    CHECK(memory.counters().data_clocks == 4 * served.size());
  }
}

TEST_CASE("an address mapping gives every burst a place of its own, as far as the memory goes") {
  for (unsigned mapping = 0; mapping < mapping_rows().size(); ++mapping) {
    const Organization organization{
        .channels = 2, .ranks = 2, .groups = 4, .banks = 4, .rows = 8, .columns = 4};
    const AddressMapping map(static_cast<Mapping>(mapping), organization);
    CHECK(map.bursts() == 2 * 2 * 4 * 4 * 8 * 4);
    std::map<std::vector<unsigned>, unsigned> places;
    for (std::uint64_t burst = 0; burst < map.bursts(); ++burst) {
      const auto [channel, place] = map.target(burst);
      ++places[{channel, place.rank, place.group, place.bank, place.row, place.column}];
    }
    CHECK(places.size() == map.bursts());
    CHECK(map.target(map.bursts() + 5).place == map.target(5).place);
  }
}

TEST_CASE("an address mapping's name is the order of its fields") {
  const std::map<std::string, Field> fields{
      {"channel", Field::kChannel}, {"rank", Field::kRank}, {"group", Field::kGroup},
      {"bank", Field::kBank},       {"row", Field::kRow},   {"column", Field::kColumn}};
  for (const MappingRow& row : mapping_rows()) {
    std::vector<Field> named_fields;
    std::istringstream words{std::string(row.name)};
    for (std::string word; std::getline(words, word, '_');)
      if (fields.contains(word))
        named_fields.insert(named_fields.begin(), fields.at(word));
    CHECK(named_fields == std::vector<Field>(row.from_low.begin(), row.from_low.end()));
    CHECK(row.permuted == row.name.ends_with("permuted"));
  }
}

TEST_CASE(
    "the ratio of the clocks is exact: no clock is lost or counted twice in a billion cycles") {
  for (const SpeedRow& speed : speed_rows())
    for (const std::uint64_t hertz : {165'890'000ull, 300'000'000ull, 999'999'937ull}) {
      const ClockRatio ratio(speed.fifteenths, hertz);
      CHECK(ratio.numerator() * 15 * hertz ==
            ratio.denominator() * speed.fifteenths * 1'000'000'000);
      for (const std::uint64_t cycle :
           {0ull, 1ull, 2ull, 3ull, 1'000'000'007ull, 20'000'000'000ull}) {
        const Clock first = ratio.first_clock(simulator::Cycle(cycle));
        // The first clock of a cycle begins in it or later, and the one before it earlier.
        CHECK(ratio.cycle_of(first).number() >= cycle);
        if (first > 0)
          CHECK(ratio.cycle_of(first - 1).number() < cycle);
        CHECK(ratio.cycle_from(first).number() >= cycle);
      }
    }
  const ClockRatio ddr4(20, 300'000'000);
  CHECK(ddr4.numerator() == 40);
  CHECK(ddr4.denominator() == 9);
  CHECK(ddr4.cycles_in(40) == 9);
}

TEST_CASE("streams reach nine tenths of the peak, and one bank at a time far less") {
  DramDescription description = memory_of("fr_fcfs");
  description.controller.refresh = Refresh::kAllBank;
  const auto peak = [&description](unsigned writes) {
    DramMemory memory(description);
    return run_load(memory, {.write_percent = writes, .sequential_percent = 100}, 20).peak_percent;
  };
  CHECK(peak(0) >= 90);
  CHECK(peak(100) >= 90);
  description.mapping = named<Mapping>("row_channel_rank_bank_group_column");
  description.controller.window = 2;
  CHECK(peak(0) < 60);  // tCCD_L: 4 of 7
}

}  // namespace nplab::test
