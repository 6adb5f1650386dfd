// Chrome's trace events as JSON, which Perfetto and chrome://tracing open. A microsecond of the
// viewer stands for a cycle.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

namespace nplab {

class TraceEvents {
 public:
  // The stream outlives this, which ends the text when it is destroyed.
  explicit TraceEvents(std::ostream& stream) : stream_(stream) {}
  ~TraceEvents();
  TraceEvents(const TraceEvents&) = delete;
  TraceEvents& operator=(const TraceEvents&) = delete;

  // Once, before the first event. `other_data`: members of an object of JSON.
  void begin(const std::string& other_data);
  // An event as JSON.
  void write(const std::string& event);
  void name_process(unsigned process, const std::string& text);
  void name_thread(unsigned process, unsigned thread, const std::string& text);
  // `arguments`: an object of JSON; empty: none.
  void slice(unsigned process, unsigned thread, const std::string& category, double from,
             double duration, const std::string& name, const std::string& arguments = "");
  void counter(unsigned process, const std::string& name, const std::string& series,
               std::uint64_t value, double at);

  // Text as a string of JSON.
  static std::string quoted(const std::string& text);

 private:
  std::ostream& stream_;
  bool is_open_ = false;
  bool is_first_ = true;
};

}  // namespace nplab
