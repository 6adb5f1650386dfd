// What the match engine answers and counts, compared with accounts kept apart from it, on units of
// all shapes with few rules, so that lookups, updates and replaced lines meet as often as possible.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include "tests/simulator/match_engine/match_bench.h"

namespace nplab::test {
namespace {

struct Counted {
  std::uint64_t packets = 0, bytes = 0, last_seen = 0;
  friend bool operator==(const Counted&, const Counted&) = default;
};

Counted counted(const Entry& entry) {
  return {entry.packets, entry.bytes, entry.last_seen};
}

std::map<std::uint32_t, Counted> counted_by_action(const MatchEngine& engine) {
  std::map<std::uint32_t, Counted> found;
  for (const auto slot : engine.slots())
    if (const Entry rule = engine.rule(slot); rule.tuple != isa::match::kNoTuple)
      found[rule.action] = counted(rule);
  return found;
}

// A rule between the update that brought it and the one that took it away.
struct Life {
  std::uint32_t key = 0;
  Cycle may_match_from, surely_from;
  Cycle surely_until = Cycle::never(), may_match_until = Cycle::never();
  std::optional<Counted> at_the_end;
};

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
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    const MatchDescription plain = random_unit(random);
    MatchDescription unit = plain;
    unit.collisions = random() % 2 == 0 ? Collisions::kRefuse : Collisions::kChain;
    const auto keys = static_cast<std::uint32_t>(1 + random() % 20);
    // Few home slots, so that rules share them.
    const TableImage tables({std::uint64_t{1} << (1 + random() % 5), 8}, unit.collisions);
    RequestList packets, updates;
    std::map<std::uint64_t, std::uint32_t> bytes_of;
    std::vector<std::uint32_t> looked_up, updated;
    Cycle at;
    std::uint32_t version = 0;
    for (unsigned i = 0; i < 1'200; ++i) {
      at = at + random() % 20;
      if (random() % 3 != 0) {
        looked_up.push_back(static_cast<std::uint32_t>(random() % keys));
        bytes_of[looked_up.size() - 1] = static_cast<std::uint32_t>(64 + random() % 1'455);
        packets.add_lookup(looked_up.back(), bytes_of[looked_up.size() - 1], at);
        continue;
      }
      const auto key = static_cast<std::uint32_t>(random() % keys);
      updated.push_back(key);
      const auto kind = static_cast<RequestKind>(1 + random() % 3);
      updates.add_update(kind, rule_of(key, ++version), at);
    }
    ResultList results;
    MatchEngine engine(unit, exact_match(), tables, &packets, &updates, results);
    REQUIRE(run_to_end(engine));
    REQUIRE(results.results.size() == 1'200);

    // Updates of one key are worked through in the order in which they came.
    std::vector<Result> of_updates;
    for (const Result& result : results.results)
      if (result.kind != RequestKind::kLookup)
        of_updates.push_back(result);
    std::sort(of_updates.begin(), of_updates.end(),
              [](const Result& a, const Result& b) { return a.number < b.number; });
    std::map<std::uint32_t, Life> lives;             // by version
    std::map<std::uint32_t, std::uint32_t> present;  // version by key
    std::uint64_t wrong = 0;
    version = 0;
    for (const Result& result : of_updates) {
      ++version;
      const std::uint32_t key = updated[result.number];
      const auto here = present.find(key);
      switch (result.kind) {
        case RequestKind::kInsert:
          if (result.outcome == Outcome::kInserted) {
            wrong += here != present.end() ? 1 : 0;
            present[key] = version;
            lives[version] = {key, result.begun, result.ended, Cycle::never(), Cycle::never(), {}};
            ++inserted;
          } else {
            // Another key's, if there is no rule of its own.
            wrong += (result.outcome == Outcome::kSameKey) != (here != present.end()) ? 1 : 0;
            ++refused;
          }
          break;
        case RequestKind::kErase:
        case RequestKind::kReadState:
          wrong += (result.outcome == Outcome::kAbsent) != (here == present.end()) ? 1 : 0;
          if (here == present.end())
            break;
          wrong += result.entry.action != here->second ? 1 : 0;
          if (result.kind == RequestKind::kErase) {
            lives[here->second].surely_until = result.begun;
            lives[here->second].may_match_until = result.ended;
            lives[here->second].at_the_end = counted(result.entry);
            present.erase(here);
            ++erased;
          }
          break;
        case RequestKind::kLookup: break;
      }
    }
    std::map<std::uint32_t, Counted> expected;
    for (const auto& [number, life] : lives)
      expected[number] = {};
    for (const Result& result : results.results) {
      if (result.kind != RequestKind::kLookup)
        continue;
      const std::uint32_t key = looked_up[result.number];
      if (result.outcome == Outcome::kMatched) {
        const Life& life = lives[result.entry.action];
        wrong += life.key != key || result.ended < life.may_match_from ||
                         result.begun > life.may_match_until
                     ? 1
                     : 0;
        Counted& rule = expected[result.entry.action];
        ++rule.packets;
        rule.bytes += bytes_of[result.number];
        rule.last_seen = std::max(rule.last_seen, result.begun.number());
      } else {
        // No rule of its key was there all the time.
        for (const auto& [number, life] : lives)
          wrong +=
              life.key == key && life.surely_from < result.begun && life.surely_until > result.ended
                  ? 1
                  : 0;
      }
    }
    CHECK(wrong == 0);
    auto found = counted_by_action(engine);
    for (const auto& [number, life] : lives)
      if (life.at_the_end)
        found[number] = *life.at_the_end;
    CHECK(found == expected);
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
          updates.add_update(static_cast<RequestKind>(1 + draw() % 3),
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
