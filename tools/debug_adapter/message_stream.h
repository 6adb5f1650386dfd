// Messages of the Debug Adapter Protocol over a pair of files: a header with the length, an empty
// line, and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace nplab::tools {

class MessageStream {
 public:
  // Files that stay open as long as this is used.
  MessageStream(int in, int out) : in_(in), out_(out) {}

  // Whether read() would return at once.
  [[nodiscard]] bool has_input() const;
  // Waits for the next message. Nothing at the end of the input. What is not JSON, or has no
  // length, is skipped; `complaint` gets a sentence on it.
  std::optional<nlohmann::json> read(std::string& complaint);
  void write(const nlohmann::json& message) const;

 private:
  bool fill();
  std::optional<std::string> read_line();

  int in_;
  int out_;
  std::string buffer_;  // what was read and is not used yet
};

}  // namespace nplab::tools
