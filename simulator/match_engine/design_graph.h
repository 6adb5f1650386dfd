// The drawing of the unit, made of its modules and ports.
#pragma once

#include <string>

#include "simulator/match_engine/description.h"

namespace nplab::simulator::match {

// Graphviz' language: a box per module, an edge per kind of port with what it carries and after
// how many cycles it is seen, if not in the next.
std::string design_graph(const MatchDescription& description);

}  // namespace nplab::simulator::match
