// What a session shows of a run that stands still.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "experiments/debugging/expression.h"
#include "isa/assembly/disassembler.h"
#include "tools/debug_adapter/request_error.h"
#include "tools/debug_adapter/session.h"
#include "tools/debug_adapter/thread_numbers.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::json;

// A reference of variables: the thread's number and which of its scopes.
enum class Scope { kGeneral, kTransferRead, kTransferWritten, kQueues };
constexpr int kScopes = 4;

constexpr int reference_of(unsigned thread, Scope scope) {
  return static_cast<int>(thread) * kScopes + static_cast<int>(scope) + 1;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < count ? bytes[i + k] : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

Json variable(const std::string& name, std::uint32_t value) {
  return {{"name", name},
          {"value", fmt::format("{:#010x} ({})", value, value)},
          {"evaluateName", name},
          {"variablesReference", 0}};
}

}  // namespace

unsigned DebugSession::first_thread() const {
  for (const DebugProgram& program : target_->programs)
    if (!program.contexts.empty())
      return number_of({program.engine, program.contexts.front()});
  return 1;
}

unsigned DebugSession::thread_argument(const Json& arguments) const {
  const auto thread = arguments.at("threadId").get<unsigned>();
  const DebugProgram* program =
      thread != 0 ? program_of(*target_, thread_number(thread).engine) : nullptr;
  const bool exists =
      program != nullptr && std::count(program->contexts.begin(), program->contexts.end(),
                                       thread_number(thread).context) > 0;
  if (!exists)
    throw RequestError(fmt::format("there is no thread {}", thread));
  return thread;
}

Json DebugSession::threads() {
  Json threads = Json::array();
  for (const Json& thread : travel().look({{"look", "threads"}})) {
    const unsigned number = number_of({thread.at("engine"), thread.at("context")});
    std::string state = thread.at("state");
    if (state == "waiting")
      state += fmt::format(" for {}", thread.at("waits_for").get<std::string>());
    const DebugProgram* program = program_of(*target_, thread.at("engine"));
    threads.push_back(
        {{"id", number},
         {"name", fmt::format("{}{}{}: {}", thread_name(number), program->role.empty() ? "" : " ",
                              program->role, state)}});
  }
  return {{"threads", threads}};
}

std::uint32_t DebugSession::word_of(unsigned thread) {
  const ThreadNumber wanted = thread_number(thread);
  for (const Json& one : travel().look({{"look", "threads"}}))
    if (one.at("engine") == wanted.engine && one.at("context") == wanted.context)
      return one.at("word");
  return 0;
}

Json DebugSession::source_json(const LinePlace& place) const {
  Json json = {{"name", place.file}};
  if (place.source == nullptr)
    return json;
  if (!place.source->path.empty())
    json["path"] = place.source->path;
  else
    json["sourceReference"] = place.source - target_->sources.data() + 1;
  return json;
}

Json DebugSession::stack_trace(const Json& arguments) {
  check_launched();
  const unsigned thread = thread_argument(arguments);
  const unsigned engine = thread_number(thread).engine;
  const std::uint32_t word = word_of(thread);
  const LinePlace place = line_of(*target_, engine, word);
  Json frame = {{"id", thread},
                {"name", fmt::format("engine {}, word {}", engine, word)},
                {"line", place.line},
                {"column", 0},
                {"instructionPointerReference", address_of({engine, word})}};
  if (place.line != 0)
    frame["source"] = source_json(place);
  return {{"stackFrames", {frame}}, {"totalFrames", 1}};
}

Json DebugSession::scopes(const Json& arguments) {
  check_launched();
  const unsigned thread = thread_argument({{"threadId", arguments.at("frameId")}});
  const auto scope = [&](const char* name, Scope which, const char* hint) {
    return Json{{"name", name},
                {"variablesReference", reference_of(thread, which)},
                {"presentationHint", hint},
                {"expensive", false}};
  };
  Json scopes = {
      scope("General-purpose registers", Scope::kGeneral, "registers"),
      scope("Transfer registers, as the thread reads them", Scope::kTransferRead, "registers"),
      scope("Transfer registers, as the units read them", Scope::kTransferWritten, "registers")};
  if (!target_->queues.empty())
    scopes.push_back(scope("Queues of the mapping", Scope::kQueues, ""));
  return {{"scopes", scopes}};
}

