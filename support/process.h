// The one way to run another program: every failure to start it is a diagnostic, and how it ended
// is a value. forked_work.h runs a function of this program in a process of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/diagnostics.h"

namespace nplab {

// How a process ended: with an exit status, or killed by a signal.
struct ProcessEnd {
  int exit_status = 0;
  int signal = 0;  // 0 when it exited

  [[nodiscard]] bool succeeded() const { return signal == 0 && exit_status == 0; }
  // As a shell reports it: 128 plus the number of the signal.
  [[nodiscard]] int shell_status() const { return signal == 0 ? exit_status : 128 + signal; }
  // "ended with exit status 2", "was killed by signal 11 (Segmentation fault)".
  [[nodiscard]] std::string text() const;
};

// From the status that the wait functions of POSIX give.
ProcessEnd process_end(int wait_status);

// Where an output stream of a process goes.
class ProcessOutput {
 public:
  static ProcessOutput captured() { return {Kind::kCaptured, {}}; }
  static ProcessOutput discarded() { return {Kind::kFile, "/dev/null"}; }
  static ProcessOutput inherited() { return {Kind::kInherited, {}}; }  // where this process's goes
  static ProcessOutput to_file(std::filesystem::path file) {
    return {Kind::kFile, std::move(file)};
  }

  enum class Kind { kCaptured, kInherited, kFile };
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  ProcessOutput(Kind kind, std::filesystem::path file) : kind_(kind), file_(std::move(file)) {}

  Kind kind_;
  std::filesystem::path file_;
};

struct ProcessRequest {
  std::vector<std::string> command;   // the program, found as a shell finds it, and its arguments
  std::filesystem::path folder = {};  // the working directory; empty: this process's
  ProcessOutput out = ProcessOutput::captured();
  ProcessOutput err = ProcessOutput::captured();
  std::chrono::seconds time_limit{0};  // it is killed after that; 0: never
};

struct ProcessResult {
  ProcessEnd end;
  std::string out;  // what was captured
  std::string err;
  double wall_s = 0;
  double processor_s = 0;
  std::int64_t peak_kb = 0;  // resident memory
};

// Runs a program to its end; its standard input is empty. Nothing, and a diagnostic, when it cannot
// be started or has to be killed at the time limit.
std::optional<ProcessResult> run_process(const ProcessRequest& request, Diagnostics& diagnostics);

// The same for programs that ought to succeed: any other end is a diagnostic too, with what the
// program wrote to a captured standard error.
std::optional<ProcessResult> run_successfully(const ProcessRequest& request,
                                              Diagnostics& diagnostics);

}  // namespace nplab
