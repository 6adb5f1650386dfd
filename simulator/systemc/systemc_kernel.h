// Modules, ports and exports of SystemC, as chip/assembly.h needs them: a port or export carries a
// reference to one of the plain interfaces of simulator/base/ports.h. Ports are followed once, at
// the end of elaboration; from then on a call costs what a call of the plain interface does.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

namespace nplab::simulator {

struct SystemCKernel {
  using Name = sc_core::sc_module_name;

  using Event = sc_core::sc_event;

  class Module : public sc_core::sc_module {
   protected:
    explicit Module(const Name& name) : sc_module(name) {}
    // The module's process, `work`, is a method that works whenever the event is notified. Once, in
    // the module's constructor.
    void work_at(const Event& event, std::function<void()> what) {
      work_ = std::move(what);
      SC_HAS_PROCESS(Module);
      SC_METHOD(work);
      sensitive << event;
      dont_initialize();
    }

   private:
    void work() { work_(); }

    std::function<void()> work_;
  };

  template <class Interface>
  class Binding : public virtual sc_core::sc_interface {
   public:
    explicit Binding(Interface& target) : target_(target) {}
    [[nodiscard]] Interface& target() { return target_; }

   private:
    Interface& target_;
  };

  // What a module offers. The target outlives it.
  template <class Interface>
  class Export : public sc_core::sc_export<Binding<Interface>> {
   public:
    explicit Export(const char* name) : sc_core::sc_export<Binding<Interface>>(name) {}
    void offer(Interface& target) {
      binding_.emplace(target);
      this->bind(*binding_);
    }
    // An attribute of the object.
    void note(const char* name, const std::string& text) {
      notes_.push_back(std::make_unique<sc_core::sc_attribute<std::string>>(name, text));
      this->add_attribute(*notes_.back());
    }

   private:
    std::optional<Binding<Interface>> binding_;
    std::vector<std::unique_ptr<sc_core::sc_attribute<std::string>>> notes_;
  };

  template <class Interface>
  class Port : public sc_core::sc_port<Binding<Interface>> {
   public:
    explicit Port(const char* name) : sc_core::sc_port<Binding<Interface>>(name) {}
    [[nodiscard]] Interface& target() { return (*this)->target(); }
  };
  // Bound to one export, or to none: then the target is null.
  template <class Interface>
  class OptionalPort
      : public sc_core::sc_port<Binding<Interface>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> {
   public:
    explicit OptionalPort(const char* name)
        : sc_core::sc_port<Binding<Interface>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>(name) {}
    [[nodiscard]] Interface* target() { return this->size() == 0 ? nullptr : &(*this)->target(); }
  };
  // Bound to any number of exports, in the order of binding.
  template <class Interface>
  class MultiPort : public sc_core::sc_port<Binding<Interface>, 0> {
   public:
    explicit MultiPort(const char* name) : sc_core::sc_port<Binding<Interface>, 0>(name) {}
    [[nodiscard]] std::vector<Interface*> targets() {
      std::vector<Interface*> targets;
      for (int i = 0; i < this->size(); ++i)
        targets.push_back(&(*this)[i]->target());
      return targets;
    }
  };
};

}  // namespace nplab::simulator
