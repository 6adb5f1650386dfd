#!/usr/bin/env python3
"""Damaged files of every kind that users write, and damaged command lines: nplab answers each with a documented status.

usage: fuzz_commands.py --program NPLAB --checkout FOLDER [--cases N] [--seed N] [--kind KIND] [--keep FOLDER]
                        [--jobs N]
For each case: no signal, at most 60 s of processor time, exit status 0 to 3; with status 2 an error message and no
output file; every output file that is there is complete. Failing cases are kept in FOLDER, each with its command.
"""
import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

PROCESSOR_SECONDS = 60
ADDRESS_SPACE = 6 << 30
ODD_SCALARS = ["", "-1", "0", "1", "2147483648", "99999999999999999999", "1e999", "nan", "~", "true", "x", "a b", "'", '"',
               "../..", "/dev/null", "/dev/zero", "{", "[[]]", "0x", "4K", "é", "\t", "%s%n", "a" * 5000]
ODD_VALUES = [None, [], {}, [[]], [{}], {"": ""}, [None], -1, 0, 10 ** 30, 1.5, "", "x", True, [0, 0], {"x": {"x": 1}}]


def places(tree, path=()):
    """Every place below the tree, as a path of keys and indices."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield path + (key,)
        yield from places(value, path + (key,))


def parent_of(tree, path):
    for step in path[:-1]:
        tree = tree[step]
    return tree


def misspelt(word, draw):
    if not word:
        return "x"
    at = draw.randrange(len(word))
    return draw.choice([word[:at] + word[at + 1:], word[:at] + word[at] + word[at:], word[:at] + "x" + word[at + 1:], word.upper()])


def mutate_tree(tree, draw):
    """Deletes, renames, duplicates, nests, or gives another type to a value somewhere."""
    all_places = list(places(tree))
    if not all_places:
        return tree
    path = draw.choice(all_places)
    parent, last = parent_of(tree, path), path[-1]
    kind = draw.randrange(7)
    if kind == 0:
        del parent[last]
    elif kind == 1 and isinstance(parent, dict):
        parent[misspelt(str(last), draw)] = parent.pop(last)
    elif kind == 2 and isinstance(parent, list):
        parent.extend(draw.choices(parent, k=draw.choice([1, 1, 2, 40])))
    elif kind == 3:
        parent[last] = draw.choice([[parent[last]], {"x": parent[last]}, {last if isinstance(last, str) else "x": parent[last]}])
    elif kind == 4:
        other = draw.choice(all_places)
        try:
            parent[last] = parent_of(tree, other)[other[-1]]   # an alias, when it is dumped; perhaps of itself
        except (KeyError, IndexError, TypeError):
            pass
    elif kind == 5 and isinstance(parent[last], str):
        parent[last] = misspelt(parent[last], draw)
    else:
        parent[last] = draw.choice(ODD_VALUES + [draw.choice(ODD_SCALARS)])
    return tree


def mutate_text(text, draw):
    """Damages lines or characters."""
    lines = text.split("\n")
    kind = draw.randrange(7)
    at = draw.randrange(len(lines))
    if kind == 0:
        lines.insert(at, draw.choice(lines))
    elif kind == 1:
        lines[at] = " " * draw.randrange(4) + lines[at]
    elif kind == 2:
        lines[at] = lines[at].replace(draw.choice(":,-{}[]/ 0"), draw.choice(["", ":", "  ", "9"]), 1)
    elif kind == 3:
        del lines[at:at + draw.randrange(1, 4)]
    elif kind == 4:
        words = re.split(r"(\W+)", lines[at])
        words[draw.randrange(len(words))] = draw.choice(ODD_SCALARS)
        lines[at] = "".join(words)
    elif kind == 5:
        return text[: draw.randrange(len(text) + 1)]
    else:
        lines[at] = draw.choice(["&a [*a]", "a: &a [*a]", "*b", "<<: *c", "? [x]", "!!binary x", "%YAML 9", "---", "...", "\0", "- - -"])
    return "\n".join(lines)


def damaged(text, draw, as_yaml=True):
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        if as_yaml and draw.random() < 0.7:
            try:
                tree = yaml.safe_load(text)
                if isinstance(tree, (dict, list)):
                    text = yaml.dump(mutate_tree(tree, draw), sort_keys=False, default_flow_style=None)
                    continue
            except (yaml.YAMLError, RecursionError, ValueError):
                pass
        if text:
            text = mutate_text(text, draw)
    return text


class Cases:
    """Each kind gives a command and writes its files into the case's folder."""

    STUDY = """study: frames
summary: LS by the size of frames
axis: {name: bytes, points: [64, 1000]}
options: {packets: 20, arrival: lossless, set: ["workload.frame_bytes={bytes}"]}
quick: {points: [64], packets: 10}
figures:
  - {metric: packets_per_s, title: packets classified per second}
relative_to: {at: 64}
series:
  - {name: ls, mapping: ls, published: {64: 100}}
claims:
  - {claim: small frames are classified faster, metric: packets_per_s, series: ls, at: [64], over: {at: 1000}, at_least: 1.5}
"""
    RULES = {
        "classbench": "@10.0.0.0/8 192.168.0.0/16 0 : 65535 80 : 80 0x06/0xFF allow\n@0.0.0.0/0 10.1.0.0/16 1024 : 65535 53 : 53 0x11/0xFF\n",
        "fields": "fields:\n  - {name: ttl, bits: 8, at: {byte: 22}}\n  - {name: source_address, bits: 32, match: prefix, at: {byte: 26}}\n"
                  "rules:\n  - {name: expired, ttl: 0-1, action: deny}\n  - {name: local, source_address: 10.0.0.0/8, action: \"forward:1\"}\n  - {name: rest}\n",
        "iptables": "*filter\n:INPUT ACCEPT [0:0]\n:FORWARD DROP [0:0]\n:web - [0:0]\n-A FORWARD -d 192.168.1.10/32 -p tcp -m multiport --dports 80,443 -j web\n"
                    "-A web ! -s 10.0.0.0/8 -j ACCEPT\n-A FORWARD -m iprange --src-range 10.0.0.1-10.0.0.9 -j RETURN\nCOMMIT\n",
        "nft": json.dumps({"nftables": [{"table": {"family": "ip", "name": "f"}}, {"chain": {
            "family": "ip", "table": "f", "name": "forward", "hook": "forward", "type": "filter", "prio": 0, "policy": "drop"}},
            {"rule": {"family": "ip", "table": "f", "chain": "forward", "expr": [{"match": {"op": "==", "left": {"payload": {
                "protocol": "ip", "field": "saddr"}}, "right": {"prefix": {"addr": "10.0.0.0", "len": 8}}}}, {"accept": None}]}}]}),
        "cisco": "ip access-list extended OUT\n 10 permit tcp 10.0.0.0 0.255.255.255 any eq 80\n 20 deny udp any range 5 9 host 10.1.1.1\n 30 permit ip any any\n",
        "openflow": "# source_address:32P destination_port:16R\n10.0.0.0/8 5-9\n* *\n",
    }

    def __init__(self, checkout, program):
        self.checkout, self.program = checkout, program
        self.mappings = sorted((checkout / "mappings").glob("*/*.yaml"))
        self.manifests = [path for path in self.mappings if path.name == "manifest.yaml"]
        self.mappings = [path for path in self.mappings if re.search("^algorithm:", path.read_text(), re.M)]
        self.chips = sorted((checkout / "simulator/chips").glob("*.yaml"))
        self.workloads = [checkout / "workloads/published.yaml", checkout / "workloads/published.rules.yaml"]
        self.options = {}

    def mapping(self, draw, folder):
        (folder / "m.yaml").write_text(damaged(draw.choice(self.mappings).read_text(), draw))
        if draw.random() < 0.3:
            return ["run", "m.yaml", "--packets", "5", "--quiet", "--json", "out.json"]
        return [draw.choice(["check", "show"]), "m.yaml"]

    def manifest(self, draw, folder):
        manifest = draw.choice(self.manifests)
        shutil.copytree(manifest.parent, folder / "own")
        (folder / "own/manifest.yaml").write_text(damaged(manifest.read_text(), draw))
        return ["check", str(draw.choice([path for path in (folder / "own").glob("*.yaml") if path.name != "manifest.yaml"]
                                         or [folder / "own/manifest.yaml"])), "--set", "algorithm=own/manifest.yaml"]

    def chip(self, draw, folder):
        (folder / "c.yaml").write_text(damaged(draw.choice(self.chips).read_text(), draw))
        return ["check", draw.choice(["bv1", "ls"]), "--chip", "c.yaml"]

    def workload(self, draw, folder):
        for path in self.workloads:
            shutil.copy(path, folder)
        path = folder / draw.choice(self.workloads).name
        path.write_text(damaged(path.read_text(), draw))
        return ["run", "bv1", "--workload", "published.yaml", "--packets", "5", "--quiet", "--json", "out.json"]

    def study(self, draw, folder):
        (folder / "s.yaml").write_text(damaged(self.STUDY, draw))
        return ["study", "s.yaml", "--quick", "--quiet", "--json", "out.json"]

    def set_option(self, draw, _folder):
        text = damaged(draw.choice(self.mappings).read_text(), draw)
        try:
            tree = yaml.safe_load(text)
            path = draw.choice(list(places(tree)))
            value = yaml.dump(parent_of(tree, path)[path[-1]], default_flow_style=True).split("\n...")[0]
        except (yaml.YAMLError, IndexError, TypeError, RecursionError, ValueError):
            path, value = ("stages",), draw.choice(ODD_SCALARS)
        value = draw.choice([value, value, draw.choice(ODD_SCALARS)]).replace("\0", "")
        return ["check", draw.choice(["bv1", "ls", "abv-control"]), "--set", ".".join(map(str, path)).replace("\0", "") + "=" + value]

    def rules(self, draw, folder):
        name = draw.choice(list(self.RULES))
        (folder / "r.rules").write_text(damaged(self.RULES[name], draw, as_yaml=name == "fields"))
        more = draw.choice([[], ["--unsupported", "skip"], ["--to", "classbench", "--out", "out.rules"], ["--json"]])
        return ["rules", "r.rules"] + more

    def command_line(self, draw, _folder):
        """A command with options of its own, of others or of none, with right and odd values."""
        commands = ["run", "compare", "check", "show", "list", "report", "annotate", "diff", "explain", "schema", "cc", "as",
                    "objdump", "exec", "rules", "traffic", "completion", "man", "trace packet", "lab list", "lab hint", "lab check"]
        command = draw.choice(commands)
        options = self.options_of(command) + self.options_of(draw.choice(commands))
        words = command.split()
        for _ in range(draw.randrange(4)):
            words.append(draw.choice(["bv1", "ls", "1", "40", "nowhere.yaml", "-", "", "bv2:stages.x=1"] + ODD_SCALARS[:8]))
        for _ in range(draw.randrange(4)):
            option = draw.choice(options)
            words.append(misspelt(option, draw) if draw.random() < 0.1 else option)
            if draw.random() < 0.8:
                words.append(draw.choice(["1", "5", "0-3", "out.json", "bv1", "wire", "a=b", "gen:", "gen:acl,count=9"] + ODD_SCALARS))
        words = [word.replace("\0", "") for word in words]
        return words + (["--packets", "5"] if command in ("run", "compare", "trace packet") and "--packets" not in words else [])

    def options_of(self, command):
        if command not in self.options:
            text = subprocess.run([self.program] + command.split() + ["--help"], capture_output=True, text=True).stdout
            self.options[command] = re.findall(r"(?<=[ ,])--?[a-zA-Z][a-z0-9-]*", text) or ["--help"]
        return self.options[command]


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def problem_of(result, folder, before, is_study):
    if result.returncode not in (0, 1, 2, 3):
        return f"status {result.returncode}"
    written = sorted(set(path.name for path in folder.iterdir()) - before)
    if result.returncode == 2:
        if "error" not in result.stderr and "required" not in result.stderr and "--help" not in result.stderr:
            return "status 2 without a message"
        if written and not is_study:   # a study's record has the runs that failed
            return f"status 2, and {written} written"
    if result.returncode == 3 and not result.stderr:
        return "status 3 without a message"
    if "std::" in result.stderr or "Assertion" in result.stderr:
        return "an internal message"
    for name in written:
        if name == "out.json" or name.endswith(".unfinished"):
            try:
                json.loads((folder / name).read_text())
            except ValueError:
                return f"{name} is not complete"
    return None


