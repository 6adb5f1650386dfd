#include "simulator/dram/command_trace.h"

#include <charconv>
#include <ostream>

#include <fmt/format.h>

namespace nplab::simulator::dram {
namespace {

constexpr std::string_view kRefreshName = "REFab";

bool has_bank(DramCommand command) {
  return command != DramCommand::kPrechargeAll && command != DramCommand::kRefresh;
}
bool has_row(DramCommand command) {
  return command == DramCommand::kActivate || has(kColumns, command);
}

std::string_view trace_name(DramCommand command) {
  return command == DramCommand::kRefresh ? kRefreshName : name_of(command);
}

std::string_view next_field(std::string_view& line) {
  const auto end = line.find(',');
  std::string_view field = line.substr(0, end);
  line = end == std::string_view::npos ? std::string_view() : line.substr(end + 1);
  while (!field.empty() && field.front() == ' ')
    field.remove_prefix(1);
  while (!field.empty() && (field.back() == ' ' || field.back() == '\r'))
    field.remove_suffix(1);
  return field;
}

template <class Number>
std::optional<Number> number(std::string_view field) {
  Number value{};
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size())
    return std::nullopt;
  return value;
}

}  // namespace

std::string to_line(const IssuedCommand& command) {
  const auto part = [](bool present, unsigned value) {
    return present ? static_cast<std::int64_t>(value) : -1;
  };
  const Place& place = command.place;
  const bool bank = has_bank(command.command), row = has_row(command.command);
  return fmt::format("{}, {}, {}, {}, {}, {}, {}, {}", command.at, trace_name(command.command),
                     command.channel, place.rank, part(bank, place.group), part(bank, place.bank),
                     part(row, place.row), part(has(kColumns, command.command), place.column));
}

std::string to_drampower_line(const IssuedCommand& command, const Organization& organization) {
  Place in_rank = command.place;
  in_rank.rank = 0;
  return fmt::format("{},{},{}", command.at, name_of(command.command),
                     has_bank(command.command) ? organization.bank_number(in_rank) : 0);
}

std::optional<IssuedCommand> from_line(std::string_view line) {
  IssuedCommand command;
  const auto at = number<Clock>(next_field(line));
  const std::string_view name = next_field(line);
  unsigned known = 0;
  while (known < kDramCommands && trace_name(static_cast<DramCommand>(known)) != name)
    ++known;
  if (!at || known == kDramCommands)
    return std::nullopt;
  command.at = *at;
  command.command = static_cast<DramCommand>(known);
  for (unsigned* part : {&command.channel, &command.place.rank, &command.place.group,
                         &command.place.bank, &command.place.row, &command.place.column}) {
    const auto value = number<std::int64_t>(next_field(line));
    if (!value || *value < -1)
      return std::nullopt;
    *part = *value < 0 ? 0 : static_cast<unsigned>(*value);
  }
  if (!line.empty())
    return std::nullopt;
  return command;
}

void TraceWriter::issued(const IssuedCommand& command) {
  stream_ << to_line(command) << '\n';
}

}  // namespace nplab::simulator::dram
