#include "reports/html/annotated_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "reports/derive.h"

namespace nplab::reports::html {
namespace {

constexpr std::size_t kHottest = 25;  // lines in the list

struct LineCost {
  std::map<Count, Line> by_engine;
  Line sum;
};
using Files = std::map<std::string, std::map<Count, LineCost>>;  // by name and line

Count busy_cycles(const Line& line) { return line.executing + line.aborted + line.stalled; }

void add_line(Line& sum, const Line& line) {
  sum.executing += line.executing;
  sum.aborted += line.aborted;
  sum.stalled += line.stalled;
  sum.waiting += line.waiting;
  sum.poll = sum.poll || line.poll;
}

class SourcePage {
 public:
  SourcePage(const RunRecord& record, std::string run, Elements& elements) : record_(record), run_(std::move(run)), elements_(elements) {
    for (const Line& line : record.lines) {
      LineCost& cost = files_[line.file][line.line];
      add_line(cost.by_engine[line.engine], line);
      add_line(cost.sum, line);
    }
    for (const Engine& engine : record.engines) cycles_ += engine.words == 0 ? 0 : record.cycles.core;
    for (const Source& source : record.sources) {
      std::istringstream text(source.text);
      for (std::string line; std::getline(text, line);) texts_[source.file].push_back(line);
    }
    for (const auto& [name, lines] : files_) numbers_.emplace(name, numbers_.size());
  }

  std::string html() {
    std::string html = engine_choice() + hottest();
    for (const auto& [name, lines] : files_) html += file(name, lines);
    return html;
  }

 private:
  [[nodiscard]] std::string anchor(const std::string& file, Count line) const {
    return fmt::format("{}-f{}-{}", run_, numbers_.at(file), line);
  }

  // Figures by engine, for the script: `engine:executing,aborted,stalled,waiting;...`.
  static std::string by_engine(const LineCost& cost) {
    std::string text;
    for (const auto& [engine, line] : cost.by_engine)
      text += fmt::format("{}{}:{},{},{},{}", text.empty() ? "" : ";", engine, line.executing, line.aborted, line.stalled, line.waiting);
    return text;
  }

  [[nodiscard]] std::string figures(const Line& line) const {
    return fmt::format("<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n share\" style=\"--share:{:.2f}\">"
                       "{:.2f}</td><td class=\"n\">{}</td><td>{}</td>", line.executing, line.aborted, line.stalled,
                       percentage(busy_cycles(line), cycles_), percentage(busy_cycles(line), cycles_), line.waiting,
                       line.poll ? "p" : "");
  }

  std::string heads(const std::string& caption, const char* last) {
    std::string html = fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table class=\"source\">"
                                   "<caption>{0}</caption>\n<thead><tr><td></td>", escaped(caption));
    for (const char* column : {"executing", "aborted", "stalled", "share", "waiting", "poll"})
      html += "<th scope=\"col\">" + elements_.explained(column, {column}) + "</th>";
    return html + "<th scope=\"col\">" + last + "</th></tr></thead>\n<tbody>\n";
  }

  [[nodiscard]] std::string text_of(const std::string& file, Count line) const {
    const auto found = texts_.find(file);
    if (found == texts_.end() || line == 0 || line > found->second.size()) return "";
    return found->second[line - 1];
  }

  [[nodiscard]] std::string engine_choice() const {
    std::string html = fmt::format("<p class=\"controls\"><label>Engine <select class=\"engine-choice\" data-cycles=\"{}\"><option "
                                   "value=\"\">all</option>", record_.cycles.core);
    for (const Engine& engine : record_.engines)
      if (engine.words > 0) html += fmt::format("<option value=\"{0}\">{0}: {1}</option>", engine.id, escaped(engine.role));
    return html + "</select></label></p>\n";
  }

  std::string hottest() {
    std::vector<std::tuple<Count, Count, std::string, Count>> order;
    for (const auto& [name, lines] : files_)
      for (const auto& [number, cost] : lines) order.emplace_back(busy_cycles(cost.sum), cost.sum.waiting, name, number);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) > std::tie(std::get<0>(b), std::get<1>(b));
    });
    order.resize(std::min(order.size(), kHottest));
    std::string html = heads("The costliest source lines", "source");
    for (const auto& [cycles, waiting, name, number] : order) {
      const LineCost& cost = files_.at(name).at(number);
      html += fmt::format("<tr data-e=\"{}\"><th scope=\"row\"><a href=\"#{}\">{}:{}</a></th>{}<td><code>{}</code></td></tr>\n",
                          by_engine(cost), anchor(name, number), escaped(name.substr(name.rfind('/') + 1)), number, figures(cost.sum),
                          escaped(text_of(name, number)));
    }
    return html + "</tbody></table></div>\n";
  }

  std::string file(const std::string& name, const std::map<Count, LineCost>& lines) {
    Line sum;
    for (const auto& [number, cost] : lines) add_line(sum, cost.sum);
    std::string html = fmt::format("<details><summary><code>{}</code>: {:.1f} % of the engines' cycles</summary>\n", escaped(name),
                                   percentage(busy_cycles(sum), cycles_));
    html += heads(name, "text");
    const auto text = texts_.find(name);
    const Count last = std::max<Count>(text == texts_.end() ? 0 : text->second.size(), lines.rbegin()->first);
    for (Count number = lines.begin()->first == 0 ? 0 : 1; number <= last; ++number) html += row(name, number, lines);
    return html + "</tbody></table></div></details>\n";
  }

  std::string row(const std::string& name, Count number, const std::map<Count, LineCost>& lines) const {
    const auto cost = lines.find(number);
    const std::string code = "<td><code>" + escaped(text_of(name, number)) + "</code></td></tr>\n";
    if (cost == lines.end()) return fmt::format("<tr><th scope=\"row\">{}</th><td colspan=\"6\"></td>", number) + code;
    return fmt::format("<tr id=\"{}\" data-p=\"{}:{}\" data-e=\"{}\"><th scope=\"row\"><button type=\"button\" class=\"line\">{}</button></th>", anchor(name, number), escaped(name), number, by_engine(cost->second), number) +
           figures(cost->second.sum) + code;
  }

  const RunRecord& record_;
  std::string run_;
  Elements& elements_;
  Files files_;
  std::map<std::string, std::vector<std::string>> texts_;
  std::map<std::string, std::size_t> numbers_;
  Count cycles_ = 0;  // of all engines that are on
};

}  // namespace

std::string annotated_source(const RunRecord& record, const std::string& run, Elements& elements) {
  return record.lines.empty() ? "" : SourcePage(record, run, elements).html();
}

}  // namespace nplab::reports::html
