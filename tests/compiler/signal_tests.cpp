// References that signal instead of blocking: what arrives is used behind the wait only, what
// departs holds still until then, whatever the latencies of the units; and what would be wrong is
// refused at its line.
#include <catch2/catch.hpp>
#include <random>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using compiler::Optimization;

// The test chip with latencies and occupancies drawn at random; 0 leaves them.
simulator::ChipDescription chip_with_latencies(unsigned seed) {
  simulator::ChipDescription chip = test_chip();
  if (seed == 0)
    return chip;
  std::mt19937 random(seed);
  const auto draw = [&](unsigned most) { return 1 + static_cast<unsigned>(random() % most); };
  for (unsigned* latency :
       {&chip.sram.pipeline_latency, &chip.sdram.pipeline_latency, &chip.scratch.pipeline_latency,
        &chip.sram.push_latency, &chip.sdram.push_latency, &chip.scratch.push_latency,
        &chip.sram.write_completion, &chip.sdram.write_completion, &chip.scratch.write_completion})
    *latency = draw(120);
  chip.sram.read_occupancy = draw(40);
  chip.sram.write_occupancy = draw(40);
  chip.sdram.reference_occupancy = draw(60);
  chip.command_bus.latency = draw(20);
  return chip;
}

// The test chip with a latency of its own for each reference (docs/chip.md, "Randomised
// latencies").
simulator::ChipDescription chip_with_schedule(unsigned seed) {
  simulator::ChipDescription chip = chip_with_latencies(0);
  chip.latency_spread = {seed % 2 == 0 ? 40u : 250u, seed};
  return chip;
}

std::uint32_t value_on(const simulator::ChipDescription& chip, const isa::ProgramImage& image) {
  simulator::ExecInputs inputs;
  inputs.chip = chip;
  inputs.image = image;
  const simulator::ExecResult result = simulator::exec(inputs);
  if (result.fault)
    FAIL("fault: " << result.fault->message << " at " << result.fault->source);
  CHECK(result.ended);
  return result.return_value;
}

isa::ProgramImage image_of(const std::string& source, Optimization level) {
  Diagnostics diagnostics;
  auto image = compiler::compile(source, "signals.c", options_at(level), diagnostics);
  INFO(source << diagnostics.to_string());
  REQUIRE(image);
  return *image;
}

// Random programs of references that are started and waited for, with others and arithmetic in
// between. BLOCKING makes the same program of references that block.
class SignalProgram {
 public:
  explicit SignalProgram(unsigned seed) : random_(seed) {}

  std::string text() {
    std::string text = R"(#include <microengine.h>
#ifdef BLOCKING
#define sram_read2_start sram_read2
#define sram_read4_start sram_read4
#define sram_write2_start sram_write2
#define sdram_read1_start sdram_read1
#define sdram_read2_start sdram_read2
#define sdram_write1_start sdram_write1
#define scratch_read2_start scratch_read2
#define scratch_read4_start scratch_read4
#define scratch_write2_start scratch_write2
#undef ctx_wait
#define ctx_wait(event)
#endif
int main(void) {
  __sram u32 *sram_area = (__sram u32 *)0x200000;
  __sdram u32 *sdram_area = (__sdram u32 *)0x1000;
  __scratch u32 *scratch_area = (__scratch u32 *)0x800;
  u32 sum = ctx() + 1, x = 7;
)";
    for (unsigned statements = 15 + pick(25); statements; --statements)
      statement();
    for (unsigned unit = 0; unit != 3; ++unit)
      if (!pending_[unit].empty())
        wait(unit);
    return text + text_ + "  return sum;\n}\n";
  }

 private:
  static constexpr const char* kUnits[] = {"sram", "sdram", "scratch"};
  static constexpr const char* kEvents[] = {"sram", "sdram", "fbi"};

  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  void line(const std::string& text) { text_ += "  " + text + "\n"; }
  std::string address(unsigned unit) {
    return std::string(kUnits[unit]) + "_area + " + std::to_string(8 * pick(4));
  }

  void wait(unsigned unit) {
    line("ctx_wait(" + std::string(kEvents[unit]) + ");");
    const std::string name = pending_[unit];
    pending_[unit].clear();
    if (name == "write")
      return;
    line("sum = (sum << 3 | sum >> 29) ^ " + name + "[0] ^ " + name + "[1] << 1;");
  }

