// Catch2's runner, compiled once and linked into every test executable without SystemC.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdlib>

// Programs are compiled, not taken from the user's cache.
int main(int argc, char** argv) {
  setenv("NPLAB_CACHE", "off", 1);
  return Catch::Session().run(argc, argv);
}
