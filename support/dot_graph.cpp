#include "support/dot_graph.h"

namespace nplab {
namespace {

std::string dot_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + "\"";
}

}  // namespace

DotGraph::DotGraph(std::string_view name) : text_("digraph " + dot_quoted(name) + " {\n") {}

void DotGraph::set(std::string_view attribute, std::string_view value) {
  text_ += "  " + std::string(attribute) + "=" + dot_quoted(value) + ";\n";
}

void DotGraph::set_nodes(const Attributes& attributes) {
  add_statement("node", attributes);
}

void DotGraph::set_edges(const Attributes& attributes) {
  add_statement("edge", attributes);
}

void DotGraph::add_node(std::string_view name, const Attributes& attributes) {
  add_statement(dot_quoted(name), attributes);
}

void DotGraph::add_edge(std::string_view from, std::string_view to, const Attributes& attributes) {
  add_statement(dot_quoted(from) + " -> " + dot_quoted(to), attributes);
}

void DotGraph::add_statement(std::string subject, const Attributes& attributes) {
  std::string list;
  for (const auto& [name, value] : attributes)
    list += (list.empty() ? "" : ", ") + std::string(name) + "=" + dot_quoted(value);
  text_ += "  " + std::move(subject) + (list.empty() ? "" : " [" + list + "]") + ";\n";
}

}  // namespace nplab
