"""Runs programs with limits of time, and keeps what came of each."""

import os
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from programs import OUTPUT, ROOT

LINES_KEPT = 15
START = time.monotonic()


def say(text):
    print(f"[{time.monotonic() - START:6.1f} s] {text}", flush=True)


class Clock:
    """What is left of the seconds that all steps have together, and of those of one step."""

    def __init__(self, seconds, parent=None):
        self.end = time.monotonic() + seconds
        if parent is not None:
            self.end = min(self.end, parent.end)

    def left(self):
        return self.end - time.monotonic()


def environment(more=None):
    found = dict(os.environ, RADDLE_ROOT=str(ROOT))
    libraries = [str(OUTPUT / "lib"), "/usr/local/cuda/lib64", found.get("LD_LIBRARY_PATH", "")]
    found["LD_LIBRARY_PATH"] = ":".join(part for part in libraries if part)
    found.update(more or {})
    return found


def run(name, command, seconds, clock, more=None):
    """{name, exit, seconds, output}; exit is "timeout", "signal N", "not run" or a number."""
    seconds = min(seconds, clock.left())
    if seconds < 1:
        return {"name": name, "exit": "not run", "seconds": 0, "output": ""}
    began = time.monotonic()
    words = [str(word) for word in command]
    if not words[0].endswith("ncu"):  # which loads libraries into programs by the same means
        words = ["stdbuf", "-oL", *words]  # what a program printed before it crashed is there
    with tempfile.TemporaryFile() as output:
        # A session of its own, so that what the program started ends with it.
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                   env=environment(more), cwd=ROOT, start_new_session=True)
        try:
            code = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = "timeout"
        output.seek(0)
        lines = output.read().decode(errors="replace").splitlines()
    if isinstance(code, int) and code < 0:
        code = f"signal {-code}"
    return {"name": name, "exit": code, "seconds": round(time.monotonic() - began, 2),
            "output": "\n".join(line[:300] for line in lines[-LINES_KEPT:])}


def run_all(commands, jobs, seconds, clock):
    """Runs (name, command, environment), `jobs` side by side."""
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda one: run(one[0], one[1], seconds, clock, one[2]), commands))
