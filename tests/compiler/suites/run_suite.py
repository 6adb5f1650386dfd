#!/usr/bin/env python3
"""Runs a folder of C programs, each of which returns 0 if all is right, on the test chip.

usage: run_suite.py FOLDER [--nplab PROGRAM] [--level LEVEL]... [--seconds S]

gcc's torture tests (gcc/testsuite/gcc.c-torture/execute) and c-testsuite (tests/single-exec) are such
folders; neither is part of this repository. Each program is compiled at each level and run. Printed
are, per level, how many pass, how many are refused for which reason, and the names of those that
give a wrong result, do not end, or break the compiler. A program that would be wrong, and that asks
by a DejaGnu comment (dg-options) for an option of gcc that changes what C means, is counted as
`optional`, with the option. Exit status 0: nothing is wrong or broken.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

# What a hosted program expects, in terms of microengine.h and of Clang's builtins.
PRELUDE = """\
#pragma clang diagnostic ignored "-Weverything"
#include "microengine.h"
static inline void suite_abort(void) { __me_annotate(__annotation_abort); kill_thread(); }
static inline void suite_exit(int status) {
  if (status) suite_abort();
  __asm__ volatile("immed[a0, 0]" : : : "a0");  // what main returns
  kill_thread();
}
#undef abort
#define abort suite_abort
#define exit suite_exit
#define memcpy __builtin_memcpy
#define memset __builtin_memset
#define memmove __builtin_memmove
#line 1 "program.c"
"""
# Options that give a program a meaning which it does not have in C.
CHANGED_MEANINGS = {"-fwrapv", "-fno-strict-overflow", "-finstrument-functions", "-fgnu89-inline", "-fno-strict-aliasing"}
ASKED = re.compile(r"dg-(?:additional-)?options\s+[{\s]*\"([^\"]*)\"")
EXEC_DONE, EXEC_WRONG, EXEC_REFUSED, EXEC_UNFINISHED = range(4)
PLACE = re.compile(r"^[^:\s]+:\d+:\d+: error: (.*)$")
# What stands in place of errors beyond the first twenty, by what they say.
SUMMARY = re.compile(r"^(and \d+ more errors?:|\s+\d+ x .*)$")


def reason_of(errors):
    """The first error without what is particular to the program; None if a line is not an error of ours."""
    lines = [line for line in errors.splitlines() if "warning:" not in line and line.strip() and not SUMMARY.match(line)]
    found = [PLACE.match(line) for line in lines]
    if not lines or not all(found) or "LLVM" in errors:
        return None
    reason = re.sub(r"'[^']*'", "'...'", found[0].group(1))
    return re.sub(r"\d+", "N", reason.removeprefix("the microengine has no way to do this: ")).split(":")[0][:100]


def asked_meanings(program):
    """The options that change what C means, of those for which the program asks."""
    asked = " ".join(ASKED.findall(program.read_text(errors="replace"))).split()
    return sorted(CHANGED_MEANINGS.intersection(asked))


def outcome_of(command, seconds):
    """(kind, detail) of one program; a kind is passed, refused, wrong, unfinished or broken."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return "unfinished", f"after {seconds} s"
    if done.returncode == EXEC_DONE:
        return "passed", ""
    if done.returncode == EXEC_WRONG:
        return "wrong", "main did not return 0"
    if done.returncode == EXEC_REFUSED:
        reason = reason_of(done.stderr)
        return ("refused", reason) if reason else ("broken", done.stderr.strip()[:200])
    if "the program called abort()" in done.stderr:
        return "wrong", "the program called abort()"
    if done.returncode == EXEC_UNFINISHED:
        did_not_end = "did not end" in done.stderr
        return ("unfinished" if did_not_end else "wrong"), done.stderr.strip()[:200]
    return "broken", f"exit status {done.returncode}: {done.stderr.strip()[:200]}"


def run_level(programs, level, arguments):
    outcomes = collections.defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="nplab-suite-") as folder:
        source = pathlib.Path(folder) / "program.c"
        for program in programs:
            source.write_bytes(PRELUDE.encode() + program.read_bytes())
            command = [arguments.nplab, "exec", str(source), f"-O{level}", "--cycles", "20000000"]
            kind, detail = outcome_of(command, arguments.seconds)
            if kind in ("wrong", "unfinished") and asked_meanings(program):
                kind, detail = "optional", "asks for " + " ".join(asked_meanings(program))
            outcomes[kind].append((program.name, detail))
    return outcomes


def print_level(level, outcomes):
    counts = ", ".join(f"{len(found)} {kind}" for kind, found in sorted(outcomes.items()))
    print(f"-O{level}: {counts}")
    reasons = collections.Counter(detail for _, detail in outcomes["refused"])
    for reason, count in reasons.most_common():
        print(f"  refused {count}: {reason}")
    for kind in ("optional", "wrong", "unfinished", "broken"):
        for name, detail in outcomes[kind]:
            print(f"  {kind} {name}: {detail}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--nplab", default="nplab", help="the program to test [nplab]")
    parser.add_argument("--level", action="append", help="0, 1, 2, s or published; several are allowed [2 and s]")
    parser.add_argument("--seconds", type=float, default=60, help="that a program may take [60]")
    arguments = parser.parse_args()
    programs = sorted(arguments.folder.glob("**/*.c"))
    if not programs:
        sys.exit(f"{arguments.folder}: there are no C programs in this folder")
    is_good = True
    for level in arguments.level or ["2", "s"]:
        outcomes = run_level(programs, level, arguments)
        print_level(level, outcomes)
        is_good &= not (outcomes["wrong"] or outcomes["broken"])
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
