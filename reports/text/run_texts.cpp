#include "reports/text/run_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/analysis/derive.h"
#include "reports/analysis/invariants.h"
#include "reports/analysis/steady_state.h"
#include "reports/tables/text_layout.h"

namespace nplab::reports {
namespace {

std::string throughput_sentence(const Throughput& throughput) {
  const std::string by = fmt::format("({} trials, resolution {:g} % of line rate)",
                                     throughput.trials.size(), throughput.resolution_pct);
  if (throughput.offered_mbps == 0)
    return fmt::format("no rate was found that loses at most {:g} % {}",
                       throughput.allowed_loss_pct, by);
  return fmt::format(
      "{:.1f} Mb/s over all ports is the highest offered rate that loses at most "
      "{:g} % {}; this run has it",
      throughput.offered_mbps, throughput.allowed_loss_pct, by);
}

}  // namespace

std::string options_line(const RunRecord& record) {
  const Options& options = record.options;
  std::string line = fmt::format("packets {}, seed {}", options.packets, record.seed);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty())
      line += fmt::format(", {} {}", name, value);
  };
  add("arrival", options.arrival);
  add("ports", options.ports_in);
  add("l4-key", options.l4_key);
  if (options.drain)
    line += ", drained";
  for (const std::string& override_ : options.set)
    add("set", override_);
  add("mode", record.mode);
  return line;
}

std::string without_line(const RunRecord& record) {
  const auto& resources = record.options.without;
  return resources.empty()
             ? ""
             : fmt::format("{}: free of cost, as on no real chip", fmt::join(resources, ", "));
}

double calibration_share(const RunRecord& record) {
  Count cycles = 0, all = 0;
  for (const Engine& engine : record.engines) {
    if (engine.words == 0)
      continue;
    cycles += engine.calibration_cycles.value_or(0);
    all += record.cycles.core;
  }
  return percentage(cycles, all);
}

std::string inputs_text(const RunRecord& record, std::size_t width) {
  std::string text;
  const Inputs& inputs = record.inputs;
  text += wrapped("  mapping   ", inputs.mapping.name, width);
  text += wrapped("  chip      ", inputs.chip.name, width);
  text += wrapped("  rules     ", inputs.rules.name, width);
  text += wrapped("  traffic   ", inputs.traffic.name, width);
  if (inputs.updates)
    text += wrapped("  updates   ", inputs.updates->name, width);
  for (const std::string& choice : record.workload)
    text += wrapped("            ", choice, width);
  text += wrapped("  options   ", options_line(record), width);
  if (const std::string without = without_line(record); !without.empty())
    text += wrapped("  without   ", without, width);
  const double calibration = calibration_share(record);
  if (calibration > 0) {
    text += wrapped("  tuning    ",
                    fmt::format("calibration work is {:.1f} % of the cycles of the engines in use: "
                                "it stands for code that was not printed; --no-calibration runs "
                                "without it",
                                calibration),
                    width);
  }
  if (const std::string steady = steady_sentence(record); !steady.empty())
    text += wrapped("  warm-up   ", steady, width);
  if (record.throughput)
    text += wrapped("  rate      ", throughput_sentence(*record.throughput), width);
  return text;
}

std::string verification(const RunRecord& record, const std::string& name, std::size_t width) {
  const std::vector<std::string> broken = check_invariants(record);
  const std::string counts = fmt::format("{} packets classified, {} misclassified",
                                         record.packets.classified, record.packets.misclassified);
  std::string text;
  if (broken.empty() && record.failure) {
    text += wrapped(
        "",
        fmt::format("Verification of {}: {}; no check failed before the run ended.", name, counts),
        width);
  } else if (broken.empty() && record.packets.classified == 0) {
    text += wrapped("",
                    fmt::format("Verification of {}: nothing was classified, so no verdict was "
                                "checked; every other check held.",
                                name),
                    width);
  } else if (broken.empty()) {
    text +=
        wrapped("", fmt::format("Verification of {}: {}; every check held.", name, counts), width);
  } else {
    text += wrapped(
        "",
        fmt::format("Verification of {} FAILED: {}; {} violated:", name, counts,
                    broken.size() == 1 ? "1 check" : fmt::format("{} checks", broken.size())),
        width);
  }
  for (const std::string& sentence : broken)
    text += wrapped("  - ", sentence, width);
  if (!record.failure)
    return text;
  const Failure& failure = *record.failure;
  text += wrapped("", fmt::format("Run {} FAILED ({}): {}", name, failure.kind, failure.message),
                  width);
  for (const std::string& detail : failure.details)
    text += wrapped("  - ", detail, width);
  return text;
}

std::string sentences_text(const std::vector<std::string>& sentences, std::size_t width) {
  std::string text;
  for (const std::string& sentence : sentences)
    text += wrapped("", sentence, width);
  return text;
}

}  // namespace nplab::reports
