// A file descriptor that is closed by its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace nplab {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { close(); }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  // Whether there is one: the system's calls answer failures with a negative number.
  explicit operator bool() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }
  // Whoever takes the number closes it.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }
  void close() {
    if (number_ >= 0)
      ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

}  // namespace nplab
