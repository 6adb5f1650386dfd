#include "tools/debug_adapter/breakpoints.h"

#include <fmt/format.h>

#include "experiments/debugging/program_lines.h"
#include "tools/debug_adapter/chip_filters.h"
#include "tools/debug_adapter/json_arguments.h"
#include "tools/debug_adapter/request_error.h"
#include "tools/debug_adapter/thread_numbers.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::json;

HitCount count_of(const Json& wanted) {
  const std::string text = text_of(wanted, "hitCondition");
  if (text.empty())
    return HitCount();
  const auto hits = number_in(text);
  if (!hits || *hits == 0)
    throw RequestError(fmt::format("the hit count '{}' is not a number from 1 on", text));
  return HitCount(*hits);
}

// With what all kinds take from the client.
Breakpoint breakpoint_of(int id, StopPoints stops, const char* reason, const Json& wanted) {
  return {id, std::move(stops), reason, text_of(wanted, "condition"), {}, count_of(wanted)};
}

// A head of a queue moves when an entry is taken, its tail when one is put.
ChipStop queue_stop(ChipStop::Kind kind, std::size_t queue, int id) {
  return {kind, queue, 0, id};
}

}  // namespace

bool HitCount::stops_at(const Hit& hit, Direction direction) {
  const Moment moment{hit.at, hit.engine.value_or(0)};
  const std::int64_t step = direction == Direction::kForwards ? 1 : -1;
  if (last_ != moment)
    number_ += number_ + step == 0 && last_ ? 2 * step : step;
  last_ = moment;
  return number_ % every_ == 0;
}

void Breakpoints::Group::refuse(int id, const std::string& message) {
  answers.push_back({{"id", id}, {"verified", false}, {"message", message}});
}

void Breakpoints::Group::add(Breakpoint breakpoint, Json answer) {
  answer["id"] = breakpoint.id;
  answer["verified"] = true;
  answers.push_back(std::move(answer));
  breakpoints.push_back(std::move(breakpoint));
}

Json Breakpoints::replace(const std::string& name, Group group) {
  Json body = {{"breakpoints", group.answers}};
  groups_[name] = std::move(group);
  return body;
}

Json Breakpoints::set_in_source(const Json& arguments) {
  const Json& where = arguments.at("source");
  std::string name = text_of(where, "path");
  if (const int reference = where.value("sourceReference", 0);
      reference > 0 && static_cast<std::size_t>(reference) <= target_.sources.size())
    name = target_.sources[static_cast<std::size_t>(reference) - 1].name;
  const DebugSource* source = find_source(target_, name);
  Group group;
  for (const Json& wanted : arguments.value("breakpoints", Json::array())) {
    const int id = next_id_++;
    const auto line = wanted.at("line").get<unsigned>();
    const auto words =
        source != nullptr ? words_of_line(target_, source->name, line, id) : std::nullopt;
    if (!words) {
      group.refuse(id, source == nullptr ? fmt::format("no engine's program has code of {}", name)
                                         : "no code stands on this line or after it");
      continue;
    }
    Breakpoint breakpoint = breakpoint_of(id, {words->words, {}, {}}, "breakpoint", wanted);
    breakpoint.log = text_of(wanted, "logMessage");
    group.add(std::move(breakpoint), {{"line", words->line}});
  }
  return replace("source " + name, std::move(group));
}

Json Breakpoints::set_at_functions(const Json& arguments) {
  Group group;
  for (const Json& wanted : arguments.at("breakpoints")) {
    const int id = next_id_++;
    const std::string name = wanted.at("name");
    auto words = words_of_function(target_, name, id);
    if (words.empty())
      group.refuse(id, fmt::format("no program has code of a function '{}'", name));
    else
      group.add(breakpoint_of(id, {std::move(words), {}, {}}, "function breakpoint", wanted));
  }
  return replace("functions", std::move(group));
}

