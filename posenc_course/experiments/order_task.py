"""Does A come before B? One layer of attention, trained from many starts at once.

The experiment of the chapter "In a model" and of its fine print. It needs the package autograd,
which `import posenc` does not load.
"""

from collections.abc import Collection, Mapping

import autograd.numpy as anp
import numpy as np
from autograd import grad
from autograd.misc.optimizers import adam

from posenc import frequencies, sinusoidal

KINDS = ("none", "learned", "sinusoidal", "RoPE")  # how a model is told the positions
A, B, LETTERS = 0, 1, 8  # the numbers of two letters, and how many there are
# Numbers in a row, tokens of a text in training, and the longest text with learned positions: four
# times the trained length, as models are tested at twice and four times that length.
WIDTH, TRAINED, LONGEST = 16, 12, 48
# Pairs of places of A and B in a step of training, a third of all 66, drawn anew for each step.
# Each pair gives a text and a twin.
BATCH = 22
NOTED = 5  # steps from one loss that is noted to the next: 60 points of a curve in 300 steps
STRIDES = (0.02, 0.01, 0.005)  # Adam's step size in each round of the training, by choice


def texts(length: int, rng: np.random.Generator, keep: int | None = None) -> np.ndarray:
    """Return texts in which A comes before B and then as many twins, with A and B exchanged.

    There is a text for every two places of A (0) and B (1), or for as many as `keep` says, drawn
    at random, with random letters from 2 to 7 elsewhere: shape (2 * pairs, length). Text
    `pairs + n` is the twin of text `n`.
    """
    first, second = np.triu_indices(length, k=1)  # all places with first < second
    if keep is not None:
        chosen = rng.permutation(len(first))[:keep]
        first, second = first[chosen], second[chosen]
    pair = np.arange(len(first))
    # tokens[0] has the texts and tokens[1] their twins, with the same other letters.
    tokens = rng.integers(2, LETTERS, size=(1, len(pair), length)).repeat(2, axis=0)
    tokens[0, pair, first] = tokens[1, pair, second] = A
    tokens[0, pair, second] = tokens[1, pair, first] = B
    return tokens.reshape(-1, length)


