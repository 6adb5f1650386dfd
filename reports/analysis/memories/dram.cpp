#include "reports/analysis/memories/dram.h"

#include <fmt/format.h>

#include "reports/analysis/derive.h"

namespace nplab::reports {
namespace {

constexpr Count DramChannel::* kSums[] = {
    &DramChannel::reads,          &DramChannel::writes,        &DramChannel::row_hits,
    &DramChannel::row_misses,     &DramChannel::row_conflicts, &DramChannel::from_write_queue,
    &DramChannel::merged_writes,  &DramChannel::write_batches, &DramChannel::waiting_reads,
    &DramChannel::waiting_writes, &DramChannel::data_clocks};

DramChannel sum_of(const DramRecord& dram) {
  DramChannel sum;
  for (const DramChannel& channel : dram.channels) {
    for (Count DramChannel::* const count : kSums)
      sum.*count += channel.*count;
    for (const auto& [name, count] : channel.commands)
      sum.commands[name] += count;
  }
  return sum;
}

Count bursts_of(const DramChannel& channel) {
  return channel.reads + channel.writes;
}

Row dram_row(std::string id, std::string label, const DramChannel& channel, double bus_pct) {
  const auto of_bursts = [](Count count) { return Cell{count, "bursts", 0}; };
  const auto refreshes = channel.commands.find("REF");
  return {std::move(id),
          std::move(label),
          {of_bursts(channel.reads), of_bursts(channel.writes),
           bursts_of(channel) == 0 ? Cell{{}, "%", 1}
                                   : Cell{percentage(channel.row_hits, bursts_of(channel)), "%", 1},
           of_bursts(channel.row_misses), of_bursts(channel.row_conflicts),
           of_bursts(channel.from_write_queue), of_bursts(channel.merged_writes),
           Cell{refreshes == channel.commands.end() ? 0 : refreshes->second, "", 0},
           Cell{bus_pct, "%", 1}}};
}

void add_rows(const DramRecord& dram, const std::string& id, const std::string& label,
              Table& table) {
  table.rows.push_back(dram_row(id + "all",
                                fmt::format("{}{}, {} clocks in {} cycles", label, dram.speed,
                                            dram.memory_clocks, dram.core_cycles),
                                sum_of(dram), dram.bus_pct));
  for (std::size_t i = 0; dram.channels.size() > 1 && i < dram.channels.size(); ++i)
    table.rows.push_back(dram_row(fmt::format("{}channel{}", id, i),
                                  fmt::format("... channel {}", i), dram.channels[i],
                                  dram.channels[i].bus_pct));
}

class DramChecker {
 public:
  DramChecker(const DramRecord& dram, std::vector<std::string>& broken)
      : dram_(dram), broken_(broken) {}

  void run() {
    for (std::size_t i = 0; i < dram_.channels.size(); ++i)
      check_channel(i, dram_.channels[i]);
    const DramChannel sum = sum_of(dram_);
    must_equal("bursts that references read", dram_.bursts_read, "read, waiting or from writes",
               sum.reads + sum.waiting_reads + sum.from_write_queue);
    must_equal("bursts that references wrote", dram_.bursts_written, "written, waiting or merged",
               sum.writes + sum.waiting_writes + sum.merged_writes);
  }

 private:
  void must_equal(const std::string& what, Count found, const std::string& other, Count wanted) {
    if (found != wanted)
      broken_.push_back(
          fmt::format("{}, DDR4: {}: {}, but {}: {}", dram_.memory, what, found, other, wanted));
  }
  static Count issued(const DramChannel& channel, const char* name) {
    const auto found = channel.commands.find(name);
    return found == channel.commands.end() ? 0 : found->second;
  }
  void check_channel(std::size_t number, const DramChannel& channel) {
    const std::string name = fmt::format("channel {}: ", number);
    must_equal(name + "row hits, misses and conflicts",
               channel.row_hits + channel.row_misses + channel.row_conflicts, "bursts",
               bursts_of(channel));
    must_equal(name + "read commands", issued(channel, "RD") + issued(channel, "RDA"),
               "bursts read", channel.reads);
    must_equal(name + "write commands", issued(channel, "WR") + issued(channel, "WRA"),
               "bursts written", channel.writes);
    must_equal(name + "clocks of the data bus", channel.data_clocks, "bursts x their clocks",
               bursts_of(channel) * dram_.clocks_per_burst);
  }

  const DramRecord& dram_;
  std::vector<std::string>& broken_;
};

}  // namespace

Table dram_table(const RunRecord& record) {
  Table table{"dram",
              "DRAM",
              {{"reads", "reads"},
               {"writes", "writes"},
               {"row_hit_pct", "row hits"},
               {"row_misses", "row misses"},
               {"row_conflicts", "row conflicts"},
               {"from_write_queue", "from write queue"},
               {"merged_writes", "merged writes"},
               {"refreshes", "refreshes"},
               {"channel_bus_pct", "bus"}},
              {}};
  if (record.dram)
    add_rows(*record.dram, "", "", table);
  if (record.match)
    add_rows(record.match->dram, "match.", "match unit, ", table);
  return table;
}

void fill_dram(DramRecord& dram) {
  for (DramChannel& channel : dram.channels) {
    channel.row_hit_pct = percentage(channel.row_hits, bursts_of(channel));
    channel.bus_pct = percentage(channel.data_clocks, dram.clocks);
  }
  const DramChannel sum = sum_of(dram);
  dram.row_hit_pct = percentage(sum.row_hits, bursts_of(sum));
  dram.bus_pct = percentage(sum.data_clocks, dram.clocks * dram.channels.size());
}

void check_dram(const DramRecord& dram, std::vector<std::string>& broken) {
  DramChecker(dram, broken).run();
}

}  // namespace nplab::reports
