#!/usr/bin/env python3
"""Runs a folder of conformance cases with `quarry sql --batch` and tells the share that passes, per group.

    scripts/conformance.py FOLDER [--home HOME] [--quarry BINARY] [--show N] [--group NAME]

A folder holds `*.jsonl` files, one case a line, in one of two shapes:

- `{"sql": …, "dialect": …}`: passes when it runs; there is nothing to compare with. A value for `{{name}}` is taken from
  `parameters` of the case, else it is 1.
- `{"query": …, "expected": …, "setup": […], "ordered": …, "tier": …}`: HiveQL; passes when its rows are the expected ones,
  in their order when `ordered`, else in any. Parquet files in `base/` are attached under their names.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys


def questions(case):
    """The line that asks for a case."""
    if "sql" in case:
        names = re.findall(r"\{\{\s*([\w .-]+?)\s*\}\}", case["sql"])
        return {"kind": "SQL", "text": case["sql"], "parameters": case.get("parameters", {n: 1 for n in names})}
    script = [text.rstrip().rstrip(";") for text in [*case.get("setup", []), case["query"]]]
    return {"kind": "HIVE", "text": ";\n".join(script)}


def hive_cell(cell):
    """A cell as Hive prints it."""
    if cell is None:
        return "NULL"
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, (dict, list)):
        return json.dumps(cell, separators=(",", ":"), ensure_ascii=False)
    return str(cell)


def same_cell(ours, theirs):
    """Whether two printed cells are the same value: numbers are compared as numbers."""
    if ours == theirs:
        return True
    try:
        a, b = float(ours), float(theirs)
    except ValueError:
        return False
    return a == b or abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def same_rows(ours, theirs, ordered):
    """Whether two lists of rows are the same."""
    if len(ours) != len(theirs):
        return False
    if not ordered:
        ours, theirs = sorted(ours), sorted(theirs)
    return all(
        len(a) == len(b) and all(same_cell(x, y) for x, y in zip(a, b)) for a, b in zip(ours, theirs)
    )


def expected_rows(case):
    """The expected rows as lists of printed cells."""
    rows = case["expected"]
    if isinstance(rows, str):
        rows = rows.split("\n") if rows else []
    return [row.split("\t") if isinstance(row, str) else [hive_cell(cell) for cell in row] for row in rows]


def judge(case, reply):
    """Why a case fails; None when it passes."""
    if "error" in reply:
        return reply["error"]
    if "sql" in case:
        return None
    ours = [[hive_cell(cell) for cell in row] for row in reply["rows"]]
    theirs = expected_rows(case)
    if same_rows(ours, theirs, case.get("ordered", False)):
        return None
    return f"{len(ours)} rows, expected {len(theirs)}: {ours[:2]} / {theirs[:2]}"


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", type=pathlib.Path)
    words.add_argument("--home", help="the home whose lake is queried")
    words.add_argument("--quarry", default="quarry", help="the binary")
    words.add_argument("--group", help="only cases of this tier or dialect")
    words.add_argument("--show", type=int, default=20, help="failures to show")
    words = words.parse_args()
    cases = []
    for file in sorted(words.folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            case = json.loads(line)
            case["place"] = case.get("name") or case.get("id") or f"{file.name}:{number}"
            case["group"] = str(case.get("tier") or case.get("dialect") or file.stem)
            if words.group in (None, case["group"]):
                cases.append(case)
    command = [words.quarry]
    if words.home:
        command += ["--home", words.home]
    command += ["sql", "--batch"]
    for file in sorted(words.folder.glob("base/*.parquet")):
        command += ["--attach", f"{file.stem}={file}"]
    lines = "".join(json.dumps(questions(case)) + "\n" for case in cases)
    run = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=False)
    replies = [json.loads(line) for line in run.stdout.splitlines()]
    if len(replies) != len(cases):
        sys.exit(f"{len(cases)} cases got {len(replies)} answers; {' '.join(command)} ended with {run.returncode}")
    passed, total, shown = collections.Counter(), collections.Counter(), 0
    for case, reply in zip(cases, replies):
        why = judge(case, reply)
        total[case["group"]] += 1
        passed[case["group"]] += why is None
        if why is not None and shown < words.show:
            shown += 1
            print(f"FAIL {case['place']}\n     {why}")
    for group, count in sorted(total.items()):
        print(f"{group}: {passed[group]} of {count} pass ({100 * passed[group] / count:.1f} %)")
    print(f"all: {passed.total()} of {total.total()} pass")


if __name__ == "__main__":
    main()
