// Progress of long work: a bar on a terminal, nothing on a pipe.
#pragma once

#include <chrono>
#include <string>

namespace nplab::tools {

class ProgressBar {
 public:
  // Shows on standard error, when that is a terminal and `quiet` was not asked for.
  enum class Visibility { kWhenTerminal, kQuiet };
  explicit ProgressBar(Visibility visibility);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // `fraction` of the work is done, 0 to 1; drawn when the label is new, and at most ten times a
  // second.
  void show(const std::string& label, double fraction);

 private:
  bool visible_;
  bool drawn_ = false;
  std::string label_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace nplab::tools
