#include "experiments/debugging/run_image.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>

#include "experiments/debugging/machine_view.h"
#include "experiments/debugging/socket_messages.h"

namespace nplab::experiments {
namespace {

using nlohmann::json;
using simulator::Cycle;
using View = simulator::RunVisitor::View;

json to_json(const Advance& how) {
  return {{"to", how.to},
          {"stops", how.stops},
          {"last", how.order == StopSearch::Order::kLast},
          {"after", how.bounds.after},
          {"before", how.bounds.before},
          {"each_cycle", how.each_cycle},
          {"changes", how.changes}};
}

// Serves one end of a socket, in the process that runs.
class Server final : public simulator::RunVisitor, public VerdictListener {
 public:
  Server(const DebugTarget& target, FileDescriptor socket)
      : target_(target), socket_(std::move(socket)) {}

  Cycle visit(const View& view) override {
    annotations_ = &view.annotations;
    if (const auto next = go_on(view))
      return *next;
    for (;;) {
      auto message = receive_message(socket_.number());
      if (!message)
        ::_exit(EXIT_SUCCESS);  // nobody needs this process any more
      const json request = json::parse(message->text);
      if (request.contains("copy"))
        copy(view);
      else if (request.contains("look"))
        answer(machine_view(request, target_, view));
      else if (request.contains("change"))
        change(request, view);
      else if (view.is_over)
        answer_advanced(view);
      else
        return begin(request, view);
    }
  }

  void judged(std::uint64_t packet, std::optional<std::uint32_t>, const std::string& complaint,
              Cycle at) override {
    if (search_)
      search_->judged(packet, complaint, annotations_->acting(), at);
  }

  void print(const std::string& text, Cycle at) { printed_.emplace_back(at.number(), text); }

 private:
  void answer(const json& reply, int file = -1) {
    if (!send_message(socket_.number(), reply.dump(), file))
      ::_exit(EXIT_SUCCESS);
  }

  void change(const json& request, const View& view) {
    for (const Change& one : request.at("change").get<std::vector<Change>>())
      apply(one, view);
    answer({{"changed", true}});
  }

  Cycle begin(const json& request, const View& view) {
    to_ = request.at("to");
    each_cycle_ = request.at("each_cycle");
    changes_ = request.at("changes").get<std::deque<Change>>();
    advances_ = true;
    printed_.clear();
    const auto order =
        request.at("last").get<bool>() ? StopSearch::Order::kLast : StopSearch::Order::kFirst;
    auto stops = request.at("stops").get<StopPoints>();
    if (!stops.is_empty())
      search_.emplace(target_, std::move(stops), order,
                      StopSearch::Bounds{request.at("after"), request.at("before")}, view);
    return next(view);
  }

  // Where the run pauses next.
  [[nodiscard]] Cycle next(const View& view) const {
    if (each_cycle_ && search_)
      return view.now + 1;
    const std::uint64_t pause = changes_.empty() ? to_ : std::min(to_, changes_.front().at);
    return std::max(Cycle(pause), view.now + 1);
  }

  // Of a run that advances: where it pauses next, or nothing when it is to stand still.
  std::optional<Cycle> go_on(const View& view) {
    if (!advances_)
      return std::nullopt;
    for (; !changes_.empty() && changes_.front().at <= view.now.number(); changes_.pop_front())
      apply(changes_.front(), view);
    if (each_cycle_ && search_)
      search_->look_at_cycle(view);
    const bool is_done = search_ && search_->is_done(view.now);
    if (!view.is_over && view.now.number() < to_ && !is_done)
      return next(view);
    answer_advanced(view);
    advances_ = false;
    search_.reset();
    return std::nullopt;
  }

  void answer_advanced(const View& view) {
    json reply = {{"now", view.now.number()}, {"over", view.is_over}, {"printed", printed_}};
    reply["missed"] = search_ && !each_cycle_ && search_->may_have_missed(view);
    reply["hits"] = search_ ? json(search_->hits()) : json::array();
    if (view.is_over)
      reply["end"] = end_text(view);
    answer(reply);
  }

