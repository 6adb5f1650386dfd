// Why a request of a debugger's client cannot be answered.
#pragma once

#include <string>
#include <utility>

namespace nplab::tools {

class RequestError {
 public:
  explicit RequestError(std::string message) : message_(std::move(message)) {}
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  std::string message_;
};

}  // namespace nplab::tools