Json DebugSession::register_scope(unsigned thread, const std::string& names) {
  const ThreadNumber place = thread_number(thread);
  const Json registers =
      travel().look({{"look", "registers"}, {"engine", place.engine}, {"context", place.context}});
  Json variables = Json::array();
  const auto add = [&](const std::string& prefix, const char* key) {
    unsigned i = 0;
    for (const Json& value : registers.at(key))
      variables.push_back(variable(fmt::format("{}{}", prefix, i++), value));
  };
  if (names == "general") {
    add("a", "a");
    add("b", "b");
  } else {
    add("$", names == "read" ? "$ read" : "$ write");
    add("$$", names == "read" ? "$$ read" : "$$ write");
  }
  return variables;
}

Json DebugSession::variables(const Json& arguments) {
  check_launched();
  const int reference = arguments.at("variablesReference").get<int>() - 1;
  if (reference < kScopes)
    throw RequestError(fmt::format("there are no variables {}", reference + 1));
  const unsigned thread =
      thread_argument({{"threadId", static_cast<unsigned>(reference / kScopes)}});
  const auto scope = static_cast<Scope>(reference % kScopes);
  if (scope != Scope::kQueues) {
    static constexpr std::array kRegisters{"general", "read", "written"};
    Json variables = register_scope(thread, kRegisters[static_cast<std::size_t>(scope)]);
    for (Json& one : variables)  // expressions read what the thread reads
      if (scope == Scope::kTransferWritten)
        one.erase("evaluateName");
    return {{"variables", variables}};
  }
  Json variables = Json::array();
  for (const Json& queue : travel().look({{"look", "queues"}}))
    variables.push_back({{"name", queue.at("name")},
                         {"value", fmt::format("{} of {} entries", queue.at("entries").dump(),
                                               queue.at("size").get<unsigned>())},
                         {"variablesReference", 0}});
  return {{"variables", variables}};
}

std::uint32_t DebugSession::value_of(const std::string& expression, unsigned thread) {
  const ThreadNumber place = thread_number(thread);
  const ExpressionContext context{
      [&](isa::OperandCode code) {
        const Json value = travel().look({{"look", "register"},
                                          {"engine", place.engine},
                                          {"context", place.context},
                                          {"code", code}});
        return value.get<std::uint32_t>();
      },
      [&](isa::MemorySpace space, std::uint32_t address) -> std::optional<std::uint32_t> {
        const Json longwords = travel().look(
            {{"look", "memory"}, {"space", space}, {"address", address}, {"longwords", 1}});
        return longwords.empty() ? std::nullopt : std::optional(longwords[0].get<std::uint32_t>());
      }};
  const auto result = experiments::evaluate(expression, context);
  if (const auto* error = std::get_if<ExpressionError>(&result))
    throw RequestError(error->message);
  return std::get<std::uint32_t>(result);
}

Json DebugSession::evaluate(const Json& arguments) {
  check_launched();
  const std::string text = arguments.at("expression");
  const unsigned thread = arguments.contains("frameId")
                              ? thread_argument({{"threadId", arguments["frameId"]}})
                              : first_thread();
  if (const auto answer = command(text, thread))
    return {{"result", *answer}, {"variablesReference", 0}};
  const std::uint32_t value = value_of(text, thread);
  return {{"result", fmt::format("{:#x} ({})", value, value)}, {"variablesReference", 0}};
}

Json DebugSession::disassemble(const Json& arguments) {
  check_launched();
  const auto place =
      place_of_address(arguments.at("memoryReference"), arguments.value("offset", std::int64_t{0}));
  const DebugProgram* program = place ? program_of(*target_, place->engine) : nullptr;
  if (program == nullptr)
    throw RequestError("no engine has a program at this address");
  const auto words = isa::disassemble_words(program->image);
  const auto first =
      std::int64_t{place->word} + arguments.value("instructionOffset", std::int64_t{0});
  const auto count = arguments.at("instructionCount").get<std::int64_t>();
  constexpr std::int64_t kMost = 1 << 16;
  Json instructions = Json::array();
  for (std::int64_t i = 0; i < std::clamp<std::int64_t>(count, 0, kMost); ++i) {
    const std::int64_t word = first + i;
    if (word < 0 || word >= static_cast<std::int64_t>(words.size())) {
      instructions.push_back({{"address", "0x0"},
                              {"instruction", "outside the program"},
                              {"presentationHint", "invalid"}});
      continue;
    }
    const auto number = static_cast<std::uint32_t>(word);
    const auto& one = words[number];
    Json instruction = {{"address", address_of({place->engine, number})},
                        {"instruction", one.instruction}};
    if (!one.label.empty())
      instruction["symbol"] = one.label;
    if (const LinePlace line = line_of(*target_, place->engine, number); line.line != 0) {
      instruction["location"] = source_json(line);
      instruction["line"] = line.line;
    }
    instructions.push_back(std::move(instruction));
  }
  return {{"instructions", instructions}};
}

