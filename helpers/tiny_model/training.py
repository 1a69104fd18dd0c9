"""Adam, the loop around it, and text from a trained model."""

import math

import ipywidgets as widgets
import numpy as np
from IPython.display import display
from threadpoolctl import threadpool_limits

from ..attention import softmax
from ..attention.checks import read, read_indices, read_integer, read_number, read_seed
from .grammar import ID, START, VOCABULARY
from .model import TinyModel


class Adam:
    """Steps against the gradient, each parameter with a pace of its own.

    Parameters
    ----------
    parameters : dict of str to ndarray
        Changed in place.
    beta_1, beta_2 : float
        From 0 to below 1: how much of the old mean of gradients and of their squares is kept.

    Raises
    ------
    TypeError, ValueError
        When parameters are no arrays of floats, or a beta lies elsewhere.

    Source: Kingma and Ba 2015, algorithm 1.
    """

    def __init__(self, parameters, beta_1=0.9, beta_2=0.98):
        arrays = parameters.values() if isinstance(parameters, dict) else [None]
        if not all(isinstance(array, np.ndarray) and array.dtype.kind == "f" for array in arrays):
            raise TypeError("Adam: parameters must be a dict of arrays of floats, which are changed in place")
        for name, beta in {"beta_1": beta_1, "beta_2": beta_2}.items():
            if not 0 <= read_number("Adam", name, beta) < 1:
                raise ValueError(f"Adam: {name} must be from 0 to below 1, got {beta!r}")
        self.parameters, self.beta_1, self.beta_2, self.steps = parameters, beta_1, beta_2, 0
        self.mean = {name: np.zeros_like(p) for name, p in parameters.items()}
        self.square = {name: np.zeros_like(p) for name, p in parameters.items()}

    @np.errstate(over="ignore", invalid="ignore")
    def step(self, gradients, learning_rate):
        """One step: gradients by the names of the parameters, and of their shapes.

        Raises
        ------
        TypeError, ValueError
            When a gradient does not fit its parameter, or the learning rate is no finite number.
        """
        learning_rate, gradients = read_number("Adam.step", "learning_rate", learning_rate), self._checked(gradients)
        self.steps += 1
        correction = np.sqrt(1 - self.beta_2**self.steps) / (1 - self.beta_1**self.steps)
        for name, g in gradients.items():
            self.mean[name] += (1 - self.beta_1) * (g - self.mean[name])
            self.square[name] += (1 - self.beta_2) * (g**2 - self.square[name])
            step = learning_rate * correction * self.mean[name] / (np.sqrt(self.square[name]) + 1e-8)
            self.parameters[name] -= step.astype(self.parameters[name].dtype)

    def _checked(self, gradients):
        if not isinstance(gradients, dict) or not gradients.keys() <= self.parameters.keys():
            raise TypeError(f"Adam.step: gradients must be a dict with names out of {', '.join(self.parameters)}")
        shapes = {name: str(self.parameters[name].shape) for name in gradients}
        return {name: read("Adam.step", **{name: (g, shapes[name])})[0] for name, g in gradients.items()}


class Progress(widgets.IntProgress):
    """A bar while the kernel works; in the file and for screen readers a fixed line."""

    def _repr_mimebundle_(self, **options):
        return {**super()._repr_mimebundle_(**options), "text/plain": f"{self.description}: {self.max} steps"}


def train(model, ids, steps=300, batch=64, learning_rate=1e-2, seed=0, on_step=None, label="training"):
    """Train a model in place; interrupting it leaves the model as far as it has come.

    Parameters
    ----------
    model : TinyModel
    ids : (n, T) int array
        Sentences to learn from, at least one.
    steps, batch : int
        How many steps, and sentences in each.
    learning_rate : float
        At the start; it falls evenly to a tenth.
    seed : int
        Decides which sentences each step sees.
    on_step : callable, optional
        ``on_step(step, model)`` is called before each step.
    label : str
        Stands before the progress bar; an empty one shows no bar.

    Returns
    -------
    (steps,) ndarray
        The loss of each step, in nats a token; shorter when interrupted.

    Raises
    ------
    TypeError, ValueError
        When an argument is of another kind, too small, or not finite.
    """
    _check_model("train", model)
    ids = read_indices("train", "ids", ids, "(n, T)", model.vocabulary)
    if not len(ids):
        raise ValueError("train: ids hold no sentence to learn from")
    steps, batch = read_integer("train", "steps", steps, least=0), read_integer("train", "batch", batch, least=1)
    learning_rate = read_number("train", "learning_rate", learning_rate)
    rng = np.random.default_rng(read_seed("train", seed) + 99)
    if on_step is not None and not callable(on_step):
        raise TypeError(f"train: on_step must be a function of step and model, got {on_step!r}")
    if not isinstance(label, str):
        raise TypeError(f"train: label must be a string, got {label!r}")
    optimiser, losses = Adam(model.parameters), []
    bar = Progress(max=steps, description=label, style={"description_width": "initial"})  # the label is never cut off
    stride = math.ceil(steps / 100)  # the bar needs no more; each of its moves is a message to the page
    if label:
        display(bar)
    with threadpool_limits(1):  # these matrices are too small to share between cores
        try:
            for step in range(steps):
                if on_step:
                    on_step(step, model)
                loss, gradients = model.gradients(ids[rng.integers(len(ids), size=batch)])
                losses.append(loss)
                optimiser.step(gradients, learning_rate * (1 - 0.9 * step / steps))
                if (step + 1) % stride == 0:
                    bar.value = step + 1
        except KeyboardInterrupt:
            print(f"Stopped after {len(losses)} of {steps} steps; the model is as far as it has come.")
    bar.value = len(losses)
    return np.array(losses)


def generate(model, n, seed=0):
    """Sentences drawn from a model, one token after the other.

    Parameters
    ----------
    model : TinyModel
        One of the tiny language.
    n : int
        How many.
    seed : int

    Returns
    -------
    (n, LENGTH) int ndarray
        0 after the full stop.

    Raises
    ------
    TypeError, ValueError
        When the model speaks another language; when n or seed is no integer, or too small.
    """
    _check_model("generate", model)
    if model.vocabulary != len(VOCABULARY):
        raise ValueError(f"generate: model must know the {len(VOCABULARY)} words of the tiny language, got {model.vocabulary}")
    rng = np.random.default_rng(read_seed("generate", seed))
    ids = np.zeros((read_integer("generate", "n", n, least=1), model.length), int)
    ids[:, 0] = ID[START]
    for t in range(model.length - 1):
        logits = model.forward(ids[:, : t + 1])[0][:, -1].astype(float)  # (n, V)
        shares = softmax(logits)
        drawn = (shares.cumsum(axis=1) > rng.random((n, 1))).argmax(axis=1)
        ended = (ids[:, t] == ID["."]) | (ids[:, t] == 0)
        ids[:, t + 1] = np.where(ended, 0, drawn)
    return ids


def _check_model(caller, model):
    if not isinstance(model, TinyModel):
        raise TypeError(f"{caller}: model must be a TinyModel, got {type(model).__name__}")
