// One packet's way as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/run/packet_story.h"
#include "isa/instruction.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;
using simulator::Cycle;
using simulator::Cycles;

std::string thread_name(simulator::ThreadId thread) {
  return fmt::format("{}.{}", thread.engine.index(), thread.context.index());
}

std::string rule_name(std::optional<std::uint32_t> rule) {
  return rule ? fmt::format("rule {}", *rule) : "no rule";
}

std::string right_text(const RightRules& right) {
  return fmt::format(" (right when it was received: {}, at the verdict: {})",
                     rule_name(right.when_received), rule_name(right.at_verdict));
}

std::string fate_text(const PacketStory& story, const std::string& mapping) {
  const PacketFate& fate = story.fate;
  std::string text = fmt::format("packet {} of {}: received on port {} in cycle {}", fate.packet,
                                 mapping, *fate.port_in, fate.received->number());
  if (fate.verdict)
    text += fmt::format("; {} in cycle {}", rule_name(fate.rule), fate.verdict->number());
  if (story.right)
    text += right_text(*story.right);
  if (fate.dropped)
    text += fmt::format("; dropped in cycle {}: {}", fate.left->number(),
                        simulator::name_of(*fate.dropped));
  else if (fate.left)
    text += fmt::format("; sent on port {} in cycle {}", *fate.port_out, fate.left->number());
  else
    text += "; still in the chip at the stop";
  if (fate.left)
    text += fmt::format(": {} cycles", *fate.left - *fate.received);
  return text + "\n";
}

std::string words_text(const simulator::EngineStretch& stretch) {
  std::string text;
  for (const simulator::WordRange& range : stretch.words) {
    text += text.empty() ? "" : ", ";
    text += range.first == range.last ? std::to_string(range.first)
                                      : fmt::format("{}-{}", range.first, range.last);
    if (range.times > 1)
      text += fmt::format(" x{}", range.times);
  }
  return text;
}

std::string reference_text(const PacketStory& story, const simulator::TracedReference& reference) {
  const std::string unit =
      reference.unit == isa::Unit::kNone ? "fbi" : std::string(isa::to_string(reference.unit));
  std::string text =
      fmt::format("{:>10} {:>7}    {} {:#x}, {} longwords: ", reference.issued.number(),
                  reference.completed - reference.issued, isa::to_string(reference.operation),
                  reference.address, reference.longwords);
  if (reference.granted)
    text += fmt::format("granted +{}, ", *reference.granted - reference.issued);
  text += fmt::format("served from {}.{} +{}, done +{}", unit, reference.queue,
                      reference.served - reference.issued, reference.completed - reference.issued);
  const std::string source = story.source(reference.thread.engine, reference.word);
  text += fmt::format("; word {}{}", reference.word, source.empty() ? "" : " " + source);
  if (reference.packet && *reference.packet == story.fate.packet)
    text += " (its bytes)";
  return text + "\n";
}

std::string stretch_text(const PacketStory& story, const simulator::ThreadWork& work,
                         const simulator::EngineStretch& stretch) {
  const Cycles cycles = stretch.to - stretch.from;
  std::string text =
      fmt::format("{:>10} {:>7}  words {}", stretch.from.number(), cycles, words_text(stretch));
  if (stretch.aborted > 0)
    text += fmt::format("; {} aborted", stretch.aborted);
  if (stretch.stalled > 0)
    text += fmt::format("; {} stalled", stretch.stalled);
  if (!stretch.words.empty()) {
    const std::string source = story.source(work.thread.engine, stretch.words.front().first);
    if (!source.empty())
      text += "; from " + source;
  }
  return text + "\n";
}

Cycles on_engine(const simulator::ThreadWork& work) {
  Cycles cycles = 0;
  for (const simulator::EngineStretch& stretch : work.stretches)
    cycles += stretch.to - stretch.from;
  return cycles;
}

std::string work_text(const PacketStory& story, std::size_t i) {
  const simulator::ThreadWork& work = story.work[i];
  std::string text =
      fmt::format("\nthread {} ({}), cycles {} to {}: {} cycles, {} of them on the engine",
                  thread_name(work.thread), story.stages[i], work.from.number(),
                  work.to.number() - 1, work.to - work.from, on_engine(work));
  for (const std::uint64_t packet : work.packets)
    if (packet != story.fate.packet)
      text += fmt::format("; with packet {}", packet);
  text += "\n";
  std::size_t next = 0;
  const auto references_before = [&](Cycle end) {
    for (; next < work.references.size() && work.references[next].issued < end; ++next)
      text += reference_text(story, work.references[next]);
  };
  for (const simulator::EngineStretch& stretch : work.stretches) {
    text += stretch_text(story, work, stretch);
    references_before(stretch.to);
  }
  references_before(Cycle::never());
  return text;
}

