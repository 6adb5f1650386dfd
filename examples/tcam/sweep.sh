#!/bin/sh
# What a ternary CAM is worth, by its latency: packets per second of one classification engine under full load, next to
# algorithms in memory.
#
#   sweep.sh LIBTCAM.so [RULES [PACKETS]]
unit=$1 rules=${2:-gen:acl,count=200} packets=${3:-3000}
here=$(dirname "$0")
nplab=${NPLAB:-nplab}

# MAPPING LABEL OPTION...
measure() {
  mapping=$1 label=$2
  shift 2
  "$nplab" run "$mapping" --rules "$rules" --packets "$packets" --set "stages.classify.engines=[1]" --quiet --json - "$@" |
    python3 -c 'import json, sys
run = json.load(sys.stdin)
seconds = run["simulated_seconds"]
print("%-28s %9.0f packets/s  median latency %6d cycles  misclassified %d" % (
    sys.argv[1], run["packets"]["classified"] / seconds, run["latency_cycles"]["p50"], run["packets"]["misclassified"]))' \
      "$label"
}

for latency in 20 60 200 600 2000 6000 20000; do
  measure "$here/tcam.yaml" "ternary CAM, $latency ns" --chip "$here/ixp1200-tcam.yaml" --unit "tcam=$unit,latency_ns=$latency"
done
measure bv-best "bit vector" || true
measure tm-data "TupleMerge"
