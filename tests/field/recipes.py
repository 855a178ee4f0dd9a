"""Tables of the field: each as its source makes it, and what must be found in it.

The code is written for this file, from the formula that the source has and the types that it
computes in. A recipe gives the table at the size at which it ships.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

single = np.float32
RECIPES = {}


@dataclass(frozen=True)
class Truth:
    """What must be found: the order, the base in its spacing, and positions for each coordinate."""

    layout: str
    base: float
    positions: tuple
    cosines_first: bool = False
    spacing: str = "paper"
    scale: float = 1.0
    kinds: tuple = ()  # kinds of findings that must be among the others

    def of_rows(self, rows):
        return replace(self, positions=tuple(np.asarray(p)[rows] for p in self.positions))


@dataclass(frozen=True)
class Recipe:
    """A table, where it was met, and the truth of it."""

    source: str
    make: Callable


def recipe(name, source):
    def add(make):
        RECIPES[name] = Recipe(source, make)
        return make

    return add


def weave(first, second):
    """Return columns that alternate."""
    return np.stack([first, second], axis=-1).reshape(len(first), -1)


def side(*parts):
    """Return columns side by side."""
    return np.concatenate(parts, axis=1)


def exponential(width, spaced=False, base=1e4):
    """Return frequencies as exp(-i ln(base) / steps) in float32, as most code has them."""
    pairs = width // 2
    step = single(-np.log(base) / (pairs - 1 if spaced else pairs))
    return np.exp(np.arange(pairs, dtype=single) * step)


def power(width, base=1e4):
    """Return frequencies as 1 / base^(2i/width) in float32."""
    return 1 / single(base) ** (np.arange(0, width, 2, dtype=single) / single(width))


def exact(width, base=1e4):
    """Return frequencies in float64."""
    return base ** (-np.arange(0, width, 2) / width)


def turned(positions, omega):
    """Return sines and cosines of angles in float32."""
    angles = np.asarray(positions, single)[:, np.newaxis] * omega.astype(single)
    return np.sin(angles), np.cos(angles)


def turned_exactly(positions, omega):
    """Return sines and cosines of angles in float64."""
    angles = np.outer(positions, omega)
    return np.sin(angles), np.cos(angles)


def grid(rows, columns):
    """Return the row and the column of each place of a picture."""
    return np.divmod(np.arange(rows * columns), columns)


# ------------------------------------------------------------------------------- one coordinate


@recipe("paper", "Vaswani et al. 2017, section 3.5, in float64")
def _():
    k = np.arange(512)
    return weave(*turned_exactly(k, exact(512))), Truth("interleaved", 1e4, (k,))


@recipe("tutorial of PyTorch", "pytorch/examples, word_language_model: PositionalEncoding")
def _():
    k = np.arange(4096)
    return weave(*turned(k, exponential(512))), Truth("interleaved", 1e4, (k,))


@recipe("tensor2tensor", "tensor2tensor, layers/common_attention.py: get_timing_signal_1d")
def _():
    k = np.arange(512)
    truth = Truth("halves", 1e4, (k,), spacing="tensor2tensor")
    return side(*turned(k, exponential(512, spaced=True))), truth


@recipe("tensor2tensor, odd width", "the same, whose last column is zeros where the width is odd")
def _():
    k = np.arange(100)
    table = side(*turned(k, exponential(64, spaced=True)), np.zeros((100, 1), single))
    return table, Truth("halves", 1e4, (k,), spacing="tensor2tensor", kinds=("zero_columns",))


@recipe("M2M100", "fairseq: SinusoidalPositionalEmbedding, whose padding row 1 is zeros")
def _():
    k = np.arange(1026.0)
    table = side(*turned(k, exponential(512, spaced=True)))
    table[1], k[1] = 0, np.nan
    return table, Truth("halves", 1e4, (k,), spacing="tensor2tensor")


@recipe("M2M100, a text", "the same from position 2 on, as a text without padding gets it")
def _():
    k = np.arange(2, 514)
    truth = Truth("halves", 1e4, (k,), spacing="tensor2tensor")
    return side(*turned(k, exponential(512, spaced=True))), truth


for name, width in (("tiny", 384), ("large", 1280)):

    @recipe(f"Whisper {name}", "openai/whisper, model.py: sinusoids, 1500 rows")
    def _(width=width):
        k = np.arange(1500)
        truth = Truth("halves", 1e4, (k,), spacing="tensor2tensor")
        return side(*turned(k, exponential(width, spaced=True))), truth


@recipe("Marian, RoFormer", "transformers: MarianSinusoidalPositionalEmbedding, cast from float64")
def _():
    k = np.arange(512)
    return side(*turned_exactly(k, exact(512))).astype(single), Truth("halves", 1e4, (k,))


for flip in (False, True):
    for shift in (0, 1):

        @recipe(f"timesteps, flip {flip}, shift {shift}", "diffusers: get_timestep_embedding")
        def _(flip=flip, shift=shift):
            k = np.arange(1000)
            exponent = single(-np.log(1e4)) * np.arange(160, dtype=single) / single(160 - shift)
            sines, cosines = turned(k, np.exp(exponent))
            table = side(cosines, sines) if flip else side(sines, cosines)
            spacing = "tensor2tensor" if shift else "paper"
            return table, Truth("halves", 1e4, (k,), cosines_first=flip, spacing=spacing)


@recipe("MusicGen", "transformers: MusicgenSinusoidalPositionalEmbedding")
def _():
    k = np.arange(512)
    sines, cosines = turned(k, exponential(1024, spaced=True))
    truth = Truth("halves", 1e4, (k,), cosines_first=True, spacing="tensor2tensor")
    return side(cosines, sines), truth


@recipe("relative, Wav2Vec2-conformer", "ESPnet, transformers: positions from n - 1 down to 1 - n")
def _():
    k = np.arange(299, -300, -1)
    return weave(*turned(k, exponential(256))), Truth("interleaved", 1e4, (k,))


@recipe("KerasHub", "keras_hub: SinePositionEncoding, a power of 1/10000 in float32")
def _():
    k, width = np.arange(300), 64
    omega = np.power(single(1e-4), (2 * (np.arange(width) // 2) / width).astype(single))
    angles = np.arange(300, dtype=single)[:, np.newaxis] * omega
    table = np.where(np.arange(width) % 2, np.cos(angles), np.sin(angles))
    return table, Truth("interleaved", 1e4, (k,))


@recipe("x-transformers", "x-transformers: ScaledSinusoidalEmbedding, untrained, times 1/√d")
def _():
    k = np.arange(300)
    table = side(*turned(k, power(64))) * single(64**-0.5)
    return table, Truth("halves", 1e4, (k,), scale=64**-0.5)


@recipe("GPT-J", "transformers: gptj create_sinusoidal_positions, 2048 x 64")
def _():
    k = np.arange(2048)
    return side(*turned(k, power(64))), Truth("halves", 1e4, (k,))


@recipe("cache of cosines and sines", "vLLM: RotaryEmbedding, cos_sin_cache, base 500 000")
def _():
    k = np.arange(2048)
    sines, cosines = turned(k, power(128, 5e5))
    return side(cosines, sines), Truth("halves", 5e5, (k,), cosines_first=True)


@recipe("cosines of a cache", "transformers: LlamaRotaryEmbedding, cosines of cat(angles, angles)")
def _():
    k = np.arange(512)
    _, cosines = turned(k, power(64, 1e6))
    return side(cosines, cosines), Truth("cosines", 1e6, (k,), kinds=("halves_equal",))


@recipe("cosines of a long cache", "transformers: the same for a model of 4 096 tokens, base 2e6")
def _():
    k = np.arange(4096)
    _, cosines = turned(k, power(128, 2e6))
    return side(cosines, cosines), Truth("cosines", 2e6, (k,), kinds=("halves_equal",))


@recipe("sines of a cache", "mesh-transformer-jax: sines, each twice, side by side")
def _():
    k = np.arange(512)
    sines, _ = turned(k, power(64))
    return np.repeat(sines, 2, axis=1), Truth("sines", 1e4, (k,), kinds=("neighbours_equal",))


@recipe("sines twice, cosines twice", "transformers 4: modeling_flax_llama, and EasyLM")
def _():
    k = np.arange(128)
    sines, cosines = turned(k, exact(64))
    table = side(sines, sines, cosines, cosines)
    return table, Truth("halves", 1e4, (k,), kinds=("quarters_equal",))


@recipe("cosines of RetNet", "microsoft/torchscale, retnet.py: 1 / 10000 ** linspace(0, 1, d / 2)")
def _():
    k = np.arange(300)
    omega = 1 / single(1e4) ** np.linspace(0, 1, 128, dtype=single)
    table = np.repeat(turned(k, omega)[1], 2, axis=1)
    return table, Truth("cosines", 1e4, (k,), spacing="tensor2tensor", kinds=("neighbours_equal",))


@recipe("cosines of TGAT", "twitter-research/tgn, time_encoding.py: 1 / 10 ** linspace(0, 9, 100)")
def _():
    k = np.arange(200)
    omega = (1 / 10 ** np.linspace(0, 9, 100)).astype(single)
    return turned(k, omega)[1], Truth("cosines", 1e9, (k,), spacing="tensor2tensor")


@recipe("angles of Megatron", "NVIDIA/Megatron-LM, rotary_pos_embedding.py: cat(freqs, freqs)")
def _():
    k = np.arange(128)
    angles = np.outer(k, power(64)).astype(single)
    return side(angles, angles), Truth("frequencies", 1e4, (k,), kinds=("halves_equal",))


@recipe("angles of Qwen2-VL", "transformers: VisionRotaryEmbedding.forward, outer(seq, inv_freq)")
def _():
    k = np.arange(64)
    return np.outer(k, power(40)).astype(single), Truth("frequencies", 1e4, (k,))


@recipe("integer division", "Kyubyong/transformer, pull request 81: 10000^(2*(i//2) // d) is 1")
def _():
    k, column = np.arange(50), np.arange(64)
    angles = k[:, np.newaxis] / 1e4 ** (2 * (column // 2) // 64)
    table = np.where(column % 2, np.cos(angles), np.sin(angles))
    return table.astype(single), Truth("interleaved", 1.0, (k,), kinds=("one_frequency",))


@recipe("integer division, halves", "the same with all sines before all cosines")
def _():
    k = np.arange(50)
    sines, cosines = turned_exactly(k, np.ones(16))
    return side(sines, cosines), Truth("halves", 1.0, (k,), kinds=("one_frequency",))


@recipe("DeepVoice 3", "r9y9/deepvoice3_pytorch, modules.py: rate 6.3, and row 0 is zeros")
def _():
    k = 6.3 * np.arange(300)
    table = weave(*turned_exactly(k, exact(64))).astype(single)
    table[0], k[0] = 0, np.nan
    return table, Truth("interleaved", 1e4, (k,))


@recipe("base 100, width 4", "tutorials: 'a gentle introduction to positional encoding'")
def _():
    k = np.arange(100)
    return weave(*turned_exactly(k, exact(4, 100.0))), Truth("interleaved", 100.0, (k,))


@recipe("from 1 000 000", "a text far down, in float64")
def _():
    k = np.arange(10**6, 10**6 + 300)
    return weave(*turned_exactly(k, exact(64))), Truth("interleaved", 1e4, (k,))


@recipe("from 1 000 000, float32", "the same with angles in float32")
def _():
    k = np.arange(10**6, 10**6 + 300)
    return side(*turned(k, power(64))), Truth("halves", 1e4, (k,))


@recipe("minus missing", "a tutorial whose exponent has no minus: frequencies grow")
def _():
    k = np.arange(200)
    return weave(*turned(k, 1e4 ** (np.arange(0, 16, 2) / 16))), Truth("interleaved", 1e-4, (k,))


@recipe("odd width", "a table of 65 columns, the last sine without its cosine")
def _():
    k = np.arange(100)
    omega = exact(66) ** (66 / 65)
    sines, cosines = turned_exactly(k, omega)
    return weave(sines, cosines)[:, :65], Truth("interleaved", 1e4, (k,))


@recipe("a column's number for its pair's", "the exponent i/d of column i, a common slip")
def _():
    k, column = np.arange(60), np.arange(64)
    angles = np.outer(k, 1e4 ** (-column / 64))
    table = np.where(column % 2, np.cos(angles), np.sin(angles))
    return table, Truth("by column", 1e4, (k,))


@recipe("twice a column's number", "tutorials: 2*i in the exponent, where i steps by 2 already")
def _():
    k, column = np.arange(60), np.arange(64)
    angles = np.outer(k, 1e4 ** (-2 * column / 64))
    table = np.where(column % 2, np.cos(angles), np.sin(angles))
    return table, Truth("by column", 1e4, (k,), spacing="twice the number")


@recipe("from 0 to 1", "tables drawn as pictures: (T + 1) / 2")
def _():
    k = np.arange(100)
    table = (weave(*turned_exactly(k, exact(64))) + 1) / 2
    return table, Truth("interleaved", 1e4, (k,), kinds=("from_0_to_1",))


@recipe("distances", "speechbrain: distances without a sign, from 99 to 0 to 99")
def _():
    k = np.abs(np.arange(99, -100, -1))
    return weave(*turned_exactly(k, exact(64))).astype(single), Truth("interleaved", 1e4, (k,))


@recipe("NeRF with pi", "bmild/nerf: octaves times pi")
def _():
    x = np.linspace(-1, 1, 101)
    angles = np.outer(x.astype(single), np.pi * 2.0 ** np.arange(10)).astype(single)
    truth = Truth("interleaved", 2.0, (x,), spacing="octaves of pi")
    return weave(np.sin(angles), np.cos(angles)), truth


@recipe("NeRF without pi", "bmild/nerf: frequencies 1, 2, 4, 8")
def _():
    x = np.linspace(-1, 1, 101)
    return weave(*turned(x, 2.0 ** np.arange(4))), Truth(
        "interleaved", 2.0, (x,), spacing="octaves"
    )


@recipe("index column", "a CSV whose first column counts the rows")
def _():
    k = np.arange(100)
    table = np.c_[k, weave(*turned_exactly(k, exact(64)))]
    return table, Truth("interleaved", 1e4, (k,), kinds=("index_column",))


# --------------------------------------------------------------------------- several coordinates


@recipe("DETR", "facebookresearch/detr: PositionEmbeddingSine, counted from 1, divided")
def _(normalised=False):
    rows, columns = grid(20, 14)
    places = [(rows + 1).astype(single), (columns + 1).astype(single)]
    if normalised:
        sizes = (single(20), single(14))
        places = [
            p / (n + single(1e-6)) * single(2 * np.pi) for p, n in zip(places, sizes, strict=True)
        ]
    divisor = single(1e4) ** ((2 * (np.arange(128) // 2)).astype(single) / single(128))
    parts = [p[:, np.newaxis] / divisor for p in places]
    table = side(*[np.where(np.arange(128) % 2, np.cos(a), np.sin(a)) for a in parts])
    return table.astype(single), Truth("interleaved", 1e4, tuple(places))


@recipe("DETR, to 2 pi", "the same with normalize=True")
def _():
    return RECIPES["DETR"].make(normalised=True)


@recipe("LoFTR", "zju3dv/LoFTR: PositionEncodingSine, counted from 1, a pair of each in turn")
def _(omega=None):
    rows, columns = grid(12, 9)
    omega = exponential(128) if omega is None else omega
    pairs = [np.stack(turned(p + 1, omega), -1) for p in (columns, rows)]
    table = np.stack(pairs, 2).reshape(108, 256)
    return table, Truth("interleaved", 1e4, (columns + 1, rows + 1))


@recipe("MAE", "facebookresearch/mae: get_2d_sincos_pos_embed, the columns first, in float64")
def _():
    rows, columns = grid(14, 14)
    parts = [side(*turned_exactly(p, exact(192))) for p in (columns, rows)]
    return side(*parts), Truth("halves", 1e4, (columns, rows))


@recipe("MAE, class token", "the same with a row of zeros for the class token, 197 x 768")
def _():
    table, truth = RECIPES["MAE"].make()
    places = tuple(np.r_[np.nan, p] for p in truth.positions)
    return np.r_[np.zeros((1, table.shape[1])), table], replace(truth, positions=places)


@recipe("SimpleViT", "vit-pytorch: posemb_sincos_2d, tensor2tensor's spacing in each side")
def _():
    rows, columns = grid(14, 14)
    omega = 1 / single(1e4) ** (np.arange(32, dtype=single) / single(31))
    parts = [side(*turned(p, omega)) for p in (columns, rows)]
    return side(*parts), Truth("halves", 1e4, (columns, rows), spacing="tensor2tensor")


@recipe("patches of another size", "diffusers: get_2d_sincos_pos_embed, places times 16/14")
def _():
    rows, columns = (p * 16 / 14 for p in grid(14, 14))
    parts = [side(*turned_exactly(p, exact(64))) for p in (columns, rows)]
    return side(*parts), Truth("halves", 1e4, (columns, rows))


@recipe("sines of both, then cosines", "timm: build_sincos2d_pos_embed")
def _():
    rows, columns = grid(14, 14)
    omega = 1 / single(1e4) ** (np.arange(32, dtype=single) / single(32))
    angles = side(*[p.astype(single)[:, np.newaxis] * omega for p in (rows, columns)])
    return side(np.sin(angles), np.cos(angles)), Truth("halves", 1e4, (rows, columns))


@recipe("three coordinates", "positional-encodings: PositionalEncoding3D")
def _():
    places = np.indices((4, 5, 6)).reshape(3, -1)
    parts = [weave(*turned(p, power(32))) for p in places]
    return side(*parts), Truth("interleaved", 1e4, tuple(places))


@recipe("a video", "diffusers: get_3d_sincos_pos_embed, a quarter for time")
def _():
    time, rows, columns = np.indices((4, 6, 6)).reshape(3, -1)
    widths = (64, 96, 96)
    places = (time, columns, rows)
    parts = [side(*turned_exactly(p, exact(w))) for p, w in zip(places, widths, strict=True)]
    return side(*parts), Truth("halves", 1e4, places)


def of_axes(places, widths, base=1e4):
    """Return cosines and sines of coordinates side by side, each with a list of its own."""
    parts = []
    for place, width in zip(places, widths, strict=True):
        sines, cosines = turned(place, power(width, base))
        parts.append(weave(cosines, sines))
    return side(*parts), Truth("interleaved", base, tuple(places), cosines_first=True)


@recipe("Flux", "black-forest-labs/flux, math.py: axes 16, 56, 56 of an image, whose time is 0")
def _():
    rows, columns = grid(16, 16)
    return of_axes((0 * rows, rows, columns), (16, 56, 56))


@recipe("HunyuanVideo", "Tencent/HunyuanVideo, posemb_layers.py: 16, 56, 56 columns, base 256")
def _():
    return of_axes(np.indices((4, 6, 8)).reshape(3, -1), (16, 56, 56), 256)


@recipe("Wan", "Wan-Video/Wan2.1, model.py: rope_params of 44, 42 and 42 columns")
def _():
    return of_axes(np.indices((4, 6, 8)).reshape(3, -1), (44, 42, 42))


def cosines_of_axes(places, widths, base=1e4):
    """Return the cosines of coordinates side by side, one column for each pair."""
    table, truth = of_axes(places, widths, base)
    return table[:, 0::2], replace(truth, layout="cosines", cosines_first=False)


@recipe("cosines of Qwen2-VL", "transformers: rot_pos_emb of 12 x 8 patches, cat(emb, emb).cos()")
def _():
    cosines, truth = cosines_of_axes(grid(12, 8), (40, 40))
    return side(cosines, cosines), replace(truth, kinds=("halves_equal",))


@recipe("cosines of Flux", "diffusers: FluxPosEmbed, freqs_cos, each twice")
def _():
    rows, columns = grid(16, 16)
    cosines, truth = cosines_of_axes((0 * rows, rows, columns), (16, 56, 56))
    return np.repeat(cosines, 2, axis=1), replace(truth, kinds=("neighbours_equal",))


@recipe("cosines of HunyuanVideo", "Tencent/HunyuanVideo: freqs_cos, each twice, base 256")
def _():
    places = np.indices((4, 6, 8)).reshape(3, -1)
    cosines, truth = cosines_of_axes(places, (16, 56, 56), 256)
    return np.repeat(cosines, 2, axis=1), replace(truth, kinds=("neighbours_equal",))


@recipe(
    "sines of EVA-02", "baaivision/EVA: VisionRotaryEmbeddingFast, freqs_sin of 16 x 16 patches"
)
def _():
    places = grid(16, 16)
    sines = side(*(turned(place, power(32))[0] for place in places))
    truth = Truth("sines", 1e4, places, kinds=("neighbours_equal",))
    return np.repeat(sines, 2, axis=1), truth


@recipe("pi0", "Physical-Intelligence/openpi, pi0.py: posemb_sincos, 10 steps of flow")
def _():
    times = np.arange(10, 0, -1, dtype=single) / single(10)
    periods = single(4e-3) * single(1000) ** np.linspace(0, 1, 512, dtype=single)
    omega = 1 / periods * single(2) * single(np.pi)
    return side(*turned(times, omega)), Truth("halves", 1e3, (times,), spacing="periods")