Json DebugSession::read_memory(const Json& arguments) {
  check_launched();
  const std::string reference = arguments.at("memoryReference");
  const auto place = memory_place(reference);
  if (!place)
    throw RequestError(fmt::format("'{}' is not a place in memory; write sram:0x100", reference));
  const auto offset = arguments.value("offset", std::int64_t{0});
  const auto count = std::clamp<std::int64_t>(arguments.at("count"), 0, 1 << 20);
  const std::int64_t begin = place->address + offset;
  if (begin < 0 || begin > 0xffffffff)
    throw RequestError("the address is outside the memory");
  const std::uint32_t aligned = static_cast<std::uint32_t>(begin) & ~3u;
  const auto skipped = static_cast<std::size_t>(begin) - aligned;
  const Json longwords = travel().look({{"look", "memory"},
                                        {"space", place->space},
                                        {"address", aligned},
                                        {"longwords", (count + 7) / 4}});
  std::vector<std::uint8_t> bytes;  // the first byte of a longword is its highest
  for (const Json& longword : longwords)
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes.push_back(static_cast<std::uint8_t>(longword.get<std::uint32_t>() >> shift));
  bytes.erase(bytes.begin(),
              bytes.begin() + static_cast<std::ptrdiff_t>(std::min(skipped, bytes.size())));
  bytes.resize(std::min(bytes.size(), static_cast<std::size_t>(count)));
  return {{"address", fmt::format("{:#x}", begin)},
          {"unreadableBytes", count - static_cast<std::int64_t>(bytes.size())},
          {"data", base64(bytes)}};
}

Json DebugSession::source(const Json& arguments) {
  check_launched();
  const auto reference = arguments.at("sourceReference").get<std::size_t>();
  if (reference == 0 || reference > target_->sources.size() ||
      !target_->sources[reference - 1].path.empty())
    throw RequestError(fmt::format("there is no generated source {}", reference));
  return {{"content", target_->sources[reference - 1].text}, {"mimeType", "text/x-c"}};
}

Json DebugSession::loaded_sources() {
  check_launched();
  Json sources = Json::array();
  for (const DebugSource& source : target_->sources)
    sources.push_back(source_json({&source, source.name, 1}));
  return {{"sources", sources}};
}

Json DebugSession::breakpoint_locations(const Json& arguments) {
  check_launched();
  const Json& where = arguments.at("source");
  const std::string path = where.value("path", where.value("name", ""));
  const DebugSource* source = find_source(*target_, path);
  Json locations = Json::array();
  const auto first = arguments.at("line").get<unsigned>();
  const unsigned last = arguments.value("endLine", first);
  if (source != nullptr)
    for (const unsigned line : lines_with_code(*target_, source->name))
      if (line >= first && line <= last)
        locations.push_back({{"line", line}});
  return {{"breakpoints", locations}};
}

// Commands of the console ------------------------------------------------------------------------

std::optional<std::string> DebugSession::command(const std::string& text, unsigned thread) {
  const auto space = text.find(' ');
  const std::string name = text.substr(0, space);
  const std::string rest = space == std::string::npos ? "" : text.substr(space + 1);
  if (name == "help")
    return "cycle N: go to cycle N; packet N: go to its verdict; last-write sram:0x100: go back to "
           "the last write; why-stalled [1.2]: what a thread waits for; queues: entries of each; "
           "hash: of the chip's state. Anything else is an expression: a0 + 1, $0 & 0xff, "
           "sram[0x100].";
  if (name == "cycle")
    return rest.empty() ? fmt::format("cycle {}", travel().now()) : go_to_cycle(rest);
  if (name == "packet")
    return go_to_packet(rest);
  if (name == "last-write")
    return last_write(rest);
  if (name == "why-stalled")
    return why_stalled(rest.empty() ? thread_name(thread) : rest);
  if (name == "queues")
    return queues_text();
  if (name == "hash")
    return travel().look({{"look", "hash"}}).get<std::string>();
  return std::nullopt;
}

