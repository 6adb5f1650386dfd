#include "reports/analysis/invariants.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/analysis/attribution_invariants.h"
#include "reports/analysis/memories/caches.h"
#include "reports/analysis/memories/dram.h"
#include "reports/analysis/memories/match.h"
#include "reports/record/activity.h"

namespace nplab::reports {
namespace {

// What the threads, or the lines, of one engine add up to.
struct Sums {
  Count executing = 0;
  Count aborted = 0;
  Count stalled = 0;
  Count waiting = 0;
};

Sums sum_threads(const Engine& engine) {
  Sums sums;
  for (const Thread& thread : engine.threads) {
    sums.executing += thread.executing;
    sums.aborted += thread.aborted;
    sums.stalled += thread.stalled;
    sums.waiting += sum_of(thread.waiting);
  }
  return sums;
}

Sums sum_lines(const RunRecord& record, Count engine) {
  Sums sums;
  for (const Line& line : record.lines) {
    if (line.engine != engine)
      continue;
    sums.executing += line.executing;
    sums.aborted += line.aborted;
    sums.stalled += line.stalled;
    sums.waiting += line.waiting;
  }
  return sums;
}

class Checker {
 public:
  explicit Checker(const RunRecord& record) : record_(record) {}

  std::vector<std::string> run() {
    for (const Engine& engine : record_.engines)
      check_engine(engine);
    check_line_owners();
    check_attribution(record_, broken_);
    check_caches(record_, broken_);
    if (record_.dram)
      check_dram(*record_.dram, broken_);
    check_match(record_, broken_);
    check_ports();
    check_conservation();
    check_latencies();
    check_queues();
    check_verdicts();
    const auto activity = check_activity(record_);
    broken_.insert(broken_.end(), activity.begin(), activity.end());
    return std::move(broken_);
  }

 private:
  template <class... Args>
  void must_equal(Count found, Count wanted, fmt::format_string<Args...> sentence, Args&&... args) {
    if (found != wanted)
      broken_.push_back(fmt::format(sentence, std::forward<Args>(args)...));
  }

  void check_engine(const Engine& engine) {
    const EngineCycles& c = engine.cycles;
    const Count sum = c.executing + c.aborted + c.stalled + c.idle;
    must_equal(sum, record_.cycles.core,
               "engine {}: executing {} + aborted {} + stalled {} + idle {} = {}, but the run took "
               "{} cycles",
               engine.id, c.executing, c.aborted, c.stalled, c.idle, sum, record_.cycles.core);
    for (const Thread& thread : engine.threads)
      check_thread(engine, thread);
    const Sums threads = sum_threads(engine);
    if (!engine.threads.empty())
      check_parts(engine, "threads", threads);
    if (!engine.aborted_by.empty()) {
      const Count by_class = sum_of(engine.aborted_by);
      must_equal(by_class, c.aborted,
                 "engine {}: aborted cycles by branch class add up to {}, but the engine has {}",
                 engine.id, by_class, c.aborted);
    }
    if (engine.work_cycles) {
      const WorkCycles& work = *engine.work_cycles;
      const Count by_use = work.useful + work.starved + work.blocked + work.lock_spin;
      must_equal(by_use, c.executing,
                 "engine {}: executed cycles by use add up to {}, but the engine has {}", engine.id,
                 by_use, c.executing);
    }
    if (record_.lines.empty())
      return;
    const Sums lines = sum_lines(record_, engine.id);
    check_parts(engine, "source lines", lines);
    must_equal(
        lines.waiting, threads.waiting,
        "engine {}: waiting cycles of its source lines add up to {}, but its threads have {}",
        engine.id, lines.waiting, threads.waiting);
  }

  void check_thread(const Engine& engine, const Thread& t) {
    const Count waiting = sum_of(t.waiting);
    const Count sum = t.executing + t.aborted + t.stalled + t.ready + waiting + t.off;
    must_equal(sum, record_.cycles.core,
               "engine {} thread {}: executing {} + aborted {} + stalled {} + ready {} + waiting "
               "{} + off {} = {}, but "
               "the run took {} cycles",
               engine.id, t.id, t.executing, t.aborted, t.stalled, t.ready, waiting, t.off, sum,
               record_.cycles.core);
  }

