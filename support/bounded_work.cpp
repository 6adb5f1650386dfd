#include "support/bounded_work.h"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <new>

#include "support/byte_stream.h"
#include "support/forked_work.h"

namespace nplab {
namespace {

constexpr int kOutOfMemory = 77;  // exit status of the work's process

// Work that sleeps uses no processor time: it ends after this many times its bound.
constexpr int kMostWaiting = 20;

constexpr std::uint64_t kMebibyte = 1 << 20;

// A thread of the work may have a stack this large (isa/mc/fatal_errors.cpp).
constexpr std::uint64_t kStackBytes = 1U << 29;

std::uint64_t bytes_mapped() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void set_limit(__rlimit_resource resource, rlim_t value) {
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? value : std::min(value, limit.rlim_max);
  setrlimit(resource, &limit);
}

void apply(const WorkBounds& bounds) {
  set_limit(RLIMIT_CORE, 0);
  if (bounds.processor_time.count() != 0)
    set_limit(RLIMIT_CPU, static_cast<rlim_t>(bounds.processor_time.count()));
#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes for itself
  if (bounds.mebibytes != 0)
    set_limit(RLIMIT_AS, bytes_mapped() + kStackBytes + bounds.mebibytes * kMebibyte);
#endif
  std::set_new_handler([] { ::_exit(kOutOfMemory); });
}

enum Kind : std::uint64_t { kStage, kResult };

std::string message(Kind kind, std::string_view text) {
  ByteWriter writer;
  writer.number(kind);
  writer.text(text);
  return writer.bytes();
}

// Messages that have arrived in full.
void read_messages(std::string& received, BoundedResult& result) {
  constexpr std::size_t kHead = 2 * sizeof(std::uint64_t);
  while (received.size() >= kHead) {
    ByteReader head(received);
    const auto kind = static_cast<Kind>(head.number());
    const std::uint64_t size = head.number();
    if (received.size() - kHead < size)
      return;
    std::string text = received.substr(kHead, size);
    received.erase(0, kHead + size);
    if (kind == kStage) {
      result.stage = std::move(text);
    } else {
      result.bytes = std::move(text);
      result.end = BoundedResult::End::kFinished;
    }
  }
}

bool has_something(const ForkedWork& process, const WorkBounds& bounds) {
  const std::chrono::milliseconds most = bounds.processor_time * kMostWaiting;
  pollfd file{process.file(), POLLIN, 0};
  return ::poll(&file, 1, most.count() == 0 ? -1 : static_cast<int>(most.count())) != 0;
}

BoundedResult::End end_of(const ProcessEnd& end) {
  if (end.signal == SIGXCPU)
    return BoundedResult::End::kOutOfTime;
  return end.exit_status == kOutOfMemory ? BoundedResult::End::kOutOfMemory
                                         : BoundedResult::End::kFailed;
}

}  // namespace

BoundedResult run_bounded(const WorkBounds& bounds,
                          const std::function<std::string(const Announce&)>& work) {
  BoundedResult result;
  if (bounds.processor_time.count() == 0 && bounds.mebibytes == 0) {
    result.bytes = work([](std::string_view) {});
    result.end = BoundedResult::End::kFinished;
    return result;
  }
  Diagnostics diagnostics;
  auto process = ForkedWork::start(
      "bounded work",
      [&](const ForkedWork::Send& send) {
        apply(bounds);
        const std::string bytes =
            work([&](std::string_view stage) { send(message(kStage, stage)); });
        send(message(kResult, bytes));
      },
      diagnostics);
  if (!process) {
    result.why = diagnostics.to_string();
    return result;
  }
  std::string received;
  while (has_something(*process, bounds)) {
    const std::string part = process->read();
    if (part.empty())
      break;
    received += part;
    read_messages(received, result);
  }
  if (result.end == BoundedResult::End::kFinished)
    return result;
  result.end = process->end() ? end_of(*process->end()) : BoundedResult::End::kOutOfTime;
  if (process->end())
    result.why = process->end()->text();
  return result;
}

std::string why_unfinished(const BoundedResult& result, const WorkBounds& bounds) {
  switch (result.end) {
    case BoundedResult::End::kFinished: break;
    case BoundedResult::End::kOutOfTime:
      return "takes more than " + std::to_string(bounds.processor_time.count()) +
             " s of processor time";
    case BoundedResult::End::kOutOfMemory:
      return "takes more than " + std::to_string(bounds.mebibytes) + " MiB of memory";
    case BoundedResult::End::kFailed: return "failed: its process " + result.why;
  }
  return "";
}

}  // namespace nplab
