#!/usr/bin/env python3
"""Runs a folder of conformance cases with `quarry sql --batch` and tells the share that passes, per group.

    scripts/conformance.py FOLDER [--home HOME] [--quarry BINARY] [--show N] [--group NAME]

Every `*.jsonl` file in the folder and in the folders below it holds one case a line, in one of these shapes:

- `{"sql": …, "dialect": …}`: a query of SQL; passes when it runs, or, when the case has `expected` rows, when its rows are
  these. A value for `{{name}}` is taken from `parameters` of the case, else it is 1. The dialects `spark` and `hive` are
  taken for HiveQL.
- `{"query": …, "expected": …, "setup": […], "ordered": …, "tier": …}`: HiveQL; passes when its rows are the expected ones,
  in their order when `ordered` (rows with equal keys of ORDER BY in any), else in any. Parquet files in `base/` beside the
  file are attached under their names.
- `{"query": …, "graph": …, "params": …, "expect": {"kind": …, "rows": …, "ordered": …}}`: openCypher on a small graph;
  passes when its rows, or that it fails, are what is expected.
"""

import argparse
import collections
import json
import math
import pathlib
import re
import subprocess
import sys

from cypher_values import answered, form, written


def question(case):
    """The line that asks for a case."""
    if "graph" in case:
        parameters = {name: written(value) for name, value in case.get("params", {}).items()}
        asked = {"kind": "GRAPH", "text": case["query"], "parameters": parameters}
        return {**asked, "graph": graph(case["graph"] or {})}
    if "sql" in case and case.get("dialect") not in ("spark", "hive"):
        names = re.findall(r"\{\{\s*([\w .-]+?)\s*\}\}", case["sql"])
        return {"kind": "SQL", "text": case["sql"], "parameters": case.get("parameters", {n: 1 for n in names})}
    text = case.get("query", case.get("sql", ""))
    script = [part.rstrip().rstrip(";") for part in [*case.get("setup", []), text]]
    return {"kind": "HIVE", "text": ";\n".join(script)}


def graph(given):
    """A graph of a case, whose parts may go by short names, as the command takes it."""
    names = {"props": "properties", "src": "source", "dst": "target"}
    return {
        kind: [{names.get(name, name): value for name, value in part.items()} for part in given.get(kind, [])]
        for kind in ("nodes", "edges")
    }


def hive_cell(cell):
    """A cell as Hive prints it."""
    if cell is None:
        return "NULL"
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, (dict, list)):
        return json.dumps(cell, separators=(",", ":"), ensure_ascii=False)
    return str(cell)


def bytes_of(text):
    """The bytes that a cell of a binary column shows as hex; None when it is no such cell."""
    try:
        return bytes.fromhex(text[2:]) if text.startswith("0x") else None
    except ValueError:
        return None


def parts(text):
    """A printed array, map or struct as values that compare; None when the text is none."""
    if text[:1] not in ("[", "{"):
        return None
    try:
        return value_of(json.loads(text))
    except ValueError:
        return None


def value_of(part):
    """A part of a printed array: numbers as numbers, a map as a map however it is written."""
    if part in ([], {}):
        return []  # A map without entries is written like an array.
    if isinstance(part, list):
        if part and all(isinstance(entry, dict) and set(entry) == {"key", "value"} for entry in part):
            return {str(entry["key"]): value_of(entry["value"]) for entry in part}
        return [value_of(item) for item in part]
    if isinstance(part, dict):
        return {name: value_of(member) for name, member in part.items()}
    if isinstance(part, (int, float, str)) and not isinstance(part, bool):
        try:
            return float(part)
        except ValueError:
            return part
    return part


def same_cell(ours, theirs):
    """Whether two printed cells are the same value: numbers are compared as numbers, bytes as bytes."""
    if ours == theirs or ours.rstrip(" ") == theirs.rstrip(" "):
        return True
    shown = bytes_of(ours)
    if shown is not None and shown.decode("utf-8", "replace") == theirs:
        return True
    whole = parts(ours)
    if whole is not None and whole == parts(theirs):
        return True
    try:
        a, b = float(ours), float(theirs)
    except ValueError:
        return False
    return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def key(row):
    """What rows in any order are put in order by: bytes and numbers have one form."""
    def form(cell):
        shown = bytes_of(cell)
        if shown is not None:
            return shown.decode("utf-8", "replace")
        if parts(cell) is not None:
            return json.dumps(parts(cell))
        try:
            return f"{float(cell):.9g}"
        except ValueError:
            return cell.rstrip(" ")

    return [form(cell) for cell in row]


