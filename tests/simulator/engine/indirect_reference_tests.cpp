// indirect_ref: what the ALU output of the instruction just before overrides in a reference, and
// what is refused.
#include <catch2/catch.hpp>

#include "tests/simulator/bench/bench_chip.h"

namespace nplab::test {
namespace {

constexpr auto kIndirect = static_cast<unsigned>(isa::Token::kIndirectRef);

// The fields of the longword that overrides (docs/chip.md).
constexpr std::uint32_t byte_mask(unsigned mask) {
  return 1u << 31 | mask << 23;
}
constexpr std::uint32_t count_of(unsigned count) {
  return 1u << 20 | (count - 1) << 16;
}
constexpr std::uint32_t transfer_register(unsigned number) {
  return 1u << 15 | number << 10;
}

// immed_w1[dst, data]
constexpr Word upper_half(Code dst, unsigned data) {
  return field(4, 58) | field(dst, 47) | field(6, 20) | data;
}

// The ALU output of the last of these words is `parts`; b5 holds it, too.
std::vector<Word> overriding(std::uint32_t parts) {
  return {immed(b(5), parts & 0xffff), upper_half(b(5), parts >> 16), move(none, b(5))};
}

std::vector<Word> joined(std::vector<Word> first, const std::vector<Word>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

Reference indirect(Reference r) {
  r.tokens |= kIndirect;
  return r;
}

std::string fault_of(const std::vector<Word>& words) {
  BenchChip bench;
  bench.load(0, program(words));
  bench.run_until(2'000);
  REQUIRE(bench.watch.fault());
  CHECK(bench.watch.fault()->kind == simulator::Fault::Kind::kIllegalInstruction);
  CHECK(bench.watch.fault()->pc == static_cast<std::uint32_t>(words.size() - 2));
  return bench.watch.fault()->message;
}

}  // namespace

TEST_CASE("indirect_ref overrides the count and the first transfer register of a read") {
  struct Case {
    ReferenceUnit unit;
    Code (*transfer)(unsigned);
    unsigned longwords_a_unit;
  };
  for (const Case& c : {Case{ReferenceUnit::kSram, sram_transfer, 1},
                        Case{ReferenceUnit::kScratch, sram_transfer, 1},
                        Case{ReferenceUnit::kSdram, sdram_transfer, 2}}) {
    BenchChip bench;
    auto& storage = c.unit == ReferenceUnit::kSram    ? bench.chip.sram().storage()
                    : c.unit == ReferenceUnit::kSdram ? bench.chip.sdram().storage()
                                                      : bench.chip.scratch().storage();
    for (unsigned i = 0; i < 8; ++i)
      storage.poke(0x40 + 4 * i, 0x100 + i);
    // One unit into register 0 becomes two units into register 3.
    bench.load(
        0,
        program(joined(
            overriding(count_of(2) | transfer_register(3)),
            {reference(indirect({c.unit, 0, c.transfer(0), value(0x40), value(0), 1})), kill()})));
    bench.run();
    CHECK(bench.reg(c.transfer(0)) == 0);
    for (unsigned i = 0; i < 2 * c.longwords_a_unit; ++i)
      CHECK(bench.reg(c.transfer(3 + i)) == 0x100 + i);
    CHECK(bench.reg(c.transfer(3 + 2 * c.longwords_a_unit)) == 0);
  }
}

TEST_CASE("the transfer register of indirect_ref is absolute: another context's can be named") {
  BenchChip bench;
  bench.chip.scratch().storage().poke(0, 0x77);
  bench.load(0, program(joined(overriding(transfer_register(2 * 8 + 5)),
                               {reference(indirect({ReferenceUnit::kScratch, 0, sram_transfer(0),
                                                    value(0), value(0), 1})),
                                kill()})));
  bench.run();
  CHECK(bench.reg(sram_transfer(5), 2) == 0x77);
  CHECK(bench.reg(sram_transfer(0), 0) == 0);
}

TEST_CASE("indirect_ref masks bytes of an SDRAM write, the first byte by the mask's highest bit") {
  BenchChip bench;
  for (unsigned i = 0; i < 4; ++i)
    bench.chip.sdram().storage().poke(0x80 + 4 * i, 0x11223344);
  std::vector<Word> words;
  for (unsigned i = 0; i < 4; ++i) {
    words.push_back(immed(sdram_transfer(i), 0xbbcc));
    words.push_back(upper_half(a(1), 0x99aa));
    words.push_back(alu(sdram_transfer(i), a(1), Alu::kOr, value(i)));
  }
  words = joined(words, overriding(byte_mask(0b10000011) | count_of(2)));
  words.push_back(immed(a(0), 0x80));
  words.push_back(move(none, b(5)));
  words.push_back(
      reference(indirect({ReferenceUnit::kSdram, 1, sdram_transfer(0), a(0), value(0), 1})));
  words.push_back(kill());
  bench.load(0, program(words));
  bench.run();
  const auto& storage = bench.chip.sdram().storage();
  CHECK(storage.peek(0x80) == 0x99223344);
  CHECK(storage.peek(0x84) == 0x11220001);
  CHECK(storage.peek(0x88) == 0x99223344);
  CHECK(storage.peek(0x8c) == 0x11220003);
}

TEST_CASE("indirect_ref adds the ALU output to the data of fast_wr") {
  BenchChip bench;
  bench.load(0, program({immed(a(0), 0x500), alu(none, a(0), Alu::kAdd, value(3)),
                         (fast_wr(a(0), isa::ControlStatusRegister::kThreadDone) &
                          ~field(0x7ff, 36) & ~field(0x7ff, 47)) |
                             field(none, 36) | field(0x20, 47) | kIndirect,
                         kill()}));
  bench.run();
  REQUIRE(bench.fbi.commands.size() == 1);
  CHECK(bench.fbi.commands[0].data == 0x523);
}

TEST_CASE("a stall between the instruction before and its indirect_ref changes nothing") {
  BenchChip bench(
      chip_description("ixp1200", {"engine.command_fifo_entries=1", "sram.order_queue=1"}));
  bench.chip.scratch().storage().poke(4, 0x55);
  std::vector<Word> words;
  for (unsigned i = 0; i < 6; ++i)
    words.push_back(reference(
        {ReferenceUnit::kSram, 0, sram_transfer(0), a(0), value(0), 8, Completion::kSilent}));
  words = joined(words, overriding(count_of(2)));
  words.push_back(
      reference(indirect({ReferenceUnit::kScratch, 0, sram_transfer(6), value(0), value(0), 1})));
  words.push_back(kill());
  bench.load(0, program(words));
  bench.run();
  CHECK(bench.counters().words[words.size() - 2].stalled > 0);
  CHECK(bench.reg(sram_transfer(7)) == 0x55);
}

TEST_CASE("what indirect_ref cannot override is a fault of the reference") {
  const auto with = [](std::uint32_t parts, const Reference& r) {
    return joined(overriding(parts), {reference(indirect(r)), kill()});
  };
  const Reference read{ReferenceUnit::kSram, 0, sram_transfer(0), value(0), value(0), 1};
  CHECK(fault_of(with(byte_mask(0xf0), read)).find("byte mask") != std::string::npos);
  CHECK(fault_of(with(count_of(9), read)).find("count") != std::string::npos);
  CHECK(fault_of(
            with(count_of(5), {ReferenceUnit::kSdram, 0, sdram_transfer(0), value(0), value(0), 1}))
            .find("count") != std::string::npos);
  CHECK(fault_of(with(count_of(1), {ReferenceUnit::kScratch, 6, none, value(0), value(0), 1}))
            .find("count") != std::string::npos);
  CHECK(fault_of(
            with(transfer_register(1), {ReferenceUnit::kScratch, 6, none, value(0), value(0), 1}))
            .find("transfer register") != std::string::npos);
  CHECK(fault_of(with(1u << 22, read)).find("override nothing") != std::string::npos);
  CHECK(fault_of({immed(b(5), 0), reference(indirect(read)), kill()}).find("condition codes") !=
        std::string::npos);
  CHECK(fault_of({move(none, b(5)), nop(), reference(indirect(read)), kill()})
            .find("condition codes") != std::string::npos);
}

TEST_CASE("pci_dma is refused by name") {
  CHECK(fault_of({nop(), field(21, 58) | field(none, 47) | field(a(0), 36) | field(value(0), 25),
                  kill()})
            .find("pci_dma") != std::string::npos);
}

TEST_CASE("a word is charged the longwords that indirect_ref makes it move") {
  BenchChip bench;
  const Word read =
      reference(indirect({ReferenceUnit::kSram, 0, sram_transfer(0), value(0), value(0), 2}));
  bench.load(0, program(joined(overriding(count_of(5)), {read, kill()})));
  bench.run();
  CHECK(bench.counters().words[3].references == 1);
  CHECK(bench.counters().words[3].longwords == 5);
  CHECK(bench.chip.sram().statistics().longwords() == 5);
}

}  // namespace nplab::test
