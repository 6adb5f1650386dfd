// Compiled programs that are kept by content: what gives another program is compiled again.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "support/temporary_folder.h"
#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

namespace fs = std::filesystem;

class KeptPrograms {
 public:
  KeptPrograms() {
    options_.frame = {isa::MemorySpace::kSram, 0x1000, 0x10000};
    options_.cache = ContentCache(folder_.path() / "programs", 1 << 20);
    options_.include_directories = {first().string(), second().string()};
    fs::create_directory(second());
  }

  [[nodiscard]] fs::path first() const { return folder_.path() / "first"; }
  [[nodiscard]] fs::path second() const { return folder_.path() / "second"; }
  compiler::CompileOptions& options() { return options_; }

  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  // The object, as without a cache, and the number of entries.
  std::size_t entries_after(const std::string& source, const std::string& file = "test.c") {
    Diagnostics diagnostics;
    compiler::CompileReport report, report_of_fresh;
    const auto object = compiler::compile_to_object(source, file, options_, diagnostics, &report);
    auto fresh = options_;
    fresh.cache.reset();
    INFO(diagnostics.to_string());
    CHECK(object.has_value());
    CHECK(object ==
          compiler::compile_to_object(source, file, fresh, diagnostics, &report_of_fresh));
    CHECK(report.words == report_of_fresh.words);
    CHECK(report.warnings == report_of_fresh.warnings);
    return options_.cache->size().entries;
  }

 private:
  static TemporaryFolder new_folder() {
    Diagnostics diagnostics;
    return TemporaryFolder::create("nplab-test", diagnostics).value();
  }

  TemporaryFolder folder_ = new_folder();
  compiler::CompileOptions options_;
};

constexpr const char* kProgram =
    "#include \"value.h\"\nint main(void) { int unused; return VALUE; }\n";

}  // namespace

TEST_CASE("a program is kept, with its warnings, and one that differs in anything is another") {
  KeptPrograms kept;
  kept.write(kept.second() / "value.h", "#define VALUE 1\n");
  CHECK(kept.entries_after(kProgram) == 1);
  CHECK(kept.entries_after(kProgram) == 1);
  CHECK(kept.entries_after(std::string(kProgram) + "\n") == 2);
  CHECK(kept.entries_after(kProgram, "other.c") == 3);
  kept.options().optimization = compiler::Optimization::kO0;
  CHECK(kept.entries_after(kProgram) == 4);
  kept.options().defines = {"X"};
  CHECK(kept.entries_after(kProgram) == 5);
  kept.options().frame.base = 0x2000;
  CHECK(kept.entries_after(kProgram) == 6);
  kept.options().profile = {{"test.c", 2, 7}};
  CHECK(kept.entries_after(kProgram) == 7);
  kept.options().control_store_words = 1000;
  CHECK(kept.entries_after(kProgram) == 8);
  Diagnostics diagnostics;
  CHECK(compiler::compile_to_assembly(kProgram, "test.c", kept.options(), diagnostics));
  CHECK(kept.options().cache->size().entries == 9);
}

TEST_CASE("a header that changes, or appears where it is looked for first, is compiled") {
  KeptPrograms kept;
  kept.write(kept.second() / "value.h", "#define VALUE 1\n");
  CHECK(kept.entries_after(kProgram) == 1);
  kept.write(kept.second() / "value.h", "#define VALUE 2\n");
  kept.entries_after(kProgram);
  kept.write(kept.second() / "value.h", "#include \"deep.h\"\n");
  kept.write(kept.second() / "deep.h", "#define VALUE 3\n");
  kept.entries_after(kProgram);
  kept.write(kept.second() / "deep.h", "#define VALUE 4\n");
  kept.entries_after(kProgram);
  kept.write(kept.first() / "value.h", "#define VALUE 5\n");
  kept.entries_after(kProgram);
  fs::remove(kept.first() / "value.h");
  kept.entries_after(kProgram);
  CHECK(kept.entries_after(kProgram) == 1);
}

TEST_CASE("a program whose header asks whether a file exists is compiled when it does") {
  KeptPrograms kept;
  const std::string source =
      "#if __has_include(\"extra.h\")\n#define VALUE 2\n#else\n#define VALUE 1\n#endif\n"
      "int main(void) { return VALUE; }\n";
  kept.entries_after(source);
  kept.write(kept.second() / "extra.h", "");
  kept.entries_after(source);
}

TEST_CASE("a damaged entry is compiled again") {
  KeptPrograms kept;
  kept.write(kept.second() / "value.h", "#define VALUE 1\n");
  kept.entries_after(kProgram);
  for (const auto& entry : fs::directory_iterator(kept.options().cache->folder()))
    std::ofstream(entry.path()) << "damaged";
  kept.entries_after(kProgram);
  CHECK(kept.entries_after(kProgram) == 1);
}

TEST_CASE("what is refused, has remarks or names the time is not kept") {
  KeptPrograms kept;
  kept.write(kept.second() / "value.h", "#define VALUE __TIME__[0]\n");
  CHECK(kept.entries_after(kProgram) == 0);
  CHECK(kept.entries_after("int main(void) { return __DATE__[0]; }\n") == 0);
  Diagnostics diagnostics;
  const auto refused = [&] {
    Diagnostics found;
    CHECK_FALSE(compiler::compile_to_object("int main(void) { return x; }\n", "test.c",
                                            kept.options(), found));
    return found.to_string();
  };
  const std::string first = refused();
  CHECK(first == refused());
  kept.options().remarks.passed = std::regex("");
  CHECK(kept.entries_after("int main(void) { return 0; }\n") == 0);
}

}  // namespace nplab::test
