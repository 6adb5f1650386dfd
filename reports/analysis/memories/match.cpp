#include "reports/analysis/memories/match.h"

#include <fmt/format.h>

#include "reports/analysis/derive.h"
#include "reports/analysis/memories/dram.h"

namespace nplab::reports {
namespace {

constexpr Count kLineBytes = 64;

class MatchTable {
 public:
  explicit MatchTable(const MatchRecord& match) : match_(match) {}

  Table table() {
    add_lookups();
    add_waits();
    add_parts();
    add_memory();
    return std::move(table_);
  }

 private:
  void add(std::string id, std::string label, Cell cell) {
    table_.rows.push_back({"match_" + id, std::move(label), {std::move(cell)}});
  }
  void count(const char* id, const char* label, Count count, const char* unit) {
    add(id, label, {count, unit, 0});
  }
  void share(const char* id, const char* label, double percent) {
    add(id, label, {percent, "%", 1});
  }
  void mean(const char* id, const char* label, Count sum, Count of, const char* unit, int digits) {
    add(id, label,
        of == 0 ? Cell{{}, unit, digits}
                : Cell{static_cast<double>(sum) / static_cast<double>(of), unit, digits});
  }

  void add_lookups() {
    count("cycles", "cycles of the unit", match_.cycles, "cycles");
    count("lookups", "lookups", match_.lookups, "lookups");
    count("matched", "... that matched", match_.matched, "lookups");
    count("matched_bytes", "bytes of packets that matched", match_.matched_bytes, "bytes");
    count("under_way", "under way at the stop", match_.under_way, "lookups");
    mean("references", "lines per lookup", match_.references, match_.lookups, "lines", 2);
    mean("latency.mean", "core cycles from key to answer, mean", match_.latency_cycles.total,
         match_.lookups, "cycles", 0);
    count("latency.max", "core cycles from key to answer, max", match_.latency_cycles.max,
          "cycles");
  }
  void add_waits() {
    count("reads_waited", "reads that waited for their answer", match_.reads_that_waited, "reads");
    mean("read_wait", "... core cycles per read", match_.read_wait_cycles, match_.reads_that_waited,
         "cycles", 0);
    count("posts_waited", "keys that waited for room", match_.posts_that_waited, "keys");
    mean("post_wait", "... core cycles per key", match_.post_wait_cycles, match_.posts_that_waited,
         "cycles", 0);
    count("requests", "most keys without a session", match_.most_requests, "keys");
    count("updates", "updates of entries", match_.updates, "requests");
  }
  void queue(const char* id, const char* label, const MatchQueue& queue) {
    add(fmt::format("{}.held", id), fmt::format("{}, of {}: mean", label, queue.places),
        {queue.held_pct, "%", 1});
    add(fmt::format("{}.most", id), fmt::format("{}: most", label), {queue.most_held, "places", 0});
  }
  void add_parts() {
    share("input", "input, cycles with a look-up", match_.input_pct);
    queue("sessions", "sessions", match_.sessions);
    share("hits", "cache hits", match_.hit_pct);
    queue("loads", "load queue", match_.load_queue);
    count("merged", "misses that joined a read", match_.merged, "look-ups");
    count("cancelled", "reads cancelled by a write", match_.cancelled + match_.dropped, "reads");
    queue("stores", "store queue", match_.store_queue);
  }
  void add_memory() {
    count("bytes_read", "bytes read of DRAM", kLineBytes * match_.dram.bursts_read, "bytes");
    count("bytes_written", "bytes written to DRAM", kLineBytes * match_.dram.bursts_written,
          "bytes");
    share("dram_bus", "DRAM data bus", match_.dram.bus_pct);
    share("memory_full", "memory took nothing more", match_.memory_full_pct);
  }

  const MatchRecord& match_;
  Table table_{"match", "Match unit", {{"value", "value"}}, {}};
};

}  // namespace

Table match_table(const RunRecord& record) {
  if (!record.match)
    return {"match", "Match unit", {{"value", "value"}}, {}};
  return MatchTable(*record.match).table();
}

// What the unit could do at most shows where it is held up: one session is looked up per cycle, and
// a memory's controllers take no more when the lines that they choose among are all under way.
void fill_match(MatchRecord& match) {
  fill_dram(match.dram);
  for (MatchQueue* queue : {&match.sessions, &match.load_queue, &match.store_queue})
    queue->held_pct = percentage(queue->held_cycles, queue->places * match.cycles);
  match.latency_cycles.mean = match.lookups == 0 ? 0
                                                 : static_cast<double>(match.latency_cycles.total) /
                                                       static_cast<double>(match.lookups);
  match.hit_pct = percentage(match.hits, match.hits + match.misses);
  match.input_pct = percentage(match.looked_up, match.cycles);
  match.memory_full_pct =
      percentage(match.memory_full_cycles, match.cycles * match.dram.channels.size());
  const bool is_memory = match.memory_full_pct > match.input_pct;
  match.busiest = is_memory ? "memory" : "input";
  match.use_pct = is_memory ? match.memory_full_pct : match.input_pct;
}

void check_match(const RunRecord& record, std::vector<std::string>& broken) {
  if (!record.match)
    return;
  const MatchRecord& match = *record.match;
  const auto must_equal = [&](const char* what, Count found, const char* other, Count wanted) {
    if (found != wanted)
      broken.push_back(fmt::format("match unit: {}: {}, but {}: {}", what, found, other, wanted));
  };
  const auto at_most = [&](const char* what, Count found, const char* other, Count most) {
    if (found > most)
      broken.push_back(
          fmt::format("match unit: {}: {}, more than {}: {}", what, found, other, most));
  };
  must_equal("keys posted", match.keys_posted, "lookups that ended or are under way",
             match.lookups + match.under_way);
  at_most("lookups that matched", match.matched, "lookups", match.lookups);
  must_equal("updates refused", match.updates_refused, "those that may be", 0);
  at_most("answers read", match.answers_read, "lookups", match.lookups);
  at_most("look-ups in the cache", match.hits + match.misses, "sessions sent on", match.looked_up);
  at_most("passes of the action pipeline", match.passes, "look-ups in the cache",
          match.hits + match.misses);
  at_most("lines of ended lookups", match.references, "passes of the action pipeline",
          match.passes);
  at_most("most sessions", match.sessions.most_held, "sessions", match.sessions.places);
  at_most("most reads under way", match.load_queue.most_held, "places", match.load_queue.places);
  at_most("most stores", match.store_queue.most_held, "places", match.store_queue.places);
  check_dram(match.dram, broken);
}

}  // namespace nplab::reports
