"""What run_page.py puts in place of FILE, NAME and the like, and which commands it does not run as they stand."""
import pathlib

FILES = pathlib.Path(__file__).parent / "files"

# (page or "" for all, pattern, replacement), in this order.
PLACEHOLDERS = [
    ("", r"MAPPING MAPPING \.\.\.", "ls bv1"),
    ("", r" \[FOLDER\]", ""),
    ("docs/extending/adding-a-parameter.md", r"--chip FILE", "--chip my.yaml"),
    ("docs/studies.md", r"--rules R --traffic T\b", "--rules my.rules --traffic gen:"),
    ("docs/extending/adding-an-algorithm.md", r"packet N\b", "packet 40"),
    ("docs/extending/adding-an-algorithm.md", r"NAME --from", "two-stages --from"),
    ("", r"RUN\.json", "run.json"),
    ("", r"--cfg ENGINE", "--cfg 1"),
    ("", r"packet N MAPPING", "packet 40 bv1"),
    ("", r"\bMAPPING\b", "bv1"),
    ("", r"\bFILE\.(c|s|o)\b", r"program.\1"),
    ("", r"exec FILE\b", "exec program.c"),
    ("", r"\bA\.json B\.json\b", "a.json b.json"),
    ("", r"diff FILE$", "diff two.json"),
    ("docs/studies.md", r"^nplab study NAME$", "nplab study tuples"),
    ("", r"tuple-sets FILE\.\.\.", "tuple-sets my.rules"),
    ("", r"--updates SPEC", "--updates gen:count=100"),
    ("", r"--profile-out P\b", "--profile-out p"),
    ("", r"\bCOMMAND\b", "run"),
    ("", r"new algorithm NAME", "new algorithm first-match"),
    ("", r"new mapping NAME --from M\b", "new mapping first --from bv1"),
    ("", r"new unit NAME", "new unit slow-memory"),
    ("", r"schema KIND --page FILE", "schema chip --page docs/chip-file.md"),
    ("", r"explain NAME", "explain aborted"),
    ("", r"--(json|dot|svg|csv|html) FILE", r"--\1 written"),
    ("", r" \.\.\.$", ""),
]

# Commands that are looked up in --help, with their options, and not run; and why.
NOT_RUN = [
    (r"^nplab test\b", "runs this suite"),
    (r"sram\.burst_pause", "the parameter that the page adds"),
    (r"^nplab soak bv1$", "10 million packets; soak_tests.cpp runs short ones"),
    (r"^nplab (run|show|check) first-match|--from first-match|first-match --rules|packet 40 first-match",
     "needs a build with the new algorithm: new_tests.cpp has it"),
    (r"^nplab study calibration$", "hours; calibration_tests.cpp runs its quick form"),
    (r"--unit NAME=", "needs the unit's library: package_tests.cpp builds one and runs this"),
    (r"--for 2h", "two hours; soak_tests.cpp runs short ones"),
    (r"^nplab cc (-Rpass|-S|--report|-O published)$|^nplab (cc|as|objdump|exec|report)$", "an option or a name, not a call"),
]

# Not run without --full: over 20 s, or over 5 s and run by another test.
LONG = [
    (r"^nplab bench (prediction|placements|activity|queues|compiler)\b", "minutes"),
    (r"^nplab bench match-engine(?!.*(--drawing|--packets))", "minutes; match_run_tests.cpp runs short ones"),
    (r"^nplab study\b", "10 s and more; study_tests.cpp runs the studies' quick form"),
]

# Without --full: (pattern, replacement). No text of a page depends on these lengths.
SHORTER = [
    (r"^(nplab (?:run|compare|trace packet \d+) (?!.*--packets).*)$", r"\1 --packets 200"),
    (r"^(nplab bench builders)$", r"\1 --count 200"),
]

# Commands that serve until they are stopped: served.py fetches their page and stops them.
SERVERS = [
    (r"^nplab view\b(?!.*--help)", "a page for the browser"),
]

# Exit statuses that a page's text does not show.
STATUS = [
    (r"^nplab lab check", 1),  # the starting files do not pass
]

# What a page that names a file expects to be there: (pattern in the page, command).
PREPARATION = [
    (r"\bt\.pcap", "python3 capture.py"),
    (r"real\.rules", "nplab rules --generate acl --count 200 --out real.rules"),
    (r"my\.pcap", "nplab traffic --generate my.rules --count 200 --out my.pcap"),
    (r"\b(run|RUN)\.json", "nplab run bv1 --packets 500 --quiet --json run.json"),
    (r"\b[bB]\.json", "nplab run bv1 --packets 500 --quiet --json b.json"),
    (r"\bA\.json", "nplab run bv1 --packets 500 --quiet --json a.json"),
    (r"diff FILE\b", "nplab compare ls bv1 --packets 200 --quiet --json two.json"),
    (r"FILE\.o", "nplab cc program.c -o program.o"),
]
