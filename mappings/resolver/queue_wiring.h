// Which threads put into and take from each instance of a queue.
#pragma once

#include <vector>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// The instances of a queue between two stages' threads, without bases.
//
// `route: own` deals the threads of the more numerous side out to those of the other, in equal
// runs: thread p of P owns the threads c of C (P <= C) with c * P / C == p. There is an instance
// for each thread of the more numerous side, so that every instance has one producer and one
// consumer, whatever `per` says but `shared`. `route: all` has an instance for each consumer (or
// producer, or pair), and every thread of the other side goes round all of them.
std::vector<QueueInstance> wire_queue(QueuePer per, QueueRoute route,
                                      const std::vector<ThreadPlace>& producers,
                                      const std::vector<ThreadPlace>& consumers);

// One ring on each engine that both sides have threads on.
std::vector<QueueInstance> wire_engines(const std::vector<ThreadPlace>& producers,
                                        const std::vector<ThreadPlace>& consumers);

}  // namespace nplab::mappings
