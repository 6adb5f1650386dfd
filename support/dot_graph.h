// Text in Graphviz' language, written in one way.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nplab {

// A directed graph, built statement by statement. Names and attribute values may hold any text;
// line ends in labels are kept.
class DotGraph {
 public:
  using Attributes = std::vector<std::pair<std::string_view, std::string>>;

  explicit DotGraph(std::string_view name);

  // Of the whole graph, such as rankdir.
  void set(std::string_view attribute, std::string_view value);
  // Of all nodes and of all edges.
  void set_nodes(const Attributes& attributes);
  void set_edges(const Attributes& attributes);

  void add_node(std::string_view name, const Attributes& attributes);
  void add_edge(std::string_view from, std::string_view to, const Attributes& attributes = {});

  [[nodiscard]] std::string text() const { return text_ + "}\n"; }

 private:
  void add_statement(std::string subject, const Attributes& attributes);

  std::string text_;
};

}  // namespace nplab
