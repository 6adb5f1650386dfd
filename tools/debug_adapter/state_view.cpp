#include "tools/debug_adapter/state_view.h"

#include <fmt/format.h>

#include "experiments/debugging/program_lines.h"
#include "experiments/debugging/variable_places.h"
#include "tools/debug_adapter/request_error.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using Json = nlohmann::json;

Json variable(const std::string& name, const std::string& value) {
  return {{"name", name}, {"value", value}, {"variablesReference", 0}};
}

Json register_variable(const std::string& name, std::uint32_t value) {
  return variable(name, fmt::format("{:#010x} ({})", value, value));
}

// "$0" to "$7" of a list.
void add_registers(Json& variables, const char* prefix, const Json& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    variables.push_back(register_variable(fmt::format("{}{}", prefix, i), values[i]));
}

std::string rule_text(const Json& rule) {
  return rule.is_null() ? "no match" : fmt::format("rule {}", rule.get<std::uint32_t>());
}

std::string ring_text(const Json& queue, std::size_t ring) {
  return fmt::format("{} of {} entries, put {}, taken {}",
                     queue.at("entries")[ring].get<std::uint32_t>(),
                     queue.at("size").get<std::uint32_t>(), queue.at("put")[ring].dump(),
                     queue.at("taken")[ring].dump());
}

}  // namespace

std::vector<std::pair<std::string, std::string>> packet_texts(const Json& packet) {
  std::vector<std::pair<std::string, std::string>> texts{{"packet", packet.at("packet").dump()}};
  if (packet.contains("address"))
    texts.emplace_back("buffer",
                       fmt::format("sdram:{:#x}, {}", packet.at("address").get<std::uint32_t>(),
                                   packet.at("place").get<std::string>()));
  texts.emplace_back("port", packet.at("port").dump());
  texts.emplace_back("received", packet.at("received").is_null()
                                     ? "not all of it"
                                     : "cycle " + packet.at("received").dump());
  texts.emplace_back("rule so far", packet.at("verdict").get<bool>() ? rule_text(packet.at("rule"))
                                                                     : "no verdict");
  if (packet.contains("expected"))
    texts.emplace_back("rule of the reference", rule_text(packet.at("expected")));
  if (!packet.at("forward_port").is_null())
    texts.emplace_back("goes to port", packet.at("forward_port").dump());
  for (const Json& field : packet.at("header"))
    texts.emplace_back(field[0], field[1]);
  return texts;
}

int StateView::reference_to(Contents contents) {
  contents_.push_back(std::move(contents));
  return static_cast<int>(contents_.size());
}

void StateView::add_scope(Json& scopes, const char* name, const char* hint, Contents contents) {
  scopes.push_back({{"name", name},
                    {"variablesReference", reference_to(std::move(contents))},
                    {"expensive", false}});
  if (*hint != '\0')
    scopes.back()["presentationHint"] = hint;
}

Json StateView::scopes(FrameNumber number, const CallFrame& frame) {
  Json scopes = Json::array();
  const ThreadNumber thread = thread_number(number.thread);
  const isa::VariableTable& table = image_of(thread).variables;
  const auto add = [&](const char* name, const char* hint, std::function<Json()> list) {
    add_scope(scopes, name, hint, {number, std::move(list)});
  };
  if (!table.types.empty())
    add("Locals", "locals", [this, number, frame] { return locals(number, frame); });
  if (!table.globals.empty())
    add("Globals", "", [this, number] { return globals(number); });
  add("General-purpose registers", "registers",
      [this, thread] { return general_registers(thread); });
  add("Transfer registers, as the thread reads them", "registers",
      [this, thread] { return transfer_registers(thread, "read"); });
  add("Transfer registers, as the units read them", "registers",
      [this, thread] { return transfer_registers(thread, "write"); });
  add("Local registers, signals and condition codes", "registers",
      [this, thread] { return local_state(thread); });
  if (target_.expected_rule)
    add("Packet under way", "", [this, thread] { return work(thread); });
  if (!target_.queues.empty())
    add("Queues of the mapping", "", [this] { return queues(); });
  return scopes;
}

const StateView::Contents& StateView::contents_of(int reference) const {
  if (reference < 1 || static_cast<std::size_t>(reference) > contents_.size())
    throw RequestError(fmt::format("there are no variables {}", reference));
  return contents_[static_cast<std::size_t>(reference) - 1];
}

Json StateView::variables(int reference) const {
  // By value: contents may add references.
  const Contents contents = contents_of(reference);
  return contents.list();
}

std::pair<std::string, FrameNumber> StateView::expression_of(int reference,
                                                             const std::string& name) const {
  for (const Json& one : variables(reference)) {
    if (one.at("name") != name)
      continue;
    if (!one.contains("evaluateName"))
      throw RequestError(fmt::format("{} cannot be changed", name));
    return {one.at("evaluateName"), contents_of(reference).frame};
  }
  throw RequestError(fmt::format("there is no variable {} here", name));
}

const isa::ProgramImage& StateView::image_of(ThreadNumber thread) const {
  return program_of(target_, thread.engine)->image;
}

