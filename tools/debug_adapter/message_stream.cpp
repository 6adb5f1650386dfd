#include "tools/debug_adapter/message_stream.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace nplab::tools {
namespace {

constexpr std::string_view kLength = "Content-Length:";
constexpr std::size_t kLongestMessage = 64u << 20;  // bytes

std::optional<std::size_t> length_of(std::string_view line) {
  if (!line.starts_with(kLength))
    return std::nullopt;
  line.remove_prefix(kLength.size());
  while (line.starts_with(' '))
    line.remove_prefix(1);
  std::size_t length = 0;
  const auto end = std::from_chars(line.data(), line.data() + line.size(), length);
  return end.ec == std::errc() && length <= kLongestMessage ? std::optional(length) : std::nullopt;
}

}  // namespace

bool MessageStream::has_input() const {
  if (!buffer_.empty())
    return true;
  pollfd file{in_, POLLIN, 0};
  return ::poll(&file, 1, 0) > 0;
}

bool MessageStream::fill() {
  std::array<char, 1 << 14> bytes;
  ssize_t count = 0;
  do
    count = ::read(in_, bytes.data(), bytes.size());
  while (count < 0 && errno == EINTR);
  if (count > 0)
    buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0;
}

std::optional<std::string> MessageStream::read_line() {
  for (;;) {
    const auto end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (line.ends_with('\r'))
        line.pop_back();
      return line;
    }
    if (buffer_.size() > kLongestMessage || !fill())
      return std::nullopt;
  }
}

std::optional<nlohmann::json> MessageStream::read(std::string& complaint) {
  for (;;) {
    std::optional<std::size_t> length;
    for (auto line = read_line();; line = read_line()) {
      if (!line)
        return std::nullopt;
      if (const auto found = length_of(*line))
        length = found;
      else if (line->empty() && length)
        break;
    }
    while (buffer_.size() < *length)
      if (!fill())
        return std::nullopt;
    const std::string text = buffer_.substr(0, *length);
    buffer_.erase(0, *length);
    auto message = nlohmann::json::parse(text, nullptr, false);
    if (message.is_object())
      return message;
    complaint = fmt::format("a message of {} bytes is not a JSON object and was ignored", *length);
    return nlohmann::json::object();
  }
}

void MessageStream::write(const nlohmann::json& message) const {
  const std::string body = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string text = fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
  for (std::size_t done = 0; done < text.size();) {
    const auto count = ::write(out_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;  // nobody reads any more: the input ends, too
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace nplab::tools
