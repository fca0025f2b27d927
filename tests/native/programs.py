"""What runs natively, and how: the test programs, and the workloads with their arguments."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "build" / "native"

# What says something of the simulator alone, so that hardware has no answer to it.
SKIPPED = {
    "bank_width": "of Kepler alone, whose banks can be 8 bytes wide",
    "device_limits": "its limits are settings of the simulated GPU",
    "device_stray_store": "the simulator finds stores that hardware lets pass",
    "device_synchronize": "sm_90 has no cudaDeviceSynchronize in kernels",
    "driver_link": "links the device runtime of CUDA 11, which the driver has not",
    "matrix_in_group": "sums as a V100's tensor cores round them",
    "memory_protection": "the simulator finds accesses that hardware lets pass",
    "no_device_launch": "for a GPU without launches by kernels",
    "null_arguments": "calls everything with zeros, which NVIDIA's libraries do not promise to stand",
    "texture_references": "CUDA 12 has no texture references",
    "virtual_pool": "CUDA 12 has no virtual pool of launches",
}

# What measures time, takes most of the memory or sets limits: nothing else runs meanwhile.
ALONE = {
    "clocks", "copy_overlap", "device_heap", "device_properties", "device_reset", "event_timing",
    "launch_pool", "memory_pool", "nearly_full", "small_copies", "stream_priority", "warp_slots",
}

TEST_FOLDERS = ("tests/programs", "tests/mechanisms/cdp", "tests/mechanisms/dtbl")

# Options for one architecture: all is built for that of the hardware.
ARCHITECTURE = re.compile(r"-arch=\S+|-gencode \S+")


def header(source, name):
    """The words of a line "// NAME: WORDS" of the program."""
    found = re.search(rf"^// {name}: (.*)$", source, re.MULTILINE)
    return found.group(1).strip() if found else ""


class Test:
    def __init__(self, path):
        self.path = path
        self.name = path.stem
        text = path.read_text()
        options = header(text, "cc") + " " + header(text, "nvcc")
        self.options = ARCHITECTURE.sub("", options).split()
        # Texts of the simulator's own, which NVIDIA's libraries do not print, are not looked for.
        self.options.append("-DON_HARDWARE")
        self.skipped = SKIPPED.get(self.name, "")
        self.alone = self.name in ALONE


def tests():
    found = []
    for folder in TEST_FOLDERS:
        for path in sorted((ROOT / folder).glob("*.cu")):
            found.append(Test(path))
    return found


class Workload:
    def __init__(self, folder):
        self.folder = folder
        self.name = folder.name
        about = tomllib.loads((folder / "workload.toml").read_text())
        # No GPU has the worklists in hardware.
        self.variants = [one for one in about.get("variants", []) if one != "hardware"]
        self.options = ["-DRADDLE_NO_HARDWARE_WORKLIST"]
        self.arguments = about.get("arguments", [])
        self.arguments_full = about.get("arguments_full", [])
        self.inputs = about.get("inputs", [])
        self.launches = "dynamic_variant.h" in "".join(self.sources(folder))

    @staticmethod
    def sources(folder):
        """With what they include of other workloads."""
        own = [path.read_text() for path in folder.glob("*.cu*")]
        others = set(re.findall(r'#include "(\w+)/\w+\.cuh"', "".join(own))) - {"common", folder.name}
        return own + [path.read_text() for other in others
                      for path in (folder.parent / other).glob("*.cuh")]

    def runs(self):
        """(label, arguments): each variant as by default and in full, and every input once."""
        if self.name in ("micro", "kernels", "tasks"):  # these have steps of their own
            return []
        found = []
        for variant in self.variants or [""]:
            chosen = ["--variant", variant] if variant else []
            for size, arguments in (("default", self.arguments), ("full", self.arguments_full)):
                found.append((f"{self.name}.{variant or 'only'}.{size}", chosen + arguments))
        readable = {path for path in self.inputs if path.startswith("graphs/")}
        for path in sorted(readable):
            found.append((f"{self.name}.input.{Path(path).stem}", ["--input", path]))
        return found


def workloads():
    found = []
    for description in sorted((ROOT / "workloads").glob("*/workload.toml")):
        found.append(Workload(description.parent))
    return found
