"""Writes t.pcap, the eight frames of the page's examples: plain TCP, VLAN, IPv6, an IP option, a later fragment,
a truncated datagram, GRE from 172.16.0.1, ARP."""
import struct

SOURCE, DESTINATION = bytes([10, 0, 0, 1]), bytes([192, 168, 1, 1])
PORTS = struct.pack(">HH", 1025, 80)


def datagram(source, protocol, data, options=b"", offset=0):
    words = 5 + len(options) // 4
    head = struct.pack(">BBHHHBBH", 0x40 | words, 0, 4 * words + len(data), 1, offset, 64, protocol, 0)
    return head + source + DESTINATION + options + data


def frame(ether_type, data):
    return bytes(12) + struct.pack(">H", ether_type) + data


tcp = PORTS + bytes(16)
frames = [
    frame(0x0800, datagram(SOURCE, 6, tcp)),
    frame(0x8100, struct.pack(">HH", 1, 0x0800) + datagram(SOURCE, 6, tcp)),
    frame(0x86DD, b"\x60" + bytes(39)),
    frame(0x0800, datagram(SOURCE, 6, tcp, options=b"\x01\x01\x01\x00")),
    frame(0x0800, datagram(SOURCE, 6, tcp, offset=0x10)),
    frame(0x0800, datagram(SOURCE, 6, tcp)[:22]),
    frame(0x0800, datagram(bytes([172, 16, 0, 1]), 47, bytes(8))),
    frame(0x0806, bytes(28)),
]
with open("t.pcap", "wb") as capture:
    capture.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    for at, one in enumerate(frames):
        capture.write(struct.pack("<IIII", at, 0, len(one), 60 if at == 5 else len(one)) + one)
