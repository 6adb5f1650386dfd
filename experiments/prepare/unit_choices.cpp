#include "experiments/prepare/unit_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace nplab::experiments {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::optional<simulator::UnitChoice> parse_unit(const std::string& text, Diagnostics& diagnostics) {
  const SourceLocation where = without_lines("--unit " + text);
  const auto errors = diagnostics.errors().size();
  const auto parts = split(text, ',');
  simulator::UnitChoice choice;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto equals = parts[i].find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == parts[i].size()) {
      diagnostics.error(where, fmt::format("'{}' is not {}", parts[i],
                                           i == 0 ? "NAME=FILE.so" : "a parameter KEY=VALUE"));
      continue;
    }
    const std::string name = parts[i].substr(0, equals), value = parts[i].substr(equals + 1);
    if (i == 0) {
      choice.name = name;
      choice.file = value;
    } else {
      choice.parameters[name] = value;
    }
  }
  return diagnostics.errors().size() == errors ? std::optional(choice) : std::nullopt;
}

// unit.NAME.KEY=VALUE of --set.
void apply_unit_overrides(const std::vector<std::string>& set,
                          std::vector<simulator::UnitChoice>& choices, Diagnostics& diagnostics) {
  Diagnostics unread;  // reported with the other overrides
  for (const Override& override : parse_overrides(set, unread)) {
    if (override.target != Override::Target::kUnit)
      continue;
    const auto dot = override.path.find('.');
    const std::string name = override.path.substr(0, dot);
    const auto choice = std::find_if(choices.begin(), choices.end(),
                                     [&](const auto& one) { return one.name == name; });
    if (dot == std::string::npos || dot + 1 == override.path.size())
      diagnostics.error(override.location, "a unit's parameter is written unit.NAME.KEY=VALUE");
    else if (choice == choices.end())
      diagnostics.error(override.location,
                        fmt::format("there is no unit '{}': --unit {}=FILE.so", name, name));
    else
      choice->parameters[override.path.substr(dot + 1)] = override.value;
  }
}

}  // namespace

std::vector<simulator::UnitChoice> parse_units(const ExperimentOptions& options,
                                               Diagnostics& diagnostics) {
  std::vector<simulator::UnitChoice> choices;
  std::set<std::string> names;
  for (const std::string& text : options.units) {
    auto choice = parse_unit(text, diagnostics);
    if (!choice)
      continue;
    if (!names.insert(choice->name).second)
      diagnostics.error(without_lines("--unit " + text),
                        fmt::format("'{}' has a unit already", choice->name));
    choices.push_back(std::move(*choice));
  }
  apply_unit_overrides(options.set, choices, diagnostics);
  return choices;
}

void check_units(const ExperimentOptions& options, const simulator::ChipDescription& chip,
                 Diagnostics& diagnostics) {
  if (options.devices_are_bound)
    return;
  const auto errors = diagnostics.errors().size();
  const auto choices = parse_units(options, diagnostics);
  if (diagnostics.errors().size() != errors)
    return;
  for (const auto& device : simulator::sram_devices(chip.sram)) {
    if (!device)
      continue;
    const auto choice = std::find_if(choices.begin(), choices.end(),
                                     [&](const auto& one) { return one.name == device->name; });
    if (choice != choices.end())
      check_unit(*choice, diagnostics);
    else
      diagnostics.error(
          without_lines("--unit"),
          fmt::format("the chip {} has a device '{}' on its SRAM bus, and no unit is given for "
                      "it: --unit {}=FILE.so",
                      chip.name, device->name, device->name));
  }
}

void check_unit_names(const ExperimentOptions& options,
                      const std::vector<const simulator::ChipDescription*>& chips,
                      Diagnostics& diagnostics) {
  std::set<std::string> devices;
  for (const simulator::ChipDescription* chip : chips)
    for (const auto& device : simulator::sram_devices(chip->sram))
      if (device)
        devices.insert(device->name);
  Diagnostics reported;  // by check_units
  for (const simulator::UnitChoice& choice : parse_units(options, reported))
    if (!devices.contains(choice.name))
      diagnostics.error(without_lines("--unit " + choice.name),
                        fmt::format("no device of this name is in the chip's file; it has {}",
                                    devices.empty() ? "none: name a range in sram.device0"
                                                    : fmt::format("'{}'", *devices.begin())));
}

namespace {

void check_device_tables(const Experiment& experiment, Diagnostics& diagnostics) {
  const auto devices = simulator::sram_devices(experiment.chip.sram);
  for (const mappings::TableDeclaration& table : experiment.manifest.tables) {
    if (!table.device)
      continue;
    for (const mappings::TablePlacement& placed : experiment.placement().tables) {
      const auto holds = [&](const auto& device) {
        return device && placed.space == isa::MemorySpace::kSram &&
               placed.base - device->base < device->bytes;
      };
      if (placed.name == table.name && std::none_of(devices.begin(), devices.end(), holds))
        diagnostics.error(
            without_lines(experiment.mapping.file),
            fmt::format("table '{}' needs a device on the SRAM bus, and the chip {} has none at "
                        "{:#x}: name a chip with sram.device0 there (--chip), and the unit "
                        "(--unit)",
                        table.name, experiment.chip.name, placed.base));
    }
  }
}

}  // namespace

void check_device_ranges(const Experiment& experiment, Diagnostics& diagnostics) {
  check_device_tables(experiment, diagnostics);
  const auto pins = experiment.mapping.pins.find(isa::MemorySpace::kSram);
  using Pin = mappings::Located<std::uint32_t>;
  const auto pin_of = [&](const std::string& name) -> const Pin* {
    if (pins == experiment.mapping.pins.end())
      return nullptr;
    const auto pin = pins->second.find(name);
    return pin != pins->second.end() ? &pin->second : nullptr;
  };
  for (const auto& device : simulator::sram_devices(experiment.chip.sram)) {
    if (!device)
      continue;
    const std::uint64_t end = std::uint64_t{device->base} + device->bytes;
    for (const mappings::MemoryRange& range : experiment.placement().memory_map) {
      const std::uint64_t last = range.base + range.bytes;
      if (range.space != isa::MemorySpace::kSram || last <= device->base || range.base >= end)
        continue;
      const auto* const pin = pin_of(range.use.name);
      if (pin != nullptr && range.base >= device->base && last <= end)
        continue;
      diagnostics.error(
          pin != nullptr ? pin->location : without_lines(experiment.mapping.file),
          fmt::format("{} at {:#x} to {:#x} is not entirely, or by accident, in the range of the "
                      "device '{}', {:#x} to {:#x}: pin it elsewhere, `memory: {{sram: {{{}: "
                      "BASE}}}}`, or within",
                      to_string(range.use), range.base, last, device->name, device->base, end,
                      range.use.name));
    }
  }
}

}  // namespace nplab::experiments
