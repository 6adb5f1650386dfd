#!/bin/sh
# Every C++ source passes the checks of .clang-tidy. Exit status 77: skipped.
# usage: check_clang_tidy.sh CHECKOUT BUILD [FILE...]
# BUILD is a build folder in which everything is built: its compile_commands.json says how each source is compiled, and
# what is generated is there. With FILEs, these alone are checked, each by itself.
set -u
cd "$1" || exit 2
build=$2
shift 2
if ! command -v clang-tidy-19 >/dev/null 2>&1; then
  echo "skipped: clang-tidy-19 is not installed"
  exit 77
fi
# GCC's options that clang does not know would be errors.
database=$(mktemp -d) || exit 2
trap 'rm -rf "$database"' EXIT
sed 's/ -fno-tree-loop-vectorize//' "$build/compile_commands.json" >"$database/compile_commands.json" || exit 2
units() {
  if [ $# -gt 0 ]; then
    printf '%s\n' "$@"
  else
    # A build that joins sources lists the joined ones; generated sources are nobody's to correct.
    sed -n 's/^ *"file": "\(.*\)",*$/\1/p' "$database/compile_commands.json" | grep -v '\.gen\.cpp$'
  fi
}
check() {
  xargs -r -P "$(nproc)" -n 1 clang-tidy-19 -p "$database" --quiet "$@" 2>/dev/null
}
# Tests have a list of their own, which clang-tidy finds; joined sources may lie outside the checkout.
status=0
units "$@" | grep "^\($PWD/\)\?tests/" | check || status=1
units "$@" | grep -v "^\($PWD/\)\?tests/" | check --config-file=.clang-tidy || status=1
[ $status -eq 0 ] || echo "correct the cause; a check that is wrong about our code is left out of .clang-tidy, with the reason"
exit $status
