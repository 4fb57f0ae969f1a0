# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What scripts/matrix knows of each tool: tests/TOOL/matrix.txt (how it runs on each kernel) and tests/TOOL/verifier.txt (what its
programs cost the verifier), written from the results of guests or compared with them. Only the kernels that ran, and the
tools that were asked for, are compared; the other lines stay as they are. With --table, the table of all tools, in Markdown."""
import argparse
import json
import pathlib
import re
import sys

TESTS = pathlib.Path('tests')
GROWTH = 1.10
HOSTS = {'full': 'as the host is', 'raw': 'raw tracepoints alone'}
LINE = re.compile(r'(?P<host>[^,]+), (?P<kernel>\d[\w.-]*): (?P<state>full|degraded|no)\b(?P<rest>.*)')
KNOWN = re.compile(r'; (\d+) of (\d+) (known|quick) answers$')
HEAD = '# How {} runs on each kernel, and how many known answers were right; written by scripts/matrix --update.\n'
TABLE_HEAD = """# What runs where

A cell says how the tool runs, on the host as it is and on one that permits raw tracepoints alone, and how many known answers
of the live tests were right; of the quick ones, on kernels that only their names choose. tests/TOOL/matrix.txt has more: the
variants of its hooks, what a degraded run lacks, the sentence of a refusal.
"""


def version(kernel):
    """Those of the cloud's flavour first."""
    series, _, flavour = kernel.partition('-')
    return flavour, [int(part) for part in series.split('.')]


def doctor_rows(path):
    with open(path) as file:
        return [row for row in map(json.loads, file) if row.get('type') == 'event']


def has_tools(directory, host):
    path = directory / f'results/doctor.{host}'
    return path.exists() and any(row['about'] == 'tool' for row in doctor_rows(path))


def release_of(directory):
    return next(row['detail'] for row in doctor_rows(directory / 'results/doctor.full') if row['name'] == 'kernel')


def answers_of(path):
    """{(tool, host): [right, all]} from the lines "TOOL/NAME (PLACE) (HOST)   ok"."""
    counts = {}
    for line in path.read_text().splitlines():
        match = re.match(r'(\S+)/\S+((?: \(\S+\))*) +(ok|FAILED|skipped)\b', line)
        if match:
            count = counts.setdefault((match[1], 'raw' if '(raw)' in match[2] else 'full'), [0, 0])
            count[0] += match[3] == 'ok'
            count[1] += 1
    return counts


def lines_of(directory, kernel, tools, quick):
    """What happened on one kernel: (tool, line of its matrix.txt)."""
    answers = answers_of(directory / 'answers')
    for host, title in HOSTS.items():
        for row in doctor_rows(directory / f'results/doctor.{host}'):
            if row['about'] != 'tool' or tools and row['name'] not in tools:
                continue
            right, count = answers.get((row['name'], host), (0, 0))
            known = f"; {right} of {count} {'quick' if quick else 'known'} answers" if count else ''
            yield row['name'], f"{title}, {kernel}: {row['status']}: {row['detail']}{known}"


def read_lines(path):
    return [line for line in path.read_text().splitlines() if LINE.match(line)] if path.exists() else []


def write_lines(path, lines):
    order = sorted(lines, key=lambda line: (LINE.match(line)['host'], version(LINE.match(line)['kernel'])))
    path.parent.mkdir(exist_ok=True)
    path.write_text('\n'.join([HEAD.format(path.parent.name) + order[0], *order[1:]]) + '\n')


def table():
    """The table of all tools, from the files of their rooms."""
    found = [LINE.match(line).groupdict() | {'tool': path.parent.name}
             for path in sorted(TESTS.glob('*/matrix.txt')) for line in read_lines(path)]
    kernels = sorted({one['kernel'] for one in found}, key=version)
    cells = {}
    for one in found:
        known = KNOWN.search(one['rest'])
        answers = f", {known[1]}/{known[2]}{' quick' * (known[3] == 'quick')}" if known else ''
        cells[one['tool'], one['host'], one['kernel']] = one['state'] + answers
    text = TABLE_HEAD + f"\n| tool | host | {' | '.join(kernels)} |\n|---|---|{'---|' * len(kernels)}\n"
    for tool, host in dict.fromkeys((one['tool'], one['host']) for one in found):
        row = [cells.get((tool, host, kernel), '') for kernel in kernels]
        text += f"| `{tool}` | {host} | {' | '.join(row)} |\n"
    return text


def compare_tool(path, new, results, update, quick):
    old = read_lines(path)
    if quick and not update:
        old, new = ([KNOWN.sub('', line) for line in lines] for lines in (old, new))
    kept = [line for line in old if LINE.match(line)['kernel'] not in results]
    if update and kept + new:
        write_lines(path, kept + new)
    elif update:
        path.unlink()
    if update:
        return []
    wrong = [f'{path}: not so any more:\n  {line}' for line in old if line not in new and line not in kept]
    return wrong + [f'{path}: not recorded:\n  {line}' for line in new if line not in old]


