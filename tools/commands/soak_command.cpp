// nplab soak: one mapping under full load for long, to find what drifts, leaks or gets lost.
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>

#include "experiments/run/simulate.h"
#include "reports/analysis/soak.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using SoakClock = std::chrono::steady_clock;

constexpr std::uint64_t kUsualPackets = 10'000'000;
// Far more than any thread needs to give back a buffer whose frame has left.
constexpr simulator::Cycles kSettling = 20'000;
constexpr std::chrono::seconds kWriteInterval{10};
constexpr double kBitsOfGap = 12 * 8.0;

struct SoakOptions {
  std::string mapping;
  ExperimentOptions experiment;
  std::optional<std::uint64_t> packets;
  std::string duration;
  std::uint64_t window = 100'000;
  std::string json;
  bool quiet = false;
};

volatile std::sig_atomic_t interrupted = 0;

void interrupt(int) {
  interrupted = 1;
}

// `90s`, `45m`, `2h`; a bare number is seconds.
std::optional<std::chrono::seconds> parse_duration(const std::string& text,
                                                   Diagnostics& diagnostics) {
  const auto digits = text.find_first_not_of("0123456789");
  const std::string unit = digits == std::string::npos ? "s" : text.substr(digits);
  const unsigned factor = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  constexpr std::size_t kMostDigits = 7;
  if (digits == 0 || std::min(digits, text.size()) > kMostDigits || factor == 0) {
    diagnostics.error({"--for " + text, 0, 0},
                      "a time is written as a number and s, m or h, such as 90s or 2h");
    return std::nullopt;
  }
  return std::chrono::seconds(std::stoul(text) * factor);
}

std::uint64_t packets_wanted(const SoakOptions& options) {
  const bool endless = !options.packets && !options.duration.empty();
  return endless ? std::numeric_limits<std::uint64_t>::max()
                 : options.packets.value_or(kUsualPackets);
}

// Resident set of this process, in KB.
reports::Count resident_kb() {
  std::ifstream statistics("/proc/self/statm");
  reports::Count pages = 0, resident = 0;
  statistics >> pages >> resident;
  return resident * static_cast<reports::Count>(::sysconf(_SC_PAGESIZE)) / 1024;
}

double rate_mbps(std::uint64_t bytes, std::uint64_t frames, simulator::Cycles cycles,
                 std::uint64_t core_hz) {
  const double bits = 8.0 * static_cast<double>(bytes) + kBitsOfGap * static_cast<double>(frames);
  return bits * static_cast<double>(core_hz) / static_cast<double>(cycles) / 1e6;
}

// Cuts the run into windows of received packets.
class WindowCutter final : public simulator::FrameObserver {
 public:
  // `closed` is called at the end of each window; the record outlives this.
  WindowCutter(reports::SoakRecord& record, std::uint64_t core_hz, std::function<void()> closed)
      : record_(record), core_hz_(core_hz), closed_(std::move(closed)) {}

  [[nodiscard]] std::uint64_t packets() const { return packets_; }

  void received(unsigned, simulator::Cycle at, std::span<const std::uint8_t> frame) override {
    ++packets_;
    received_.add(frame);
    if (received_.frames == record_.window_packets)
      close(at);
  }
  void sent(unsigned, simulator::Cycle, std::span<const std::uint8_t> frame) override {
    sent_.add(frame);
  }

 private:
  struct Sum {
    std::uint64_t frames = 0;
    std::uint64_t bytes = 0;
    void add(std::span<const std::uint8_t> frame) {
      ++frames;
      bytes += frame.size();
    }
  };

  void close(simulator::Cycle at) {
    const simulator::Cycle end = at + 1;
    const simulator::Cycles cycles = end - begin_;
    const auto rate = [&](const Sum& sum) {
      return rate_mbps(sum.bytes, sum.frames, cycles, core_hz_);
    };
    record_.windows.push_back({end.number(),
                               received_.frames,
                               sent_.frames,
                               resident_kb(),
                               {rate(received_), rate(sent_)}});
    received_ = sent_ = {};
    begin_ = end;
    closed_();
  }

  reports::SoakRecord& record_;
  std::uint64_t core_hz_;
  std::function<void()> closed_;
  simulator::Cycle begin_;
  Sum received_, sent_;
  std::uint64_t packets_ = 0;  // received
};

// Blocks in the SRAM unit's free list of packet buffers; one more than `most` when it does not end.
std::uint64_t free_buffers(const simulator::ChipParts& parts, std::uint64_t most) {
  const auto& sram = *parts.sram;
  std::uint64_t count = 0;
  for (std::uint32_t block = sram.free_list(0); block != 0 && count <= most;
       block = sram.storage().peek(block))
    ++count;
  return count;
}

class Soak {
 public:
  Soak(const SoakOptions& options, std::optional<std::chrono::seconds> limit)
      : options_(options),
        limit_(limit),
        wanted_(packets_wanted(options)),
        started_(SoakClock::now()),
        next_write_(started_ + kWriteInterval),
        bar_(options.quiet ? ProgressBar::Visibility::kQuiet
                           : ProgressBar::Visibility::kWhenTerminal) {}

