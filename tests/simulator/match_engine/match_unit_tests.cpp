// The match unit's mailboxes, clock and faults, without a chip.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "simulator/match_engine/match_unit.h"
#include "tests/simulator/match_engine/match_bench.h"

namespace nplab::test {
namespace {

using simulator::SramDevice;
using Comes = SramDevice::Comes;

constexpr std::uint32_t kBase = 0x1000;

constexpr std::uint64_t kMega = 1'000'000;

simulator::MatchUnitParameters parameters_at(std::uint64_t mhz) {
  simulator::MatchUnitParameters parameters;
  parameters.base = kBase;
  parameters.clock_hz = mhz * kMega;
  parameters.slot_bits = 16;
  return parameters;
}

// Rules 0 to 99 with keys of one field that are their numbers; rule n is n.
MatchContents hundred_rules() {
  TableImage tables({1u << 16, 0}, Collisions::kRefuse);
  for (std::uint32_t number = 0; number < 100; ++number)
    REQUIRE(tables.insert(rule_of(number, number)) == isa::match::Placed::kPlaced);
  return {exact_match(), std::move(tables), {{0, 32}}};
}

// Of a packet of 64 bytes.
const char* post(MatchUnit& unit, unsigned mailbox, std::uint32_t key, std::uint64_t at) {
  const std::uint32_t longwords[]{key, 64};
  return unit.write(kBase + 32 * mailbox, longwords, Cycle(at)).fault;
}

using isa::match::ServiceCommand;
constexpr std::uint32_t kServicePort = kBase + isa::match::kService;

// Posts a request at the service port in cycle `at`; the fault, if any.
const char* request(MatchUnit& unit, ServiceCommand command, std::uint32_t key,
                    std::uint32_t action, std::uint64_t at) {
  const std::uint32_t rule[]{key, 0, 0, 0, 0, 0, action, 1};
  if (const char* fault = unit.write(kServicePort, rule, Cycle(at)).fault)
    return fault;
  const std::uint32_t word = isa::match::command_word(command, 1);
  return unit.write(kServicePort + 32, {&word, 1}, Cycle(at + 1)).fault;
}

// When the outcome is there, from `at` on, and what it is.
std::pair<std::uint64_t, std::uint32_t> outcome(MatchUnit& unit, std::uint64_t at) {
  while (!unit.has_answer(kServicePort + 60, Cycle(at)))
    ++at;
  std::uint32_t longword = 7;
  CHECK(unit.read(kServicePort + 60, {&longword, 1}, Cycle(at)).fault == nullptr);
  return {at, longword};
}

// Nothing: it is not there yet.
std::optional<std::uint32_t> answer(MatchUnit& unit, unsigned mailbox, std::uint64_t at) {
  const std::uint32_t address = kBase + 32 * mailbox + 28;
  if (!unit.has_answer(address, Cycle(at)))
    return std::nullopt;
  std::uint32_t longword = 0;
  const SramDevice::Answer answer = unit.read(address, {&longword, 1}, Cycle(at));
  CHECK(answer.fault == nullptr);
  CHECK(answer.comes == Comes::kNow);
  return longword;
}

std::uint64_t ceiling(std::uint64_t number, std::uint64_t of, std::uint64_t by) {
  return (number * of + by - 1) / by;
}

}  // namespace

// A key posted in cycle t is there in t + 5; a hit takes 19 of the unit's cycles and is found at
// the end of the next; 4 core cycles later it can be read.
TEST_CASE("the answer of a hit is not there at n - 1 and there at n, for any ratio of the clocks",
          "[match]") {
  const std::uint64_t unit_mhz = GENERATE(300, 100, 166, 1'000, 7);
  const std::uint64_t core_mhz = 166;
  MatchUnit unit(parameters_at(unit_mhz), core_mhz * kMega, hundred_rules());
  REQUIRE(post(unit, 3, 42, 10) == nullptr);
  const std::uint64_t again = 20'000;
  REQUIRE(answer(unit, 3, again - 1) == 42);
  for (std::uint64_t at = again; at < again + 20'000; at += 1'021) {
    REQUIRE(post(unit, 3, 42, at) == nullptr);
    const std::uint64_t arrives = ceiling(at + 5, unit_mhz, core_mhz);
    const std::uint64_t readable = ceiling(arrives + 20, core_mhz, unit_mhz) + 4;
    INFO(unit_mhz << " posted in " << at);
    CHECK(answer(unit, 3, readable - 1) == std::nullopt);
    CHECK(answer(unit, 3, readable) == 42);
  }
}

TEST_CASE("a key that no rule has is answered by no rule, and every count is exact at the end",
          "[match]") {
  MatchUnit unit(parameters_at(300), 166 * kMega, hundred_rules());
  for (unsigned i = 0; i < 500; ++i)
    REQUIRE(post(unit, i, i % 110, i) == nullptr);
  for (unsigned i = 0; i < 500; ++i)
    CHECK(answer(unit, i, 100'000) == (i % 110 < 100 ? i % 110 : isa::match::kNoRule));
  CHECK(unit.counters().posted == 500);
  CHECK(unit.counters().answered == 500);
  CHECK(unit.counters().matched == 460);
  CHECK(unit.settle() == 0);
}

TEST_CASE("it does not matter in which steps the match unit runs", "[match]") {
  std::optional<std::uint64_t> expected;
  for (const std::uint64_t stride : {1ull, 2ull, 7ull, 61ull, 2'000ull}) {
    MatchUnit unit(parameters_at(300), 166 * kMega, hundred_rules());
    for (std::uint64_t at = 0; at < 6'000; ++at) {
      if (at % 11 == 0)
        REQUIRE(post(unit, static_cast<unsigned>(at / 11 % 512), at % 103, at) == nullptr);
      if (at % stride == 0)
        unit.run(Cycle(at));
    }
    unit.run(Cycle(6'000));
    StateHash hash;
    unit.hash(hash);
    CHECK(hash.value() == expected.value_or(hash.value()));
    expected = hash.value();
  }
}

TEST_CASE("what a program may not do with a mailbox is a fault in words", "[match]") {
  MatchUnit unit(parameters_at(300), 166 * kMega, hundred_rules());
  std::uint32_t two[2]{};
  const auto write = [&](std::uint32_t offset, std::size_t longwords) {
    return std::string_view(unit.write(kBase + offset, {two, longwords}, Cycle(0)).fault);
  };
  const auto read = [&](std::uint32_t offset, std::size_t longwords) {
    return std::string_view(unit.read(kBase + offset, {two, longwords}, Cycle(0)).fault);
  };
  CHECK(write(4, 2).find("something else than a key") != std::string_view::npos);
  CHECK(write(0, 1).find("something else than a key") != std::string_view::npos);
  CHECK(read(28, 1).find("to which no key was written") != std::string_view::npos);
  CHECK(read(0, 1).find("something else than its answer") != std::string_view::npos);
  REQUIRE(post(unit, 0, 1, 0) == nullptr);
  CHECK(std::string_view(post(unit, 0, 2, 1)).find("has no answer yet") != std::string_view::npos);
}

TEST_CASE("a read that comes before its answer is counted with the cycles that it waits",
          "[match]") {
  MatchUnit unit(parameters_at(166), 166 * kMega, hundred_rules());
  REQUIRE(post(unit, 3, 42, 10) == nullptr);
  std::uint32_t longword = 0;
  const std::uint32_t address = kBase + 32 * 3 + 28;
  CHECK(unit.read(address, {&longword, 1}, Cycle(20)).comes == Comes::kWhenAsked);
  const std::string_view again = unit.read(address, {&longword, 1}, Cycle(21)).fault;
  CHECK(again.find("awaited already") != std::string_view::npos);
  std::uint64_t at = 22;
  while (!unit.has_answer(address, Cycle(at)))
    ++at;
  CHECK(unit.read(address, {&longword, 1}, Cycle(at)).comes == Comes::kNow);
  CHECK(longword == 42);
  CHECK(unit.counters().answers_read == 1);
  CHECK(unit.counters().reads_that_waited == 1);
  CHECK(unit.counters().read_wait == at - 20);
}

TEST_CASE("the service port inserts, replaces and deletes rules, and the counts of all are exact",
          "[match]") {
  MatchUnit unit(parameters_at(300), 166 * kMega, hundred_rules());
  std::uint64_t at = 10;
  const auto looked_up = [&](std::uint32_t key) {
    REQUIRE(post(unit, 5, key, at) == nullptr);
    const auto found = answer(unit, 5, at + 5'000);
    at += 5'001;
    return found.value();
  };
  const auto change = [&](ServiceCommand command, std::uint32_t key, std::uint32_t action) {
    REQUIRE(request(unit, command, key, action, at) == nullptr);
    const auto [when, what] = outcome(unit, at + 2);
    at = when + 1;
    return what;
  };
  CHECK(looked_up(200) == isa::match::kNoRule);
  CHECK(change(ServiceCommand::kInsert, 200, 7) == isa::match::kServiceDone);
  CHECK(looked_up(200) == 7);
  CHECK(change(ServiceCommand::kInsert, 200, 8) == isa::match::kServiceRefused);
  CHECK(change(ServiceCommand::kReplace, 200, 8) == isa::match::kServiceDone);
  CHECK(looked_up(200) == 8);
  CHECK(change(ServiceCommand::kRead, 200, 0) == isa::match::kServiceDone);
  CHECK(change(ServiceCommand::kErase, 200, 0) == isa::match::kServiceDone);
  CHECK(looked_up(200) == isa::match::kNoRule);
  CHECK(change(ServiceCommand::kErase, 200, 0) == isa::match::kServiceRefused);
  CHECK(change(ServiceCommand::kReplace, 200, 9) == isa::match::kServiceRefused);
  CHECK(looked_up(7) == 7);
  CHECK(unit.counters().updates == 7);
  CHECK(unit.counters().updates_refused == 3);
  CHECK(unit.settle() == 0);
}

// The rule is written by two references that the unit takes at once; the request is there in four
// cycles more than the command, and waits for its line as a lookup does.
TEST_CASE("a rule's packets, bytes and latest packet are read at the service port", "[match]") {
  MatchUnit unit(parameters_at(166), 166 * kMega, hundred_rules());
  using State = std::array<std::uint32_t, isa::match::kServiceStateWords>;
  std::uint64_t at = 1'000;
  const auto state_after = [&](ServiceCommand command, std::uint32_t key) {
    REQUIRE(request(unit, command, key, 7, at) == nullptr);
    at = outcome(unit, at + 2).first;
    State state{};
    REQUIRE(unit.read(kServicePort + isa::match::kServiceState, state, Cycle(at)).fault == nullptr);
    return state;
  };
  CHECK(state_after(ServiceCommand::kRead, 42) == State{});
  REQUIRE(post(unit, 0, 42, 2'000) == nullptr);
  REQUIRE(post(unit, 1, 42, 2'010) == nullptr);
  at = 3'000;
  // A key that is posted in cycle t is there in t + 5.
  const State counted{0, 2, 0, 128, 0, 2'015};
  CHECK(state_after(ServiceCommand::kRead, 42) == counted);
  CHECK(state_after(ServiceCommand::kRead, 43) == State{});
  CHECK(state_after(ServiceCommand::kReplace, 42) == counted);
  CHECK(state_after(ServiceCommand::kErase, 42) == State{});
  CHECK(state_after(ServiceCommand::kInsert, 42) == State{});
  CHECK(unit.settle() == 0);
}

TEST_CASE("a rule's state that is not there yet, or in parts, is a fault in words", "[match]") {
  MatchUnit unit(parameters_at(300), 166 * kMega, hundred_rules());
  std::array<std::uint32_t, isa::match::kServiceStateWords> state{};
  const std::uint32_t address = kServicePort + isa::match::kServiceState;
  const auto fault = [&](unsigned longwords) {
    return std::string(unit.read(address, std::span(state).first(longwords), Cycle(20)).fault);
  };
  CHECK(fault(6) ==
        "reads a rule's state at the match unit's service port before a request has ended");
  REQUIRE(request(unit, ServiceCommand::kRead, 42, 7, 10) == nullptr);
  CHECK(fault(6) ==
        "reads a rule's state at the match unit's service port before a request has ended");
  CHECK(fault(2) == "reads a rule's state at the match unit's service port in parts");
}

TEST_CASE("the outcome of a request is there when a lookup's answer would be", "[match]") {
  MatchUnit unit(parameters_at(166), 166 * kMega, hundred_rules());
  REQUIRE(post(unit, 3, 42, 10) == nullptr);
  REQUIRE(answer(unit, 3, 1'000) == 42);
  REQUIRE(request(unit, ServiceCommand::kReplace, 42, 50, 2'000) == nullptr);
  CHECK(outcome(unit, 2'002) ==
        std::pair(std::uint64_t{2'001 + 5 + 20 + 4}, isa::match::kServiceDone));
}

TEST_CASE("what the core processor may not do with the service port is a fault in words",
          "[match]") {
  MatchUnit unit(parameters_at(300), 166 * kMega, hundred_rules());
  const std::uint32_t words[8]{};
  const auto write = [&](std::uint32_t offset, std::size_t longwords) {
    return std::string_view(unit.write(kServicePort + offset, {words, longwords}, Cycle(0)).fault);
  };
  for (const auto& [offset, longwords] :
       {std::pair(0u, 7u), {4u, 8u}, {32u, 2u}, {32u, 1u}, {60u, 1u}})
    CHECK(write(offset, longwords).find("something else than a rule or a command") !=
          std::string_view::npos);
  REQUIRE(request(unit, ServiceCommand::kErase, 1, 1, 10) == nullptr);
  CHECK(std::string_view(request(unit, ServiceCommand::kErase, 1, 1, 12))
            .find("before the last request has ended") != std::string_view::npos);
}

TEST_CASE("a full queue of requests takes no key until a session takes one from it", "[match]") {
  auto parameters = parameters_at(166);
  parameters.sessions = 1;
  parameters.request_queue = 2;
  MatchUnit unit(parameters, 166 * kMega, hundred_rules());
  const auto takes = [&unit](unsigned mailbox, std::uint64_t at) {
    return unit.takes_write(kBase + 32 * mailbox, Cycle(at));
  };
  for (unsigned mailbox = 0; mailbox < 3; ++mailbox) {
    std::uint64_t at = 10 * mailbox;
    REQUIRE(takes(mailbox, at));
    REQUIRE(post(unit, mailbox, mailbox, at) == nullptr);
  }
  // The first has the session, the others wait.
  REQUIRE_FALSE(takes(3, 30));
  std::vector<std::string> lines;
  unit.describe_waiting(lines);
  CHECK(std::find(lines.begin(), lines.end(),
                  "match unit: a key for mailbox 3 waits for room since cycle 30") != lines.end());
  std::uint64_t at = 31;
  while (!takes(3, at))
    ++at;
  // The place is free as soon as a session has taken the second key, which the first one's end
  // allows.
  CHECK(answer(unit, 0, at + 4) == 0);
  CHECK(answer(unit, 1, at + 4) == std::nullopt);
  REQUIRE(post(unit, 3, 3, at) == nullptr);
  CHECK(unit.counters().posts_that_waited == 1);
  CHECK(unit.counters().post_wait == at - 30);
  CHECK_FALSE(takes(4, at + 1));
}

TEST_CASE("keys that wait for a session are named with their mailboxes", "[match]") {
  auto parameters = parameters_at(300);
  parameters.sessions = 1;
  MatchUnit unit(parameters, 300 * kMega, hundred_rules());
  for (unsigned i = 0; i < 3; ++i)
    REQUIRE(post(unit, i, i, 0) == nullptr);
  unit.run(Cycle(12));
  std::vector<std::string> lines;
  unit.describe_waiting(lines);
  REQUIRE(lines.size() > 4);
  CHECK(lines[0] == "match unit: 2 keys wait for a session");
  CHECK(lines[1] == "match unit: mailbox 0 has had no answer since cycle 0");
  CHECK(unit.counters().most_waiting == 3);
}

}  // namespace nplab::test
