// Header values as firewalls write them: names of protocols and ports, addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace nplab::workloads {

// A number, or a name of IANA's registry or of Cisco's command reference. The tables are ours, so
// that a name means the same on every machine.
std::optional<std::uint8_t> protocol_number(std::string_view word);
std::optional<std::uint16_t> port_number(std::string_view word);

std::optional<std::uint32_t> ipv4_address(std::string_view word);  // a.b.c.d and nothing else

}  // namespace nplab::workloads
