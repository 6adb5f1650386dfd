#!/usr/bin/env python3
"""Compares run records taken before and after a restructuring: what a user measures must not have changed.

usage: compare_records.py BEFORE AFTER [--map renames.json]

BEFORE and AFTER are folders written by capture_records.sh; files may be compressed (.xz) and lie in subfolders. Ignored
are `host`, `tool`, `build_id`, `inputs.*.sha256` and figures in host seconds. Source files may have moved, by the map's `paths`; keys and
values may have been renamed, by its `keys` and `values`. The text of a source file may have been laid out anew: its
tokens, comments apart, must be the same, and figures are then compared per group of lines that share tokens. A function
may have moved to another file, by the map's `moved`; a file of its `rewritten` may have other tokens, and only figures
of lines that correspond are compared. Exit status: 0 equal; 1 different, with every difference printed; 2 bad usage.
"""
import argparse
import difflib
import json
import lzma
import pathlib
import re
import sys

TOKEN = re.compile(r'//[^\n]*|#(?:include|pragma once)[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\w+|\\\n|\s+|.', re.S)
HOST_FIGURES = re.compile(r"wall time|tables built in|table build time|chip cycles (a|per) second|instructions (a|per) second|host")
NUMBER = re.compile(r"[-+]?\d[\d.,]*%?")


def read(path):
    opened = lzma.open(path, "rt") if path.suffix == ".xz" else open(path)
    with opened as stream:
        return stream.read()


def records(folder):
    return {path.name.removesuffix(".xz"): path for path in folder.rglob("*") if re.search(r"\.(json|txt)(\.xz)?$", path.name)}


def tokens(text):
    """(token, line) pairs of C text, without white space, comments, line continuations and
    includes, which are sorted."""
    line = 1
    for match in TOKEN.finditer(text):
        token = match.group()
        if not token.isspace() and not token.startswith(("//", "/*", "#include", "#pragma once")) and token != "\\\n":
            yield token, line
        line += token.count("\n")


def common(old, new):
    """The (token, line) pairs that both texts have in common, in order."""
    matcher = difflib.SequenceMatcher(None, [token for token, _ in old], [token for token, _ in new], autojunk=False)
    blocks = matcher.get_matching_blocks()
    return [pair for b in blocks for pair in old[b.a : b.a + b.size]], [pair for b in blocks for pair in new[b.b : b.b + b.size]]


class Moved:
    """A function that moved to another file: the old record is read as if it had always been there."""

    def __init__(self, source, function, to, sources):
        self.source, self.to = source, to
        text = sources.get(source, "").split("\n")
        first = next((i for i, line in enumerate(text) if re.match(rf"static inline \w+ {function}\(", line)), None)
        self.lines = range(0)
        if first is None:
            return
        last = text.index("}", first)
        self.lines = range(first + 1, last + 2)
        sources[to] = "\n" * first + "\n".join(text[first : last + 1])
        sources[source] = "\n".join(text[:first] + [""] * (last + 1 - first) + text[last + 1 :])

    def file(self, file, line):
        return self.to if file == self.source and line in self.lines else file


class Lines:
    """Groups of lines of one file that correspond in the two versions: a component of lines that share a token."""

    def __init__(self, before, after, differences, name, token_map, rewritten):
        old, new = list(tokens(before)), list(tokens(after))
        self.old, self.new = {}, {}
        if rewritten:
            old, new = common(old, new)
        if [token_map.get(token, token) for token, _ in old] != [token for token, _ in new]:
            at = next((i for i, (a, b) in enumerate(zip(old, new)) if token_map.get(a[0], a[0]) != b[0]), min(len(old), len(new)))
            differences.append(f"{name}: tokens differ from line {old[at][1] if at < len(old) else 'end'} on")
            return
        group, last_old, last_new = 0, 0, 0
        for (_, a), (_, b) in zip(old, new):
            if a != last_old and b != last_new and a not in self.old and b not in self.new:
                group += 1
            self.old[a] = self.new[b] = group
            last_old, last_new = a, b


