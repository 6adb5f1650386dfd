// What a session shows of a run that stands still.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/debugging/call_frames.h"
#include "experiments/debugging/expression.h"
#include "isa/assembly/disassembler.h"
#include "isa/instruction.h"
#include "simulator/engine/control_store.h"
#include "tools/debug_adapter/json_arguments.h"
#include "tools/debug_adapter/request_error.h"
#include "tools/debug_adapter/session.h"
#include "tools/debug_adapter/thread_numbers.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::json;

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

// What a word costs its thread: a cycle, and the slots that a taken branch or a swap aborts, which
// deferred words use.
std::string cost_text(std::uint64_t word, const simulator::PipelineDescription& pipeline) {
  const auto instruction = isa::decode(word);
  if (!instruction || instruction->aborts == isa::AbortClass::kNone)
    return {};
  const auto aborted = [&](isa::AbortClass abort_class) {
    const unsigned slots = simulator::aborts_of(abort_class, pipeline);
    return slots - std::min<unsigned>(slots, instruction->defer);
  };
  const auto own = aborted(instruction->aborts);
  const std::string name(isa::to_string(instruction->aborts));
  if (instruction->guess_branch != 0)
    return fmt::format("  ; {}: aborts {} if taken, {} if not", name,
                       aborted(isa::AbortClass::kUnconditional), own);
  const bool always = instruction->aborts == isa::AbortClass::kUnconditional ||
                      instruction->aborts == isa::AbortClass::kSwap;
  return fmt::format("  ; {}: aborts {}{}", name, own, always ? "" : " if taken");
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
  const std::uint64_t now = travel().now();
  for (const Json& thread : travel().look({{"look", "threads"}})) {
    const unsigned number = number_of({thread.at("engine"), thread.at("context")});
    std::string state = thread.at("state");
    if (state == "waiting")
      state += fmt::format(" for {}, {} cycles", thread.at("waits_for").get<std::string>(),
                           now - thread.at("since").get<std::uint64_t>());
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

std::vector<CallFrame> DebugSession::frames_of(unsigned thread) {
  const ThreadNumber place = thread_number(thread);
  return call_frames(*target_, place.engine, word_of(thread), view_->reader(place).register_value);
}

CallFrame DebugSession::frame_of(FrameNumber frame) {
  const auto frames = frames_of(frame.thread);
  if (frame.level >= frames.size())
    throw RequestError(fmt::format("thread {} has no frame {}", frame.thread, frame.level));
  return frames[frame.level];
}

Json DebugSession::stack_trace(const Json& arguments) {
  check_launched();
  const unsigned thread = thread_argument(arguments);
  const unsigned engine = thread_number(thread).engine;
  const auto all = frames_of(thread);
  const auto first = std::min<std::size_t>(arguments.value("startFrame", 0u), all.size());
  const auto levels = arguments.value("levels", 0u);  // 0: all
  const auto last = levels == 0 ? all.size() : std::min<std::size_t>(first + levels, all.size());
  Json frames = Json::array();
  for (std::size_t level = first; level != last; ++level) {
    const CallFrame& one = all[level];
    const std::string word = fmt::format("engine {}, word {}", engine, one.word);
    Json frame = {
        {"id", id_of({thread, static_cast<unsigned>(level)})},
        {"name", one.function.empty() ? word : fmt::format("{} ({})", one.function, word)},
        {"line", one.place.line},
        {"column", 0},
        {"instructionPointerReference", address_of({engine, one.word})}};
    if (one.place.line != 0)
      frame["source"] = source_json(one.place);
    frames.push_back(std::move(frame));
  }
  return {{"stackFrames", frames}, {"totalFrames", all.size()}};
}

FrameNumber DebugSession::frame_argument(const Json& arguments) const {
  if (!arguments.contains("frameId"))
    return {first_thread(), 0};
  const FrameNumber frame = frame_number(arguments.at("frameId").get<unsigned>());
  return {thread_argument({{"threadId", frame.thread}}), frame.level};
}

Json DebugSession::scopes(const Json& arguments) {
  check_launched();
  arguments.at("frameId");
  const FrameNumber frame = frame_argument(arguments);
  return {{"scopes", view_->scopes(frame, frame_of(frame))}};
}

Json DebugSession::variables(const Json& arguments) {
  check_launched();
  return {{"variables", view_->variables(arguments.at("variablesReference").get<int>())}};
}

ExpressionValue DebugSession::value_of(const std::string& expression, FrameNumber frame) {
  const ThreadNumber place = thread_number(frame.thread);
  auto result =
      expressions_->evaluate(expression, place.engine, frame_of(frame), view_->reader(place));
  if (const auto* error = std::get_if<ExpressionError>(&result))
    throw RequestError(to_string(*error));
  return std::get<ExpressionValue>(std::move(result));
}

Json DebugSession::with_address(Json arguments) {
  const FrameNumber frame = frame_argument(arguments);
  try {
    const ExpressionValue address =
        value_of(fmt::format("&({})", arguments.at("name").get<std::string>()), frame);
    arguments["name"] =
        object_text(address.types, address.object, view_->reader(thread_number(frame.thread)));
  } catch (const RequestError&) {
    // A place such as sram:0x100 or queue:NAME; others are refused.
  }
  return arguments;
}

Json DebugSession::evaluate(const Json& arguments) {
  check_launched();
  const std::string text = arguments.at("expression");
  const FrameNumber frame = frame_argument(arguments);
  if (const auto answer = command(text, frame.thread))
    return {{"result", *answer}, {"variablesReference", 0}};
  const ExpressionValue value = value_of(text, frame);
  Json shown =
      view_->object(text, text, std::make_shared<const Types>(value.types), value.object, frame);
  shown["result"] = shown["value"];
  for (const char* key : {"name", "value", "evaluateName"})
    shown.erase(key);
  return shown;
}

Json DebugSession::disassemble(const Json& arguments) {
  check_launched();
  const auto place =
      place_of_address(arguments.at("memoryReference"), offset_of(arguments, "offset"));
  const DebugProgram* program = place ? program_of(*target_, place->engine) : nullptr;
  if (program == nullptr)
    throw RequestError("no engine has a program at this address");
  const auto words = isa::disassemble_words(program->image);
  const auto first = std::int64_t{place->word} + offset_of(arguments, "instructionOffset");
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
    Json instruction = {
        {"address", address_of({place->engine, number})},
        {"instruction",
         one.instruction + cost_text(program->image.words[number], target_->chip.engine.pipeline)}};
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
  const auto fifo = fifo_place(reference);
  if (!place && !fifo)
    throw RequestError(fmt::format(
        "'{}' is not a place in memory; write sram:0x100, or rfifo:0x40 for a FIFO", reference));
  const auto offset = offset_of(arguments, "offset");
  const auto count = std::clamp<std::int64_t>(arguments.at("count"), 0, 1 << 20);
  const std::int64_t begin = std::int64_t{place ? place->address : fifo->address} + offset;
  if (begin < 0 || begin > 0xffffffff)
    throw RequestError("the address is outside the memory");
  const std::uint32_t aligned = static_cast<std::uint32_t>(begin) & ~3u;
  const auto skipped = static_cast<std::size_t>(begin) - aligned;
  Json request = {{"address", aligned}, {"longwords", (count + 7) / 4}};
  request["look"] = place ? "memory" : "fifo";
  if (place)
    request["space"] = place->space;
  else
    request["fifo"] = fifo->fifo;
  const Json longwords = travel().look(request);
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

}  // namespace nplab::tools