# Programs are compiled, and the user's cache stays as it is.
os.environ["NPLAB_CACHE"] = "off"


def run_case(cases, kind, number, arguments, program):
    """The exit status of a case, and a report of its failure or None."""
    draw = random.Random(f"{arguments.seed} {kind} {number}")
    with tempfile.TemporaryDirectory(prefix="nplab-fuzz-") as name:
        folder = pathlib.Path(name)
        words = getattr(cases, kind)(draw, folder)
        words = [word.encode("utf-8", "surrogatepass") for word in words]
        before = set(path.name for path in folder.iterdir())
        try:
            result = subprocess.run([program] + words, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL,
                                    text=True, errors="replace", preexec_fn=limits, timeout=900)
            status, problem = result.returncode, problem_of(result, folder, before, kind == "study")
        except subprocess.TimeoutExpired:
            result, status, problem = None, "none", "does not end"
        if not problem:
            return status, None
        command = " ".join(shlex.quote(word.decode(errors="replace")) for word in words)
        if arguments.keep:
            kept = arguments.keep / f"{kind}-{arguments.seed}-{number}"
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            (kept / "COMMAND").write_text(command)
        return status, f"{kind} {number}: {problem}: nplab {command[:400]}\n  {(result.stderr if result else '')[-300:]}"


KINDS = ["mapping", "manifest", "chip", "workload", "study", "set_option", "rules", "command_line"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--checkout", type=pathlib.Path, required=True)
    parser.add_argument("--cases", type=int, default=25, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases at a time")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    cases = Cases(arguments.checkout.resolve(), program)
    failures = 0
    for kind in [arguments.kind] if arguments.kind else KINDS:
        statuses = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            case = functools.partial(run_case, cases, kind, arguments=arguments, program=program)
            for status, report in pool.map(case, range(arguments.cases)):
                statuses[str(status)] += 1
                if report:
                    failures += 1
                    print(report, flush=True)
        print(f"{kind}: {arguments.cases} cases, by exit status {dict(sorted(statuses.items()))}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
