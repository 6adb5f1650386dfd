// Scopes of a thread that stands still, and the variables in them.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "experiments/debugging/time_travel.h"
#include "tools/debug_adapter/thread_numbers.h"

namespace nplab::tools {

class StateView {
 public:
  using Json = nlohmann::json;

  // Keeps references to both.
  StateView(const experiments::DebugTarget& target, experiments::TimeTravel& run)
      : target_(target), run_(run) {}

  // Scopes for a frame of a thread.
  Json scopes(ThreadNumber thread);
  // What is in a scope or in a variable; the error of a reference that is not known.
  Json variables(int reference) const;
  // The run goes on: references are void.
  void forget() { contents_.clear(); }

 private:
  using Contents = std::function<Json()>;

  // A scope without contents is left out.
  void add_scope(Json& scopes, const char* name, const char* hint, Contents contents);
  int reference_to(Contents contents);
  [[nodiscard]] Json look(const char* what, ThreadNumber thread) const;
  [[nodiscard]] Json general_registers(ThreadNumber thread) const;
  [[nodiscard]] Json transfer_registers(ThreadNumber thread, const char* direction) const;
  [[nodiscard]] Json local_state(ThreadNumber thread) const;
  [[nodiscard]] Json queues() const;
  [[nodiscard]] Json work(ThreadNumber thread) const;

  const experiments::DebugTarget& target_;
  experiments::TimeTravel& run_;
  std::vector<Contents> contents_;  // by reference - 1
};

// A packet of packet_view.h as names and values.
std::vector<std::pair<std::string, std::string>> packet_texts(const nlohmann::json& packet);

}  // namespace nplab::tools
