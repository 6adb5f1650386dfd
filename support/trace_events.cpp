#include "support/trace_events.h"

#include <fmt/format.h>

namespace nplab {

TraceEvents::~TraceEvents() {
  if (is_open_)
    stream_ << "\n]}\n";
}

void TraceEvents::begin(const std::string& other_data) {
  stream_ << "{\"otherData\":" << other_data << ",\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  is_open_ = true;
}

void TraceEvents::write(const std::string& event) {
  stream_ << (is_first_ ? "" : ",\n") << event;
  is_first_ = false;
}

void TraceEvents::name_process(unsigned process, const std::string& text) {
  write(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", process,
                    quoted(text)));
}

void TraceEvents::name_thread(unsigned process, unsigned thread, const std::string& text) {
  write(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})",
                    process, thread, quoted(text)));
}

void TraceEvents::slice(unsigned process, unsigned thread, const std::string& category, double from,
                        double duration, const std::string& name, const std::string& arguments) {
  const std::string more = arguments.empty() ? "" : ",\"args\":" + arguments;
  write(fmt::format(R"({{"ph":"X","cat":{},"pid":{},"tid":{},"ts":{},"dur":{},"name":{}{}}})",
                    quoted(category), process, thread, from, duration, quoted(name), more));
}

void TraceEvents::counter(unsigned process, const std::string& name, const std::string& series,
                          std::uint64_t value, double at) {
  write(fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{{}:{}}}}})", process, at,
                    quoted(name), quoted(series), value));
}

std::string TraceEvents::quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) < ' ')
      result += fmt::format("\\u{:04x}", c);
    else
      result += c;
  }
  return result + "\"";
}

}  // namespace nplab