Json Breakpoints::set_at_instructions(const Json& arguments) {
  Group group;
  for (const Json& wanted : arguments.at("breakpoints")) {
    const int id = next_id_++;
    const auto place =
        place_of_address(wanted.at("instructionReference"), offset_of(wanted, "offset"));
    const DebugProgram* program = place ? program_of(target_, place->engine) : nullptr;
    if (program == nullptr || place->word >= program->image.words.size()) {
      group.refuse(id, "no program has this word");
      continue;
    }
    StopPoints stops;
    stops.words.push_back({place->engine, {}, {place->word}, id});
    group.add(breakpoint_of(id, std::move(stops), "instruction breakpoint", wanted));
  }
  return replace("instructions", std::move(group));
}

Json Breakpoints::data_info(const Json& arguments) const {
  const std::string name = arguments.at("name");
  const Json access = {"read", "write", "readWrite"};
  if (memory_place(name))
    return {{"dataId", name},
            {"description", fmt::format("the longword at {}", name)},
            {"accessTypes", access}};
  if (const auto queue = queue_place(target_, name))
    return {{"dataId", name},
            {"description", fmt::format("queue {}: read: an entry is taken, write: one is put",
                                        target_.queues[*queue].name)},
            {"accessTypes", access}};
  return {{"dataId", nullptr},
          {"description", fmt::format("'{}' is not a place that data breakpoints can watch; write "
                                      "sram:0x100, sdram:0x100, scratch:0x100 or queue:NAME",
                                      name)}};
}

Json Breakpoints::set_at_data(const Json& arguments) {
  Group group;
  for (const Json& wanted : arguments.at("breakpoints")) {
    const int id = next_id_++;
    const std::string name = wanted.at("dataId");
    const std::string access = wanted.value("accessType", "write");
    const auto place = memory_place(name);
    const auto queue = queue_place(target_, name);
    StopPoints stops;
    if (place)
      stops.memory.push_back({place->space, place->address, 4, access_named(access), id});
    if (queue && access != "write")
      stops.chip.push_back(queue_stop(ChipStop::Kind::kEntryTaken, *queue, id));
    if (queue && access != "read")
      stops.chip.push_back(queue_stop(ChipStop::Kind::kEntryPut, *queue, id));
    if (stops.is_empty())
      group.refuse(id, "a place is written sram:0x100 or queue:NAME");
    else
      group.add(breakpoint_of(id, std::move(stops), "data breakpoint", wanted));
  }
  return replace("data", std::move(group));
}

Json Breakpoints::set_by_filters(const Json& arguments) {
  Json wanted = arguments.value("filterOptions", Json::array());
  for (const Json& filter : arguments.value("filters", Json::array()))
    wanted.push_back({{"filterId", filter}});
  Group group;
  for (const Json& filter : wanted) {
    const int id = next_id_++;
    const auto found = chip_stop_of(target_, filter.at("filterId"), text_of(filter, "condition"));
    if (const auto* wrong = std::get_if<std::string>(&found)) {
      group.refuse(id, *wrong);
      continue;
    }
    ChipStop stop = std::get<ChipStop>(found);
    stop.id = id;
    group.add({id, {{}, {}, {stop}}, "exception", {}, {}, HitCount()});
  }
  return replace("exceptions", std::move(group));
}

StopPoints Breakpoints::stop_points() const {
  StopPoints all;
  for (const auto& [name, group] : groups_) {
    for (const Breakpoint& breakpoint : group.breakpoints) {
      const StopPoints& stops = breakpoint.stops;
      all.words.insert(all.words.end(), stops.words.begin(), stops.words.end());
      all.memory.insert(all.memory.end(), stops.memory.begin(), stops.memory.end());
      all.chip.insert(all.chip.end(), stops.chip.begin(), stops.chip.end());
    }
  }
  return all;
}

Breakpoint* Breakpoints::find(int id) {
  for (auto& [name, group] : groups_)
    for (Breakpoint& breakpoint : group.breakpoints)
      if (breakpoint.id == id)
        return &breakpoint;
  return nullptr;
}

}  // namespace nplab::tools