def begin(kind: str, rng: np.random.Generator, starts: int) -> dict[str, np.ndarray]:
    """Return the random weights with which training begins, by name; the first axis is the starts.

    ``words`` (starts, 8, d), ``W_Q`` and ``W_K`` (starts, d, d), ``u`` (starts, d, 1), ``c``
    (starts, 1), and for learned positions ``places`` (starts, 48, d).
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {KINDS}, got {kind!r}")

    def normal(*shape):
        """Return normal random numbers of a shape, for each of the starts."""
        return rng.normal(size=(starts, *shape))

    # Divided by the root of the width, a matrix keeps rows about as long as they are.
    theta = {
        "words": normal(LETTERS, WIDTH),
        "W_Q": normal(WIDTH, WIDTH) / np.sqrt(WIDTH),
        "W_K": normal(WIDTH, WIDTH) / np.sqrt(WIDTH),
        "u": normal(WIDTH, 1) / np.sqrt(WIDTH),
        "c": np.zeros((starts, 1)),
    }
    if kind == "learned":  # rows as long as the sinusoidal ones, √(d/2) on average, to be fair
        theta["places"] = normal(LONGEST, WIDTH) * np.sqrt(1 / 2)
    return theta


def sinusoids(places: np.ndarray, first_place: int, held: Collection[int] = ()) -> np.ndarray:
    """Return the rows of `places`, shape (L, 16); hands in `held` are as if the text began at 0."""
    rows, from_0 = sinusoidal(places, WIDTH), sinusoidal(places - first_place, WIDTH)
    for hand in held:
        pair = slice(2 * hand, 2 * hand + 2)
        rows[:, pair] = from_0[:, pair]
    return rows


def look(
    theta: Mapping[str, np.ndarray],
    tokens: np.ndarray,
    kind: str,
    *,
    first_place: int = 0,
    mask: bool = False,
    held: Collection[int] = (),
) -> tuple[np.ndarray, np.ndarray]:
    """Return (A's weight for each token, each token's value): two arrays of shape (starts, N, L).

    `tokens` has the shape (N, L), the first of them stands at `first_place`, and with `mask` A
    sees only itself and what stands before it. The sinusoidal hands in `held` do not follow
    `first_place`. Only A asks, so its scores are made for the few letters and places, and then
    looked up for each text: the same as attention over the whole text, and much less work.
    """
    # autograd's NumPy, `anp`, is for what is made of weights, whose slopes it can then tell.
    length = tokens.shape[1]
    places = first_place + np.arange(length)
    place_of_A = (tokens == A).argmax(axis=1)  # (N,)
    query = theta["words"][:, A : A + 1]  # (starts, 1, d): a slice keeps the axis
    keys = theta["words"] @ theta["W_K"]  # (starts, 8, d)
    values = (theta["words"] @ theta["u"])[:, tokens, 0]
    if kind in ("learned", "sinusoidal"):
        if kind == "learned":
            added = theta["places"][:, places]
        else:
            added = sinusoids(places, first_place, held)
        asks = (query + added) @ theta["W_Q"]  # (starts, L, d): A's query, were it there
        # A score is query times (letter + place): one part of each letter, and one of each place.
        of_letters = asks @ anp.swapaxes(keys, 1, 2)  # (starts, L, 8)
        of_places = asks @ anp.swapaxes(added @ theta["W_K"], 1, 2)  # (starts, L, L)
        scores = of_letters[:, place_of_A[:, np.newaxis], tokens] + of_places[:, place_of_A]
        values = values + anp.swapaxes(added @ theta["u"], 1, 2)  # of letters, and of places
    elif kind == "RoPE":
        asks = query @ theta["W_Q"]
        q0, q1, k0, k1 = asks[..., 0::2], asks[..., 1::2], keys[..., 0::2], keys[..., 1::2]
        gaps = np.arange(1 - length, length)  # all that a text of this length has
        angles = np.multiply.outer(frequencies(WIDTH), gaps)  # (d/2, 2L - 1)
        # Turned by its angle each, the pairs of query and key have this dot product: a score for
        # each letter of the key and each gap, (starts, 8, 2L - 1).
        of_gaps = (q0 * k0 + q1 * k1) @ np.cos(angles) + (q1 * k0 - q0 * k1) @ np.sin(angles)
        # From A to each token, as the place in `gaps`, which begin at 1 - length.
        gap = np.arange(length) - place_of_A[:, np.newaxis] + length - 1
        scores = of_gaps[:, tokens, gap]
    else:
        of_letters = keys @ anp.swapaxes(query @ theta["W_Q"], 1, 2)  # (starts, 8, 1)
        scores = of_letters[:, tokens, 0]
    # No largest score is subtracted first: these scores stay far below what overflows.
    weights = anp.exp(scores / np.sqrt(WIDTH))
    if mask:  # before the sum, so that the hidden tokens take no share
        weights = weights * (np.arange(length) <= place_of_A[:, np.newaxis])
    return weights / weights.sum(axis=-1, keepdims=True), values


def answer(theta: Mapping[str, np.ndarray], tokens: np.ndarray, kind: str, **how) -> np.ndarray:
    """Return the answer z of every start to every text, (starts, N): above 0 says "A first".

    `how` is passed on to `look`, here and below.
    """
    weights, values = look(theta, tokens, kind, **how)
    return (weights * values).sum(axis=-1) + theta["c"]


def loss(theta: Mapping[str, np.ndarray], tokens: np.ndarray, kind: str, **how) -> np.ndarray:
    """Return each start's mean of ``-ln`` of the probability of the right answer, shape (starts,).

    `tokens` are as `texts` makes them, here and in `percent_right`.
    """
    z = answer(theta, tokens, kind, **how)
    # The probability is 1 / (1 + exp(-z)), or with exp(z) for a twin, and -ln of that is this.
    return anp.logaddexp(0, -_signs(tokens) * z).mean(axis=-1)


def percent_right(
    theta: Mapping[str, np.ndarray], tokens: np.ndarray, kind: str, **how
) -> np.ndarray:
    """Return each start's share of right answers in percent, from 0 to 100: shape (starts,)."""
    right = (answer(theta, tokens, kind, **how) > 0) == (_signs(tokens) > 0)
    return 100 * right.mean(axis=-1)


def _signs(tokens: np.ndarray) -> np.ndarray:
    """Return the right answers to tokens as `texts` makes them: half of them 1, then -1 (twins)."""
    return np.repeat([1, -1], len(tokens) // 2)


def train(
    kind: str, *, seed: int, starts: int = 20, mask: bool = False, steps: int = 300
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return (trained weights by name, shaped as by `begin`; losses at every `NOTED` steps).

    The model is trained on texts of 12 tokens, from many random starts side by side. `kind`, one
    of `KINDS`, is how it is told the positions, and with `mask` no token sees a later one. The
    steps are taken in three rounds, with smaller and smaller strides. The losses have the shape
    (steps / NOTED, starts).
    """
    # By default 300 steps: after three times as many, of 60 starts with positions still 3 are right
    # on less than 90 % of the texts, where 6 were. (The fine print of the chapter prints both.)
    rng = np.random.default_rng(seed)
    theta, curve = begin(kind, rng, starts), []
    # No start reads the weights of another, so the slope of the sum has those of all starts.
    slope = grad(lambda theta, tokens: loss(theta, tokens, kind, mask=mask).sum())

    def downhill(theta, step):
        """Return the slope of the loss on new texts; add the loss to `curve` at some steps."""
        tokens = texts(TRAINED, rng, keep=BATCH)
        if step % NOTED == 0:
            curve.append(loss(theta, tokens, kind, mask=mask))
        return slope(theta, tokens)

    for stride in STRIDES:
        # None is for a function that would watch each step. With the usual eps, 1e-8, Adam takes a
        # full stride however small the slope has become, and a start that has learned the task
        # would not come to rest.
        theta = adam(downhill, theta, None, steps // len(STRIDES), step_size=stride, eps=1e-3)
    return theta, np.array(curve)
