// What a client asks that draws the chip and has no files of its own, such as the page of
// `nplab view`.
#include <fmt/format.h>

#include "experiments/debugging/program_lines.h"
#include "support/input_file.h"
#include "tools/debug_adapter/json_arguments.h"
#include "tools/debug_adapter/request_error.h"
#include "tools/debug_adapter/session.h"
#include "tools/debug_adapter/thread_numbers.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::json;

// Of a source that is named by its path; no files but the programs' sources are read.
std::optional<std::string> text_of_file(const DebugTarget& target, const Json& arguments) {
  const auto wanted = arguments.find("source");
  const std::string path =
      wanted != arguments.end() && wanted->is_object() ? text_of(*wanted, "path") : "";
  const DebugSource* source = path.empty() ? nullptr : find_source(target, path);
  if (source == nullptr || source->path.empty())
    return std::nullopt;
  Diagnostics diagnostics;
  auto file = read_input_file(source->path, diagnostics);
  if (!file)
    throw RequestError(diagnostics.to_string());
  return std::move(file->bytes);
}

Json engines_json(const DebugTarget& target) {
  Json engines = Json::array();
  for (const DebugProgram& program : target.programs)
    engines.push_back({{"engine", program.engine},
                       {"role", program.role},
                       {"words", program.image.words.size()},
                       {"memoryReference", address_of({program.engine, 0})}});
  return engines;
}

}  // namespace

Json DebugSession::source(const Json& arguments) {
  check_launched();
  if (const auto text = text_of_file(*target_, arguments))
    return {{"content", *text}, {"mimeType", "text/x-c"}};
  const auto reference = arguments.at("sourceReference").get<std::size_t>();
  if (reference == 0 || reference > target_->sources.size() ||
      !target_->sources[reference - 1].path.empty())
    throw RequestError(fmt::format("there is no generated source {}", reference));
  return {{"content", target_->sources[reference - 1].text}, {"mimeType", "text/x-c"}};
}

// All that stands still, in one answer. Threads of any number cost one request.
Json DebugSession::chip(const Json&) {
  Json chip = travel().look({{"look", "chip"}});
  chip["target"] = target_->name;
  chip["cycle"] = travel().now();
  chip["running"] = motion_.has_value();
  if (chip.at("over").get<bool>())
    chip["end"] = travel().end();
  chip["engines"] = engines_json(*target_);
  for (Json& thread : chip.at("threads")) {
    const auto engine = thread.at("engine").get<unsigned>();
    const LinePlace place = line_of(*target_, engine, thread.at("word"));
    thread["id"] = number_of({engine, thread.at("context")});
    thread["line"] = place.line;
    if (place.line != 0)
      thread["source"] = source_json(place);
  }
  for (std::size_t i = 0; i < target_->queues.size(); ++i) {
    chip.at("queues")[i]["producers"] = target_->queues[i].producers;
    chip.at("queues")[i]["consumers"] = target_->queues[i].consumers;
  }
  return chip;
}

}  // namespace nplab::tools