std::string DebugSession::go_to_cycle(const std::string& word) {
  std::uint64_t cycle = 0;
  const auto end = std::from_chars(word.data(), word.data() + word.size(), cycle);
  if (end.ec != std::errc() || end.ptr != word.data() + word.size())
    throw RequestError(fmt::format("'{}' is not a cycle; write a number from 0 on", word));
  motion_.reset();
  travel().go_to(cycle);
  print_console();
  say_stopped("goto", 0);
  return travel().now() == cycle
             ? fmt::format("cycle {}", cycle)
             : fmt::format("the run ends sooner: this is cycle {}", travel().now());
}

std::string DebugSession::go_to_packet(const std::string& word) {
  StopPoints stops;
  stops.chip.push_back({ChipStop::Kind::kVerdict, 0, 0, 0});
  const auto end =
      std::from_chars(word.data(), word.data() + word.size(), stops.chip.back().number);
  if (word.empty() || end.ptr != word.data() + word.size())
    throw RequestError(fmt::format("'{}' is not a packet; write its number, counted from 0", word));
  motion_.reset();
  const std::uint64_t from = travel().now();
  const auto always = [] { return true; };
  auto stop = travel().find_last(stops, always);
  if (stop.why != TimeTravel::Why::kHit) {
    travel().go_to(from);
    stop = travel().find_next(stops, always);
  }
  const bool found = stop.why == TimeTravel::Why::kHit;
  if (!found)
    travel().go_to(from);
  say_stopped("goto", found && stop.hits.front().engine
                          ? number_of({*stop.hits.front().engine, *stop.hits.front().context})
                          : 0);
  return found ? fmt::format("{}: cycle {}", stop.hits.front().text, travel().now())
               : fmt::format("packet {} gets no verdict in this run", word);
}

std::string DebugSession::last_write(const std::string& place) {
  const auto memory = memory_place(place);
  if (!memory)
    throw RequestError(fmt::format("'{}' is not a place in memory; write sram:0x100", place));
  StopPoints stops;
  stops.memory.push_back({memory->space, memory->address, 4, false, true, 0});
  motion_.reset();
  const std::uint64_t from = travel().now();
  const auto stop = travel().find_last(stops, [] { return true; });
  if (stop.why != TimeTravel::Why::kHit) {
    travel().go_to(from);
    return fmt::format("nothing was written to {} before cycle {}", place, from);
  }
  const Hit& hit = stop.hits.back();
  say_stopped("goto", hit.word ? number_of({*hit.engine, *hit.context}) : 0);
  std::string where;
  if (hit.word)
    if (const LinePlace line = line_of(*target_, *hit.engine, *hit.word); line.line != 0)
      where = fmt::format(", {}:{}", line.file, line.line);
  return fmt::format("cycle {}: {}{}", travel().now(), hit.text, where);
}

std::string DebugSession::why_stalled(const std::string& word) {
  const auto thread = thread_named(word);
  if (!thread)
    throw RequestError(
        fmt::format("'{}' is not a thread; write 1.2 for engine 1, context 2", word));
  const ThreadNumber place = thread_number(*thread);
  const std::string about = fmt::format("engine {} thread {}:", place.engine, place.context);
  for (const Json& line : travel().look({{"look", "waiting"}}))
    if (line.get<std::string>().starts_with(about))
      return line;
  return fmt::format("thread {} has ended or never began", word);
}

std::string DebugSession::queues_text() {
  std::string text;
  for (const Json& queue : travel().look({{"look", "queues"}}))
    text +=
        fmt::format("{}{}: {} of {}", text.empty() ? "" : "; ", queue.at("name").get<std::string>(),
                    queue.at("entries").dump(), queue.at("size").get<unsigned>());
  return text.empty() ? "the program has no queues of a mapping" : text;
}

}  // namespace nplab::tools