  [[nodiscard]] std::string end_text(const View& view) const {
    if (auto fault = view.watch.fault()) {
      for (const DebugProgram& program : target_.programs)
        if (fault->pc && fault->thread && fault->thread->engine.index() == program.engine)
          fault->source = simulator::source_of(program.image, *fault->pc);
      return fault_text(*fault);
    }
    if (view.deadlocked)
      return "deadlock: no thread can go on";
    if (view.parts.live_threads() == 0)
      return "all threads have ended";
    return "the run is over";
  }

  // The copy serves the new socket; its other end goes to whoever asked.
  void copy(const View& view) {
    auto [mine, theirs] = socket_pair();
    const pid_t process = mine ? ::fork() : -1;
    if (process == 0) {
      theirs.close();
      socket_ = std::move(mine);
      return;
    }
    answer({{"now", view.now.number()}, {"over", view.is_over}, {"copied", process > 0}},
           process > 0 ? theirs.number() : -1);
  }

  const DebugTarget& target_;
  FileDescriptor socket_;
  std::optional<StopSearch> search_;
  const simulator::RunAnnotations* annotations_ = nullptr;
  std::uint64_t to_ = 0;
  std::deque<Change> changes_;  // still to come
  bool each_cycle_ = false;
  bool advances_ = false;
  std::vector<Printed> printed_;
};

[[noreturn]] void serve(const DebugTarget& target, FileDescriptor socket) {
  std::signal(SIGCHLD, SIG_IGN);  // copies are nobody's to wait for
  std::signal(SIGINT, SIG_IGN);   // the debugger's to act on
  Server server(target, std::move(socket));
  target.run(server, server,
             [&server](const std::string& text, Cycle at) { server.print(text, at); });
  ::_exit(EXIT_SUCCESS);
}

}  // namespace

std::optional<RunImage> RunImage::start(const DebugTarget& target, Diagnostics& diagnostics) {
  auto [mine, theirs] = socket_pair();
  std::fflush(nullptr);
  const pid_t process = mine ? ::fork() : -1;
  if (process == 0) {
    mine.close();
    serve(target, std::move(theirs));
  }
  if (process < 0) {
    diagnostics.error(without_lines(target.name), "cannot be started as a process");
    return std::nullopt;
  }
  return RunImage(std::move(mine), 0, false);
}

std::optional<json> RunImage::ask(const json& request, FileDescriptor* file) {
  if (!socket_ || !send_message(socket_.number(), request.dump())) {
    socket_.close();
    return std::nullopt;
  }
  auto reply = receive_message(socket_.number());
  if (!reply) {
    socket_.close();
    return std::nullopt;
  }
  if (file != nullptr)
    *file = std::move(reply->file);
  return json::parse(reply->text);
}

Advanced RunImage::advance(const Advance& how) {
  const auto reply = ask(to_json(how));
  if (!reply)
    return {now_, true, "the process of the simulation is gone", false, {}, {}};
  now_ = reply->at("now");
  is_over_ = reply->at("over");
  return {now_,
          is_over_,
          reply->value("end", ""),
          reply->at("missed"),
          reply->at("hits").get<std::vector<Hit>>(),
          reply->at("printed").get<std::vector<Printed>>()};
}

json RunImage::look(const json& request) {
  return ask(request).value_or(json());
}

void RunImage::change(const std::vector<Change>& changes) {
  ask({{"change", changes}});
}

std::optional<RunImage> RunImage::copy() {
  FileDescriptor socket;
  const auto reply = ask({{"copy", true}}, &socket);
  if (!reply || !socket)
    return std::nullopt;
  return RunImage(std::move(socket), now_, is_over_);
}

}  // namespace nplab::experiments