// Memory is read once per longword and stop.
MachineReader StateView::reader(ThreadNumber thread) {
  const auto read = [this, thread](const char* what) {
    return [this, thread, what](isa::OperandCode code) {
      const Json value = run_.look(
          {{"look", what}, {"engine", thread.engine}, {"context", thread.context}, {"code", code}});
      return value.get<std::uint32_t>();
    };
  };
  const auto longword = [this](isa::MemorySpace space,
                               std::uint32_t address) -> std::optional<std::uint32_t> {
    if (longwords_at_ != run_.now())
      longwords_.clear();
    longwords_at_ = run_.now();
    const auto [found, is_new] = longwords_.try_emplace({space, address});
    if (is_new) {
      const Json read =
          run_.look({{"look", "memory"}, {"space", space}, {"address", address}, {"longwords", 1}});
      if (!read.empty())
        found->second = read[0].get<std::uint32_t>();
    }
    return found->second;
  };
  return {read("register"), read("written register"), longword};
}

Json StateView::object(const std::string& name, const std::string& expression,
                       const std::shared_ptr<const Types>& types, const ProgramObject& object,
                       FrameNumber frame) {
  const ThreadNumber thread = thread_number(frame.thread);
  const MachineReader now = reader(thread);
  Json shown = variable(name, object_text(*types, object, now));
  shown["type"] = type_text(*types, object.type);
  shown["evaluateName"] = expression;
  const isa::VariableType& type = resolved(*types, object.type);
  if (type.kind == isa::VariableType::Kind::kPointer)
    shown["memoryReference"] = shown["value"];
  if (!parts_of(*types, object, expression, now).empty())
    shown["variablesReference"] = reference_to(
        {frame, [this, types, object, expression, frame] {
           Json parts = Json::array();
           for (const ObjectPart& part :
                parts_of(*types, object, expression, reader(thread_number(frame.thread))))
             parts.push_back(this->object(part.name, part.expression, types, part.object, frame));
           return parts;
         }});
  return shown;
}

Json StateView::locals(FrameNumber number, const CallFrame& frame) {
  const ThreadNumber thread = thread_number(number.thread);
  const isa::ProgramImage& image = image_of(thread);
  const auto types = std::make_shared<const Types>(image.variables.types);
  Json variables = Json::array();
  for (const isa::ProgramVariable* one : variables_of(image, frame)) {
    const ProgramObject value = object_of_variable(image.variables, *one, frame, reader(thread));
    variables.push_back(object(one->name, one->name, types, value, number));
    if (const std::string place = place_text(*one, frame, reader(thread)); !place.empty())
      variables.back()["type"] = variables.back()["type"].get<std::string>() + ", " + place;
  }
  return variables;
}

Json StateView::globals(FrameNumber number) {
  const isa::VariableTable& table = image_of(thread_number(number.thread)).variables;
  const auto types = std::make_shared<const Types>(table.types);
  Json variables = Json::array();
  for (const isa::GlobalVariable& one : table.globals)
    variables.push_back(object(one.name, one.name, types,
                               object_in_memory(*types, one.type, {one.space, one.address, 0}),
                               number));
  return variables;
}

Json StateView::look(const char* what, ThreadNumber thread) const {
  return run_.look({{"look", what}, {"engine", thread.engine}, {"context", thread.context}});
}

Json StateView::general_registers(ThreadNumber thread) const {
  const Json registers = look("registers", thread);
  Json variables = Json::array();
  add_registers(variables, "a", registers.at("a"));
  add_registers(variables, "b", registers.at("b"));
  for (Json& one : variables)
    one["evaluateName"] = one["name"];
  return variables;
}

// Expressions read what the thread reads.
Json StateView::transfer_registers(ThreadNumber thread, const char* direction) const {
  const Json registers = look("registers", thread);
  Json variables = Json::array();
  add_registers(variables, "$", registers.at(fmt::format("$ {}", direction)));
  add_registers(variables, "$$", registers.at(fmt::format("$$ {}", direction)));
  if (std::string_view(direction) == "read")
    for (Json& one : variables)
      one["evaluateName"] = one["name"];
  return variables;
}

Json StateView::local_state(ThreadNumber thread) const {
  const Json state = look("local", thread);
  Json variables = Json::array();
  for (const char* name : {"active_ctx", "engine", "cycle_count"})
    variables.push_back(register_variable(name, state.at(name)));
  const std::string signals = state.at("signals");
  variables.push_back(variable("signals", signals.empty() ? "none" : signals));
  for (const char* name : {"negative", "zero", "carry", "overflow"})
    variables.push_back(variable(name, state.at(name).dump()));
  return variables;
}

Json StateView::queues() const {
  Json variables = Json::array();
  for (const Json& queue : run_.look({{"look", "queues"}})) {
    const std::size_t rings = queue.at("entries").size();
    for (std::size_t ring = 0; ring < rings; ++ring)
      variables.push_back(
          variable(rings == 1 ? queue.at("name").get<std::string>()
                              : fmt::format("{}[{}]", queue.at("name").get<std::string>(), ring),
                   ring_text(queue, ring)));
  }
  return variables;
}

Json StateView::work(ThreadNumber thread) const {
  Json variables = Json::array();
  for (const Json& packet : look("work", thread))
    for (const auto& [name, value] : packet_texts(packet))
      variables.push_back(variable(name, value));
  if (variables.empty())
    variables.push_back(variable("packet", "none"));
  return variables;
}

}  // namespace nplab::tools
