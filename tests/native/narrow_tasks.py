"""The workload `tasks` on a real GPU: what is run there, and its times as one file.

  python3 tests/native/narrow_tasks.py tests/native/h200/tasks.json     prints them as tables
"""

import json
import sys
from math import exp, log
from pathlib import Path
from statistics import median

# The longest come last.
APPLICATIONS = ["mandelbrot", "sparse_lu", "dct", "convolution", "beamformer", "filterbank", "matmul",
                "mix", "packets"]

# Their results are compared with 512 tasks; with all of the paper's 32,000 the CPU would take minutes.
FULL = ["--count", "32768", "--repeat", "2", "--unchecked"]

# Threads of the CPU that are started.
POOL = ["--pool", "16"]


def runs(folder):
    """(label, arguments), the most wanted first."""
    found = []
    for app in APPLICATIONS:
        found.append((f"{app}.small", ["--count", "512", "--repeat", "9", *POOL], app))
    for transport in ("copies", "mapped"):
        found.append((f"stress.{transport}",
                      ["--transport", transport, "--count", "1000000"], "stress"))
    for count in (512, 8192):
        for app in APPLICATIONS[:-2]:
            found.append((f"{app}.without_copies_{count}",
                          ["--count", str(count), "--repeat", "5", "--copies", "none",
                           "--unchecked"], app))
    for app in APPLICATIONS:
        count = ["--count", "273000"] if app == "sparse_lu" else []
        found.append((f"{app}.full", [*FULL, *count], app))
    return [(label, ["--app", app, *arguments,
                     *([] if app == "stress" else
                       ["--variant", "all", "--json", str(folder / f"{label}.json")])])
            for label, arguments, app in found]


def gather(folder, output):
    """All times as {label: what the workload wrote}."""
    times = {}
    for path in sorted(folder.glob("*.json")):
        times[path.stem] = json.loads(path.read_text())
    output.write_text(json.dumps(times, indent=1) + "\n")


# --- tables ---


def medians(run):
    return {one["way"]: median(one["elapsed_us"]) for one in run["ways"]}


def mean(values):
    return exp(sum(map(log, values)) / len(values))


def speedups(runs, against):
    """[(way, speedups by application)], in the order of the first run."""
    names = list(dict.fromkeys(one["way"] for run in runs.values() for one in run["ways"]))
    times = {app: medians(run) for app, run in runs.items()}
    return [(name, {app: of[against] / of[name] for app, of in times.items() if name in of})
            for name in names]


def table(times, label):
    """Markdown: microseconds, and how much faster than over 32 streams."""
    runs = {one["app"]: one for name, one in times.items() if name.endswith("." + label)}
    runs = {app: runs[app] for app in APPLICATIONS if app in runs}
    took = {app: medians(run) for app, run in runs.items()}
    print(f"| {label}, us | " + " | ".join(f"{app} ({runs[app]['tasks']})" for app in runs)
          + " | over streams: mean | median | least | most |")
    print("|---|" + "--:|" * (len(runs) + 4))
    for name, faster in speedups(runs, "streams"):
        values = list(faster.values())
        cells = [f"{took[app][name]:.0f}" if name in took[app] else "" for app in runs]
        cells += [f"{value:.2f}" for value in (mean(values), median(values), min(values), max(values))]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print()


def main():
    about = json.loads(Path(sys.argv[1]).read_text())
    times = about.get("times", about)
    for label in dict.fromkeys(name.split(".")[1] for name in times):
        table(times, label)


if __name__ == "__main__":
    main()
