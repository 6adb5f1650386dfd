#include "simulator/systemc/host_port.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "nplab/systemc/host_map.h"
#include "simulator/systemc/report.h"

namespace nplab::systemc {

using simulator::CoreReference;
using simulator::Cycle;
using Register = isa::ControlStatusRegister;

namespace {

constexpr unsigned kQuadwordBytes = 8;
constexpr std::uint64_t kRegisterWords = 64;

// The registers that mean something to a host; the others belong to threads.
bool host_reads(Register number) {
  return number != Register::kReceiveRequest && number != Register::kReceiveControl &&
         number != Register::kTransmitValidate && number != Register::kInterThreadSignal &&
         number != Register::kIncrementSequence1 && number != Register::kIncrementSequence2;
}
bool host_writes(Register number) {
  return (number >= Register::kInterThreadSignal && number <= Register::kSelfDestruct) ||
         number >= Register::kHashMultiplier0;
}
bool exists(Register number) {
  return number <= Register::kCycleCount ||
         (number >= Register::kHashMultiplier0 && number <= Register::kHashMultiplier5);
}

CoreReference memory_reference(isa::MemorySpace space) {
  CoreReference reference;
  reference.space = space;
  return reference;
}

CoreReference register_reference(Register number) {
  CoreReference reference;
  reference.csr = static_cast<std::uint16_t>(number);
  reference.count = 1;
  return reference;
}

std::uint32_t word(const tlm::tlm_generic_payload& transaction, std::size_t index) {
  std::uint32_t value = 0;
  std::memcpy(&value, transaction.get_data_ptr() + kWordBytes * index, kWordBytes);
  return value;
}

}  // namespace

std::vector<HostPort::Region> HostPort::regions() const {
  const unsigned threads = chip_.engine.engines * simulator::thread_stride(chip_.engine.contexts);
  return {
      {host_map::kSram, chip_.sram.bytes, memory_reference(isa::MemorySpace::kSram), "SRAM"},
      {host_map::kSdram, chip_.sdram.bytes, memory_reference(isa::MemorySpace::kSdram), "SDRAM"},
      {host_map::kScratch, chip_.scratch.bytes, memory_reference(isa::MemorySpace::kScratch),
       "scratch memory"},
      {host_map::kRegisters, kWordBytes * kRegisterWords, std::nullopt, "registers"},
      {host_map::kThreadSignals, std::uint64_t{kWordBytes} * threads, std::nullopt,
       "thread signals"},
      {host_map::kDoorbells, kWordBytes, std::nullopt, "doorbells"}};
}

std::optional<HostPort::Region> HostPort::region_of(std::uint64_t address) const {
  for (const Region& region : regions())
    if (address >= region.base && address - region.base < region.bytes)
      return region;
  return std::nullopt;
}

bool HostPort::plan(tlm::tlm_generic_payload& transaction, Access& access) const {
  if (!check_words(transaction, name_))
    return false;
  if (!transaction.is_read() && !transaction.is_write()) {
    refuse(transaction, tlm::TLM_COMMAND_ERROR_RESPONSE, name_, "a command is a read or a write");
    return false;
  }
  const auto region = region_of(transaction.get_address());
  if (!region) {
    refuse(transaction, tlm::TLM_ADDRESS_ERROR_RESPONSE, name_,
           "nothing lies there (nplab/systemc/host_map.h)");
    return false;
  }
  const std::uint64_t room = region->base + region->bytes - transaction.get_address();
  if (transaction.get_data_length() > room) {
    refuse(transaction, tlm::TLM_ADDRESS_ERROR_RESPONSE, name_,
           fmt::format("it crosses the end of the {}, {:#x}", region->name,
                       region->base + region->bytes));
    return false;
  }
  if (region->reference) {
    plan_memory(transaction, *region, access);
    return true;
  }
  if (transaction.get_data_length() != kWordBytes) {
    refuse(transaction, tlm::TLM_BURST_ERROR_RESPONSE, name_,
           fmt::format("the {} are accessed one word at a time", region->name));
    return false;
  }
  return plan_register(transaction, transaction.get_address() - region->base, access);
}

bool HostPort::plan_register(tlm::tlm_generic_payload& transaction, std::uint64_t offset,
                             Access& access) const {
  const std::uint64_t base = transaction.get_address() - offset;
  std::uint64_t number = offset / kWordBytes;
  std::uint32_t value = word(transaction, 0);
  if (base == host_map::kDoorbells)
    number = static_cast<std::uint64_t>(Register::kSelfDestruct);
  if (base == host_map::kThreadSignals) {
    value = static_cast<std::uint32_t>(number);
    number = static_cast<std::uint64_t>(Register::kInterThreadSignal);
  }
  const auto csr = static_cast<Register>(number);
  if (!exists(csr) || !(transaction.is_read() ? host_reads(csr) : host_writes(csr))) {
    refuse(
        transaction, tlm::TLM_COMMAND_ERROR_RESPONSE, name_,
        fmt::format("a host does not {} this register", transaction.is_read() ? "read" : "write"));
    return false;
  }
  CoreReference reference = register_reference(csr);
  reference.direction =
      transaction.is_read() ? CoreReference::Direction::kRead : CoreReference::Direction::kWrite;
  reference.longwords[0] = value;
  access.references.push_back(reference);
  return true;
}

// SDRAM moves quadwords: what a read asks for is read with its neighbours, and single longwords
// are written with masks.
void HostPort::plan_memory(const tlm::tlm_generic_payload& transaction, const Region& region,
                           Access& access) const {
  const bool reads = transaction.is_read();
  const bool quadwords = region.reference->space == isa::MemorySpace::kSdram;
  auto at = static_cast<std::uint32_t>(transaction.get_address() - region.base);
  std::uint32_t end = at + transaction.get_data_length();
  const std::uint32_t first = at;
  if (quadwords && reads) {
    at = at / kQuadwordBytes * kQuadwordBytes;
    end = (end + kQuadwordBytes - 1) / kQuadwordBytes * kQuadwordBytes;
  }
  while (at < end) {
    CoreReference reference = *region.reference;
    reference.direction =
        reads ? CoreReference::Direction::kRead : CoreReference::Direction::kWrite;
    reference.address = at;
    reference.count =
        std::min<std::uint32_t>((end - at) / kWordBytes, CoreReference::kMostLongwords);
    if (quadwords && (at % kQuadwordBytes != 0 || reference.count == 1))
      reference.count = 1;
    else if (quadwords)
      reference.count -= reference.count % 2;
    for (unsigned i = 0; !reads && i < reference.count; ++i)
      reference.longwords[i] = word(transaction, (at - first) / kWordBytes + i);
    at += kWordBytes * reference.count;
    access.references.push_back(reference);
  }
}

void HostPort::conclude(tlm::tlm_generic_payload& transaction, const Access& access) const {
  if (transaction.is_read()) {
    const std::size_t words = transaction.get_data_length() / kWordBytes;
    const bool starts_within =
        access.read.size() > words && transaction.get_address() % kQuadwordBytes != 0;
    std::memcpy(transaction.get_data_ptr(), access.read.data() + (starts_within ? 1 : 0),
                kWordBytes * words);
  }
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool HostPort::admit(Cycle now) {
  bool any = false;
  for (; !waiting_.empty() && waiting_.front()->from <= now; waiting_.pop_front()) {
    admitted_.push_back(waiting_.front());
    any = true;
  }
  return any;
}

simulator::CoreProgram::Step HostPort::next(Cycle now) {
  if (admitted_.empty())
    return {};
  const Access& access = *admitted_.front();
  return {std::max(now, access.from), access.references[access.next]};
}

void HostPort::completed(std::span<const std::uint32_t> longwords, Cycle at) {
  Access& access = *admitted_.front();
  access.read.insert(access.read.end(), longwords.begin(), longwords.end());
  if (++access.next < access.references.size())
    return;
  access.done = at;
  done_.push_back(&access);
  admitted_.pop_front();
}

void HostPort::notify(const ChipClock& clock) {
  for (Access* access : done_)
    access->completed.notify(clock.until(*access->done + 1));
  done_.clear();
}

void HostPort::abandon() {
  admitted_.insert(admitted_.end(), waiting_.begin(), waiting_.end());
  for (Access* access : admitted_)
    access->completed.notify(sc_core::SC_ZERO_TIME);
  admitted_.clear();
  waiting_.clear();
}

unsigned HostPort::debug(tlm::tlm_generic_payload& transaction, const simulator::ChipParts& parts,
                         std::vector<std::unique_ptr<DevicePort>>& devices) const {
  const auto region = region_of(transaction.get_address());
  if (!region || !region->reference || transaction.get_address() % kWordBytes != 0)
    return 0;
  const isa::MemorySpace space = region->reference->space;
  const std::uint64_t room = region->base + region->bytes - transaction.get_address();
  const auto words = static_cast<unsigned>(
      std::min<std::uint64_t>(transaction.get_data_length(), room) / kWordBytes);
  for (unsigned i = 0; i < words; ++i) {
    const auto address =
        static_cast<std::uint32_t>(transaction.get_address() - region->base) + kWordBytes * i;
    std::uint32_t value = word(transaction, i);
    const auto device = std::find_if(devices.begin(), devices.end(), [&](const auto& one) {
      return space == isa::MemorySpace::kSram && one->holds(address);
    });
    if (device != devices.end()) {
      if ((*device)->debug(transaction.get_command(), address, {&value, 1}) != 1)
        return kWordBytes * i;
    } else if (transaction.is_write()) {
      parts.storage(space).poke(address, value);
    } else {
      value = parts.storage(space).peek(address);
    }
    std::memcpy(transaction.get_data_ptr() + kWordBytes * i, &value, kWordBytes);
  }
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  return kWordBytes * words;
}

}  // namespace nplab::systemc