  void check_parts(const Engine& engine, const char* parts, const Sums& sums) {
    constexpr const char* kSentence =
        "engine {}: {} cycles of its {} add up to {}, but the engine has {}";
    const EngineCycles& c = engine.cycles;
    must_equal(sums.executing, c.executing, kSentence, engine.id, "executing", parts,
               sums.executing, c.executing);
    must_equal(sums.aborted, c.aborted, kSentence, engine.id, "aborted", parts, sums.aborted,
               c.aborted);
    must_equal(sums.stalled, c.stalled, kSentence, engine.id, "stalled", parts, sums.stalled,
               c.stalled);
  }

  void check_line_owners() {
    for (const Line& line : record_.lines) {
      bool known = false;
      for (const Engine& engine : record_.engines)
        known = known || engine.id == line.engine;
      if (!known) {
        broken_.push_back(
            fmt::format("line {}:{} belongs to engine {}, which the run does not have", line.file,
                        line.line, line.engine));
      }
    }
  }

  void check_ports() {
    if (record_.ports.empty())
      return;
    Count received = 0;
    Count sent = 0;
    for (const Port& port : record_.ports) {
      received += port.received;
      sent += port.sent;
    }
    constexpr const char* kSentence = "packets: the ports {} {}, but the run counts {}";
    must_equal(received, record_.packets.received, kSentence, "received", received,
               record_.packets.received);
    must_equal(sent, record_.packets.sent, kSentence, "sent", sent, record_.packets.sent);
  }

  void check_conservation() {
    const Packets& p = record_.packets;
    const Count no_match = p.no_match_dropped.value_or(p.no_match);
    const Count other = sum_of(p.dropped_other);
    const Count sum = p.sent + p.denied + no_match + p.dropped_queue_full + other + p.in_flight;
    must_equal(p.received, sum,
               "packets: {} received, but sent {} + denied {} + no match {} + dropped at a full "
               "queue {} + dropped for other reasons {} + in flight {} = {}",
               p.received, p.sent, p.denied, no_match, p.dropped_queue_full, other, p.in_flight,
               sum);
  }

  void check_latencies() {
    if (record_.latency_histogram.empty())
      return;
    Count packets = 0;
    for (const LatencyBucket& bucket : record_.latency_histogram)
      packets += bucket.count;
    must_equal(packets, record_.packets.sent,
               "packets: the latency distribution counts {}, but {} were sent", packets,
               record_.packets.sent);
    Count timed = 0;
    for (const LatencyBucket& bucket : record_.classification_histogram)
      timed += bucket.count;
    if (timed > record_.packets.classified) {
      broken_.push_back(
          fmt::format("packets: the distribution of classification times counts {}, but {} were "
                      "classified",
                      timed, record_.packets.classified));
    }
  }

  void check_queues() {
    constexpr const char* kSentence = "queue {}: {} {}, more than {}";
    const auto at_most = [&](const QueueRecord& queue, Count value, const char* what, Count limit) {
      if (value > limit)
        broken_.push_back(fmt::format(kSentence, queue.name, value, what, limit));
    };
    for (const QueueRecord& queue : record_.queues) {
      at_most(queue, queue.dequeued, "taken out", queue.enqueued);
      at_most(queue, queue.enqueued - std::min(queue.dequeued, queue.enqueued), "inside",
              queue.rings * queue.entries);
      at_most(queue, queue.peak, "in one ring", queue.entries);
    }
  }

  void check_verdicts() {
    const Packets& p = record_.packets;
    must_equal(
        p.misclassified, 0,
        "packets: {} of {} classified packets got a different rule than the reference classifier's",
        p.misclassified, p.classified);
    must_equal(
        p.misforwarded, 0,
        "packets: {} of {} classified packets got the right rule, but the wrong action or port",
        p.misforwarded, p.classified);
    must_equal(p.altered_frames, 0,
               "packets: {} of {} sent frames differ from the frame that was received",
               p.altered_frames, p.sent);
    must_equal(p.sent_again, 0,
               "packets: {} of {} sent frames had been sent before or were never received",
               p.sent_again, p.sent);
  }

  const RunRecord& record_;
  std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> check_invariants(const RunRecord& record) {
  return Checker(record).run();
}

}  // namespace nplab::reports
