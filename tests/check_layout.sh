#!/bin/sh
# Every C++ and C file is laid out as .clang-format says. Exit status 77: skipped.
# usage: check_layout.sh CHECKOUT
set -u
cd "$1" || exit 2
if ! command -v clang-format-19 >/dev/null 2>&1; then
  echo "skipped: clang-format-19 is not installed"
  exit 77
fi
git ls-files >/dev/null 2>&1 || { echo "skipped: not a git checkout"; exit 77; }
git ls-files '*.cpp' '*.h' '*.c' | grep -v -e '^tools/templates/' -e '/vendor/' |
  xargs clang-format-19 --dry-run -Werror || {
  echo "lay files out with: clang-format-19 -i FILE..."
  exit 1
}
