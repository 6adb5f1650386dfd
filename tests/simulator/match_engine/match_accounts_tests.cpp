// What the match engine answers and counts, compared with accounts kept apart from it, on units of
// all shapes with few rules, so that lookups, updates and replaced lines meet as often as possible.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <map>

#include "tests/simulator/match_engine/match_ledger.h"

namespace nplab::test {
namespace {

constexpr std::array kUpdates{RequestKind::kInsert, RequestKind::kReplace, RequestKind::kErase,
                              RequestKind::kReadState};

// Packets with keys of 2 fields below `values`, and updates of rules of all tuples, in turn at
// random.
struct MixedRequests {
  MixedRequests(std::mt19937_64& random, const LookupProgram& program, std::uint32_t values) {
    Cycle at;
    for (unsigned i = 0; i < 1'200; ++i) {
      at = at + random() % 20;
      Request request;
      const Key key{static_cast<std::uint32_t>(random() % values),
                    static_cast<std::uint32_t>(random() % values)};
      if (random() % 3 != 0) {
        request.number = lookups.size();
        request.rule.key = key;
        request.bytes = static_cast<std::uint32_t>(64 + random() % 1'455);
        lookups.push_back(request);
        packets.add(request, at);
        continue;
      }
      request.number = updated.size();
      request.kind = kUpdates[random() % kUpdates.size()];
      request.rule.tuple = static_cast<TupleId>(1 + random() % program.tuples.size());
      const auto& tuple = program.tuple(request.rule.tuple);
      request.rule.key = masked(key, tuple.mask);
      request.rule.action = static_cast<std::uint32_t>(updated.size());
      request.rule.priority = static_cast<std::uint32_t>(1 + random() % tuple.best_priority);
      updated.push_back(request);
      updates.add(request, at);
    }
  }
  RequestList packets, updates;
  std::vector<Request> lookups, updated;
};

// Checks all results, in the order that the ledger needs.
void check(Ledger& ledger, std::vector<Result> results, const MixedRequests& requests) {
  std::sort(results.begin(), results.end(), [](const Result& a, const Result& b) {
    const bool a_is_lookup = a.kind == RequestKind::kLookup;
    return a_is_lookup != (b.kind == RequestKind::kLookup) ? !a_is_lookup : a.number < b.number;
  });
  for (const Result& result : results) {
    if (result.kind == RequestKind::kLookup) {
      const Request& lookup = requests.lookups[result.number];
      ledger.add_lookup(result, lookup.rule.key, lookup.bytes);
    } else {
      ledger.add_update(result, requests.updated[result.number].rule);
    }
  }
  CHECK(ledger.wrong() == 0);
}

}  // namespace

TEST_CASE("every match is counted once: packets, bytes and time stamps of every rule are exact",
          "[match]") {
  std::uint64_t forwarded = 0, cancelled = 0, repeated = 0, merged = 0, from_stores = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    const MatchDescription unit = random_unit(random);
    const auto rules = static_cast<std::uint32_t>(1 + random() % 40);
    TableImage tables({std::uint64_t{1} << (4 + random() % 8), 64},
                      random() % 2 == 0 ? Collisions::kRefuse : Collisions::kChain);
    std::map<std::uint32_t, Counted> expected;
    for (std::uint32_t rule = 0; rule < rules; ++rule)
      if (tables.insert(rule_of(rule, rule)) == isa::match::Placed::kPlaced)
        expected[rule] = {};
    RequestList packets;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> sent;
    Cycle at;
    for (unsigned i = 0; i < 1'500; ++i) {
      // As many rules again that are not there.
      sent.emplace_back(random() % (2 * rules), 64 + random() % 1'455);
      if (random() % 50 == 0)
        at = at + random() % 200;
      packets.add_lookup(sent.back().first, sent.back().second, at);
    }
    ResultList results;
    MatchEngine engine(unit, exact_match(), tables, &packets, nullptr, results);
    REQUIRE(run_to_end(engine));
    REQUIRE(results.results.size() == sent.size());
    std::uint64_t wrong = 0;
    for (const Result& result : results.results) {
      const auto [key, bytes] = sent[result.number];
      const auto rule = expected.find(key);
      wrong += (result.outcome == Outcome::kMatched) != (rule != expected.end()) ? 1 : 0;
      if (rule == expected.end())
        continue;
      wrong += result.entry.action != key ? 1 : 0;
      ++rule->second.packets;
      rule->second.bytes += bytes;
      rule->second.last_seen = std::max(rule->second.last_seen, result.begun.number());
    }
    CHECK(wrong == 0);
    CHECK(counted_by_action(engine) == expected);
    forwarded += engine.actions().counters().forwarded;
    cancelled += engine.loads().counters().cancelled + engine.loads().counters().dropped;
    repeated += engine.loads().counters().repeated;
    merged += engine.loads().counters().merged;
    from_stores += engine.loads().counters().forwarded;
  }
  // All ways in which a lookup can meet another were taken.
  CHECK(forwarded > 1'000);
  CHECK(cancelled > 1'000);
  CHECK(repeated > 100);
  CHECK(merged > 1'000);
  CHECK(from_stores > 200);
}

TEST_CASE("rules come and go while packets are looked up: every lookup sees one version",
          "[match]") {
  std::uint64_t inserted = 0, erased = 0, refused = 0, chained = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    MatchDescription unit = random_unit(random);
    unit.collisions = random() % 2 == 0 ? Collisions::kRefuse : Collisions::kChain;
    LookupProgram program = exact_match();
    if (random() % 2 == 0) {
      program.tuples = {{{~0u, ~0u}, 9}, {{~0u, 0}, 7}, {{0, ~0u}, 7}, {{1, 1}, 3}};
      program.tables = {{{1, 2, 3, 4}, 0}};
    }
    MixedRequests requests(random, program, static_cast<std::uint32_t>(1 + random() % 5));
    // Few home slots, so that rules share them.
    const TableImage tables({std::uint64_t{1} << (1 + random() % 5), 8}, unit.collisions);
    ResultList results;
    MatchEngine engine(unit, program, tables, &requests.packets, &requests.updates, results);
    REQUIRE(run_to_end(engine));
    REQUIRE(results.results.size() == 1'200);
    Ledger ledger(program);
    check(ledger, results.results, requests);
    CHECK(ledger.is_exact(engine));
    inserted += ledger.inserted();
    erased += ledger.erased();
    refused += ledger.refused();
    for (const auto slot : engine.slots())
      chained += engine.rule(slot).link != 0 ? 1 : 0;
  }
  CHECK(inserted > 5'000);
  CHECK(erased > 3'000);
  CHECK(refused > 5'000);
  CHECK(chained > 100);
}

namespace {

// Rules over two fields in three tuples, of which several may match a packet.
struct TupleCase {
  LookupProgram program;
  std::vector<Entry> rules;
};

TupleCase random_tuples(std::mt19937_64& random) {
  TupleCase result;
  const std::vector<Key> masks = {{~0u, ~0u}, {~0u, 0}, {0, ~0u}, {0xc, 0x3}, {0, 0}};
  for (const Key& mask : masks)
    result.program.tuples.push_back({mask, 0});
  // Two tables, the second of which is reached by some rules and by misses.
  result.program.tables.push_back({{}, static_cast<std::uint16_t>(random() % 2 == 0 ? 2 : 0)});
  result.program.tables.push_back({{}, 0});
  std::uint32_t priority = 1;
  for (unsigned i = 0; i < 60; ++i) {
    const auto tuple = static_cast<TupleId>(1 + random() % masks.size());
    Entry rule;
    rule.tuple = tuple;
    rule.key = masked(
        {static_cast<std::uint32_t>(random() % 16), static_cast<std::uint32_t>(random() % 16)},
        masks[tuple - 1u]);
    rule.action = i + 1;
    rule.priority = priority++;
    const bool is_second = tuple > 3;
    rule.next_table = !is_second && random() % 3 == 0 ? 2 : 0;
    if (std::any_of(result.rules.begin(), result.rules.end(),
                    [&](const Entry& other) { return other.holds(tuple, rule.key); }))
      continue;
    result.rules.push_back(rule);
    auto& best = result.program.tuples[tuple - 1u].best_priority;
    best = std::max(best, rule.priority);
  }
  for (TupleId tuple = 1; tuple <= masks.size(); ++tuple)
    result.program.tables[tuple > 3 ? 1 : 0].tuples.push_back(tuple);
  for (auto& table : result.program.tables)
    std::sort(table.tuples.begin(), table.tuples.end(), [&](TupleId a, TupleId b) {
      return result.program.tuple(a).best_priority > result.program.tuple(b).best_priority;
    });
  return result;
}

// The rules that a packet is counted by, one per table, by trying all of them.
std::vector<const Entry*> winners(const TupleCase& tuples, const Key& key) {
  std::vector<const Entry*> found;
  for (std::uint16_t table = 1; table != 0;) {
    const auto& here = tuples.program.tables[table - 1u];
    const Entry* best = nullptr;
    for (const Entry& rule : tuples.rules) {
      const bool is_here =
          std::find(here.tuples.begin(), here.tuples.end(), rule.tuple) != here.tuples.end();
      if (is_here && masked(key, tuples.program.tuple(rule.tuple).mask) == rule.key &&
          (best == nullptr || rule.priority > best->priority))
        best = &rule;
    }
    if (best != nullptr)
      found.push_back(best);
    table = best != nullptr ? best->next_table : here.on_miss;
  }
  return found;
}

}  // namespace

TEST_CASE("of the rules of all tuples of a table the one of the highest priority is counted",
          "[match]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    MatchDescription unit = random_unit(random);
    unit.collisions = Collisions::kChain;
    const TupleCase tuples = random_tuples(random);
    TableImage tables({32, 128}, Collisions::kChain);
    for (const Entry& rule : tuples.rules)
      REQUIRE(tables.insert(rule) == isa::match::Placed::kPlaced);
    RequestList packets;
    std::vector<Key> sent;
    for (unsigned i = 0; i < 800; ++i) {
      sent.push_back(
          {static_cast<std::uint32_t>(random() % 16), static_cast<std::uint32_t>(random() % 16)});
      Request request;
      request.number = i;
      request.rule.key = sent.back();
      request.bytes = 64 + i;
      packets.add(request);
    }
    ResultList results;
    MatchEngine engine(unit, tuples.program, tables, &packets, nullptr, results);
    REQUIRE(run_to_end(engine));
    std::map<std::uint32_t, Counted> expected;
    for (const Entry& rule : tuples.rules)
      expected[rule.action] = {};
    std::uint64_t wrong = 0;
    for (const Result& result : results.results) {
      const auto rules = winners(tuples, sent[result.number]);
      wrong += (result.outcome == Outcome::kMatched) != !rules.empty() ? 1 : 0;
      wrong += !rules.empty() && result.entry.action != rules.back()->action ? 1 : 0;
      for (const Entry* rule : rules) {
        Counted& count = expected[rule->action];
        ++count.packets;
        count.bytes += 64 + result.number;
        count.last_seen = std::max(count.last_seen, result.begun.number());
      }
    }
    CHECK(wrong == 0);
    CHECK(counted_by_action(engine) == expected);
  }
}

TEST_CASE("the order of the modules in a cycle, and the cycles of a run, change nothing",
          "[match]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    const MatchDescription unit = random_unit(random);
    const std::uint64_t load = random();
    const auto hash_with = [&](const MatchEngine::Order* order, bool in_windows) {
      std::mt19937_64 draw(load);
      TableImage tables({64, 64}, unit.collisions);
      for (std::uint32_t rule = 0; rule < 30; ++rule)
        tables.insert(rule_of(rule, rule));
      RequestList packets, updates;
      Cycle at;
      for (unsigned i = 0; i < 400; ++i) {
        at = at + draw() % 30;
        packets.add_lookup(static_cast<std::uint32_t>(draw() % 40), 64, at);
        if (draw() % 4 == 0)
          updates.add_update(kUpdates[draw() % kUpdates.size()],
                             rule_of(static_cast<std::uint32_t>(draw() % 40), i), at);
      }
      ResultList results;
      MatchEngine engine(unit, exact_match(), tables, &packets, &updates, results);
      if (order != nullptr)
        engine.set_order(*order);
      const Cycle end(3'000);
      std::mt19937_64 windows(load);
      while (engine.now() < end)
        engine.run(in_windows ? std::min(end, engine.now() + 1 + windows() % 50) : end);
      StateHash hash;
      engine.hash(hash);
      return hash.value();
    };
    MatchEngine::Order order{0, 1, 2, 3, 4, 5, 6};
    const auto expected = hash_with(nullptr, false);
    CHECK(hash_with(nullptr, true) == expected);
    for (unsigned i = 0; i < 4; ++i) {
      std::shuffle(order.begin(), order.end(), random);
      CHECK(hash_with(&order, false) == expected);
    }
  }
}

}  // namespace nplab::test
