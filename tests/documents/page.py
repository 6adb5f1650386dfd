"""What a page has its reader do: files to write, commands to run, and what it shows of their output."""
import dataclasses
import re

COMMAND = re.compile(r"(\$ )?(source <\()?(\./)?nplab( |$)")
INLINE = re.compile(r"`(?:\$ )?((?:\./)?nplab\s[^`]+)`")


@dataclasses.dataclass
class File:
    line: int
    name: str
    text: str


@dataclasses.dataclass
class Command:
    line: int
    text: str
    comment: str = ""
    inline: bool = False   # within a sentence or a table: may be the bare name of a command
    shown: str = ""        # the output that a console block shows; `...` stands for any text
    output: str = None     # the complete output, from an `out` block


def split_comment(line):
    """`command  # comment`: a `#` after a space, outside of quotes."""
    for at in re.finditer(r"\s#", line):
        before = line[: at.start()]
        if before.count("'") % 2 == 0 and before.count('"') % 2 == 0:
            return before.rstrip(), line[at.end():].strip()
    return line.rstrip(), ""


def steps_of_block(kind, number, lines, steps):
    """A fenced block: `KIND NAME` is a file; `sh` or nothing, commands; `out`, the output of the command before it."""
    words = kind.split()
    text = "\n".join(lines) + "\n"
    if len(words) == 2:
        steps.append(File(number, words[1], text))
    elif words == ["out"]:
        steps[-1].output = text
    elif words in ([], ["sh"], ["console"]):
        steps_of_commands(number, lines, steps)


def steps_of_commands(number, lines, steps):
    shown = None   # the command whose output follows
    pending = None
    for offset, line in enumerate(lines):
        if pending is not None:
            pending.text = pending.text[:-1].rstrip() + " " + line.strip()
        elif COMMAND.match(line):
            shown = pending = Command(number + offset, line.removeprefix("$ "))
            steps.append(pending)
            if not line.startswith("$ "):
                shown = None
        elif shown is not None:
            shown.shown += line + "\n"
        if pending is not None and not pending.text.endswith("\\"):
            pending.text, pending.comment = split_comment(pending.text)
            steps += [Command(number + offset, "nplab " + found.removeprefix("./").removeprefix("nplab "), inline=True)
                      for found in re.findall(r"`((?:\./)?[a-z]+ [^`]+)`", pending.comment)]
            pending = None


def steps_of_page(text):
    """Files and commands, in the order of the page."""
    steps, prose, block, kind = [], [], None, ""

    def end_of_prose():
        for found in INLINE.finditer("\n".join(line for _, line in prose)):
            line = prose[found.string.count("\n", 0, found.start())][0]
            steps.append(Command(line, " ".join(found[1].split()), inline=True))
        prose.clear()

    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            if block is None:
                end_of_prose()
                block, kind, start = [], line.strip()[3:], number + 1
            else:
                steps_of_block(kind, start, block, steps)
                block = None
        elif block is None:
            prose.append((number, line))
        else:
            block.append(line)
    end_of_prose()
    return steps


def steps_of_help(text):
    """Lines of a help text that are commands: indented, with a remark after two spaces or more."""
    return [Command(number, re.split(r"\s{2,}", line.strip())[0])
            for number, line in enumerate(text.splitlines(), 1)
            if re.match(r"\s+nplab [a-z]", line)]