class Comparison:
    def __init__(self, renames):
        self.paths = renames.get("paths", {})
        self.keys = renames.get("keys", {})
        self.values = renames.get("values", {})
        self.tokens = renames.get("tokens", {})
        self.added = set(renames.get("added", []))
        self.moves = renames.get("moved", [])
        self.rewritten = set(renames.get("rewritten", []))
        self.differences = []

    def note(self, path, before, after):
        self.differences.append(f"{path}: {shorten(before)} became {shorten(after)}")

    def equal(self, path, before, after):
        """Compares two values key by key."""
        name = path.rsplit(".", 1)[-1]
        if name in ("host", "tool", "build_id", "sha256", "build_seconds", "wall_s"):
            return
        if isinstance(before, dict) and isinstance(after, dict):
            before = {self.keys.get(key, key): value for key, value in before.items()}
            for key in before.keys() | after.keys():
                if key in before and key in after:
                    self.equal(f"{path}.{key}", before[key], after[key])
                elif key not in ("host", "tool", "build_id", "sha256") and not (key in after and key in self.added):
                    self.note(f"{path}.{key}", before.get(key, "nothing"), after.get(key, "nothing"))
        elif isinstance(before, list) and isinstance(after, list):
            if len(before) != len(after):
                self.note(path, f"{len(before)} entries", f"{len(after)} entries")
            for i, (a, b) in enumerate(zip(before, after)):
                self.equal(f"{path}[{i}]", a, b)
        elif self.renamed(before) != after:
            self.note(path, before, after)

    def renamed(self, value):
        if not isinstance(value, str):
            return value
        value = self.values.get(value, value)
        return self.paths.get(value, value)

    def run(self, name, before, after):
        """One run record: sources are aligned, and what is counted by line is compared by group of lines."""
        before, after = dict(before), dict(after)
        old = {self.renamed(source["file"]): source["text"] for source in before.pop("sources", [])}
        new = {source["file"]: source["text"] for source in after.pop("sources", [])}
        self.moved = [Moved(move["from"], move["function"], move["to"], old) for move in self.moves if move["to"] in new]
        if old.keys() != new.keys():
            self.note(f"{name}.sources", sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys()))
        groups = {file: Lines(old[file], new[file], self.differences, f"{name}.sources.{file}", self.tokens, file in self.rewritten) for file in old.keys() & new.keys()}
        self.by_line(f"{name}.lines", before, after, groups)
        self.programs(f"{name}.programs", before.pop("programs", []), after.pop("programs", []), groups)
        self.equal(name, before, after)

    def place(self, side, file, line):
        """The file of a line, as the new record names it."""
        if side == "new":
            return file
        file = self.renamed(file)
        for move in self.moved:
            file = move.file(file, line)
        return file

    def group(self, groups, side, file, line):
        if file not in groups:
            return line
        table = groups[file].old if side == "old" else groups[file].new
        return table.get(line, f"line {line}")

    def by_line(self, path, before, after, groups):
        totals = []
        for side, record in (("old", before), ("new", after)):
            sums = {}
            for entry in record.pop("lines", []):
                file = self.place(side, entry["file"], entry["line"])
                group = sums.setdefault((entry["engine"], file, self.group(groups, side, file, entry["line"])), {})
                self.add(group, entry, ("engine", "file", "line"))
            totals.append(sums)
        for key in totals[0].keys() | totals[1].keys():
            self.equal(f"{path}{list(key)}", totals[0].get(key, {}), totals[1].get(key, {}))

    def add(self, group, entry, skipped):
        for key, value in entry.items():
            if key in skipped:
                continue
            if isinstance(value, bool):
                group[key] = group.get(key, False) or value
            elif isinstance(value, (int, float)):
                group[key] = group.get(key, 0) + value
            elif isinstance(value, dict):
                self.add(group.setdefault(key, {}), value, ())

    def programs(self, path, before, after, groups):
        if len(before) != len(after):
            self.note(path, f"{len(before)} programs", f"{len(after)} programs")
        for old, new in zip(before, after):
            old, new = dict(old), dict(new)
            sides = []
            for side, program in (("old", old), ("new", new)):
                files = [self.renamed(file) if side == "old" else file for file in program["files"]]
                at = [files[i] if i < len(files) else "<generated>" for i in numbers(program.pop("file"))]
                lines = numbers(program.pop("line"))
                places = [(self.place(side, file, line), line) for file, line in zip(at, lines)]
                sides.append([(file, self.group(groups, side, file, line)) for file, line in places])
                program["files"] = sorted(set(files) | {file for file, _ in places if file != "<generated>"})
            here = f"{path}[{old.get('engine')}]"
            if sides[0] != sides[1]:
                word = next(i for i, (a, b) in enumerate(zip(*sides)) if a != b) if len(sides[0]) == len(sides[1]) else "count"
                self.note(f"{here}.line of word {word}", sides[0][word] if word != "count" else len(sides[0]), sides[1][word] if word != "count" else len(sides[1]))
            self.equal(here, old, new)

    def text(self, name, before, after):
        """A printed table: its numbers, line by line; words may have changed."""
        old, new = ([NUMBER.findall(line) for line in text.splitlines() if not HOST_FIGURES.search(line)] for text in (before, after))
        old, new = [line for line in old if line], [line for line in new if line]
        for a, b in zip(old, new):
            if a != b:
                self.note(name, a, b)
        if len(old) != len(new):
            self.note(name, f"{len(old)} lines with figures", f"{len(new)} lines with figures")

    def file(self, name, before, after):
        if name.endswith(".txt"):
            return self.text(name, before, after)
        before, after = json.loads(before), json.loads(after)
        if "runs" in before and str(before.get("schema", "")).startswith("nplab.compare"):
            for i, (a, b) in enumerate(zip(before["runs"], after["runs"])):
                self.run(f"{name}.runs[{i}]", a, b)
        elif str(before.get("schema", "")).startswith("nplab.run/"):
            self.run(name, before, after)
        else:
            self.equal(name, before, after)


def numbers(text):
    """The numbers of a record's column; a file's number that is past the list of files stands for none."""
    return [int(word) for word in text.split()]


def shorten(value):
    text = str(value)
    return text if len(text) <= 120 else text[:117] + "..."


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--map", type=pathlib.Path, default=pathlib.Path(__file__).parent / "renames.json")
    arguments = parser.parse_args()
    comparison = Comparison(json.loads(read(arguments.map)))
    before, after = records(arguments.before), records(arguments.after)
    if not before:
        parser.error(f"{arguments.before} holds no records")
    for name in sorted(before):
        if name not in after:
            comparison.differences.append(f"{name}: missing in {arguments.after}")
            continue
        found = len(comparison.differences)
        comparison.file(name, read(before[name]), read(after[name]))
        print(f"{name}: {'equal' if len(comparison.differences) == found else 'different'}")
    for difference in comparison.differences[:200]:
        print(difference, file=sys.stderr)
    if len(comparison.differences) > 200:
        print(f"and {len(comparison.differences) - 200} more", file=sys.stderr)
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