  // What was measured, whole; what cannot be written is reported.
  reports::SoakRecord run(const Experiment& experiment, const std::vector<EngineProgram>& programs,
                          Diagnostics& diagnostics) {
    record_.window_packets = options_.window;
    record_.buffers = experiment.placement.buffers.count;
    WindowCutter cutter(record_, experiment.chip.clock.core_hz,
                        [&] { window_closed(diagnostics); });
    SimulationRequest request{experiment, programs, {}, [&](double) { show(cutter.packets()); }};
    request.ended = [&] {
      return interrupted != 0 || cutter.packets() >= wanted_ ||
             (limit_ && SoakClock::now() - started_ >= *limit_);
    };
    request.frames = &cutter;
    request.settling = kSettling;
    request.inspect = [this](const auto& parts) {
      record_.free_buffers = free_buffers(parts, record_.buffers);
    };
    auto run = simulate(request, diagnostics);
    run.options.packets = run.packets.offered;
    record_.run = std::move(run);
    record_.wall_s = wall_s();
    return std::move(record_);
  }

 private:
  [[nodiscard]] double wall_s() const {
    return std::chrono::duration<double>(SoakClock::now() - started_).count();
  }

  void show(std::uint64_t received) {
    double done = static_cast<double>(received) / static_cast<double>(wanted_);
    if (limit_)
      done = std::max(done, wall_s() / static_cast<double>(limit_->count()));
    bar_.show(fmt::format("{}, window {}", options_.mapping, record_.windows.size() + 1), done);
  }

  // An ended run still tells what it measured.
  void window_closed(Diagnostics& diagnostics) {
    if (options_.json.empty() || options_.json == "-" || SoakClock::now() < next_write_)
      return;
    next_write_ = SoakClock::now() + kWriteInterval;
    record_.wall_s = wall_s();
    write_output_file(options_.json, to_json(record_), diagnostics);
  }

  const SoakOptions& options_;
  std::optional<std::chrono::seconds> limit_;
  std::uint64_t wanted_;  // received
  SoakClock::time_point started_;
  SoakClock::time_point next_write_;
  ProgressBar bar_;
  reports::SoakRecord record_;
};

int soak_status(const reports::SoakRecord& record) {
  int status = status_of(*record.run);
  for (const reports::SoakCheck& check : reports::check_soak(record))
    if (!check.held)
      status = std::max(status, kCheckFailed);
  return status;
}

void report(const SoakOptions& options, const reports::SoakRecord& record) {
  if (!options.quiet && options.json != "-")
    std::cout << reports::render_soak(record);
  for (const reports::SoakCheck& check : reports::check_soak(record))
    if (!check.held)
      std::cerr << fmt::format("nplab: {}: fails: {}: {}\n", options.mapping, check.name,
                               check.measured);
  if (!record.run->failure)
    return;
  for (const std::string& detail : record.run->failure->details)
    std::cerr << "  " << detail << '\n';
}

int soak(const SoakOptions& options) {
  Diagnostics diagnostics;
  ExperimentOptions chosen = options.experiment;
  chosen.drain = true;
  chosen.packets = std::numeric_limits<std::uint64_t>::max();  // as many as it takes
  const auto limit =
      options.duration.empty() ? std::nullopt : parse_duration(options.duration, diagnostics);
  const auto experiment = prepare_experiment(options.mapping, chosen, diagnostics);
  const auto programs = experiment ? compile_programs(*experiment, diagnostics) : std::nullopt;
  check_output_file(options.json, diagnostics);
  if (diagnostics.has_errors() || !programs) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  // A second interrupt ends the process.
  struct sigaction action{};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  const auto record = Soak(options, limit).run(*experiment, *programs, diagnostics);
  if (!options.json.empty())
    write_output_file(options.json, to_json(record), diagnostics);
  report(options, record);
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : soak_status(record);
}

}  // namespace

void add_soak_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "soak", "Run a mapping for long; rates, memory and buffers must be steady");
  command->footer(
      "An interrupt (Ctrl-C) ends the traffic; the run drains and reports. The JSON file is "
      "written while it runs.\n"
      "Exit status: 0 everything held; 1 a check failed; 2 bad input; 3 the simulated program "
      "failed.");
  auto options = std::make_shared<SoakOptions>();
  command->add_option("MAPPING", options->mapping, "a mapping file or a listed name (nplab list)")
      ->required();
  command
      ->add_option("--for", options->duration,
                   "offer packets for so much wall time, such as 90s, 45m or 2h")
      ->type_name("TIME");
  command
      ->add_option("--window", options->window,
                   "received packets that are measured together [100000]")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()));
  add_experiment_options(*command, options->experiment);
  // The run always drains, and is longer than others.
  command->remove_option(command->get_option("--drain"));
  command->remove_option(command->get_option("--packets"));
  command
      ->add_option("--packets", options->packets,
                   "packets to receive [10 million; with --for, as time allows]")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()));
  command
      ->add_option("--json", options->json,
                   "write what was measured to FILE (- for standard output)")
      ->type_name("FILE");
  command->add_flag("--quiet", options->quiet, "print no report and show no progress");
  command->callback([options, &status] { status = soak(*options); });
}

}  // namespace nplab::tools
