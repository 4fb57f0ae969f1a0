#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Prints a program that asks for each field and enumerator that vmlinux/ declares, also those that no tool reads yet:
what no kernel has is a slip of the pen. Each question stands on the declaration's own line of source.

    tests/lib/btf/declared.py CLANG FLAGS...    as the programs are compiled
"""
import json
import pathlib
import subprocess
import sys

FIRST = "core.h"  # the others build on it

headers = [FIRST] + sorted(path.name for path in pathlib.Path("vmlinux").glob("*.h") if path.name != FIRST)
includes = "".join(f'#include "{name}"\n' for name in headers)


def parse(clang, flags):
    command = [clang, *flags, "-fsyntax-only", "-Xclang", "-ast-dump=json", "-x", "c", "-"]
    run = subprocess.run(command, input=includes, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"declared.py: vmlinux/ does not compile:\n{run.stderr}")
    return json.loads(run.stdout)


def place(node, last):
    """clang names a file or line only where it differs from the one before, in the order of its output."""
    for key in ("loc", "range"):
        spots = [node.get(key, {})] if key == "loc" else [node.get(key, {}).get(end, {}) for end in ("begin", "end")]
        for spot in spots:
            for part in (spot.get("spellingLoc"), spot.get("expansionLoc"), spot):
                if part:
                    last.update({name: part[name] for name in ("file", "line") if name in part})
        if key == "loc":
            node["at"] = (last.get("file", ""), last.get("line", 0))
    for inner in node.get("inner", []):
        place(inner, last)


def fields(record, before=""):
    """(path, place) of each field; an anonymous struct is declared just before the field that it is the type of."""
    nested = None
    for node in record.get("inner", []):
        if node["kind"] == "RecordDecl":
            nested = None if "name" in node else node
        if node["kind"] != "FieldDecl":
            continue
        if "name" in node:
            yield before + node["name"], node["at"]
        if nested:
            element = "[0]" if node["type"]["qualType"].endswith("]") else ""
            yield from fields(nested, before + node["name"] + element + "." if "name" in node else before)
        nested = None


def questions(tree):
    for node in tree["inner"]:
        kinds = [inner["kind"] for inner in node.get("inner", [])]
        ours = pathlib.Path(node["at"][0]).parts[:1] == ("vmlinux",)
        if node["kind"] == "RecordDecl" and ours and node.get("completeDefinition"):
            if "BPFPreserveAccessIndexAttr" not in kinds:
                at = "{}:{}".format(*node["at"])
                sys.exit(f"{at}: struct {node['name']} is not CORE: it would be read at its place here")
            for path, at in fields(node):
                yield at, f"bpf_core_field_exists((({node['tagUsed']} {node['name']} *)0)->{path})"
        if node["kind"] == "EnumDecl" and ours and "name" in node:
            for one in node["inner"]:
                if one["kind"] == "EnumConstantDecl":
                    yield one["at"], f"bpf_core_enum_value_exists(enum {node['name']}, {one['name']})"


tree = parse(sys.argv[1], sys.argv[2:])
place(tree, {})
print(includes)
for number, ((file, line), question) in enumerate(questions(tree)):
    print(f'#line {line} "{file}"\nSEC("raw_tp") int declared_{number}(void *ctx) {{ return {question}; }}')
