#include "support/dot_graph.h"

#include <catch2/catch.hpp>

using nplab::DotGraph;

TEST_CASE("a graph is written with its attributes, nodes and edges in the order of the calls") {
  DotGraph graph("a mapping");
  graph.set("rankdir", "LR");
  graph.set_nodes({{"shape", "box"}, {"fontsize", "10"}});
  graph.add_node("receive", {{"label", "receive"}});
  graph.add_edge("receive", "classify");
  graph.add_edge("classify", "end", {{"style", "dashed"}});
  CHECK(graph.text() ==
        "digraph \"a mapping\" {\n"
        "  rankdir=\"LR\";\n"
        "  node [shape=\"box\", fontsize=\"10\"];\n"
        "  \"receive\" [label=\"receive\"];\n"
        "  \"receive\" -> \"classify\";\n"
        "  \"classify\" -> \"end\" [style=\"dashed\"];\n"
        "}\n");
}

TEST_CASE("quotes, backslashes and line ends in a graph's texts are escaped") {
  DotGraph graph("g");
  graph.add_node("a\"b", {{"label", "c\\d\ne"}});
  CHECK(graph.text() == "digraph \"g\" {\n  \"a\\\"b\" [label=\"c\\\\d\\ne\"];\n}\n");
}