  void statement() {
    const unsigned unit = pick(3);
    const std::string name = kUnits[unit];
    if (!pending_[unit].empty()) {
      if (pick(3) == 0)
        return wait(unit);
      return line("x = x * 3 + sum;");
    }
    const bool is_sdram = unit == 1;
    switch (pick(5)) {
      case 0: {
        const std::string value = "v" + std::to_string(++values_);
        const bool is_long = pick(2) == 0;
        const char* count = is_sdram ? (is_long ? "2" : "1") : (is_long ? "4" : "2");
        line(std::string(is_long ? "u32x4 " : "u32x2 ") + value + " = " + name + "_read" + count +
             "_start(" + address(unit) + ");");
        pending_[unit] = value;
        return;
      }
      case 1:
        line(name + "_write" + (is_sdram ? "1" : "2") + "_start(" + address(unit) + ", x + " +
             std::to_string(pick(50)) + ", sum ^ x);");
        pending_[unit] = "write";
        return;
      case 2:
        return line(name + "_write" + (is_sdram ? "1" : "2") + "(" + address(unit) + ", sum, x);");
      case 3:
        return line("sum += " + name + "_read" + (is_sdram ? "1" : "2") + "(" + address(unit) +
                    ")[1] ^ x;");
      default:
        return line("if (sum & " + std::to_string(1 + pick(8)) + ") x += sum >> 2; else sum ^= x;");
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::string pending_[3];
  unsigned values_ = 0;
};

TEST_CASE("programs of started references give what blocking ones give, whatever the latencies") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const std::string source = SignalProgram(seed).text();
    const std::uint32_t expected = value_on(
        chip_with_latencies(0), image_of("#define BLOCKING\n" + source, Optimization::kPublished));
    for (const Optimization level :
         {Optimization::kO0, Optimization::kO2, Optimization::kPublished}) {
      const isa::ProgramImage image = image_of(source, level);
      for (unsigned chip = 0; chip != 5; ++chip) {
        INFO("seed " << seed << " level " << static_cast<int>(level) << " latencies " << chip
                     << "\n"
                     << source);
        CHECK(value_on(chip_with_latencies(chip == 0 ? 0 : 100 * seed + chip), image) == expected);
      }
    }
  }
}

TEST_CASE("programs whose waits are shared give the same whatever the latencies") {
  // At -O2 references that block and do not depend on each other wait together.
  for (unsigned seed = 101; seed <= 108; ++seed) {
    const std::string source = "#define BLOCKING\n" + SignalProgram(seed).text();
    const std::uint32_t expected =
        value_on(chip_with_latencies(0), image_of(source, Optimization::kO0));
    const isa::ProgramImage image = image_of(source, Optimization::kO2);
    for (unsigned chip = 0; chip != 6; ++chip)
      CHECK(value_on(chip_with_latencies(chip == 0 ? 0 : 100 * seed + chip), image) == expected);
  }
}

TEST_CASE(
    "no transfer register is used too early or reused too soon on any schedule of latencies") {
  // What is written late or read early on one of the schedules gives another sum.
  constexpr unsigned kSchedules = 25;
  for (unsigned seed = 201; seed <= 212; ++seed) {
    const std::string source = SignalProgram(seed).text();
    const std::string blocking = "#define BLOCKING\n" + source;
    const std::uint32_t expected =
        value_on(chip_with_latencies(0), image_of(blocking, Optimization::kO0));
    for (const isa::ProgramImage& image :
         {image_of(source, Optimization::kO0), image_of(source, Optimization::kO2),
          image_of(source, Optimization::kOs), image_of(blocking, Optimization::kO2),
          image_of(blocking, Optimization::kOs)})
      for (unsigned schedule = 1; schedule <= kSchedules; ++schedule) {
        INFO("seed " << seed << " schedule " << schedule << "\n" << source);
        CHECK(value_on(chip_with_schedule(1000 * seed + schedule), image) == expected);
      }
  }
}

// Random programs of plain accesses to the three memories, which -O2 lets wait together.
std::string access_program(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned count) { return std::to_string(random() % count); };
  const auto place = [&](bool is_read) {
    const std::string places[] = {
        "sram_area[" + pick(12) + "]", "scratch_area[" + pick(12) + "]",
        "sdram_area[" + pick(12) + "]",
        is_read ? "(u32)sdram_quadwords[" + pick(6) + "]" : "sdram_quadwords[" + pick(6) + "]"};
    return places[random() % 4];
  };
  std::string text = R"(#include <microengine.h>
int main(void) {
  __sram u32 *sram_area = (__sram u32 *)0x200000;
  __sdram u32 *sdram_area = (__sdram u32 *)0x1000;
  __sdram u64 *sdram_quadwords = (__sdram u64 *)0x1100;
  __scratch u32 *scratch_area = (__scratch u32 *)0x800;
  u32 sum = ctx() + 1, x = 7;
)";
  for (unsigned statement = 0; statement != 30; ++statement) {
    switch (random() % 4) {
      case 0: text += "  sum += " + place(true) + " ^ " + place(true) + " * 3;\n"; break;
      case 1:
        text += "  " + place(false) + " = x;\n  " + place(false) + " = sum + " + pick(50) + ";\n";
        break;
      case 2: text += "  x ^= " + place(true) + ";\n  " + place(false) + " = sum;\n"; break;
      default:
        text += "  if (sum & " + pick(16) + ") x += sum >> 2; else sum += " + place(true) + ";\n";
        break;
    }
  }
  return text + "  return sum ^ x;\n}\n";
}

