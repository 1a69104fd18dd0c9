"""A class on one machine: `make class N=30` starts N kernels at once, each runs a lesson and moves its explorers.

Prints failures, memory, the time to the first picture, the slowest answer, and what binds. LESSON=03 takes one lesson for
all; else the lessons go round. (Linux: elsewhere the system does not say how much of its memory a process shares.)
"""

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path
from statistics import median

import psutil

from .learner import Learner

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
GIB = 2**30
FULL = 0.9    # of a resource: it binds


class Progress:
    """A bar on standard error, of steps whose number is not known exactly beforehand."""

    def __init__(self, steps):
        self.done, self.steps, self.start = 0, steps, time.perf_counter()

    def step(self):
        self.done += 1
        self.steps = max(self.steps, self.done)
        share = self.done / self.steps
        bar = "█" * int(30 * share) + "·" * (30 - int(30 * share))
        if sys.stderr.isatty() or self.done % 20 == 0:
            print(f"\r{bar} {share:4.0%}  {time.perf_counter() - self.start:4.0f} s", end="", file=sys.stderr, flush=True)


async def held(paths):
    """What the learners have seen, seconds it took, the share of the time in which the processors were busy, the memory."""
    start, progress = time.perf_counter(), Progress(0)
    learners = [Learner(path, start, progress.step) for path in paths]
    progress.steps = sum(len(learner.cells) for learner in learners) * 2    # moves are about as many as cells
    psutil.cpu_percent()
    try:
        await asyncio.gather(*(learner.work() for learner in learners))
        took, busy = time.perf_counter() - start, psutil.cpu_percent() / 100
        for learner in learners:
            learner.measure()
        return [learner.seen for learner in learners], took, busy, psutil.virtual_memory()
    finally:
        print(file=sys.stderr)
        await asyncio.gather(*(learner.leave() for learner in learners))


def report(seen, took, busy, memory):
    """The lines that are printed."""
    failed = [one for one in seen if one.failures]
    yield f"{len(seen)} learners, {len(seen) - len(failed)} finished without failure, {took:.0f} s"
    yield from (f"  {one.lesson}: {'; '.join(one.failures)}" for one in failed)
    well = [one for one in seen if one.finished]
    if not well:
        return
    for name, values, unit in (
            ("memory a learner (PSS)", [one.memory / 2**20 for one in well], "MiB"),
            ("processor a learner", [one.processor for one in well], "s"),
            ("first picture", [one.first_picture for one in well if one.first_picture], "s"),
            ("answer to a moved control", [1000 * answer for one in well for answer in one.answers], "ms")):
        if values:
            yield f"{name:26} median {median(values):6.3g}   largest {max(values):6.3g} {unit}"
    most = max(well, key=lambda one: one.memory)
    moves, pictures = sum(len(one.answers) for one in well), sum(one.new_pictures for one in well)
    yield f"controls were moved {moves} times and brought a new picture {pictures} times; {most.lesson} took the most memory"
    work, used = sum(one.processor for one in seen), sum(one.memory for one in seen)
    yield binding(busy, work / took / os.cpu_count(), used, memory.total, memory.available)


def binding(busy, by_kernels, used, total, available):
    """What binds: the processors, the memory, or neither.

    >>> binding(0.99, 0.8, 5 * GIB, 24 * GIB, 18 * GIB).partition(" (")[0]
    'What binds: the processors'
    >>> binding(0.5, 0.4, 22 * GIB, 24 * GIB, 1 * GIB).partition(" (")[0]
    'What binds: memory'
    """
    names = [name for name, share in (("the processors", busy), ("memory", 1 - available / total)) if share > FULL]
    return (f"What binds: {' and '.join(names) or 'neither processors nor memory'} ({os.cpu_count()} processors, busy {busy:.0%} "
            f"of the time, {by_kernels:.0%} with the kernels; the kernels hold {used / GIB:.1f} of {total / GIB:.1f} GiB)")


def main():
    """Hold the class and print the report; ends with 1 when a learner failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("learners", type=int)
    parser.add_argument("lesson", nargs="?", default="")
    given = parser.parse_args()
    lessons = sorted(path for path in NOTEBOOKS.glob("[0-9]*.ipynb") if path.name.startswith(given.lesson))
    if given.learners < 1 or not lessons:
        parser.error(f"expected at least 1 learner and a lesson in notebooks/, got {given.learners} and {given.lesson!r}")
    if sys.platform != "linux":
        parser.error("the benchmark measures shared memory as Linux tells it")
    print("load before: {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()))
    seen, *figures = asyncio.run(held([lessons[number % len(lessons)] for number in range(given.learners)]))
    print("\n".join(report(seen, *figures)))
    sys.exit(any(one.failures for one in seen))


if __name__ == "__main__":
    main()
