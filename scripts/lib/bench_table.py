# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What scripts/bench knows of each tool: tests/TOOL/bench.txt, written from the rows of part peers (--update). It is what manuals and
README quote, which scripts/check-figures compares with it. With --table, the table of all tools, in Markdown.

Decisions. The figures are one file for each room, so that some tools can be measured alone, and a tool that is removed leaves nothing
behind. Manuals quote them and are compared: rejected are figures that the build puts into manuals, because those are also read as they
stand. A figure that a new run changes by less than 2 % stays as it is, or each run would change every manual. Of a peer, the row of the
newest Debian in which it starts stays. Rows that begin with what manuals said before there was a table have - for what they did not say. Nanoseconds, which are one machine's, are not kept: only instructions repeat."""
import argparse
import dataclasses
import pathlib

TESTS = pathlib.Path('tests')
SAME = 0.02
HEAD = """# What an operation of a workload costs, in instructions: alone, what the tool adds to it, and its programs' part of that, with 48 (fentry
# and fexit: 66) for each run of a program that the kernel counts; then ms of the guest until it is attached, and the most memory, in MiB.
# Written by scripts/bench peers --update; manuals quote it (scripts/check-figures). A row with - is of a run before there was this table, of
# which manuals kept the rest.
"""
COLUMNS = ('kernel', 'output', 'workload', 'untraced', 'added', 'BPF', 'runs', 'ms', 'MiB')


@dataclasses.dataclass
class Row:
    kernel: str
    output: str  # what the tool writes to: terminal, null
    workload: str
    untraced: float | None
    added: float | None
    bpf: float | None
    runs: float | None
    attach_ms: float | None
    mib: float | None
    ran: str  # "strata COMMAND", or "SUITE VERSION: COMMAND"

    def line(self):
        """Of a *.bench file."""
        suite, _, command = self.ran.partition(': ')
        return f'{suite.split()[0]} {command}' if command and not self.ran.startswith('strata ') else self.ran

    def key(self):
        return self.kernel, self.output, self.workload, self.line()

    def cells(self):
        numbers = zip((self.untraced, self.added, self.bpf, self.runs, self.attach_ms, self.mib), (0, 0, 1, 2, 0, 1))
        return [self.kernel, self.output, self.workload, *('-' if one is None else f'{one:.{digits}f}' for one, digits in numbers)]

    def figures(self):
        return [one for one in (self.untraced, self.added, self.bpf, self.bpf / self.runs if self.runs else None) if one is not None]

    def like(self, other):
        """Do they differ by what a run differs from the next one? What is added is a difference of two larger figures."""
        if None in (other.untraced, other.added, other.bpf, other.mib):
            return False
        return (abs(self.untraced - other.untraced) <= SAME * self.untraced and abs(self.bpf - other.bpf) <= SAME * self.bpf
                and abs(self.added - other.added) <= SAME * (self.untraced + self.added))


def read(path):
    rows = []
    for line in path.read_text().splitlines() if path.exists() else []:
        cells = line.split(None, len(COLUMNS))
        if not line.startswith('#') and cells[0] != COLUMNS[0]:
            rows.append(Row(*cells[:3], *(None if cell == '-' else float(cell) for cell in cells[3:-1]), cells[-1]))
    return rows


def write(path, rows):
    table = [list(COLUMNS), *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table)]
    text = HEAD
    for cells, ran in zip(table, ['command', *(row.ran for row in rows)]):
        text += ' '.join(cell.ljust(width) if n < 3 else cell.rjust(width) for n, (cell, width) in enumerate(zip(cells, widths))) + f'  {ran}\n'
    path.write_text(text)


def planned(room):
    """The lines of its *.bench files, in their order."""
    return [' '.join(line.split()) for path in sorted(room.glob('*.bench')) for line in path.read_text().splitlines()]


def measured(kernel, output, out, tree):
    """(bench, row) of what a guest printed for each line of its plan; none for what did not start. A named device makes the guest wait for
    the host: that is no figure of instructions."""
    said = (out / f'{tree}.rows').read_text().splitlines()
    versions = {words[2]: words[3] for words in map(str.split, said) if words[0] == 'version' and len(words) > 3}
    for plan, line in zip((out / f'{tree}.plan').read_text().splitlines(), said):
        bench, suite, _, _, _, where, command = plan.split('\t')
        words = line.split()
        if words[3] != 'row':
            continue
        untraced, traced, bpf, runs, attach_ms, _, kib = map(float, words[4:])
        ran = command if suite == 'strata' else f'{suite} {versions.get(suite, "-")}: {command}'
        alone = None if where != '-' else untraced
        yield bench, Row(kernel, output, words[2], alone, None if alone is None else traced - untraced, bpf, runs, attach_ms, kib / 1024, ' '.join(ran.split()))


def update(kernel, output, out, trees):
    new = {}
    for tree in trees:
        for bench, row in measured(kernel, output, out, tree):
            for path in TESTS.glob(f'*/{bench}.bench'):
                new.setdefault(path.parent, {})[row.key()] = row
    for room, rows in sorted(new.items()):
        known = {row.key(): row for row in read(room / 'bench.txt')}
        for key, row in rows.items():
            if key not in known or not row.like(known[key]) or row.ran != known[key].ran:
                known[key] = row
        order = planned(room)
        kept = [row for row in known.values() if row.line() in order]
        write(room / 'bench.txt', sorted(kept, key=lambda row: (row.kernel, row.output, row.workload, order.index(row.line()))))
        print(f'bench: {room}/bench.txt is written')


def table():
    text = f'| tool | {" | ".join(COLUMNS)} | command |\n|---|{"---|" * len(COLUMNS)}---|\n'
    for path in sorted(TESTS.glob('*/bench.txt')):
        for row in read(path):
            text += f'| {path.parent.name} | {" | ".join(row.cells())} | `{row.ran.replace("|", chr(92) + "|")}` |\n'
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--update', nargs='+', metavar=('KERNEL OUTPUT DIRECTORY', 'TREE'))
    parser.add_argument('--table', action='store_true')
    asked = parser.parse_args()
    if asked.update:
        kernel, output, out, *trees = asked.update
        update(kernel, output, pathlib.Path(out), trees)
    if asked.table:
        print(table(), end='')


if __name__ == '__main__':
    main()