def compare_matrix(results, tools, update, quick):
    new = {}
    for kernel, directory in results.items():
        for tool, line in lines_of(directory, kernel, tools, quick):
            new.setdefault(tool, []).append(line)
    wrong = []
    for tool in sorted(new.keys() | {path.parent.name for path in TESTS.glob('*/matrix.txt')}):
        if not tools or tool in tools:
            wrong += compare_tool(TESTS / tool / 'matrix.txt', new.get(tool, []), results, update, quick)
    return wrong


def read_costs(path):
    """{(program, kernel): instructions} from a table with the kernels in its first row."""
    if not path.exists():
        return {}
    rows = [line.split() for line in path.read_text().splitlines() if line and not line.startswith('#')]
    kernels = rows[0][1:]
    return {(row[0], kernel): int(cell) for row in rows[1:] for kernel, cell in zip(kernels, row[1:]) if cell != '-'}


def write_costs(path, costs):
    kernels = sorted({kernel for _, kernel in costs}, key=version)
    programs = sorted({program for program, _ in costs})
    width = max(map(len, programs))
    text = '# Instructions that the verifier processed (its limit is 1000000); written by scripts/matrix --update.\n'
    columns = {kernel: max(8, len(kernel) + 2) for kernel in kernels}
    text += 'program'.ljust(width) + ''.join(kernel.rjust(columns[kernel]) for kernel in kernels) + '\n'
    for program in programs:
        cells = (str(costs.get((program, one), '-')).rjust(columns[one]) for one in kernels)
        text += program.ljust(width) + ''.join(cells) + '\n'
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def costs_of(results):
    """{tool: {(program, kernel): instructions}}"""
    tools = {}
    for kernel, directory in results.items():
        for host in HOSTS:
            for row in doctor_rows(directory / f'results/doctor.{host}'):
                if row['about'] == 'program' and row['verified_insns'] is not None:
                    costs = tools.setdefault(row['name'], {})
                    key = row['program'], kernel
                    costs[key] = max(costs.get(key, 0), row['verified_insns'])
    return tools


def compare_costs(results, tools, update):
    wrong = []
    costs = costs_of(results)
    for tool in sorted(costs.keys() | {path.parent.name for path in TESTS.glob('*/verifier.txt')}):
        if tools and tool not in tools:
            continue
        path, new = TESTS / tool / 'verifier.txt', costs.get(tool, {})
        old = read_costs(path)
        kept = {key: cost for key, cost in old.items() if key[1] not in results}
        if update and kept | new:
            write_costs(path, kept | new)
        elif update:
            path.unlink()
        if update:
            continue
        for (program, kernel), cost in sorted(new.items()):
            was = old.get((program, kernel))
            if was is None:
                wrong.append(f'{path}: {program} on {kernel} is not recorded: {cost} instructions')
            elif cost > was * GROWTH:
                wrong.append(f'{path}: {program} on {kernel} grew from {was} to {cost} instructions, above 10 %')
        gone = old.keys() - new.keys() - kept.keys()
        wrong += [f'{path}: {program} is recorded but is not loaded on {kernel}' for program, kernel in sorted(gone)]
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--update', action='store_true')
    parser.add_argument('--quick', action='store_true', help='only a part of the live tests ran')
    parser.add_argument('--tool', action='append', default=[])
    parser.add_argument('--table', action='store_true', help='only print the table')
    parser.add_argument('out', type=pathlib.Path, nargs='?')
    parser.add_argument('kernels', nargs='*')
    asked = parser.parse_args()
    if asked.table:
        print(table(), end='')
        return
    unknown = [one for one in asked.kernels if not re.fullmatch(r'\d+(\.\d+)?(-[a-z][\w-]*)?', one)]
    if unknown:
        sys.exit(f'matrix: the tables are of series such as 6.1 or 7-arm64, not {unknown[0]}')
    results = {kernel: asked.out / kernel for kernel in asked.kernels}
    if asked.quick and asked.update and any(re.fullmatch('[0-9.]+', one) for one in asked.kernels):
        sys.exit('matrix: the quick tests are not enough for the tables of these kernels')
    missing = [kernel for kernel, directory in results.items() if not all(has_tools(directory, host) for host in HOSTS)]
    for kernel in missing:
        print(f'matrix: nothing to compare from kernel {kernel}: its doctor named no tool')
        del results[kernel]
    wrong = compare_matrix(results, asked.tool, asked.update, asked.quick) + compare_costs(results, asked.tool, asked.update)
    for one in wrong:
        print(one)
    if wrong:
        print('matrix: this was with', ', '.join(release_of(directory) for directory in results.values()))
    if not wrong and results:
        print(f"matrix: tests/TOOL/matrix.txt and verifier.txt {'written' if asked.update else 'hold'} for {' '.join(results)}")
    sys.exit(1 if wrong or missing else 0)


main()