def same_rows(ours, theirs, ordered):
    """Whether two lists of rows are the same."""
    if len(ours) != len(theirs):
        return False
    if not ordered:
        ours, theirs = sorted(ours, key=key), sorted(theirs, key=key)
    return all(
        len(a) == len(b) and all(same_cell(x, y) for x, y in zip(a, b)) for a, b in zip(ours, theirs)
    )


def same_but_for_ties(columns, text, ours, theirs):
    """Whether two lists of rows are the same and in the order of the columns that ORDER BY names, which may leave ties."""
    order = re.split(r"\border\s+by\b", text, flags=re.IGNORECASE)[-1]
    keys = re.split(r"\blimit\b", order, flags=re.IGNORECASE)[0].split(",")
    names = [key.split()[0].lower() for key in keys if key.strip()]
    if not names or any(name not in columns for name in names) or not same_rows(ours, theirs, False):
        return False
    places = [columns.index(name) for name in names]
    keys = [[[row[place] for place in places] for row in rows] for rows in (ours, theirs)]
    return same_rows(*keys, True)


def expected_rows(case):
    """The expected rows as lists of printed cells."""
    rows = case["expected"]
    if isinstance(rows, str):
        rows = rows.split("\n") if rows else []
    # What a hook of Hive's tests said of its stages is no row.
    rows = [row for row in rows if not (isinstance(row, str) and re.fullmatch(r"RUN: Stage-\d+:\w+", row))]
    return [row.split("\t") if isinstance(row, str) else [hive_cell(cell) for cell in row] for row in rows]


def judge(case, reply):
    """Why a case fails; None when it passes."""
    wanted = case.get("expect", {})
    if wanted.get("kind", "rows") != "rows":
        return None if "error" in reply else "it runs, and should fail"
    if "error" in reply:
        return reply["error"]
    if "expected" not in case and not wanted:
        return None
    if wanted:
        ours = [[form(answered(cell)) for cell in row] for row in reply["rows"]]
        theirs = [[form(written(cell)) for cell in row] for row in wanted["rows"]]
        if ours == theirs or (not wanted.get("ordered") and sorted(ours) == sorted(theirs)):
            return None
        return f"{len(ours)} rows, expected {len(theirs)}: {ours[:12]} / {theirs[:12]}"
    ours = [[hive_cell(cell) for cell in row] for row in reply["rows"]]
    theirs, ordered = expected_rows(case), case.get("ordered", False)
    if same_rows(ours, theirs, ordered):
        return None
    if ordered and same_but_for_ties(reply["columns"], case["query"], ours, theirs):
        return None
    return f"{len(ours)} rows, expected {len(theirs)}: {ours[:2]} / {theirs[:2]}"


def read(folder, only):
    """The cases of a folder by the folder that their tables lie in."""
    by_place = collections.defaultdict(list)
    for file in sorted(folder.rglob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            case = json.loads(line)
            case["place"] = case.get("name") or case.get("id") or f"{file.name}:{number}"
            kind = "cypher" if "graph" in case else file.stem if "query" in case and "tier" not in case else None
            case["group"] = str(case.get("tier") or kind or case.get("dialect") or file.stem)
            if only in (None, case["group"]):
                by_place[file.parent].append(case)
    return by_place


def ask(words, place, cases):
    """The answers to the cases of one folder."""
    command = [words.quarry]
    if words.home:
        command += ["--home", words.home]
    command += ["sql", "--batch"]
    for file in sorted(place.glob("base/*.parquet")):
        command += ["--attach", f"{file.stem}={file}"]
    lines = "".join(json.dumps(question(case)) + "\n" for case in cases)
    run = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=False)
    replies = [json.loads(line) for line in run.stdout.splitlines()]
    if len(replies) != len(cases):
        sys.exit(f"{len(cases)} cases got {len(replies)} answers; {' '.join(command)} ended with {run.returncode}")
    return replies


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", type=pathlib.Path)
    words.add_argument("--home", help="the home whose lake is queried")
    words.add_argument("--quarry", default="quarry", help="the binary")
    words.add_argument("--group", help="only cases of this tier or dialect")
    words.add_argument("--show", type=int, default=20, help="failures to show")
    words = words.parse_args()
    passed, total, shown = collections.Counter(), collections.Counter(), 0
    asked = ((case, reply) for place, cases in read(words.folder, words.group).items()
             for case, reply in zip(cases, ask(words, place, cases)))
    for case, reply in asked:
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