TEST_CASE(
    "plain accesses to several memories give the same on any schedule of latencies, and wait "
    "together") {
  unsigned shared = 0;
  for (unsigned seed = 301; seed <= 316; ++seed) {
    const std::string source = access_program(seed);
    const std::uint32_t expected =
        value_on(chip_with_latencies(0), image_of(source, Optimization::kO0));
    const isa::ProgramImage image = image_of(source, Optimization::kO2);
    for (unsigned schedule = 0; schedule != 12; ++schedule) {
      INFO("seed " << seed << " schedule " << schedule << "\n" << source);
      CHECK(value_on(schedule == 0 ? chip_with_latencies(seed)
                                   : chip_with_schedule(1000 * seed + schedule),
                     image) == expected);
    }
    shared += count(instructions_of(source, Optimization::kO2), "ctx_arb[s");
  }
  CHECK(shared > 16);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + "\n";
  return text;
}

TEST_CASE("work between a start and its wait stands between them") {
  const auto code = instructions_of(
      "int main(void) { __sram u32 *p = (__sram u32 *)csr_read(thread_done); u32x2 v = "
      "sram_read2_start(p);"
      "  u32 w = sdram_read1((__sdram u32 *)64)[0]; ctx_wait(sram); return v[0] + v[1] + w; }",
      Optimization::kO2);
  const std::string text = joined(code);
  INFO(text);
  const auto start = text.find("sig_done"), other = text.find("sdram[read"),
             wait = text.find("ctx_arb[sram]");
  REQUIRE(start != std::string::npos);
  REQUIRE(wait != std::string::npos);
  CHECK(start < other);
  CHECK(other < wait);
}

TEST_CASE("independent references to one unit wait once, at -O2") {
  const std::string body =
      "int main(void) { __sram u32 *p = (__sram u32 *)csr_read(thread_done); __sram u32 *q = "
      "(__sram u32 *)"
      "csr_read(rcv_cntl); return p[0] & q[5] & p[200]; }";
  const auto code = instructions_of(body, Optimization::kO2);
  INFO(joined(code));
  CHECK(count(code, "sram[read") == 3);
  unsigned waiting = 0;
  for (const std::string& line : code)
    waiting +=
        line.find("sram[read") != std::string::npos && line.find("ctx_swap") != std::string::npos;
  CHECK(waiting == 1);
  const auto published = instructions_of(body, Optimization::kPublished);
  for (const std::string& line : published)
    if (line.find("sram[read") != std::string::npos)
      CHECK(line.find("ctx_swap") != std::string::npos);
}

TEST_CASE("a read does not wait for by the event of a write after it") {
  const auto code = instructions_of(
      "int main(void) { volatile __sram u32 *p = (volatile __sram u32 *)csr_read(thread_done); u32 "
      "v = p[0]; p[9] = 3;"
      " return v; }",
      Optimization::kO2);
  INFO(joined(code));
  for (const std::string& line : code)
    if (line.find("sram[") != std::string::npos)
      CHECK(line.find("ctx_swap") != std::string::npos);
}

TEST_CASE("what is wrong with a started reference is refused at its line") {
  struct Refusal {
    const char* what;
    const char* body;
    const char* place;
    const char* text;
  };
  const Refusal refusals[] = {
      {"no wait", "u32x2 v = sram_read2_start(p);\nreturn v[0];",
       "signals.c:5:", "used before it has arrived"},
      {"no wait for a write", "sram_write_start(p, 3);\nreturn 0;",
       "signals.c:4:", "can end before"},
      {"use in front of the wait",
       "u32x2 v = sram_read2_start(p);\nu32 x = v[0] + 1;\nctx_wait(sram);\nreturn x;",
       "signals.c:5:", "ctx_wait(sram) first"},
      {"a second one under way",
       "sram_write_start(p, 3);\nsram_write_start(p + 1, 4);\nctx_wait(sram);\nreturn 0;",
       "signals.c:5:", "line 4 is under way"},
      {"a blocking one of the unit",
       "sram_write_start(p, 3);\nu32 x = p[4];\nctx_wait(sram);\nreturn x;",
       "signals.c:5:", "line 4 is under way"},
      {"another unit's wait", "u32 v = sram_read_start(p);\nctx_wait(sdram);\nreturn v;",
       "signals.c:5:", "wait forever"},
      {"a wait on one way only", "sram_write_start(p, 3);\nif (ctx()) ctx_wait(sram);\nreturn 0;",
       "signals.c:4:", "only some of the paths"},
      {"a wait without a start",
       "sram_write_start(p, 3);\nctx_wait(sram);\nctx_wait(sram);\nreturn 0;",
       "signals.c:6:", "wait forever"},
  };
  for (const Refusal& refusal : refusals) {
    INFO(refusal.what);
    Diagnostics diagnostics;
    const auto object = compiler::compile_to_object(
        std::string(
            "#include <microengine.h>\nint main(void) {\n__sram u32 *p = (__sram u32 *)0x400;\n") +
            refusal.body + "\n}\n",
        "signals.c", {}, diagnostics);
    CHECK_FALSE(object);
    CHECK_THAT(diagnostics.to_string(), StartsWith(refusal.place));
    CHECK_THAT(diagnostics.to_string(), Contains(refusal.text));
  }
}

}  // namespace
}  // namespace nplab::test
