#include "tools/debug_adapter/chip_filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "experiments/debugging/program_lines.h"
#include "tools/debug_adapter/json_arguments.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::json;
using Kind = ChipStop::Kind;
using Found = std::variant<ChipStop, std::string>;

std::optional<std::size_t> queue_named(const DebugTarget& target, const std::string& name) {
  const auto found = std::find_if(target.queues.begin(), target.queues.end(),
                                  [&](const DebugQueue& queue) { return queue.name == name; });
  return found == target.queues.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - target.queues.begin()));
}

Found misclassified(const DebugTarget&, const std::string&) {
  return ChipStop{Kind::kMisclassified};
}

Found verdict(const DebugTarget&, const std::string& condition) {
  const auto packet = number_in(condition);
  if (!packet)
    return fmt::format("'{}' is not the number of a packet", condition);
  return ChipStop{Kind::kVerdict, *packet};
}

Found full_queue(const DebugTarget& target, const std::string& condition) {
  if (const auto queue = queue_named(target, condition))
    return ChipStop{Kind::kQueueFull, *queue, target.queues[*queue].entries};
  std::string names;
  for (const DebugQueue& queue : target.queues)
    names += (names.empty() ? "" : ", ") + queue.name;
  return fmt::format("'{}' is not a queue; there are: {}", condition,
                     names.empty() ? "none" : names);
}

Found idle_engine(const DebugTarget& target, const std::string& condition) {
  const auto space = condition.find(' ');
  const auto engine = number_in(condition.substr(0, space));
  const auto cycles =
      space == std::string::npos ? std::nullopt : number_in(condition.substr(space + 1));
  if (!engine || !cycles)
    return fmt::format("'{}' is not an engine and a number of cycles; write 4 1000", condition);
  if (program_of(target, static_cast<unsigned>(*engine)) == nullptr)
    return fmt::format("engine {} has no program", *engine);
  return ChipStop{Kind::kEngineIdle, *engine, *cycles};
}

struct Filter {
  const char* name;
  const char* label;
  const char* description;
  const char* condition;  // what it is; null: none
  bool is_default;
  Found (*read)(const DebugTarget&, const std::string&);
};
constexpr std::array kFilters{
    Filter{"misclassified", "Misclassified packet",
           "Stops when a packet's verdict is not that of the reference", nullptr, true,
           misclassified},
    Filter{"verdict", "Verdict of packet", "Stops when the packet gets its verdict",
           "number of the packet, such as 120", false, verdict},
    Filter{"queue_full", "Full queue", "Stops when a ring of the queue holds all its entries",
           "name of the queue, such as received", false, full_queue},
    Filter{"engine_idle", "Idle engine", "Stops when the engine idles for more cycles than this",
           "engine and cycles, such as 4 1000", false, idle_engine}};

}  // namespace

Json chip_filters() {
  Json filters = Json::array();
  for (const Filter& filter : kFilters) {
    filters.push_back({{"filter", filter.name},
                       {"label", filter.label},
                       {"description", filter.description},
                       {"default", filter.is_default}});
    if (filter.condition != nullptr) {
      filters.back()["supportsCondition"] = true;
      filters.back()["conditionDescription"] = filter.condition;
    }
  }
  return filters;
}

Found chip_stop_of(const DebugTarget& target, const std::string& filter,
                   const std::string& condition) {
  for (const Filter& one : kFilters)
    if (one.name == filter)
      return one.read(target, condition);
  return fmt::format("there is no filter '{}'", filter);
}

std::optional<std::size_t> queue_place(const DebugTarget& target, const std::string& place) {
  constexpr std::string_view kQueue = "queue:";
  return place.starts_with(kQueue) ? queue_named(target, place.substr(kQueue.size()))
                                   : std::nullopt;
}

}  // namespace nplab::tools
