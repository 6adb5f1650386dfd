#!/usr/bin/env python3
"""Runs every command of a page, in the page's order and in a folder of its own, and compares what the page shows.

usage: run_page.py --program NPLAB --checkout FOLDER [--full] PAGE...
PAGE is a Markdown file of the checkout, or `help`: the help texts of all commands.
Without --full, long commands are shortened (SHORTER) or only have their options checked (LONG).
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import page as pages
from settings import FILES, LONG, NOT_RUN, PLACEHOLDERS, PREPARATION, SERVERS, SHORTER, STATUS

HERE = pathlib.Path(__file__).parent
TIME_LIMIT = 3000 if "--full" in sys.argv else 280  # seconds, per command


class Failure(Exception):
    pass


def substituted(command, page):
    """The command with files and names in place of FILE, NAME, [OPTIONAL] and the like."""
    text = command.text.replace("./nplab", "nplab")
    for where, pattern, replacement in PLACEHOLDERS:
        if where in ("", page):
            text = re.sub(pattern, replacement, text)
    return text


def first_match(rules, text):
    for pattern, value in rules:
        if re.search(pattern, text):
            return value
    return None


def expected_status(command, text, printed):
    """What the page says; 0 where it says nothing. docs/run-record.md lists the statuses.

    docs/studies.md says that a study ends with 1 if a claim fails, and names the claims that do.
    """
    if text.startswith("nplab study "):
        return 1 if re.search(r"^  FAILED ", printed, re.M) else 0
    stated = first_match(STATUS, text)
    shown = command.shown
    if stated is not None:
        return stated
    if re.search(r"\d: error: |^--\S+ \S+: error: ", shown, re.M):
        return 2
    if "fault: " in shown or "did not end" in shown:
        return 3
    if re.search(r"^returned [1-9]", shown, re.M):
        return 1
    return 0


def shown_pattern(shown):
    """Pages wrap lines, and `...` stands for any text."""
    words = [".*?".join(map(re.escape, word.split("..."))) for word in shown.split()]
    return r"\s*".join(word if word.endswith("?") else word + r"(?!\S)" for word in words)


def data_copy(checkout, folder):
    """What `nplab new` writes into."""
    for part in ("mappings", "simulator/chips", "workloads", "isa/include", "tools/templates", "docs"):
        shutil.copytree(checkout / part, folder / part)


class Runner:
    def __init__(self, program, checkout, full, folder):
        self.checkout, self.full, self.folder = checkout, full, folder
        (folder / "bin").mkdir()
        (folder / "bin" / "nplab").symlink_to(program.resolve())
        data_copy(checkout, folder / "data")
        self.environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}",
                                NPLAB_DATA=str(folder / "data"), LC_ALL="C.UTF-8",
                                NPLAB_CACHE=str(folder / "cache"), XDG_CACHE_HOME=str(folder / "cache"))
        self.ran = self.checked = 0

    def shell(self, text, cwd):
        return subprocess.run(["bash", "-o", "pipefail", "-c", text], cwd=cwd, env=self.environment,
                              capture_output=True, text=True, timeout=TIME_LIMIT, stdin=subprocess.DEVNULL)

    def help_of(self, text):
        """The help text of the command, whose name is the words in small letters at its start."""
        words = []
        for word in text.split()[1:]:
            if not re.fullmatch(r"[a-z]+(-[a-z]+)*", word):
                break
            words.append(word)
        while words:
            result = self.shell("nplab " + " ".join(words) + " --help", self.folder)
            if result.returncode == 0 and "nplab " + " ".join(words) in result.stdout:
                return result.stdout
            words.pop()
        return self.shell("nplab --help", self.folder).stdout

    def check_options(self, text):
        """For a command that is not run: it and its options exist."""
        known = self.help_of(text)
        if not re.search(r"^Usage: nplab [a-z]|^Usage: nplab \[", known, re.M):
            raise Failure("no such command")
        if text.split()[1:2] and re.fullmatch("[a-z]+", text.split()[1]) and "Usage: nplab [OPTIONS] SUBCOMMAND" in known:
            raise Failure("no such command")
        for option in re.findall(r"(?<=\s)--?[A-Za-z][a-z-]*", text):
            if not re.search(re.escape(option) + r"(?![a-z-])", known):
                raise Failure(f"has no option {option}")
        self.checked += 1

    def run_command(self, command, page, cwd):
        text = substituted(command, page)
        is_name = command.inline and re.fullmatch(r"nplab( [a-z]+)+", text)
        if is_name or first_match(NOT_RUN, text) or (not self.full and first_match(LONG, text)):
            self.check_options(text)
            return
        if not self.full:
            for pattern, replacement in SHORTER:
                text = re.sub(pattern, replacement, text)
        is_server = first_match(SERVERS, text)
        result = self.shell(f"python3 {shlex.quote(str(HERE / 'served.py'))} {text}" if is_server else text, cwd)
        self.ran += 1
        status = expected_status(command, text, result.stdout)
        if result.returncode != status:
            raise Failure(f"`{text}` ended with status {result.returncode}, the page says "
                          f"{status}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
        if command.output is not None and result.stdout != command.output:
            raise Failure(f"`{text}` printed\n{result.stdout}")
        if command.shown and not re.search(shown_pattern(command.shown), result.stdout + result.stderr, re.S):
            raise Failure(f"`{text}` does not print what is shown, but\n{(result.stdout + result.stderr)[:4000]}")
        for count, what in re.findall(r"(\d+) (received|sent|denied|no match)\b", command.comment):
            name = f"packets {what}" if what in ("received", "sent") else what
            if not re.search(rf"^  {name} +{count} packets$", result.stdout, re.M):
                raise Failure(f"`{text}` does not count {count} {what}\n{result.stdout[:3000]}")

    def run_page(self, page, text):
        steps = pages.steps_of_help(text) if page == "help" else pages.steps_of_page(text)
        cwd = self.folder / "page"
        shutil.copytree(FILES / "common", cwd)
        shutil.copytree(self.checkout / "docs", cwd / "docs")
        own = FILES / re.sub(r"\W", "_", page.removesuffix(".md"))
        if own.exists():
            shutil.copytree(own, cwd, dirs_exist_ok=True)
        for needed, command in PREPARATION:
            if re.search(needed, text):
                result = self.shell(command, cwd)
                if result.returncode != 0:
                    raise Failure(f"{command}\n{result.stderr}")
        failures = []
        for step in steps:
            if isinstance(step, pages.File):
                (cwd / step.name).parent.mkdir(parents=True, exist_ok=True)
                (cwd / step.name).write_text(step.text)
                continue
            try:
                self.run_command(step, page, cwd)
            except Failure as failure:
                failures.append(f"{page}:{step.line}: {step.text}\n  {failure}")
            except subprocess.TimeoutExpired:
                failures.append(f"{page}:{step.line}: {step.text}\n  did not end within {TIME_LIMIT} s")
        return failures


def text_of(page, runner):
    if page != "help":
        return (runner.checkout / page).read_text()
    names = re.findall(r"^  ([a-z]+) +[A-Z]", runner.shell("nplab --help", runner.folder).stdout, re.M)
    calls = ["nplab --help", "nplab man"] + [f"nplab {name} --help" for name in names]
    return "\n".join(runner.shell(call, runner.folder).stdout for call in calls)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--checkout", type=pathlib.Path, required=True)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("pages", nargs="+")
    arguments = parser.parse_args()
    failures = []
    for page in arguments.pages:
        with tempfile.TemporaryDirectory(prefix="nplab-page-") as folder:
            runner = Runner(arguments.program, arguments.checkout, arguments.full, pathlib.Path(folder))
            failures += runner.run_page(page, text_of(page, runner))
            print(f"{page}: {runner.ran} commands run, {runner.checked} looked up")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
