#include "mappings/composition/key_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {
namespace {

using workloads::FramePosition;
using workloads::HeaderField;
using workloads::KeyField;
using workloads::KeyLayout;

constexpr unsigned kQuadwordBytes = 8;
constexpr unsigned kLargestBurstBytes =
    32;  // four quadwords: the SDRAM transfer registers of a context

// A field, or a part of one that fits a register.
struct FixedField {
  std::string variable;
  unsigned first_bit;  // of the frame
  unsigned bits;       // 1..32
  [[nodiscard]] unsigned first_byte() const { return first_bit / 8; }
  [[nodiscard]] unsigned end_byte() const { return (first_bit + bits + 7) / 8; }
};

// Bursts are of 1, 2 or 4 quadwords.
unsigned burst_quadwords(unsigned bytes) {
  const unsigned quadwords = (bytes + kQuadwordBytes - 1) / kQuadwordBytes;
  return quadwords <= 2 ? quadwords : 4;
}

std::string extraction(const FixedField& field, const std::string& burst, unsigned burst_byte) {
  const unsigned bit = field.first_bit - 8 * burst_byte;
  const unsigned word = bit / 32;
  const unsigned end = bit % 32 + field.bits;
  std::string value;
  if (end <= 32) {
    value = end == 32 ? fmt::format("{}[{}]", burst, word)
                      : fmt::format("{}[{}] >> {}", burst, word, 32 - end);
  } else {
    value = fmt::format("({0}[{1}] << {2} | {0}[{3}] >> {4})", burst, word, end - 32, word + 1,
                        64 - end);
  }
  if (field.bits == 32)
    return value;
  return fmt::format("({}) & {:#x}", value, (1u << field.bits) - 1);
}

// Fixed fields, in as few bursts as they need: usually one.
std::string fixed_key_code(std::vector<FixedField> fields) {
  std::sort(fields.begin(), fields.end(),
            [](const auto& a, const auto& b) { return a.first_bit < b.first_bit; });
  std::string code;
  for (std::size_t i = 0; i < fields.size();) {
    const unsigned start = fields[i].first_byte() / kQuadwordBytes * kQuadwordBytes;
    std::size_t end = i;
    unsigned last = 0;
    while (end < fields.size() && fields[end].end_byte() <= start + kLargestBurstBytes) {
      last = std::max(last, fields[end].end_byte());
      ++end;
    }
    const unsigned quadwords = burst_quadwords(last - start);
    code +=
        fmt::format("const u32x{} header_{} = sdram_read{}((const __sdram void *)(buffer + {}));\n",
                    2 * quadwords, i, quadwords, start);
    for (std::size_t k = i; k < end; ++k) {
      code += fmt::format("const u32 {} = {};\n", fields[k].variable,
                          extraction(fields[k], fmt::format("header_{}", i), start));
    }
    i = end;
  }
  return code;
}

std::string header_member(HeaderField field) {
  switch (field) {
    case HeaderField::kSourceAddress: return "source_address";
    case HeaderField::kDestinationAddress: return "destination_address";
    case HeaderField::kSourcePort: return "source_port";
    case HeaderField::kDestinationPort: return "destination_port";
    case HeaderField::kProtocol: return "protocol";
  }
  return "";
}

}  // namespace

std::string key_code(const KeyLayout& layout, const std::vector<unsigned>& dimensions,
                     const std::string& leave) {
  if (layout.variant == workloads::KeyVariant::kFixed) {
    std::vector<FixedField> fields;
    for (const unsigned dimension : dimensions) {
      const KeyField& field = layout.fields.at(dimension);
      const auto position = std::get<FramePosition>(field.source);
      const unsigned first_bit = position.byte * 8 + position.bit;
      const unsigned high_bits = field.bits - std::min(field.bits, kRegisterBits);
      if (high_bits > 0)
        fields.push_back({high_field_variable(dimension), first_bit, high_bits});
      fields.push_back({field_variable(dimension), first_bit + high_bits, field.bits - high_bits});
    }
    return fixed_key_code(std::move(fields));
  }
  std::string code =
      "struct ipv4_key key;\nif (!load_ipv4_key(buffer, info, &key)) " + leave + "\n";
  for (const unsigned dimension : dimensions) {
    const auto member = header_member(std::get<HeaderField>(layout.fields.at(dimension).source));
    code += fmt::format("const u32 {} = key.{};\n", field_variable(dimension), member);
  }
  return code;
}

std::string key_macros(const KeyLayout& layout, workloads::L4Key l4) {
  std::string macros =
      fmt::format("#define KEY_OPTIONS {}\n#define KEY_PORTS {}\n#define KEY_PORTS_ALWAYS {}\n",
                  layout.variant == workloads::KeyVariant::kIpv4Full ? 1 : 0,
                  layout.reads_ports() ? 1 : 0, l4 == workloads::L4Key::kAlways ? 1 : 0);
  if (l4 == workloads::L4Key::kFragments)
    macros += fmt::format("#define KEY_NO_PORT {:#x}\n", workloads::kNoPort);
  return macros;
}

}  // namespace nplab::mappings
