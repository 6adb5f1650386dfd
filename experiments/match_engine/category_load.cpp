#include "experiments/match_engine/category_load.h"

#include <random>
#include <vector>

#include "simulator/match_engine/match_engine.h"

namespace nplab::experiments {
namespace {

namespace match = simulator::match;
using simulator::Cycle;

class FlowDesk final : public match::RequestSource, public match::ResultSink {
 public:
  FlowDesk(const TableGraph& graph, std::uint64_t packets, std::uint64_t seed)
      : graph_(graph), left_(packets), random_(seed), sent_(graph.flows.size()) {
    draw();
  }
  [[nodiscard]] Cycle next() const override { return left_ == 0 ? Cycle::never() : Cycle(); }
  [[nodiscard]] const match::Request& front() const override { return request_; }
  void pop() override {
    ++sent_[request_.number];
    --left_;
    draw();
  }
  void finished(const match::Result& result) override {
    ++finished_;
    references_ += result.references;
  }
  [[nodiscard]] std::uint64_t finished_packets() const { return finished_; }
  [[nodiscard]] std::uint64_t references() const { return references_; }
  // Packets by entry.
  [[nodiscard]] std::vector<std::uint64_t> expected() const {
    std::vector<std::uint64_t> packets(graph_.entries.size());
    for (std::size_t flow = 0; flow < sent_.size(); ++flow)
      for (const std::uint32_t entry : winners_of(graph_, graph_.flows[flow]))
        packets[entry] += sent_[flow];
    return packets;
  }

 private:
  void draw() {
    request_.number = random_() % graph_.flows.size();
    request_.rule.key = graph_.flows[request_.number];
    request_.bytes = 64;
  }

  const TableGraph& graph_;
  std::uint64_t left_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> sent_;  // by flow
  match::Request request_;
  std::uint64_t finished_ = 0;
  std::uint64_t references_ = 0;
};

double per(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace

CategoryLoadResult run_category(const RuleCategory& category, const match::MatchDescription& unit,
                                std::uint64_t packets, std::uint64_t seed) {
  constexpr std::uint64_t kSlots = std::uint64_t{1} << 24;
  const TableGraph graph = draw_table_graph(category, seed);
  match::MatchDescription description = unit;
  description.collisions = isa::match::Collisions::kChain;
  isa::match::TableImage tables({kSlots, kSlots}, description.collisions);
  for (const isa::match::Entry& entry : graph.entries)
    tables.insert(entry);
  CategoryLoadResult result;
  result.entries = graph.entries.size();
  result.flows = graph.flows.size();
  result.chained = tables.overflow_used();

  FlowDesk desk(graph, packets, seed);
  match::MatchEngine engine(description, graph.program, std::move(tables), &desk, nullptr, desk);
  while (desk.finished_packets() < packets / 2)
    engine.run(engine.now() + 64);
  const auto begin = engine.now();
  const auto before = desk.finished_packets();
  const auto cache = engine.cache().counters();
  const auto dram = engine.memory().dram().counters();
  while (desk.next() != Cycle::never())
    engine.run(engine.now() + 64);
  const std::uint64_t finished = desk.finished_packets() - before;
  result.megapackets_per_s =
      static_cast<double>(unit.clock_hz) / 1e6 * per(finished, engine.now() - begin);
  const auto& after = engine.cache().counters();
  const std::uint64_t misses = after.misses - cache.misses;
  result.miss_percent = 100 * per(misses, misses + after.hits - cache.hits);
  const auto moved = engine.memory().dram().counters();
  result.bursts_per_packet = per(moved.reads + moved.writes - dram.reads - dram.writes, finished);
  while (!engine.is_idle())
    engine.run(engine.now() + 64);

  const std::vector<std::uint64_t> expected = desk.expected();
  std::uint64_t matches = 0;
  for (const std::uint64_t count : expected)
    matches += count;
  result.tables_per_packet = per(matches, packets);
  result.references_per_packet = per(desk.references(), packets);
  std::vector<std::uint64_t> found(expected.size());
  for (const isa::match::Slot slot : engine.slots())
    if (const auto entry = engine.rule(slot); entry.tuple != isa::match::kNoTuple)
      found[entry.action] = entry.packets;
  result.is_exact = found == expected;
  return result;
}

}  // namespace nplab::experiments
