// What a process made of files that it has read, as long as they do not change.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace nplab {

// Which file a path leads to, and when that file last changed.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t written_ns = 0;  // since 1970
  std::int64_t changed_ns = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};

// Nothing for what is not a regular file, and for a file that was written within the last second:
// clocks of file systems are coarse, so such a file may be written again without a new time.
std::optional<FileState> settled_state_of(const std::string& path);

template <class Value>
class FileMemo {
 public:
  // What `make` returned for this path before, if the file is the same since; else what it returns
  // now, which is remembered unless it is nothing. `make` reads the file and returns an optional.
  template <class Make>
  std::optional<Value> get(const std::string& path, Make make) {
    const auto state = settled_state_of(path);
    const auto known = made_.find(path);
    if (state && known != made_.end() && known->second.first == *state)
      return known->second.second;
    std::optional<Value> value = make();
    // A file that changes while it is read has another state, or none, afterwards.
    if (state && value && settled_state_of(path) == state)
      made_.insert_or_assign(path, std::pair(*state, *value));
    return value;
  }

 private:
  std::map<std::string, std::pair<FileState, Value>> made_;
};

}  // namespace nplab
