#include "support/unfinished_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace nplab {
namespace {

namespace fs = std::filesystem;

// Where links lead.
fs::path place_of(const std::string& path) {
  std::error_code absent;
  const fs::path place = fs::canonical(path, absent);
  return absent ? fs::path(path) : place;
}

fs::path folder_of(const fs::path& place) {
  return place.has_parent_path() ? place.parent_path() : fs::path(".");
}

bool is_device_or_pipe(const fs::path& place) {
  std::error_code ignored;
  const fs::file_status status = fs::status(place, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

std::string name_of_descriptor(int file) {
  return fmt::format("/proc/self/fd/{}", file);
}

void report_unwritable(const std::string& path, const std::string& why, Diagnostics& diagnostics) {
  diagnostics.error({path, 0, 0}, "cannot be written: " + why);
}

}  // namespace

UnfinishedFile::UnfinishedFile(std::string path) : path_(std::move(path)), place_(place_of(path_)) {
  if (is_device_or_pipe(place_))
    stream_.open(place_, std::ios::binary);
  else
    open();
  if (!stream_)
    open_problem_ = errno;
}

void UnfinishedFile::open() {
  unfinished_ = place_;
  unfinished_ += fmt::format(".{}.unfinished", ::getpid());
  constexpr mode_t kAllThatTheUserAllows = 0666;
  nameless_ =
      ::open(folder_of(place_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kAllThatTheUserAllows);
  if (nameless_ >= 0) {
    stream_.open(name_of_descriptor(nameless_), std::ios::binary);
    if (stream_)
      return;
    ::close(nameless_);  // without /proc
    nameless_ = -1;
    stream_.clear();
  }
  stream_.open(unfinished_, std::ios::binary);
}

UnfinishedFile::~UnfinishedFile() {
  if (nameless_ >= 0)
    ::close(nameless_);
  std::error_code ignored;  // after a commit there is nothing to remove
  if (!unfinished_.empty())
    fs::remove(unfinished_, ignored);
}

bool UnfinishedFile::put_in_place() {
  if (unfinished_.empty())
    return true;
  if (nameless_ >= 0) {
    ::unlink(unfinished_.c_str());  // of a process that had this number before
    if (::linkat(AT_FDCWD, name_of_descriptor(nameless_).c_str(), AT_FDCWD, unfinished_.c_str(),
                 AT_SYMLINK_FOLLOW) != 0)
      return false;
  }
  return ::rename(unfinished_.c_str(), place_.c_str()) == 0;
}

bool UnfinishedFile::commit(Diagnostics& diagnostics) {
  if (open_problem_ != 0) {
    report_unwritable(path_, std::strerror(open_problem_), diagnostics);
    return false;
  }
  const bool all_written = stream_.good();
  errno = 0;
  if (!all_written) {  // one more byte says why
    stream_.clear();
    stream_.put('\n');
  }
  stream_.close();
  if (all_written && stream_ && put_in_place())
    return true;
  report_unwritable(path_, errno != 0 ? std::strerror(errno) : "some of it was lost", diagnostics);
  return false;
}

void check_writable(const std::string& path, Diagnostics& diagnostics) {
  const fs::path place = place_of(path);
  const fs::path folder = folder_of(place);
  const bool is_special = is_device_or_pipe(place);
  if (!is_special && !fs::is_directory(folder))
    report_unwritable(path, "no such folder: '" + folder.string() + "'", diagnostics);
  else if (fs::is_directory(place))
    report_unwritable(path, "is a folder; name a file", diagnostics);
  else if (::access(is_special ? place.c_str() : folder.c_str(), W_OK) != 0)
    report_unwritable(path, std::strerror(errno), diagnostics);
}

}  // namespace nplab
