"""Counters of kernels, by Nsight Compute: each quantity of docs/fidelity-kernels.md."""

import shutil
from pathlib import Path

from processes import run, say

# GPU clocks stay as they are; caches are emptied before each kernel, as workloads/kernels does.
OPTIONS = ["--csv", "--page", "raw", "--print-units", "base",
           "--print-kernel-base", "mangled", "--clock-control", "none",
           "--cache-control", "all"]

# Those of one name and shape do the same: of many, some are enough.
FEW = ["--filter-mode", "per-launch-config", "--launch-count"]

LSU = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"
L2 = "lts__t_sectors_srcunit_tex"
METRICS = [
    "gpu__time_duration.sum", "sm__cycles_elapsed.max", "gpc__cycles_elapsed.max",
    "smsp__inst_executed.sum", "smsp__thread_inst_executed.sum",
    f"{LSU}.sum", f"{LSU}_lookup_hit.sum", f"{LSU}_lookup_miss.sum",
    f"{L2}_op_read.sum", f"{L2}_op_read_lookup_hit.sum", f"{L2}_op_read_lookup_miss.sum",
    f"{L2}_op_write.sum", "lts__t_sectors_srcunit_ltcfabric.sum",
    "dram__sectors_read.sum", "dram__sectors_write.sum",
    "smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_shared_atom.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "launch__registers_per_thread", "launch__occupancy_limit_registers",
]

# What there must be for a kernel to count at all.
LEAST = ["gpu__time_duration.sum", "sm__cycles_elapsed.max", "smsp__inst_executed.sum"]


def find():
    for place in (shutil.which("ncu"), "/usr/local/cuda/bin/ncu"):
        if place and Path(place).exists():
            return place
    found = sorted(Path("/opt/nvidia").glob("nsight-compute/*/ncu"))
    return str(found[-1]) if found else None


class Counters:
    def __init__(self, folder, clock):
        self.ncu = find()
        self.folder = folder
        self.metrics = list(METRICS)
        self.works = False
        self.log = []
        folder.mkdir(parents=True, exist_ok=True)
        if self.ncu is None:
            say("counters: there is no ncu")

    def command(self, name, launches, program):
        file = self.folder / f"{name}.csv"
        return [self.ncu, *OPTIONS, *FEW, launches, "--metrics", ",".join(self.metrics),
                "--log-file", file, *program]

    def probe(self, program, clock):
        """Finds out whether counters may be read, and leaves out what this GPU does not have."""
        if self.ncu is None:
            return
        for _ in range(6):
            file = self.folder / "probe.csv"
            result = run("probe", self.command("probe", 1, program), 25, clock)
            text = file.read_text(errors="replace") if file.exists() else ""
            result["output"] += "\n" + text[:1500]
            self.log.append(result)
            # The table's head names metrics too; what ncu says of them begins with "==".
            told = "\n".join(line for line in (text + result["output"]).splitlines()
                             if line.startswith("=="))
            if "ERR_NVGPUCTRPERM" in told:
                say("counters: this machine does not let programs read them")
                return
            missing = [name for name in self.metrics if name in told]
            self.works = '"Kernel Name"' in text
            if self.works or not missing:
                if self.works or self.metrics == LEAST:
                    say(f"counters: {'they work' if self.works else told[-1000:]}")
                    return
                missing = [name for name in self.metrics if name not in LEAST]
            self.metrics = [name for name in self.metrics if name not in missing]
            say(f"counters: left out {missing}")

    def count(self, name, program, launches, seconds, clock):
        if self.works:
            self.log.append(run(name, self.command(name, launches, program), seconds, clock))
