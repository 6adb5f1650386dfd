#include "experiments/debugging/socket_messages.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace nplab::experiments {
namespace {

using Control = std::array<char, CMSG_SPACE(sizeof(int))>;

// The length goes first, with the descriptor.
bool send_length(int socket, std::uint64_t length, int file) {
  iovec part{&length, sizeof length};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) Control control{};
  if (file >= 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  ssize_t sent = 0;
  do
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == sizeof length;
}

std::optional<std::uint64_t> receive_length(int socket, FileDescriptor& file) {
  std::uint64_t length = 0;
  iovec part{&length, sizeof length};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) Control control{};
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  do
    got = ::recvmsg(socket, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (got > 0 && header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(header), sizeof number);
    file = FileDescriptor(number);
  }
  return got == sizeof length ? std::optional(length) : std::nullopt;
}

}  // namespace

std::pair<FileDescriptor, FileDescriptor> socket_pair() {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    ends.fill(-1);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

bool send_message(int socket, const std::string& text, int file) {
  if (!send_length(socket, text.size(), file))
    return false;
  for (std::size_t done = 0; done < text.size();) {
    const auto count = ::send(socket, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

std::optional<ReceivedMessage> receive_message(int socket) {
  ReceivedMessage message;
  const auto length = receive_length(socket, message.file);
  if (!length)
    return std::nullopt;
  message.text.resize(*length);
  for (std::size_t done = 0; done < *length;) {
    const auto count = ::recv(socket, message.text.data() + done, *length - done, 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    done += static_cast<std::size_t>(count);
  }
  return message;
}

}  // namespace nplab::experiments
