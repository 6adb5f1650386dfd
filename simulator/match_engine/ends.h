// The ends of wires that a module has: what it receives and what it sends, by the type of the
// message. A module sees no other wires.
#pragma once

#include <utility>
#include <vector>

#include "simulator/match_engine/port.h"

namespace nplab::simulator::match {

template <class T>
class In {
 public:
  explicit In(Port<T>& port) : port_(&port) {}

  [[nodiscard]] const T* front(Cycle now) const { return port_->front(now); }
  T take(Cycle now) { return port_->take(now); }
  template <class Visit>
  void for_each_sent_before(Cycle now, Visit visit) {
    port_->for_each_sent_before(now, visit);
  }
  [[nodiscard]] bool empty() const { return port_->empty(); }
  [[nodiscard]] std::size_t size() const { return port_->size(); }

 private:
  Port<T>* port_;
};

template <class T>
class Out {
 public:
  explicit Out(Port<T>& port) : port_(&port) {}

  [[nodiscard]] bool has_room(Cycle now) const { return port_->has_room(now); }
  void send(T value, Cycle now) { port_->send(std::move(value), now); }

 private:
  Port<T>* port_;
};

template <class T>
In<T> in(Port<T>& port) {
  return In<T>(port);
}
template <class T>
Out<T> out(Port<T>& port) {
  return Out<T>(port);
}
// Of wires that are there once for each channel of the memory.
template <class T>
std::vector<In<T>> ins(std::vector<Port<T>>& ports) {
  return {ports.begin(), ports.end()};
}
template <class T>
std::vector<Out<T>> outs(std::vector<Port<T>>& ports) {
  return {ports.begin(), ports.end()};
}

}  // namespace nplab::simulator::match
