#!/bin/sh
# Writes the records that compare_records.py compares: every listed mapping, the published experiment, programs compiled
# at level 2, and every study at its quick size.
# usage: capture_records.sh NPLAB FOLDER
set -eu
export NPLAB_CACHE=off  # programs of this build
nplab=$1
folder=$2
mkdir -p "$folder"
mappings=$("$nplab" list --json | python3 -c "
import json, sys
for entry in json.load(sys.stdin)['mappings']: print(entry['name'] if isinstance(entry, dict) else entry)")
for mapping in $mappings; do
  "$nplab" run "$mapping" --packets 2000 --quiet --json "$folder/$mapping.json"
done
for mapping in ls bv1 bv2; do
  "$nplab" run "$mapping" --set optimize=2 --packets 1000 --quiet --json "$folder/$mapping-o2.json"
done
"$nplab" run bv1 --packets 300 --drain --arrival lossless --quiet --json "$folder/bv1-drain.json"
"$nplab" compare ls bv1 bv2 --published --json "$folder/compare.json" >"$folder/compare.txt"
for study in control quantum speedup tuples updates; do
  # A claim that fails is a result like any other.
  "$nplab" study "$study" --quick --json "$folder/study-$study.json" >"$folder/study-$study.txt" || [ $? -eq 1 ]
done
