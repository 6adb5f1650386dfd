// Results that are kept on disk by a key of all that they depend on, between runs and processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace nplab {

// The folder of all caches: what the environment variable NPLAB_CACHE names, else `nplab` in
// XDG_CACHE_HOME, else ~/.cache/nplab. Nothing when NPLAB_CACHE is `off`, or none of them is set.
std::optional<std::filesystem::path> cache_folder();

// One file per entry. Two processes may use a cache at once: an entry appears complete, under its
// name, or not at all. Nothing here fails: what cannot be read or is damaged is not there, and what
// cannot be written is not kept.
class ContentCache {
 public:
  // Keeps at most `most_bytes`; entries that were not used for longest are removed first.
  ContentCache(std::filesystem::path folder, std::uint64_t most_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  // `key` is a file name, such as a digest.
  [[nodiscard]] std::optional<std::string> find(const std::string& key) const;
  void store(const std::string& key, std::string_view bytes) const;

  struct Size {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] Size size() const;
  // Removes all entries and returns what they were.
  Size clear() const;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::uint64_t most_bytes() const { return most_bytes_; }

 private:
  void remove_oldest() const;

  std::filesystem::path folder_;
  std::uint64_t most_bytes_;
};

}  // namespace nplab
