#include "support/file_memo.h"

#include <sys/stat.h>
#include <time.h>

namespace nplab {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kSecond + time.tv_nsec;
}

}  // namespace

std::optional<FileState> settled_state_of(const std::string& path) {
  struct stat status{};
  timespec now{};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      clock_gettime(CLOCK_REALTIME, &now) != 0)
    return std::nullopt;
  const FileState state{status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
                        nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
  if (state.changed_ns + kSecond > nanoseconds(now))
    return std::nullopt;
  return state;
}

}  // namespace nplab
