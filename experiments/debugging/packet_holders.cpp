#include "experiments/debugging/packet_holders.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/debugging/call_frames.h"
#include "experiments/debugging/program_lines.h"
#include "experiments/debugging/program_object.h"
#include "experiments/debugging/variable_places.h"
#include "isa/operand_text.h"

namespace nplab::experiments {
namespace {

using View = simulator::RunVisitor::View;

// The variable of a stage, and of the state of receive, that has the address of the packet's buffer
// (mappings/composition/stage_code.cpp, mappings/library/descriptor.h).
constexpr const char* kBufferName = "buffer";

MachineReader reader_of(const View& view, unsigned engine, simulator::ContextId context) {
  const simulator::Microengine& read = *view.parts.engines.at(engine);
  return {[&read, context](isa::OperandCode code) { return read.register_value(context, code); },
          [&read, context](isa::OperandCode code) { return read.written_value(context, code); },
          [&view](isa::MemorySpace space, std::uint32_t address) -> std::optional<std::uint32_t> {
            const auto& storage = view.parts.storage(space);
            if (std::uint64_t{address} + 4 > storage.size())
              return std::nullopt;
            return storage.peek(address);
          }};
}

// Registers that may hold an address, by their codes of isa/description/registers.td.
std::vector<isa::OperandCode> address_registers() {
  constexpr isa::OperandCode kGeneral = 32, kTransfers = 16, kFirstTransfer = 0x200;
  std::vector<isa::OperandCode> codes;
  for (isa::OperandCode code = 0; code < kGeneral; ++code)
    codes.push_back(code);
  for (isa::OperandCode code = 0; code < kTransfers; ++code)
    codes.push_back(static_cast<isa::OperandCode>(kFirstTransfer + code));
  return codes;
}

class Holdings {
 public:
  Holdings(const View& view, MachineReader reader) : view_(view), reader_(std::move(reader)) {}

  // False: the program has no variable for a packet. Places count wherever they hold: words that
  // the compiler added are of no block.
  bool look_at_variables(const DebugTarget& target, const DebugProgram& program,
                         std::uint32_t word) {
    bool has_one = false;
    for (const CallFrame& frame :
         call_frames(target, program.engine, word, reader_.register_value)) {
      for (const isa::ProgramVariable& variable : program.image.variables.variables)
        has_one |= look_at(program.image.variables, variable, frame);
    }
    return has_one;
  }

  void look_at_registers() {
    for (const isa::OperandCode code : address_registers())
      add(reader_.register_value(code), isa::operand_text(code));
  }

  [[nodiscard]] std::vector<HeldPacket> take() { return std::move(held_); }

 private:
  // Whether the variable, or a member of it, is one for a packet.
  bool look_at(const isa::VariableTable& table, const isa::ProgramVariable& variable,
               const CallFrame& frame) {
    const isa::VariableType& type = table.resolved(variable.type);
    const bool is_structure = type.kind == isa::VariableType::Kind::kStructure;
    if (!is_structure && variable.name != kBufferName)
      return false;
    const auto member = std::find_if(type.members.begin(), type.members.end(),
                                     [](const auto& each) { return each.name == kBufferName; });
    if (is_structure && member == type.members.end())
      return false;
    ProgramObject object = object_of_variable(table, variable, frame, reader_);
    if (is_structure)
      object = member_of(object, *member);
    const auto value = scalar_of(table.types, object, reader_);
    if (const auto* address = std::get_if<std::uint64_t>(&value))
      add(static_cast<std::uint32_t>(*address),
          is_structure ? fmt::format("{}.{}", variable.name, kBufferName)
                       : fmt::format("{} {}", kBufferName, place_text(variable, frame, reader_)));
    return true;
  }

  // Each packet once.
  void add(std::uint32_t address, std::string place) {
    const auto packet = view_.frames.packet_at(address);
    if (packet && std::none_of(held_.begin(), held_.end(), [&](const HeldPacket& one) {
          return view_.frames.packet_at(one.address) == packet;
        }))
      held_.push_back({address, std::move(place)});
  }

  const View& view_;
  MachineReader reader_;
  std::vector<HeldPacket> held_;
};

}  // namespace

std::vector<HeldPacket> held_packets(const DebugTarget& target, const View& view, unsigned engine,
                                     simulator::ContextId context) {
  const DebugProgram* program = program_of(target, engine);
  const std::uint32_t word = view.parts.engines.at(engine)->program_counter(context);
  if (program == nullptr || word >= program->uses.size() ||
      program->uses[word] == WordUse::kStarved)
    return {};
  Holdings found(view, reader_of(view, engine, context));
  if (!found.look_at_variables(target, *program, word))
    found.look_at_registers();
  return found.take();
}

}  // namespace nplab::experiments
