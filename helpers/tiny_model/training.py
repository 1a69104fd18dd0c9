"""Adam, the loop around it, and text from a trained model."""

import ipywidgets as widgets
import numpy as np
from IPython.display import display
from threadpoolctl import threadpool_limits

from .grammar import ID, LENGTH, START


class Adam:
    """Steps against the gradient, each parameter with a pace of its own.

    Parameters
    ----------
    parameters : dict of str to ndarray
        Changed in place.
    beta_1, beta_2 : float
        How much of the old mean of gradients and of their squares is kept.

    Source: Kingma and Ba 2015, algorithm 1.
    """

    def __init__(self, parameters, beta_1=0.9, beta_2=0.98):
        self.parameters, self.beta_1, self.beta_2, self.steps = parameters, beta_1, beta_2, 0
        self.mean = {name: np.zeros_like(p) for name, p in parameters.items()}
        self.square = {name: np.zeros_like(p) for name, p in parameters.items()}

    def step(self, gradients, learning_rate):
        """One step for all parameters."""
        self.steps += 1
        correction = np.sqrt(1 - self.beta_2**self.steps) / (1 - self.beta_1**self.steps)
        for name, g in gradients.items():
            self.mean[name] += (1 - self.beta_1) * (g - self.mean[name])
            self.square[name] += (1 - self.beta_2) * (g**2 - self.square[name])
            step = learning_rate * correction * self.mean[name] / (np.sqrt(self.square[name]) + 1e-8)
            self.parameters[name] -= step.astype(g.dtype)


class Progress(widgets.IntProgress):
    """A bar while the kernel works; in the file and for screen readers a fixed line."""

    def _repr_mimebundle_(self, **options):
        return {**super()._repr_mimebundle_(**options), "text/plain": f"{self.description}: {self.max} steps"}


def train(model, ids, steps=300, batch=64, learning_rate=1e-2, seed=0, on_step=None, label="training"):
    """Train a model in place; interrupting it leaves the model as far as it has come.

    Parameters
    ----------
    model : TinyModel
    ids : (n, LENGTH) int array
        Sentences to learn from.
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
    """
    rng, optimiser, losses = np.random.default_rng(seed + 99), Adam(model.parameters), []
    bar = Progress(max=steps, description=label)
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
                bar.value = step + 1
        except KeyboardInterrupt:
            print(f"Stopped after {len(losses)} of {steps} steps; the model is as far as it has come.")
    return np.array(losses)


def generate(model, n, seed=0):
    """Sentences drawn from a model, one token after the other.

    Parameters
    ----------
    model : TinyModel
    n : int
        How many.
    seed : int

    Returns
    -------
    (n, LENGTH) int ndarray
        0 after the full stop.
    """
    rng, ids = np.random.default_rng(seed), np.zeros((n, LENGTH), int)
    ids[:, 0] = ID[START]
    for t in range(LENGTH - 1):
        logits = model.forward(ids[:, : t + 1])[0][:, -1].astype(float)  # (n, V)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        drawn = (shares.cumsum(axis=1) > rng.random((n, 1))).argmax(axis=1)
        ended = (ids[:, t] == ID["."]) | (ids[:, t] == 0)
        ids[:, t + 1] = np.where(ended, 0, drawn)
    return ids
