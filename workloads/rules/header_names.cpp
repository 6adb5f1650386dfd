#include "workloads/rules/header_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "workloads/base/field_value.h"

namespace nplab::workloads {
namespace {

// IANA "Protocol Numbers"; ahp, eigrp, igrp, ipinip, nos and pcp as Cisco's access lists name them.
constexpr std::array<std::pair<std::string_view, std::uint8_t>, 30> kProtocols = {{
    {"icmp", 1},  {"igmp", 2},    {"ipencap", 4},    {"ipinip", 4}, {"tcp", 6},    {"egp", 8},
    {"igp", 9},   {"igrp", 9},    {"pup", 12},       {"udp", 17},   {"hmp", 20},   {"rdp", 27},
    {"dccp", 33}, {"ipv6", 41},   {"rsvp", 46},      {"gre", 47},   {"esp", 50},   {"ah", 51},
    {"ahp", 51},  {"icmpv6", 58}, {"ipv6-icmp", 58}, {"eigrp", 88}, {"ospf", 89},  {"nos", 94},
    {"pim", 103}, {"pcp", 108},   {"vrrp", 112},     {"l2tp", 115}, {"sctp", 132}, {"udplite", 136},
}};

// Names of Cisco's access lists ("IP Access List Entry Sequence Numbering", IOS; "Addresses,
// Protocols, and Ports", ASA) and the usual ones of IANA's "Service Name and Port Number Registry".
constexpr std::array<std::pair<std::string_view, std::uint16_t>, 105> kPorts = {{
    {"aol", 5190},
    {"bgp", 179},
    {"biff", 512},
    {"bootpc", 68},
    {"bootps", 67},
    {"chargen", 19},
    {"citrix-ica", 1494},
    {"cmd", 514},
    {"ctiqbe", 2748},
    {"daytime", 13},
    {"discard", 9},
    {"dnsix", 195},
    {"domain", 53},
    {"domain-s", 853},
    {"drip", 3949},
    {"echo", 7},
    {"exec", 512},
    {"finger", 79},
    {"ftp", 21},
    {"ftp-data", 20},
    {"ftps", 990},
    {"gopher", 70},
    {"h323", 1720},
    {"hostname", 101},
    {"http", 80},
    {"https", 443},
    {"ident", 113},
    {"imap", 143},
    {"imap2", 143},
    {"imap4", 143},
    {"imaps", 993},
    {"ipp", 631},
    {"irc", 194},
    {"isakmp", 500},
    {"klogin", 543},
    {"kshell", 544},
    {"ldap", 389},
    {"ldaps", 636},
    {"login", 513},
    {"lotusnotes", 1352},
    {"lpd", 515},
    {"mdns", 5353},
    {"microsoft-ds", 445},
    {"mobile-ip", 434},
    {"ms-sql-m", 1434},
    {"ms-sql-s", 1433},
    {"ms-wbt-server", 3389},
    {"msrpc", 135},
    {"mysql", 3306},
    {"nameserver", 42},
    {"netbios-dgm", 138},
    {"netbios-ns", 137},
    {"netbios-ss", 139},
    {"netbios-ssn", 139},
    {"nfs", 2049},
    {"nntp", 119},
    {"non500-isakmp", 4500},
    {"ntp", 123},
    {"onep-plain", 15001},
    {"onep-tls", 15002},
    {"pcanywhere-data", 5631},
    {"pcanywhere-status", 5632},
    {"pim-auto-rp", 496},
    {"pop2", 109},
    {"pop3", 110},
    {"pop3s", 995},
    {"postgresql", 5432},
    {"pptp", 1723},
    {"radius", 1812},
    {"radius-acct", 1813},
    {"rip", 520},
    {"ripv6", 521},
    {"router", 520},
    {"rsh", 514},
    {"rsync", 873},
    {"rtsp", 554},
    {"secureid-udp", 5510},
    {"sip", 5060},
    {"sips", 5061},
    {"shell", 514},
    {"smtp", 25},
    {"smtps", 465},
    {"snmp", 161},
    {"snmp-trap", 162},
    {"snmptrap", 162},
    {"ssh", 22},
    {"submission", 587},
    {"submissions", 465},
    {"sunrpc", 111},
    {"svn", 3690},
    {"syslog", 514},
    {"tacacs", 49},
    {"talk", 517},
    {"telnet", 23},
    {"telnets", 992},
    {"tftp", 69},
    {"time", 37},
    {"uucp", 540},
    {"vnc", 5900},
    {"who", 513},
    {"whois", 43},
    {"www", 80},
    {"x11", 6000},
    {"xdmcp", 177},
    {"printer", 515},
}};

template <typename Number, typename Table>
std::optional<Number> numbered(std::string_view word, const Table& names) {
  Number number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size())
    return number;
  const auto at = std::find_if(names.begin(), names.end(),
                               [&](const auto& entry) { return entry.first == word; });
  if (at == names.end())
    return std::nullopt;
  return at->second;
}

}  // namespace

std::optional<std::uint8_t> protocol_number(std::string_view word) {
  return numbered<std::uint8_t>(word, kProtocols);
}

std::optional<std::uint16_t> port_number(std::string_view word) {
  return numbered<std::uint16_t>(word, kPorts);
}

std::optional<std::uint32_t> ipv4_address(std::string_view word) {
  if (std::count(word.begin(), word.end(), '.') != 3)
    return std::nullopt;
  const ScannedNumber number = scan_number(word);
  if (number.length == 0 || number.length != word.size())
    return std::nullopt;
  return static_cast<std::uint32_t>(number.value);
}

}  // namespace nplab::workloads
