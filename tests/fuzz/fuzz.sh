#!/bin/sh
# Builds the fuzzers with clang, libFuzzer and the sanitizers in FOLDER and runs each for NPLAB_FUZZ_SECONDS (60).
# Findings stay in FOLDER/findings. Needs the packages clang-19 and libclang-rt-19-dev.
set -e
folder=${1:?usage: fuzz.sh FOLDER}
source=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${NPLAB_FUZZ_SECONDS:-60}
if ! printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
  clang++-19 -x c++ - -fsanitize=fuzzer,address,undefined -o /dev/null 2>/dev/null; then
  echo "no libFuzzer here: install clang-19 and libclang-rt-19-dev"
  exit 77
fi
cmake -S "$source" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_C_COMPILER=clang-19 \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DNPLAB_SANITIZE=ON -DNPLAB_FUZZ=ON >/dev/null
status=0
for target in words chip object; do
  ninja -j2 -C "$folder" "nplab_fuzz_$target" >"$folder/build.log" || { tail -30 "$folder/build.log"; exit 1; }
  mkdir -p "$folder/corpus/$target" "$folder/findings/$target"
  "$folder/tests/fuzz/nplab_fuzz_$target" --seeds "$folder/corpus/$target"
  "$folder/tests/fuzz/nplab_fuzz_$target" "$folder/corpus/$target" -max_total_time="$seconds" -max_len=8192 \
    -rss_limit_mb=3000 -timeout=20 -print_final_stats=1 -artifact_prefix="$folder/findings/$target/" \
    >"$folder/$target.log" 2>&1 || { status=1; tail -40 "$folder/$target.log"; }
  grep -h -E 'stat::number_of_executed_units|cov:.*DONE|^#.*DONE' "$folder/$target.log" | sed "s/^/$target: /"
done
exit $status
