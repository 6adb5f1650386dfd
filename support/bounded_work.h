// Work that may hang, crash or take all memory, such as compiling a program that nobody has seen:
// in a process of its own, within bounds of processor time and memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace nplab {

struct WorkBounds {
  std::chrono::seconds processor_time{60};  // 0: no bound
  std::uint64_t mebibytes = 2048;           // beside what this process has; 0: no bound
};

struct BoundedResult {
  enum class End { kFinished, kOutOfTime, kOutOfMemory, kFailed };
  End end = End::kFailed;
  std::string stage;  // what the work announced last
  std::string bytes;  // what it returned; empty unless it finished
  std::string why;    // how its process ended, if that is neither of these
};

// The work returns its result as bytes (byte_stream.h), and announces what it begins with. It sees
// all that is in memory now, and changes nothing here. Without bounds it runs in this process.
using Announce = std::function<void(std::string_view stage)>;
BoundedResult run_bounded(const WorkBounds& bounds,
                          const std::function<std::string(const Announce&)>& work);

// Why there is no result: "takes more than 60 s of processor time" and so on.
std::string why_unfinished(const BoundedResult& result, const WorkBounds& bounds);

}  // namespace nplab
