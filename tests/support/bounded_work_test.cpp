#include "support/bounded_work.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <vector>

#include "support/byte_stream.h"

namespace nplab {
namespace {

using End = BoundedResult::End;

TEST_CASE("bounded work returns its bytes and changes nothing here") {
  int here = 1;
  const BoundedResult result = run_bounded({}, [&](const Announce& announce) {
    here = 2;
    announce("first");
    announce("second");
    return std::string("a\0b", 3);
  });
  CHECK(result.end == End::kFinished);
  CHECK(result.bytes == std::string("a\0b", 3));
  CHECK(result.stage == "second");
  CHECK(here == 1);
}

TEST_CASE("work beyond its processor time ends, with what it announced last") {
  const WorkBounds bounds{std::chrono::seconds(1), 0};
  const BoundedResult result = run_bounded(bounds, [](const Announce& announce) {
    announce("turning");
    for (volatile unsigned turns = 0;;)
      turns = turns + 1;
    return std::string();
  });
  CHECK(result.end == End::kOutOfTime);
  CHECK(result.stage == "turning");
  CHECK(result.bytes.empty());
  CHECK(why_unfinished(result, bounds) == "takes more than 1 s of processor time");
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("work beyond its memory ends") {
  const WorkBounds bounds{std::chrono::seconds(0), 16};
  const BoundedResult result = run_bounded(bounds, [](const Announce&) {
    std::vector<std::string> taken;
    for (;;)
      taken.emplace_back(1 << 20, 'x');
    return std::string();
  });
  CHECK(result.end == End::kOutOfMemory);
  CHECK(why_unfinished(result, bounds) == "takes more than 16 MiB of memory");
}
#endif

TEST_CASE("work whose process is killed says by what") {
  const BoundedResult result =
      run_bounded({}, [](const Announce&) -> std::string { std::_Exit(9); });
  CHECK(result.end == End::kFailed);
  CHECK(why_unfinished(result, {}) == "failed: its process ended with exit status 9");
}

TEST_CASE("work without bounds runs in this process") {
  int here = 1;
  run_bounded({std::chrono::seconds(0), 0}, [&](const Announce&) {
    here = 2;
    return std::string();
  });
  CHECK(here == 2);
}

TEST_CASE("numbers, texts and diagnostics come back from bytes as they were") {
  Diagnostics diagnostics;
  diagnostics.error({"a.c", 3, 4}, "wrong");
  diagnostics.warning({"b.c", 5, 6}, "odd");
  ByteWriter writer;
  writer.number(1ull << 40);
  writer.text(std::string("x\0y", 3));
  writer.diagnostics(diagnostics);
  ByteReader reader(writer.bytes());
  CHECK(reader.number() == 1ull << 40);
  CHECK(reader.text() == std::string("x\0y", 3));
  Diagnostics read;
  reader.diagnostics(read);
  CHECK(read.to_string() == diagnostics.to_string());
  CHECK_THROWS(reader.number());
}

}  // namespace
}  // namespace nplab
