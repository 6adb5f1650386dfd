#include "reports/analysis/soak.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

namespace nplab::reports {
namespace {

constexpr double kSteadyPct = 2;        // of the mean
constexpr double kGrowthKb = 4 * 1024;  // over all compared windows
constexpr Count kWarmUp = 10;           // received packets a buffer
constexpr std::size_t kFewestWindows = 2;

using Windows = std::span<const SoakWindow>;
using Value = double (*)(const SoakWindow&);

double receive_rate(const SoakWindow& window) {
  return window.rates_mbps.receive;
}
double transmit_rate(const SoakWindow& window) {
  return window.rates_mbps.transmit;
}

Windows compared_windows(const SoakRecord& record) {
  return Windows(record.windows).subspan(std::min(warm_up_windows(record), record.windows.size()));
}

double mean_of(Windows windows, Value value) {
  double sum = 0;
  for (const SoakWindow& window : windows)
    sum += value(window);
  return sum / static_cast<double>(windows.size());
}

SoakCheck check_rate(const std::string& name, Windows windows, Value value) {
  const double mean = mean_of(windows, value);
  double farthest = 0;
  for (const SoakWindow& window : windows)
    farthest = std::max(farthest, std::abs(value(window) - mean));
  const double percent = mean > 0 ? 100 * farthest / mean : 0;
  return {name, percent <= kSteadyPct,
          fmt::format("mean {:.2f} Mb/s over {} windows; largest deviation {:.3f} %", mean,
                      windows.size(), percent)};
}

// What the least-squares line rises by from the first window to the last, in KB.
double fitted_growth(Windows windows) {
  const double middle = static_cast<double>(windows.size() - 1) / 2;
  const double mean = mean_of(
      windows, [](const SoakWindow& window) { return static_cast<double>(window.resident_kb); });
  double covariance = 0, variance = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    covariance += x * (static_cast<double>(windows[i].resident_kb) - mean);
    variance += x * x;
  }
  return covariance / variance * static_cast<double>(windows.size() - 1);
}

SoakCheck check_memory(Windows windows) {
  const double growth = fitted_growth(windows);
  return {
      "host memory does not grow", growth <= kGrowthKb,
      fmt::format("{:+.0f} KB by linear fit over {} windows; {} KB in the first, {} KB in the last",
                  growth, windows.size(), windows.front().resident_kb, windows.back().resident_kb)};
}

SoakCheck check_run(const RunRecord& run) {
  if (run.failure)
    return {"every check of the run", false, run.failure->kind + ": " + run.failure->message};
  return {"every check of the run", true,
          fmt::format("{} packets received, {} sent, {} classified", run.packets.received,
                      run.packets.sent, run.packets.classified)};
}

nlohmann::ordered_json json_of(const SoakWindow& window) {
  return {{"end_cycle", window.end_cycle},
          {"received", window.received},
          {"sent", window.sent},
          {"rates_mbps",
           {{"receive", window.rates_mbps.receive}, {"transmit", window.rates_mbps.transmit}}},
          {"resident_kb", window.resident_kb}};
}

// A file name that is not UTF-8 is written with replacement characters.
std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

std::size_t warm_up_windows(const SoakRecord& record) {
  Count before = 0;
  std::size_t windows = 0;
  for (; windows < record.windows.size() && before < std::max<Count>(1, kWarmUp * record.buffers);
       ++windows)
    before += record.windows[windows].received;
  return windows;
}

std::vector<SoakCheck> check_soak(const SoakRecord& record) {
  const Windows windows = compared_windows(record);
  std::vector<SoakCheck> checks;
  if (windows.size() < kFewestWindows) {
    checks.push_back(
        {"long enough", false,
         fmt::format(
             "{} windows of {} packets, {} of them after the warm-up; at least {} are needed",
             record.windows.size(), record.window_packets, windows.size(), kFewestWindows)});
  } else {
    checks.push_back(check_rate("steady receive rate", windows, receive_rate));
    checks.push_back(check_rate("steady transmit rate", windows, transmit_rate));
    checks.push_back(check_memory(windows));
  }
  checks.push_back({"no buffer leaks", record.free_buffers == record.buffers,
                    fmt::format("{} of {} buffers are free after the drain", record.free_buffers,
                                record.buffers)});
  checks.push_back({"no packet is in flight", record.run->packets.in_flight == 0,
                    fmt::format("{} in flight after the drain", record.run->packets.in_flight)});
  checks.push_back(check_run(*record.run));
  return checks;
}

std::string to_json(const SoakRecord& record) {
  nlohmann::ordered_json json{{"schema", "nplab.soak/1"},
                              {"finished", record.run.has_value()},
                              {"wall_s", record.wall_s},
                              {"window_packets", record.window_packets},
                              {"warm_up_windows", warm_up_windows(record)},
                              {"windows", nlohmann::ordered_json::array()}};
  for (const SoakWindow& window : record.windows)
    json["windows"].push_back(json_of(window));
  if (!record.run)
    return text_of(json);
  json["buffers"] = {{"all", record.buffers}, {"free", record.free_buffers}};
  json["checks"] = nlohmann::ordered_json::array();
  for (const SoakCheck& check : check_soak(record))
    json["checks"].push_back(
        {{"name", check.name}, {"held", check.held}, {"measured", check.measured}});
  json["run"] = nlohmann::ordered_json::parse(to_json(*record.run));
  return text_of(json);
}

std::string render_soak(const SoakRecord& record) {
  const RunRecord& run = *record.run;
  std::string text = fmt::format(
      "{} on {}: {} packets in {} windows of {}, {} core cycles, {:.0f} s of wall time\n",
      run.inputs.mapping.name, run.inputs.chip.name, run.packets.received, record.windows.size(),
      record.window_packets, run.cycles.core, record.wall_s);
  for (const SoakCheck& check : check_soak(record))
    text +=
        fmt::format("{:6} {}: {}\n", check.held ? "holds" : "FAILS", check.name, check.measured);
  return text;
}

}  // namespace nplab::reports
