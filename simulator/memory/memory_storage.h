// The contents of one memory: longwords at byte addresses. Untouched memory costs the host
// nothing and reads as zero.
#pragma once

#include <cstdint>
#include <memory>

#include "simulator/base/ports.h"

namespace nplab::simulator {

// Is notified of every write into one range, after it.
class WriteObserver {
 public:
  virtual ~WriteObserver() = default;
  virtual void written(std::uint32_t address, std::uint32_t longword) = 0;
};

class MemoryStorage : public MemoryBackdoor {
 public:
  explicit MemoryStorage(std::uint32_t bytes);

  [[nodiscard]] std::uint32_t size() const override { return bytes_; }
  [[nodiscard]] std::uint32_t peek(std::uint32_t address) const override { return read(address); }
  void poke(std::uint32_t address, std::uint32_t longword) override { write(address, longword); }

  [[nodiscard]] std::uint32_t read(std::uint32_t address) const {
    return longwords_.get()[address / 4];
  }
  void write(std::uint32_t address, std::uint32_t longword) {
    std::uint32_t& place = longwords_.get()[address / 4];
    contents_hash_ += scatter(address, longword) - scatter(address, place);
    place = longword;
    if (address - observed_from_ < observed_bytes_) [[unlikely]]
      observer_->written(address, longword);
  }

  // From now on; `observer` outlives the storage or the last write.
  void observe(std::uint32_t from, std::uint32_t bytes, WriteObserver& observer) {
    observed_from_ = from;
    observed_bytes_ = bytes;
    observer_ = &observer;
  }

  // Of all contents, kept up as they change: equal contents give equal values whatever the
  // history.
  [[nodiscard]] std::uint64_t contents_hash() const { return contents_hash_; }

  // Whether `bytes` from `address` on lie inside, without wrapping around.
  [[nodiscard]] bool holds(std::uint32_t address, std::uint32_t bytes) const {
    return address <= bytes_ && bytes <= bytes_ - address;
  }

 private:
  struct Release {
    std::size_t bytes;
    void operator()(std::uint32_t* longwords) const;
  };

  // Zero longwords count nothing, so that untouched memory does.
  static std::uint64_t scatter(std::uint32_t address, std::uint32_t longword) {
    std::uint64_t value = (std::uint64_t{address} << 32 | longword) * 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 32)) * longword;
    return value ^ (value >> 29);
  }

  std::uint32_t bytes_;
  std::unique_ptr<std::uint32_t, Release> longwords_;
  std::uint64_t contents_hash_ = 0;
  std::uint32_t observed_from_ = 0;
  std::uint32_t observed_bytes_ = 0;
  WriteObserver* observer_ = nullptr;
};

}  // namespace nplab::simulator
