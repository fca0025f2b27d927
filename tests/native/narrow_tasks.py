"""The workload `tasks` on a real GPU: what is run there, and its times as one file."""

import json

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
