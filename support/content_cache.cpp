#include "support/content_cache.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <vector>

#include "support/sha256.h"

namespace nplab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEntry = ".entry";
constexpr const char* kUnfinished = ".unfinished";
constexpr std::size_t kDigest = 64;  // characters, before the bytes that it is of

std::string variable(const char* name) {
  const char* value = ::getenv(name);
  return value == nullptr ? "" : value;
}

struct File {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

// Those that vanish meanwhile are left out.
std::vector<File> files_in(const fs::path& folder, std::string_view extension) {
  std::vector<File> files;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code gone;
    if (at->path().extension() != extension)
      continue;
    File file{at->path(), at->file_size(gone), {}};
    if (!gone)
      file.used = at->last_write_time(gone);
    if (!gone)
      files.push_back(std::move(file));
  }
  return files;
}

ContentCache::Size remove(const std::vector<File>& files) {
  ContentCache::Size removed;
  for (const File& file : files) {
    std::error_code problem;
    if (!fs::remove(file.path, problem))
      continue;
    ++removed.entries;
    removed.bytes += file.bytes;
  }
  return removed;
}

// Of processes that were killed while they wrote.
void remove_abandoned(const fs::path& folder) {
  std::vector<File> files = files_in(folder, kUnfinished);
  const auto young = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::erase_if(files, [&](const File& file) { return file.used > young; });
  remove(files);
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written <= 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::optional<fs::path> cache_folder() {
  if (const std::string chosen = variable("NPLAB_CACHE"); !chosen.empty()) {
    std::error_code no_folder;
    fs::path folder = fs::absolute(chosen, no_folder);
    return chosen == "off" || no_folder ? std::nullopt : std::optional(std::move(folder));
  }
  if (const fs::path base = variable("XDG_CACHE_HOME"); base.is_absolute())
    return base / "nplab";
  if (const fs::path home = variable("HOME"); home.is_absolute())
    return home / ".cache" / "nplab";
  return std::nullopt;
}

std::optional<std::string> ContentCache::find(const std::string& key) const {
  const fs::path path = folder_ / (key + kEntry);
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.size() < kDigest || sha256_hex(std::string_view(text).substr(kDigest)) !=
                                   std::string_view(text).substr(0, kDigest))
    return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return text.substr(kDigest);
}

void ContentCache::store(const std::string& key, std::string_view bytes) const {
  std::error_code problem;
  if (!fs::exists(folder_, problem)) {
    fs::create_directories(folder_, problem);
    fs::permissions(folder_, fs::perms::owner_all, problem);
  }
  std::string unfinished = (folder_ / (key + "-XXXXXX" + kUnfinished)).string();
  const int file =
      ::mkstemps(unfinished.data(), static_cast<int>(std::string_view(kUnfinished).size()));
  if (file < 0)
    return;
  const bool written = write_all(file, sha256_hex(bytes)) && write_all(file, bytes);
  const bool closed = ::close(file) == 0;
  if (written && closed)
    fs::rename(unfinished, folder_ / (key + kEntry), problem);
  if (!written || !closed || problem)
    fs::remove(unfinished, problem);
  else
    remove_oldest();
}

void ContentCache::remove_oldest() const {
  std::vector<File> files = files_in(folder_, kEntry);
  std::uint64_t bytes = 0;
  for (const File& file : files)
    bytes += file.bytes;
  if (bytes <= most_bytes_)
    return;
  remove_abandoned(folder_);
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used < b.used; });
  std::size_t count = 0;
  for (; bytes > most_bytes_ && count != files.size(); ++count)
    bytes -= files[count].bytes;
  files.resize(count);
  remove(files);
}

ContentCache::Size ContentCache::size() const {
  Size size;
  for (const File& file : files_in(folder_, kEntry)) {
    ++size.entries;
    size.bytes += file.bytes;
  }
  return size;
}

ContentCache::Size ContentCache::clear() const {
  remove_abandoned(folder_);
  return remove(files_in(folder_, kEntry));
}

}  // namespace nplab
