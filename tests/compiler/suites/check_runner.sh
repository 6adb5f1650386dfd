#!/bin/sh
# run_suite.py tells right, refused and wrong programs apart, and fails because of the wrong ones.
# usage: check_runner.sh FOLDER NPLAB
output=$("$1/run_suite.py" "$1/examples" --nplab "$2" --level 2)
status=$?
test "$status" = 1 || { echo "exit status $status instead of 1"; exit 1; }
echo "$output" | diff "$1/examples/expected.txt" -
