#include "tools/output/progress_bar.h"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace nplab::tools {
namespace {

constexpr int kWidth = 40;
constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

ProgressBar::ProgressBar(Visibility visibility)
    : visible_(visibility == Visibility::kWhenTerminal && ::isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() {
  if (drawn_)
    fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(const std::string& label, double fraction) {
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || (label == label_ && now < next_))
    return;
  label_ = label;
  next_ = now + kInterval;
  const double share = std::clamp(fraction, 0.0, 1.0);
  const int filled = static_cast<int>(share * kWidth);
  fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {:3.0f} %\033[K", label, "", filled, "",
             kWidth - filled, share * 100);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace nplab::tools
