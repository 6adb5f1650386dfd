#include "experiments/prediction/part_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace nplab::experiments {
namespace {

using namespace mappings;

const char* name_of(RingShape shape) {
  switch (shape) {
    case RingShape::kLapBit: return "lap";
    case RingShape::kEntryFlag: return "flag";
    case RingShape::kRegisters: return "registers";
    case RingShape::kSequence: return "sequence";
    case RingShape::kCounters: break;
  }
  return "counters";
}

std::string name_of_lock(const QueueProtocol& protocol) {
  switch (protocol.primitive) {
    case LockPrimitive::kLockCam: return "+cam";
    case LockPrimitive::kTestAndSet: return "+lock";
    default: break;
  }
  return fmt::format("+{} {} {}", mappings::name_of(protocol.primitive), protocol.call_instructions,
                     protocol.kernel_instructions);
}

// What keeps the threads of a side apart, and where they count.
std::string name_of(const Queue& queue, const QueueSide& side) {
  const char* count = side.count == CountPlace::kThread   ? "thread"
                      : side.count == CountPlace::kEngine ? "engine"
                                                          : "memory";
  std::string name = count;
  if (side.exclusion == Exclusion::kMemoryLock)
    name += name_of_lock(queue.protocol);
  if (side.shares_engine)
    name += "+turns";
  if (side.rings > 1)
    name += "+rings";
  return name;
}

std::string common_name(const Queue& queue) {
  std::string name = fmt::format("{} {} {}", name_of(queue.protocol.shape), queue.memory_text(),
                                 queue.entry_longwords);
  if (queue.quantum > 1)
    name += fmt::format(" quantum{}", queue.quantum);
  if (queue.release == QueueRelease::kEndOfPacket)
    name += " end_of_packet";
  return name;
}

HandOverCost cost_of(const Queue& queue) {
  return hand_over_cost(queue.protocol, queue.entries, queue.entry_longwords, queue.release);
}

}  // namespace

std::string part_of_key(std::size_t index) {
  return index == 0 ? "key" : fmt::format("key field[{}]", index - 1);
}

std::string part_of_call(const TaskCall& call) {
  return "task " + to_string(call);
}

std::string part_of_stage(const Placement& placement, std::size_t index) {
  const Stage& stage = placement.stages.at(index);
  std::string name = fmt::format("stage {}", static_cast<int>(stage.role));
  for (const TaskCall& call : stage.calls)
    name += ", " + to_string(call);
  for (const std::size_t input : stage.inputs)
    name += ", " + part_of_get(placement.queues.at(input));
  for (const std::size_t output : stage.outputs)
    name += ", " + part_of_put(placement.queues.at(output));
  return name + (stage.joins ? ", joins" : "");
}

bool has_own_program(const Placement& placement, std::size_t index) {
  std::set<std::size_t> engines;
  for (const auto thread : placement.stages.at(index).threads)
    engines.insert(thread.engine);
  for (std::size_t s = 0; s < placement.stages.size(); ++s) {
    const auto& threads = placement.stages[s].threads;
    if (s != index && std::any_of(threads.begin(), threads.end(), [&](const auto& thread) {
          return engines.contains(thread.engine);
        }))
      return false;
  }
  return true;
}

std::string part_of_steps(const Stage& stage) {
  return stage.gives_verdict ? "verdict" : "step";
}

std::string part_of_work(const Stage& stage) {
  switch (stage.role) {
    case StageRole::kReceive: return "work receive";
    case StageRole::kTransmit: return "work transmit";
    default: return "work classify";
  }
}

std::string code_of_put(const Queue& queue) {
  const std::string signal = queue.wait == QueueWait::kSignal ? " signal" : "";
  return fmt::format("put {} {}{}", common_name(queue), name_of(queue, queue.protocol.producers),
                     signal);
}

std::string code_of_get(const Queue& queue) {
  const std::string taking = queue.protocol.taking == Taking::kClaims ? "+claims" : "";
  const std::string poll =
      queue.wait == QueueWait::kSignal ? " signal" : fmt::format(" poll{}", queue.poll_cycles);
  return fmt::format("get {} {}{}{}", common_name(queue), name_of(queue, queue.protocol.consumers),
                     taking, poll);
}

std::string part_of_put(const Queue& queue) {
  return fmt::format("{}, {:.4g}", code_of_put(queue), references_of_put(queue));
}

std::string part_of_get(const Queue& queue) {
  return fmt::format("{}, {:.4g}", code_of_get(queue), references_of_get(queue));
}

double references_of_put(const Queue& queue) {
  return cost_of(queue).put;
}

double references_of_get(const Queue& queue) {
  const HandOverCost cost = cost_of(queue);
  return cost.get + cost.release;
}

double references_of(const std::string& part) {
  const std::size_t comma = part.rfind(", ");
  return comma == std::string::npos ? 0 : std::strtod(part.c_str() + comma + 2, nullptr);
}

std::string look_of(const std::string& part) {
  return "look " + part;
}

}  // namespace nplab::experiments
