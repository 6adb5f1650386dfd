// The match unit with a module for each of its boxes, made and joined as match_engine/wires.h says:
// what a box receives is an export of the wire, what it sends is a port that is bound to the
// receiver's export. Names are the boxes' and the messages', as
// chip.match.load_queue.read_to_memory; of several wires of one name, with a number. With the
// SystemC kernel each box has a process, `work`, which steps through a cycle of the unit at the
// event `cycle`.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "simulator/match_engine/match_unit.h"

namespace nplab::simulator {

// A word of letters, digits and `_`.
inline std::string object_name(std::string_view text) {
  std::string word;
  for (const char c : text)
    if (c != ',')
      word += c == ' ' ? '_' : c;
  return word;
}

template <class Kernel>
class MatchBoxModule : public Kernel::Module {
 public:
  template <class Wire>
  using Export = typename Kernel::template Export<Wire>;
  template <class Wire>
  using Port = typename Kernel::template Port<Wire>;

  // `cycle`: is notified when the box is to step through cycle `now`. All outlive the module.
  MatchBoxModule(const typename Kernel::Name& name, match::Module& box, match::Wires& wires,
                 typename Kernel::Event& cycle, const Cycle& now)
      : Kernel::Module(name) {
    wires.for_each(
        [&](std::string_view from, std::string_view to, std::string_view what, auto& wire) {
          if (to == box.name())
            receive(wire, what, name_of(what, "from", from));
          if (from == box.name())
            send(wire, name_of(what, "to", to));
        });
    this->work_at(cycle, [&box, &now] { box.step(now); });
  }

  // Of a wire that it receives.
  template <class Wire>
  [[nodiscard]] Export<Wire>& export_of(const Wire& wire) {
    return static_cast<Held<Export<Wire>>&>(*exports_.at(&wire));
  }
  // Of a wire that it sends.
  template <class Wire>
  [[nodiscard]] Port<Wire>& port_of(const Wire& wire) {
    return static_cast<Held<Port<Wire>>&>(*ports_.at(&wire));
  }

 private:
  // Ports and exports of any type of message.
  struct End {
    virtual ~End() = default;
  };
  template <class Type>
  struct Held final : End, Type {
    explicit Held(const char* name) : Type(name) {}
  };

  template <class Wire>
  void receive(Wire& wire, std::string_view what, const std::string& name) {
    auto end = std::make_unique<Held<Export<Wire>>>(name.c_str());
    end->offer(wire);
    end->note("message", std::string(what));
    end->note("latency", std::to_string(wire.latency()));
    end->note("capacity", std::to_string(wire.capacity()));
    exports_.emplace(&wire, std::move(end));
  }
  template <class Wire>
  void send(const Wire& wire, const std::string& name) {
    ports_.emplace(&wire, std::make_unique<Held<Port<Wire>>>(name.c_str()));
  }
  std::string name_of(std::string_view what, const char* way, std::string_view other) {
    const std::string name = object_name(what) + "_" + way + "_" + object_name(other);
    const unsigned number = used_[name]++;
    return number == 0 ? name : name + std::to_string(number);
  }

  std::map<std::string, unsigned> used_;
  std::map<const void*, std::unique_ptr<End>> exports_;  // by wire
  std::map<const void*, std::unique_ptr<End>> ports_;
};

// The unit outlives the module.
template <class Kernel>
class MatchModule : public Kernel::Module {
 public:
  MatchModule(const typename Kernel::Name& name, match::MatchUnit& unit) : Kernel::Module(name) {
    device.offer(unit);
    for (match::Module* const box : unit.engine().modules())
      boxes_.emplace(box->name(),
                     std::make_unique<MatchBoxModule<Kernel>>(object_name(box->name()).c_str(),
                                                              *box, unit.wires(), cycle_, now_));
    unit.wires().for_each(
        [this](std::string_view from, std::string_view to, std::string_view, auto& wire) {
          boxes_.at(from)->port_of(wire).bind(boxes_.at(to)->export_of(wire));
        });
  }

  typename Kernel::template Export<ChipDevice> device{"device"};

  // The boxes' processes step through cycle `now` in the kernel's present evaluation phase.
  void begin_cycle(Cycle now) {
    now_ = now;
    cycle_.notify();
  }

 private:
  typename Kernel::Event cycle_{"cycle"};
  Cycle now_;
  std::map<std::string_view, std::unique_ptr<MatchBoxModule<Kernel>>> boxes_;
};

}  // namespace nplab::simulator
