#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "workloads/base/text_lines.h"
#include "workloads/traffic/traffic_readers.h"

namespace nplab::workloads {
namespace {

constexpr std::size_t kFiveTupleColumns = 5;

template <typename Integer>
std::optional<Integer> parse_number(std::string_view text, int base) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

// How many columns stand before SA, as a heading `# len SA DA SP DP PROTO` tells; 0 without a
// heading.
std::size_t columns_before_source_address(std::string_view bytes) {
  std::string heading(bytes.substr(0, bytes.find('\n')));
  std::transform(heading.begin(), heading.end(), heading.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  auto words = words_of(heading);
  if (words.empty() || words.front().text != "#")
    return 0;
  words.erase(words.begin());
  constexpr std::array<std::string_view, kFiveTupleColumns> kNames = {"SA", "DA", "SP", "DP",
                                                                      "PROTO"};
  const auto at =
      std::search(words.begin(), words.end(), kNames.begin(), kNames.end(),
                  [](const Word& word, std::string_view name) { return word.text == name; });
  return at == words.end() ? 0 : static_cast<std::size_t>(at - words.begin());
}

// The fields of one line, each judged against its width.
std::optional<Key> parse_key(const Line& line, std::span<const Word> words,
                             const std::vector<FieldDefinition>& fields, int base,
                             FileErrors& errors) {
  Key key;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto value = parse_number<std::uint64_t>(words[i].text, base);
    if (!value) {
      errors.at(line.number, words[i].column,
                fmt::format("expected the {} as a {} number, found '{}'", fields[i].name,
                            base == 10 ? "decimal" : "hexadecimal", words[i].text));
    } else if (*value > max_value(fields[i].bits)) {
      errors.at(line.number, words[i].column,
                fmt::format("{} {} does not fit {} bits (at most {})", fields[i].name,
                            words[i].text, fields[i].bits, max_value(fields[i].bits)));
    } else {
      key.push_back(*value);
    }
  }
  if (key.size() != fields.size())
    return std::nullopt;
  return key;
}

std::optional<std::int64_t> column_behind(std::span<const Word> words, std::size_t fields) {
  if (words.size() <= fields)
    return std::nullopt;
  return parse_number<std::int64_t>(words[fields].text, 10);
}

}  // namespace

std::optional<Traffic> parse_header_trace(const InputFile& file, std::size_t frame_bytes,
                                          Diagnostics& diagnostics) {
  FileErrors errors(file.name, diagnostics);
  const auto& fields = five_tuple_fields();
  const auto layout = make_key_layout(KeyVariant::kIpv4FiveTuple, fields, {}, diagnostics);
  const std::size_t before = columns_before_source_address(file.bytes);
  std::vector<Packet> packets;
  for (const Line& line : significant_lines(file.bytes)) {
    const auto all_words = words_of(line.text);
    if (all_words.size() < before + fields.size()) {
      errors.at(line.number, all_words.front().column,
                fmt::format("expected 'SA DA SP DP PROTO', five decimal numbers, found {} column{}",
                            all_words.size(), all_words.size() == 1 ? "" : "s"));
      continue;
    }
    const auto words = std::span(all_words).subspan(before);
    const auto key = parse_key(line, words, fields, 10, errors);
    if (!key)
      continue;
    Packet packet;
    packet.frame = build_frame(*key, *layout, frame_bytes, packets.size());
    packet.trace_column = column_behind(words, fields.size());
    packets.push_back(std::move(packet));
  }
  if (!errors.any() && packets.empty())
    errors.at(0, 0, "is neither a capture nor a header trace: it has no packets");
  if (errors.any())
    return std::nullopt;
  return Traffic(TrafficKind::kHeaderTrace, file.name, file.sha256, std::move(packets));
}

namespace {

// One packet a line, with its key.
std::vector<Packet> parse_keys(const InputFile& file, const std::vector<FieldDefinition>& fields,
                               FileErrors& errors) {
  std::vector<Packet> packets;
  for (const Line& line : significant_lines(file.bytes)) {
    const auto words = words_of(line.text);
    if (words.size() < fields.size()) {
      errors.at(line.number, words.front().column,
                fmt::format("expected {} fields in a key of this rule set, found {}", fields.size(),
                            words.size()));
      continue;
    }
    auto key = parse_key(line, words, fields, 16, errors);
    if (!key)
      continue;
    Packet packet;
    packet.key = std::move(*key);
    packet.trace_column = column_behind(words, fields.size());
    packet.location = {file.name, line.number, words.front().column};
    packets.push_back(std::move(packet));
  }
  if (!errors.any() && packets.empty())
    errors.at(0, 0, "holds no keys");
  return packets;
}

}  // namespace

std::optional<Traffic> parse_key_trace(const InputFile& file,
                                       const std::vector<FieldDefinition>& fields,
                                       Diagnostics& diagnostics) {
  FileErrors errors(file.name, diagnostics);
  auto packets = parse_keys(file, fields, errors);
  if (errors.any())
    return std::nullopt;
  return Traffic(TrafficKind::kKeyTrace, file.name, file.sha256, std::move(packets));
}

std::optional<Traffic> parse_framed_keys(const InputFile& file, std::size_t frame_bytes,
                                         const KeyLayout& layout, Diagnostics& diagnostics) {
  FileErrors errors(file.name, diagnostics);
  std::vector<FieldDefinition> fields;
  for (const KeyField& field : layout.fields)
    fields.push_back({field.name, field.bits, MatchKind::kRange, {}});
  auto packets = parse_keys(file, fields, errors);
  if (errors.any())
    return std::nullopt;
  std::uint64_t serial = 0;
  for (Packet& packet : packets)
    packet.frame = build_frame(*packet.key, layout, frame_bytes, serial++);
  return Traffic(TrafficKind::kHeaderTrace, file.name, file.sha256, std::move(packets));
}

}  // namespace nplab::workloads
