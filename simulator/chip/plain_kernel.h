// Modules, ports and exports without the SystemC kernel: what chip/assembly.h needs of one
// (systemc/systemc_kernel.h is the other).
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nplab::simulator {

struct PlainKernel {
  using Name = const char*;

  // Nothing waits for it.
  struct Event {
    explicit Event(Name) {}
    void notify() {}
  };

  class Module {
   protected:
    explicit Module(Name) {}
    // Without the kernel there are no processes: who has the module's part calls it.
    static void work_at(const Event&, const std::function<void()>&) {}
  };

  // What a module offers. The target outlives it.
  template <class Interface>
  class Export {
   public:
    explicit Export(Name) {}
    void offer(Interface& target) { target_ = &target; }
    void note(Name, const std::string&) {}
    [[nodiscard]] Interface& target() const { return *target_; }

   private:
    Interface* target_ = nullptr;
  };

  // What a module asks for: one export, or several in the order of binding.
  template <class Interface>
  class Port {
   public:
    explicit Port(Name) {}
    void bind(const Export<Interface>& to) { export_ = &to; }
    [[nodiscard]] Interface& target() const { return export_->target(); }

   private:
    const Export<Interface>* export_ = nullptr;
  };
  // Bound to one export, or to none: then the target is null.
  template <class Interface>
  class OptionalPort {
   public:
    explicit OptionalPort(Name) {}
    void bind(const Export<Interface>& to) { target_ = &to.target(); }
    [[nodiscard]] Interface* target() const { return target_; }

   private:
    Interface* target_ = nullptr;
  };
  template <class Interface>
  class MultiPort {
   public:
    explicit MultiPort(Name) {}
    void bind(const Export<Interface>& to) { targets_.push_back(&to.target()); }
    [[nodiscard]] std::vector<Interface*> targets() const { return targets_; }

   private:
    std::vector<Interface*> targets_;
  };
};

}  // namespace nplab::simulator
