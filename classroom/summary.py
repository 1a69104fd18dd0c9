"""What a class has handed in, for its teacher: `python classroom/summary.py DIR…` prints a table and draws a picture.

Each file is one that `helpers.exercises.report()` wrote. A learner is known by the name of the folder or file alone.
"""

import argparse
import sys
import textwrap
from collections import Counter
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from classroom.handed_in import places, printable, read_folders
from classroom.picture import draw

MOST = 5    # mistakes that are listed


def by_exercise(learners):
    """{exercise: {learner: Work}}, in the order of the lessons."""
    found = {exercise: {name: works[exercise] for name, works in learners.items() if exercise in works} for exercise in places()}
    return {exercise: works for exercise, works in found.items() if works}


def frequent(learners):
    """Each (exercise, mistake) with how many are not beyond it and how many met it, the most urgent first."""
    met, stuck = Counter(), Counter()
    for works in learners.values():
        for exercise, work in works.items():
            met.update((exercise, mistake) for mistake in work.mistakes)
            stuck.update((exercise, mistake) for mistake in work.mistakes if work.verdict != "right")
    order = list(places())
    return sorted(((stuck[one], met[one], *one) for one in met), key=lambda row: (-row[0], -row[1], order.index(row[2]), row[3]))


def lines(learners):
    """The summary as lines of text."""
    names, exercises = places(), by_exercise(learners)
    wide = max(len(names[exercise]) for exercise in exercises)
    yield f"{'exercise':{wide}}  begun  right  stuck  median tries  median minutes"
    for exercise, works in exercises.items():
        yield f"{names[exercise]:{wide}}  {figures(list(works.values()))}"
    wide = max(map(len, learners))
    yield f"\n{'learner':{wide}}  right  now at"
    for name, works in learners.items():
        yield f"{name:{wide}}  {sum(work.verdict == 'right' for work in works.values()):5}  {now_at(works, names)}"
    yield ""
    yield from discussion(learners)


def figures(works):
    """How many have begun an exercise, are right, are not; the median of their tries and minutes."""
    tried = [work for work in works if work.tries]
    right = sum(work.verdict == "right" for work in tried)
    begun = f"{len(works):5}  {right:5}  {len(tried) - right:5}"
    if not tried:
        return begun
    return f"{begun}  {median(work.tries for work in tried):12.3g}  {median(work.seconds for work in tried) / 60:14.0f}"


def now_at(works, names):
    """The last exercise, in the order of the lessons, that a learner has tried."""
    begun = [exercise for exercise in names if exercise in works]
    last = next((exercise for exercise in reversed(begun) if works[exercise].tries), begun[0])
    tries = works[last].tries
    return f"{names[last]}: {works[last].verdict}" + (f", {tries} {'try' if tries == 1 else 'tries'}" if tries else "")


def discussion(learners):
    """What to discuss first: the mistakes at which most are stuck, then those that most have met."""
    rows, names = frequent(learners), places()
    if not rows:
        yield "No usual mistake was named."
        return
    yield "To discuss, most urgent first:"
    for number, (stuck, met, exercise, mistake) in enumerate(rows[:MOST], start=1):
        head = f"{number}. {names[exercise]}: met by {met}, {stuck} not yet beyond it."
        yield from textwrap.wrap(f"{head} {mistake}", 100, subsequent_indent="   ")


def main(arguments=None):
    """Print the summary of the given folders and draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", metavar="DIR", nargs="+", type=Path)
    parser.add_argument("--picture", type=Path, default=Path("summary.png"), help="where it goes (summary.png)")
    given = parser.parse_args(arguments)
    for folder in given.folders:
        if not folder.is_dir():
            parser.error(f"{folder} is no folder")
    learners, skipped = read_folders(given.folders)
    for path, reason in skipped.items():
        print(f"skipped {printable(str(path))}: {reason}")
    if not learners:
        sys.exit("No report was found. Learners make one with `from helpers.exercises import report`, then `report()`.")
    print("\n".join(lines(learners)))
    given.picture.write_bytes(draw(learners, by_exercise(learners), frequent(learners)[:MOST], places()))
    print(f"\nPicture: {given.picture}")


if __name__ == "__main__":
    main()
