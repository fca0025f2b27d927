"""Builds the test programs and workloads with nvcc for the GPU at hand, into build/native."""

import json
import os
import shutil
import subprocess
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from programs import OUTPUT, ROOT, tests, workloads

# PTX too, so that the simulator can run the same files.
CODE = ["-gencode", "arch=compute_90,code=[compute_90,sm_90]"]

# What the programs use of include/.
OURS = [path for path in (ROOT / "include" / "raddle").rglob("*") if path.is_file()]


def nvcc():
    chosen = os.environ.get("RADDLE_NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not os.path.exists(chosen):
        raise SystemExit("there is no nvcc: name one with RADDLE_NVCC")
    return chosen


def toolkit():
    return Path(os.path.realpath(nvcc())).parent.parent


def options():
    return ["-std=c++17", "-cudart", "shared", *CODE, "-I", str(ROOT / "include"),
            "-Xlinker", "-rpath=$ORIGIN/../lib", "-Xlinker", "-s",
            "-Xcompiler", "-Wno-deprecated-declarations"]


def newest(*paths):
    return max(path.stat().st_mtime for path in paths)


def headers(folder):
    return [path for path in folder.rglob("*") if path.suffix in (".h", ".inc", ".cuh", ".cpp")]


def run(command, output, since):
    """What the compiler says if `output` cannot be made, or was made with warnings."""
    if output.exists() and output.stat().st_mtime > since:
        return None
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        output.unlink(missing_ok=True)
    said = (done.stdout + done.stderr).strip()
    return (done.returncode, said) if said or done.returncode != 0 else None


def common_library():
    """The host's part of the workloads, as workloads/CMakeLists.txt has it."""
    folder = ROOT / "workloads"
    names = ("amr/field", "bht/tree", "nbody/star_catalogue", "pre/ratings", "regx/pattern",
             "regx/texts", "tasks/des")
    sources = []
    for pattern in ("common/*.cpp", "locality*/*.cpp", "worklist_*/*.cpp"):
        sources += sorted(folder.glob(pattern))
    sources += [folder / f"{name}.cpp" for name in names]
    objects = OUTPUT / "objects"
    objects.mkdir(parents=True, exist_ok=True)
    made = []
    for source in sources:
        made.append(objects / f"{source.parent.name}.{source.stem}.o")
        if made[-1].exists() and made[-1].stat().st_mtime > newest(source, *headers(folder)):
            continue
        subprocess.run(["g++", "-std=c++20", "-O2", "-I", folder, '-DRADDLE_DATA_DIR="data"',
                        "-c", source, "-o", made[-1]], check=True)
    return made


def build_kernel_times():
    home = toolkit()
    output = OUTPUT / "lib" / "libkernel_times.so"
    subprocess.run(["g++", "-std=c++20", "-O2", "-fPIC", "-shared", "-s", "-I", home / "include",
                    ROOT / "tests" / "native" / "kernel_times.cpp", "-o", output,
                    f"-L{home}/lib64", "-l:libcupti.so.13", "-Wl,-rpath,$ORIGIN"], check=True)


def carry_libraries():
    """The toolkit's libraries that programs need, for machines with a driver alone."""
    for name in ("libcudart.so.13", "libcupti.so.13"):
        shutil.copy(toolkit() / "lib64" / name, OUTPUT / "lib" / name)


def build(jobs, only=()):
    binaries = OUTPUT / "bin"
    binaries.mkdir(parents=True, exist_ok=True)
    (OUTPUT / "lib").mkdir(exist_ok=True)
    carry_libraries()
    build_kernel_times()
    objects = common_library()
    made = []  # (name, command, output, time of the newest source)
    for test in tests():
        if test.skipped:
            continue
        since = newest(test.path, *headers(test.path.parent), *OURS)
        command = [nvcc(), *options(), *test.options, test.path, "-o", binaries / test.name]
        made.append((test.name, command, binaries / test.name, since))
    for workload in workloads():
        sources = sorted(workload.folder.glob("*.cu"))
        output = binaries / f"workload_{workload.name}"
        device = ["-rdc=true", "-lcudadevrt"] if workload.launches else []
        command = [nvcc(), *options(), "-O3", "-I", ROOT / "workloads", *device, *workload.options,
                   *sources, *objects,
                   "-o", output]
        made.append((workload.name, command, output,
                     newest(*sources, *objects, *OURS, *headers(workload.folder))))
    made = [one for one in made if not only or one[0] in only]
    with ThreadPoolExecutor(jobs) as pool:
        said = list(pool.map(lambda one: run(*one[1:]), made))
    report = {}
    for (name, *_), one in zip(made, said):
        if one is not None:
            report[name] = {"exit": one[0], "output": one[1]}
            print(f"{name}: {'fails' if one[0] else 'says'}\n{one[1][:2000]}")
    if not only:
        with tarfile.open(OUTPUT.with_suffix(".tar.xz"), "w:xz", preset=3) as archive:
            for folder in ("bin", "lib"):
                archive.add(OUTPUT / folder, f"native/{folder}")
        (OUTPUT / "build.json").write_text(json.dumps(report, indent=1))
    print(f"{len(made)} programs, {sum(one['exit'] != 0 for one in report.values())} not built")
