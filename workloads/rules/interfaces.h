// The interfaces by which packets pass a firewall, and what its statements say of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nplab::workloads {

// Where the packets of interest enter and leave; nothing where it is not known.
struct PacketInterfaces {
  std::optional<std::string> in, out;
};

// `in=NAME`, `out=NAME` or both, separated by a comma; nothing when it is not written so.
std::optional<PacketInterfaces> parse_interfaces(std::string_view text);
inline constexpr const char* kInterfacesPattern = "^(in|out)=[^,=]+(,(in|out)=[^,=]+)?$";

// Is it that interface? A `pattern` that ends with `wildcard` (`+` in iptables, `*` in nft) stands
// for all names that begin as it does.
bool names_interface(std::string_view pattern, char wildcard, std::string_view interface);

}  // namespace nplab::workloads
