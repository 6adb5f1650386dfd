// What a chip file can choose of a cache besides its figures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nplab::simulator {

// Which line of a full set makes room for another.
enum class CacheReplacement : std::uint8_t { kTreePlru, kLru, kRandom };
inline std::vector<std::string> choice_words(CacheReplacement) {
  return {"tree-plru", "lru", "random"};
}

// Whose references a cache serves: those of all engines, or one cache for each engine.
enum class CacheSharing : std::uint8_t { kShared, kPrivate };
inline std::vector<std::string> choice_words(CacheSharing) {
  return {"shared", "private"};
}

// When memory gets what is written: when the line leaves the cache, or at once.
enum class WritePolicy : std::uint8_t { kBack, kThrough };
inline std::vector<std::string> choice_words(WritePolicy) {
  return {"back", "through"};
}

}  // namespace nplab::simulator
