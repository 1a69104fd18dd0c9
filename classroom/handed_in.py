"""Reading the files that `helpers.exercises.report` writes; what is damaged or foreign says so."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from helpers.exercises.checking import EXERCISES
from helpers.exercises.handing_in import FORMAT, VERDICTS

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 1_000_000    # bytes of a file; a real one has some hundreds for each exercise
LONGEST = 400          # characters of a mistake


class UnusableError(Exception):
    """Says why a file is no report."""


class Work(NamedTuple):
    """What one learner did in one exercise."""

    verdict: str
    mistakes: Counter
    tries: int
    seconds: float

    def __add__(self, later):
        """Both sessions together; right once is right, else the later verdict counts."""
        verdict = self.verdict if self.verdict == "right" or later.verdict == "not yet" else later.verdict
        return Work(verdict, self.mistakes + later.mistakes, self.tries + later.tries, self.seconds + later.seconds)


def read_folders(folders):
    """The class, {learner: {exercise: Work}}, and the files that were skipped, {path: reason}.

    A learner is called by the folder in a given folder that holds the files, or by the file where it lies there itself;
    where several folders are given, the name begins with theirs.
    """
    learners, skipped = {}, {}
    for folder in dict.fromkeys(map(Path, folders)):
        for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".json" or path.is_symlink()):
            first = path.relative_to(folder).parts[0]
            name = printable(str(folder / Path(first).with_suffix("") if len(folders) > 1 else Path(first).stem))
            try:
                add(learners.setdefault(name, {}), read_report(path))
            except UnusableError as reason:
                skipped[path] = str(reason)
    return {name: works for name, works in learners.items() if works}, skipped


def add(works, more):
    """Add to a learner's works, in place."""
    for exercise, work in more.items():
        works[exercise] = works[exercise] + work if exercise in works else work


def read_report(path):
    """{exercise: Work} of one file; UnusableError with the reason when it is no report."""
    try:
        if not path.is_file() or path.is_symlink():
            raise UnusableError("it is no file")
        if path.stat().st_size > LARGEST:
            raise UnusableError(f"it is larger than {LARGEST} bytes")
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise UnusableError(f"it cannot be read as JSON ({type(error).__name__})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise UnusableError(f"it is no report of exercises (no format {FORMAT!r})")
    works = {}
    for entry in checked(content.get("exercises"), list, "exercises"):
        add(works, read_entry(checked(entry, dict, "an exercise")))
    return works


def read_entry(entry):
    """{exercise: Work} of one object in a report."""
    exercise, verdict = checked(entry.get("exercise"), str, "exercise"), checked(entry.get("verdict"), str, "verdict")
    if exercise not in EXERCISES:
        raise UnusableError(f"it has an exercise {printable(exercise)!r}, unknown in this copy of the series")
    if verdict not in VERDICTS:
        raise UnusableError(f"it has a verdict {printable(verdict)!r}, expected one of {', '.join(VERDICTS)}")
    mistakes = checked(entry.get("mistakes"), dict, "mistakes")
    counts = {printable(text): count(times, "times") for text, times in mistakes.items()}
    return {exercise: Work(verdict, Counter(counts), count(entry.get("tries"), "tries"), count(entry.get("seconds"), "seconds"))}


def checked(value, kind, name):
    """The value, when it is of this kind."""
    if not isinstance(value, kind):
        raise UnusableError(f"its {name} should be of type {kind.__name__}, got {type(value).__name__}")
    return value


def count(value, name):
    """The value, when it is a whole number that can be."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**9:
        raise UnusableError(f"its {name} should be a whole number from 0, got {printable(repr(value))}")
    return value


def printable(text):
    """The text without what could move a terminal's cursor, on one line, shortened."""
    clean = re.sub(r"\s+", " ", "".join(letter if letter.isprintable() else " " for letter in text)).strip()
    return clean if len(clean) <= LONGEST else clean[:LONGEST] + "…"


def places():
    """{exercise: "03 scores"}, in the order of the lessons."""
    lessons = {path.stem[3:]: path.stem[:2] for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))}
    topics = {name: exercise.reference.__module__.rpartition(".")[2] for name, exercise in EXERCISES.items()}
    order = sorted(EXERCISES, key=lambda name: lessons.get(topics[name], "99"))
    return {name: f"{lessons.get(topics[name], '??')} {name}" for name in order}
