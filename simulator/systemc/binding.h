// How the chip's modules are joined: a port or export carries a reference to one of the plain
// interfaces of simulator/base/ports.h. Ports are followed once, at the end of elaboration; from
// then on a call costs what a call of the plain interface does.
#pragma once

#include <systemc>

namespace nplab::simulator {

template <class Interface>
class Binding : public virtual sc_core::sc_interface {
 public:
  [[nodiscard]] virtual Interface& target() = 0;
};

// The module's side that offers the interface. The target outlives it.
template <class Interface>
class Offer final : public Binding<Interface> {
 public:
  explicit Offer(Interface& target) : target_(target) {}
  [[nodiscard]] Interface& target() override { return target_; }

 private:
  Interface& target_;
};

template <class Interface>
using Port = sc_core::sc_port<Binding<Interface>>;
// Bound to any number of modules, in the order of binding.
template <class Interface>
using MultiPort = sc_core::sc_port<Binding<Interface>, 0>;
template <class Interface>
using Export = sc_core::sc_export<Binding<Interface>>;

}  // namespace nplab::simulator
