#include "tools/debug_adapter/loopback_port.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace nplab::tools {

void port_failed(std::uint16_t number, const char* what, Diagnostics& diagnostics) {
  diagnostics.error(without_lines(fmt::format("--port {}", number)),
                    fmt::format("{}: {}{}", what, std::strerror(errno),
                                errno == EADDRINUSE ? "; --port 0 takes any free one" : ""));
}

LoopbackPort open_loopback_port(std::uint16_t number, Diagnostics& diagnostics) {
  const auto failed = [&](const char* what) {
    port_failed(number, what, diagnostics);
    return LoopbackPort();
  };
  FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(number);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!listener || ::setsockopt(listener.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0)
    return failed("no socket");
  if (::bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener.number(), SOMAXCONN) != 0)
    return failed("the port cannot be opened");
  socklen_t size = sizeof address;
  ::getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address), &size);
  return {std::move(listener), ntohs(address.sin_port)};
}

}  // namespace nplab::tools
