#!/usr/bin/env python3
"""Refuses phrases that are not plain English in what users read: pages, help texts, messages, names of tests.

usage: language.py CHECKOUT. Looks at Markdown, at strings of C++ and at YAML that reports print. CONTRIBUTING.md, "Style".
"""
import pathlib
import re
import subprocess
import sys

THINGS = ("packet|engine|thread|port|rule|entry|queue|element|second|hand-over|reference|check|run|line|record|lookup|"
          "update|interval|mpacket|test|lane|dimension|context|frame|stage|header|iteration|cycle")
UNITS = ("cycles|references|longwords|quadwords|instructions|bytes|entries|bits|probes|packets|words|accesses|threads|"
         "queues|contexts|Mb/s|hand-overs|rules|once|one")

TWICE = "the same word twice"   # tests compare lists of words

REFUSED = [
    (rf"\b({UNITS}) an? ({THINGS})\b(?! \w*(ing|ed)\b)", "a rate is *per*: cycles per packet"),
    (r"(?<!nothing )\bbehind\b(?! the (FBI|memory|commands)\b)", "after, following"),
    (r"(?<![Tt]here )\bis no (?!longer\b|other\b|more\b)|\bknows? no\b|(?<![Tt]here )\bare no (?!longer\b|more\b)",
     "is not a; unknown"),
    (r"\btold (?!apart|to\b)", "reported; notified of"),
    (r"\bsurroundings\b", "environment, test bench"),
    (r"\bmend(s|ed|ing)?\b", "fix"),
    (r"\bcarr(y|ies|ied) out\b", "run"),
    (r"\bheld against\b", "compared with"),
    (r"\b[Ww]hole\b(?! numbers?\b)(?<!as a whole)", "entire, complete; or nothing"),
    (r"\b(gives?|given) up\b", "yield, dispatch"),
    (r"\bshortage\b", "register pressure"),
    (r"\b(?!any |high |exact |that )([a-z]{3,}) \1\b", TWICE),
    (r"\bexpected a word\b|\bwhoever\b|\bleast/greatest\b|\bhalf more\b", "plain words: min, max, effective"),
]
ALLOWED = [   # a word that is quoted, a key, or a name
    r"`[^`]*`", r"whole_record", r"'[^' ]*'",
]


def texts(path):
    """Pairs of line number and text."""
    source = path.read_text(errors="replace")
    if path.suffix == ".md":
        source = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), source, flags=re.S | re.M)
        return list(enumerate(source.splitlines(), 1))
    if path.suffix == ".yaml":
        return [(n, line.split(" #")[0]) for n, line in enumerate(source.splitlines(), 1) if not line.lstrip().startswith("#")]
    found = []
    # Comments, raw strings, strings and characters, so that quotes within one another do not count; adjacent strings join.
    token = re.compile(r'//[^\n]*|/\*.*?\*/|#include[^\n]*|R"(\w*)\((.*?)\)\1"|(?:"(?:[^"\\\n]|\\.)*"\s*)+|\'(?:[^\'\\\n]|\\.)+\'',
                       re.S)
    for match in token.finditer(source):
        text = match[0]
        if text.startswith('"'):
            text = re.sub(r'"\s*"', "", text.rstrip())[1:-1]
        elif text.startswith('R"'):
            text = match[2]
        else:
            continue
        found.append((source.count("\n", 0, match.start()) + 1, text))
    return found


def findings(path):
    for line, text in texts(path):
        for allowed in ALLOWED:
            text = re.sub(allowed, "``", text)
        for pattern, hint in REFUSED:
            match = re.search(pattern, text)
            if match and not (hint == TWICE and "tests" in path.parts):
                yield line, match[0], hint


def main():
    checkout = pathlib.Path(sys.argv[1])
    listed = subprocess.run(["git", "-C", checkout, "ls-files", "*.md", "*.cpp", "*.h", "*.def", "reports/*.yaml",
                             "mappings/*manifest.yaml", "mappings/studies/*.yaml", "docs/labs/*.yaml"],
                            capture_output=True, text=True)
    if listed.returncode != 0:
        print("skipped: not a git checkout")
        sys.exit(77)
    count = 0
    for name in listed.stdout.split():
        path = checkout / name
        if "/vendor/" in name or name == "CHANGELOG.md" or not path.exists():
            continue
        for line, found, hint in findings(path):
            print(f"{name}:{line}: '{found}': {hint}")
            count += 1
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
