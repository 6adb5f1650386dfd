#!/usr/bin/env python3
"""A page that says something wrong fails, for the reason that it is wrong for. usage: page_tests.py NPLAB CHECKOUT"""
import pathlib
import sys
import tempfile
import unittest

import page as pages
from run_page import Runner

PROGRAM, CHECKOUT = (pathlib.Path(argument) for argument in sys.argv[1:3])
FENCE = "```"


def failures_of(text, page="page.md"):
    with tempfile.TemporaryDirectory(prefix="nplab-page-") as folder:
        return Runner(PROGRAM, CHECKOUT, False, pathlib.Path(folder)).run_page(page, text)


def block(lines, kind=""):
    return f"{FENCE}{kind}\n{lines}\n{FENCE}\n"


class Reading(unittest.TestCase):
    def test_files_commands_and_output_are_found_in_order(self):
        steps = pages.steps_of_page(block("int x;", "c x.c") + block("nplab cc x.c   # compiles\nnplab run a \\\n  b", "sh") +
                                    block("done", "out") + "Say `nplab list`.\n" + block("$ nplab check m\nm:1: error: no"))
        self.assertEqual([type(step).__name__ for step in steps], ["File"] + 4 * ["Command"])
        self.assertEqual([step.text for step in steps], ["int x;\n", "nplab cc x.c", "nplab run a b", "nplab list", "nplab check m"])
        self.assertEqual(steps[1].comment, "compiles")
        self.assertEqual(steps[2].output, "done\n")
        self.assertEqual(steps[4].shown, "m:1: error: no\n")
        self.assertEqual([step.line for step in steps], [2, 5, 6, 12, 14])

    def test_a_quoted_hash_is_no_comment(self):
        self.assertEqual(pages.split_comment("nplab run --set 'a= #1' # why"), ("nplab run --set 'a= #1'", "why"))


class Running(unittest.TestCase):
    def assert_fails(self, text, *reasons):
        failures = failures_of(text)
        self.assertEqual(len(failures), 1, failures)
        for reason in reasons:
            self.assertIn(reason, failures[0])

    def test_a_right_page_passes(self):
        self.assertEqual(failures_of(block("nplab check bv1") + "and `nplab explain aborted`, `nplab test --full`\n"), [])

    def test_an_unknown_option_fails(self):
        self.assert_fails(block("nplab run bv1 --packts 100"), "page.md:2:", "--packts")

    def test_an_unknown_option_of_a_command_that_is_not_run_fails(self):
        self.assert_fails(block("nplab test --ful"), "page.md:2:", "has no option --ful")

    def test_an_unknown_command_fails(self):
        self.assert_fails("See `nplab exlain`.\n", "page.md:1:", "no such command")

    def test_a_missing_file_fails(self):
        self.assert_fails(block("nplab cc nowhere.c"), "nowhere.c", "status 2")

    def test_another_output_fails(self):
        program = block('#include "microengine.h"\nint main(void) {\n  console_hex(1);\n  return 0;\n}', "c one.c")
        self.assert_fails(program + block("$ nplab exec one.c\n0x00000002\n..."), "does not print what is shown", "0x00000001")
        self.assert_fails(program + block("nplab exec one.c", "sh") + block("0x00000001", "out"), "printed")

    def test_another_exit_status_fails(self):
        self.assert_fails(block("$ nplab check bv1\nbv1.yaml:1:1: error: no such thing"), "status 0, the page says 2")

    def test_another_count_of_packets_fails(self):
        self.assert_fails(block("nplab run bv1 --packets 100   # 99 received"), "does not count 99 received")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
