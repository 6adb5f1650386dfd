// Scopes of a thread that stands still, and the variables in them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/debugging/call_frames.h"
#include "experiments/debugging/program_object.h"
#include "experiments/debugging/time_travel.h"
#include "tools/debug_adapter/thread_numbers.h"

namespace nplab::tools {

class StateView {
 public:
  using Json = nlohmann::json;

  // Keeps references to both.
  StateView(const experiments::DebugTarget& target, experiments::TimeTravel& run)
      : target_(target), run_(run) {}

  // Scopes for a frame, and where the frame stands.
  Json scopes(FrameNumber number, const experiments::CallFrame& frame);
  // What the thread's registers and the memories hold; for as long as the run stands still.
  experiments::MachineReader reader(ThreadNumber thread);
  // An object of C as a variable, which `expression` names.
  Json object(const std::string& name, const std::string& expression,
              const std::shared_ptr<const experiments::Types>& types,
              const experiments::ProgramObject& object, FrameNumber frame);
  // What is in a scope or in a variable; the error of a reference that is not known.
  [[nodiscard]] Json variables(int reference) const;
  // The expression that names one of them, and the frame in which it does.
  [[nodiscard]] std::pair<std::string, FrameNumber> expression_of(int reference,
                                                                  const std::string& name) const;
  // The run goes on: references are void.
  void forget() {
    contents_.clear();
    longwords_.clear();
  }
  // Something was changed where the run stands.
  void forget_values() { longwords_.clear(); }

 private:
  struct Contents {
    FrameNumber frame;
    std::function<Json()> list;
  };

  // A scope without contents is left out.
  void add_scope(Json& scopes, const char* name, const char* hint, Contents contents);
  [[nodiscard]] const Contents& contents_of(int reference) const;
  int reference_to(Contents contents);
  [[nodiscard]] Json locals(FrameNumber number, const experiments::CallFrame& frame);
  [[nodiscard]] Json globals(FrameNumber number);
  [[nodiscard]] const isa::ProgramImage& image_of(ThreadNumber thread) const;
  [[nodiscard]] Json look(const char* what, ThreadNumber thread) const;
  [[nodiscard]] Json general_registers(ThreadNumber thread) const;
  [[nodiscard]] Json transfer_registers(ThreadNumber thread, const char* direction) const;
  [[nodiscard]] Json local_state(ThreadNumber thread) const;
  [[nodiscard]] Json queues() const;
  [[nodiscard]] Json work(ThreadNumber thread) const;

  const experiments::DebugTarget& target_;
  experiments::TimeTravel& run_;
  std::vector<Contents> contents_;  // by reference - 1
  std::uint64_t longwords_at_ = 0;  // the cycle in which they were read
  std::map<std::pair<isa::MemorySpace, std::uint32_t>, std::optional<std::uint32_t>> longwords_;
};

// A packet of packet_view.h as names and values.
std::vector<std::pair<std::string, std::string>> packet_texts(const nlohmann::json& packet);

}  // namespace nplab::tools
