// A device that is a part of the chip, with a module for each of its parts: what a part receives is
// an export, what it sends a port that is bound to the receiver's. Names are the parts' and the
// messages', as chip.match.load_queue.line_or_miss; of several wires of one name, with a number.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/base/device_wire.h"
#include "simulator/memory/sram_device.h"

namespace nplab::simulator {

template <class Kernel>
class PartModule : public Kernel::Module {
 public:
  using Export = typename Kernel::template Export<DeviceWire>;
  using Port = typename Kernel::template Port<DeviceWire>;

  explicit PartModule(const typename Kernel::Name& name) : Kernel::Module(name) {}

  // The module is being made: SystemC gives what is made now its place in the hierarchy.
  void receive(const JoinedWire& wire, const std::string& name) {
    exports_.push_back(std::make_unique<Export>(name.c_str()));
    exports_.back()->offer(*wire.wire);
    by_wire_[wire.wire] = exports_.back().get();
  }
  void send(const JoinedWire& wire, const std::string& name) {
    ports_.push_back({wire.wire, std::make_unique<Port>(name.c_str())});
  }
  // Null: it does not receive what this wire carries.
  [[nodiscard]] Export* receiver_of(const DeviceWire* wire) {
    const auto found = by_wire_.find(wire);
    return found == by_wire_.end() ? nullptr : found->second;
  }
  void bind_to(PartModule& receiver) {
    for (auto& [wire, port] : ports_)
      if (Export* const to = receiver.receiver_of(wire))
        port->bind(*to);
  }

 private:
  std::vector<std::unique_ptr<Export>> exports_;
  std::vector<std::pair<DeviceWire*, std::unique_ptr<Port>>> ports_;
  std::map<const DeviceWire*, Export*> by_wire_;
};

// A part with all its ends.
template <class Kernel>
class MadePart : public PartModule<Kernel> {
 public:
  MadePart(const typename Kernel::Name& name, std::string_view part,
           const std::vector<JoinedWire>& wires)
      : PartModule<Kernel>(name) {
    for (const JoinedWire& wire : wires) {
      if (wire.to == part)
        this->receive(wire, name_of(wire.what, "from", wire.from));
      if (wire.from == part)
        this->send(wire, name_of(wire.what, "to", wire.to));
    }
  }

  // A word of letters, digits and `_`.
  static std::string word_of(std::string_view text) {
    std::string word;
    for (const char c : text)
      if (c != ',')
        word += c == ' ' ? '_' : c;
    return word;
  }

 private:
  std::string name_of(std::string_view what, const char* way, std::string_view other) {
    const std::string name = word_of(what) + "_" + way + "_" + word_of(other);
    const unsigned number = used_[name]++;
    return number == 0 ? name : name + std::to_string(number);
  }

  std::map<std::string, unsigned> used_;
};

// A device on the SRAM bus, which outlives the module.
template <class Kernel>
class DeviceModule : public Kernel::Module {
 public:
  DeviceModule(const typename Kernel::Name& name, ChipDevice& unit) : Kernel::Module(name) {
    device.offer(unit);
    std::vector<JoinedWire> wires;
    unit.visit_wires([&wires](const JoinedWire& wire) { wires.push_back(wire); });
    for (const JoinedWire& wire : wires)
      for (const std::string_view part : {wire.from, wire.to})
        if (!parts_.contains(part))
          parts_.emplace(part, std::make_unique<MadePart<Kernel>>(
                                   MadePart<Kernel>::word_of(part).c_str(), part, wires));
    for (auto& [from, sender] : parts_)
      for (auto& [to, receiver] : parts_)
        sender->bind_to(*receiver);
  }

  typename Kernel::template Export<ChipDevice> device{"device"};

 private:
  std::map<std::string_view, std::unique_ptr<MadePart<Kernel>>> parts_;
};

}  // namespace nplab::simulator
