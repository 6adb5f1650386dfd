// The nplab command.
#include "tools/command_line.h"

int main(int argc, char** argv) {
  return nplab::tools::run_command_line(argc, argv);
}
