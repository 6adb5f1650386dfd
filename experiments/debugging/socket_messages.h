// Messages between processes of this program over a pair of sockets, which may carry a file
// descriptor each.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "support/file_descriptor.h"

namespace nplab::experiments {

// Two connected ends; both invalid when the system has none.
std::pair<FileDescriptor, FileDescriptor> socket_pair();

// False: the other end is closed. `file` goes along when it is 0 or greater.
bool send_message(int socket, const std::string& text, int file = -1);

struct ReceivedMessage {
  std::string text;
  FileDescriptor file;  // that came along, if any
};
// Waits for it. Nothing: the other end is closed.
std::optional<ReceivedMessage> receive_message(int socket);

}  // namespace nplab::experiments