std::string wait_text(const TimeInQueue& wait) {
  return fmt::format("\nqueue {} ({}), cycles {} to {}: {} cycles\n", wait.queue, wait.memory,
                     wait.from.number(), wait.to.number(), wait.to - wait.from);
}

Json work_json(const PacketStory& story, std::size_t i) {
  const simulator::ThreadWork& work = story.work[i];
  Json json{{"engine", work.thread.engine.index()},
            {"thread", work.thread.context.index()},
            {"stage", story.stages[i]},
            {"from", work.from.number()},
            {"to", work.to.number()},
            {"packets", work.packets}};
  json["stretches"] = Json::array();
  for (const simulator::EngineStretch& stretch : work.stretches) {
    Json words = Json::array();
    for (const simulator::WordRange& range : stretch.words)
      words.push_back({{"first", range.first},
                       {"last", range.last},
                       {"times", range.times},
                       {"source", story.source(work.thread.engine, range.first)}});
    json["stretches"].push_back({{"from", stretch.from.number()},
                                 {"to", stretch.to.number()},
                                 {"executing", stretch.executing},
                                 {"aborted", stretch.aborted},
                                 {"stalled", stretch.stalled},
                                 {"words", words}});
  }
  json["references"] = Json::array();
  for (const simulator::TracedReference& reference : work.references) {
    Json one{{"operation", isa::to_string(reference.operation)},
             {"unit", isa::to_string(reference.unit)},
             {"queue", reference.queue},
             {"address", reference.address},
             {"longwords", reference.longwords},
             {"word", reference.word},
             {"source", story.source(reference.thread.engine, reference.word)},
             {"issued", reference.issued.number()},
             {"served", reference.served.number()},
             {"completed", reference.completed.number()}};
    if (reference.granted)
      one["granted"] = reference.granted->number();
    if (reference.packet)
      one["packet"] = *reference.packet;
    json["references"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

std::string story_text(const PacketStory& story, const std::string& mapping) {
  std::string text = fate_text(story, mapping);
  std::size_t wait = 0;
  for (std::size_t i = 0; i < story.work.size(); ++i) {
    for (; wait < story.waits.size() && story.waits[wait].to <= story.work[i].from; ++wait)
      text += wait_text(story.waits[wait]);
    text += work_text(story, i);
  }
  return text;
}

std::string story_json(const PacketStory& story, const std::string& mapping) {
  const PacketFate& fate = story.fate;
  Json json{{"schema", "nplab.packet/1"},
            {"mapping", mapping},
            {"packet", fate.packet},
            {"port_in", *fate.port_in},
            {"received", fate.received->number()}};
  const auto rule_json = [](std::optional<std::uint32_t> rule) {
    return rule ? Json(*rule) : Json(nullptr);
  };
  if (fate.verdict)
    json["verdict"] = {{"cycle", fate.verdict->number()}, {"rule", rule_json(fate.rule)}};
  if (story.right) {
    json["right_rule"] = {{"when_received", rule_json(story.right->when_received)},
                          {"at_verdict", rule_json(story.right->at_verdict)}};
  }
  if (fate.dropped)
    json["dropped"] = {{"cycle", fate.left->number()},
                       {"reason", simulator::name_of(*fate.dropped)}};
  else if (fate.left)
    json["sent"] = {{"cycle", fate.left->number()}, {"port", *fate.port_out}};
  if (fate.left)
    json["latency_cycles"] = *fate.left - *fate.received;
  json["work"] = Json::array();
  for (std::size_t i = 0; i < story.work.size(); ++i)
    json["work"].push_back(work_json(story, i));
  json["queues"] = Json::array();
  for (const TimeInQueue& wait : story.waits)
    json["queues"].push_back({{"name", wait.queue},
                              {"memory", wait.memory},
                              {"from", wait.from.number()},
                              {"to", wait.to.number()}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace nplab::experiments
