#!/bin/bash
# clangd, with the settings that nplab writes, finds nothing wrong with programs that nplab accepts, and
# finds what is wrong with one.
# usage: clangd_tests.sh PROGRAM CHECKOUT. Status 77: skipped.
set -u
program=$1
checkout=$2
clangd=$(command -v clangd-19) || { echo "skipped: clangd-19 is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
# Tasks are parts of composed programs, from which their settings come. A copy of them all can be edited.
mkdir -p data/simulator
cp -r "$checkout/mappings" "$checkout/workloads" "$checkout/isa" data/
cp -r "$checkout/simulator/chips" data/simulator/
export NPLAB_DATA="$folder/data"
mapfile -t mappings < <("$program" list --json | python3 -c 'import json, sys
for one in json.load(sys.stdin)["mappings"]: print(one["name"] if isinstance(one, dict) else one)')
[ ${#mappings[@]} -gt 30 ] || { echo "only ${#mappings[@]} mappings are listed"; exit 1; }
"$program" new clangd "${mappings[@]}" > written || exit 1
[ "$(cat written)" = "compile_flags.txt
.nplab/include
.clangd
.nplab/preludes" ] || { echo "nplab new clangd wrote: $(cat written)"; exit 1; }
# The tasks of a mapping that is not listed: its chip has a device.
(cd data && "$program" new clangd "$checkout/examples/tcam/tcam.yaml" --chip "$checkout/examples/tcam/ixp1200-tcam.yaml" > /dev/null) || exit 1
status=0
# Whether clangd finds errors in the file; its own words are kept in `said`.
finds_errors() {
  timeout 60 "$clangd" --check="$folder/$1" > said 2>&1
  ! grep -q 'All checks completed, 0 errors' said
}
for file in "$checkout"/docs/labs/*/*.c "$checkout"/tests/compiler/programs/*.c; do
  cp "$(dirname "$file")"/*.h . 2> /dev/null
  cp "$file" checked.c
  if finds_errors checked.c; then
    echo "clangd finds errors in $file:"
    grep '^E\[' said
    status=1
  fi
done
tasks=0
for file in data/mappings/*/*.c; do
  grep -q "$(basename "$(dirname "$file")")/$(basename "$file" .c)" .clangd data/.clangd || { echo "no settings for $file"; status=1; }
  tasks=$((tasks + 1))
  if finds_errors "$file"; then
    echo "clangd finds errors in $file:"
    grep '^E\[' said
    status=1
  fi
done
[ $tasks -ge 35 ] || { echo "only $tasks tasks"; status=1; }
sed 's/return value > range_end/return valu > range_end/' data/mappings/linear-search/search.c > with_error.c
cp with_error.c data/mappings/linear-search/search.c
finds_errors data/mappings/linear-search/search.c || { echo "clangd finds no error in a wrong task"; status=1; }
grep -q "undeclared identifier 'valu'" said || { echo "clangd does not find 'valu':"; cat said; status=1; }
cat > wrong.c <<'END'
#include <microengine.h>
int main(void) {
  __sram u32 *p = (__sram u32 *)0x100;
  __sdram u32 *q = p;
  return *q + csr_read(no_such_register);
}
END
finds_errors wrong.c || { echo "clangd finds no error in a wrong program"; status=1; }
for text in "changes address space" "__csr_no_such_register"; do
  grep -q "$text" said || { echo "clangd says nothing of '$text':"; cat said; status=1; }
done
if "$program" new clangd 2> refused; then
  echo "existing settings were written over"
  status=1
fi
grep -q 'compile_flags.txt: error: already exists' refused || { cat refused; status=1; }
exit $status
