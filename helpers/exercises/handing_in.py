"""What the checks said in this session, and the file of it that a reader may hand in."""

import inspect
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

FORMAT = "attention exercises 1"
VERDICTS = ("not yet", "right", "mistake", "factor", "stopped", "other")
DRIVE = Path("/drive")    # where JupyterLite keeps what the reader sees; elsewhere a browser forgets files
TRIES = []                # of this session, in their order; `report` alone writes them down
NAME = f"exercises-{secrets.token_hex(4)}.json"    # of this session


@dataclass(frozen=True)
class Try:
    """One run of a check: its exercise, verdict and advice (its own words, none of the answer's), the answer, the time."""

    exercise: str
    verdict: str
    advice: str
    function: Callable
    time: float = field(default_factory=lambda: time.monotonic())


def report(code=False):
    """Write what the checks have said in this session into a small file beside the lesson, to be handed in.

    For each exercise: the verdict, which mistakes were named, the number of tries, the seconds from the first run of the
    check to the verdict. No name is in it, and your code only with `code=True`. Nothing is sent.
    """
    text = json.dumps({"format": FORMAT, "exercises": summaries(TRIES, code)}, indent=1, ensure_ascii=False) + "\n"
    if not TRIES:
        print("Nothing to report: no exercise has been checked since the kernel started.")
    elif _written(text):
        print(f"Written: {NAME}, beside this lesson. Hand in that file; it holds {'your code and' if code else 'no code and'} "
              "no name. Nothing has been sent.")
    else:
        print(f"No file can be written here. Copy what follows into a file {NAME} and hand that in:\n\n{text}")


def _written(text):
    """Whether the report has become a file that the reader can find."""
    if sys.platform == "emscripten" and not Path.cwd().is_relative_to(DRIVE):
        return False
    try:
        Path(NAME).write_text(text, encoding="utf-8")
    except OSError:
        return False
    return True


def summaries(tries, code=False):
    """One object for each exercise, in the order of the first runs.

    >>> tries = [Try("scores", "not yet", "", None, 0), Try("scores", "mistake", "It is turned.", None, 60),
    ...          Try("scores", "right", "", None, 90), Try("scores", "stopped", "", None, 99)]
    >>> summaries(tries)
    [{'exercise': 'scores', 'verdict': 'right', 'mistakes': {'It is turned.': 1}, 'tries': 2, 'seconds': 90}]
    """
    return [_summary([one for one in tries if one.exercise == name], code) for name in dict.fromkeys(t.exercise for t in tries)]


def _summary(tries, code):
    """An exercise that was right once is right; later experiments do not count."""
    right = next((number for number, one in enumerate(tries, start=1) if one.verdict == "right"), len(tries))
    counted, last = tries[:right], tries[right - 1]
    found = {
        "exercise": last.exercise,
        "verdict": last.verdict,
        "mistakes": dict(Counter(one.advice for one in counted if one.advice)),
        "tries": sum(one.verdict != "not yet" for one in counted),
        "seconds": round(last.time - tries[0].time),
    }
    return found | {"code": _source(last.function)} if code else found


def _source(function):
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return ""
