"""Cases for `posenc.scaling`: the formulas of the papers, pair by pair."""

import math
import sys
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np

from posenc import config as config_module
from tests.fuzz.arguments import Case, Drawn, array, base, no_numbers, real_number, width
from tests.fuzz.arguments import whole_number as integer
from tests.fuzz.truth import of, same, true_frequencies

LARGEST, SMALLEST = sys.float_info.max, sys.float_info.min


def positive(rng, choices=(1, 2, 4, 8, 32, 0.5, 1.5, 40, 1e6)):
    """Draw a number above 0."""
    if rng.random() < 0.04:
        return Drawn(rng.choice([0, -1, -0.0, Fraction(-1, 2), np.float32(-4)]), None)
    return real_number(rng, choices)


def tokens(rng, least=0):
    """Draw a number of tokens."""
    if rng.random() < 0.03:
        return Drawn(rng.choice([2**53 + 1, 2**70, 10**400]), None)
    return integer(rng, least, rng.choice([100, 4096, 131_072, 2**40]))


def truth_value(rng, value):
    """Draw True or False."""
    if rng.random() < 0.03:
        return Drawn(rng.choice([None, 0, 1, "no", "", [], np.array(True), 2.0]), None)
    return Drawn(rng.choice([bool, np.bool_])(value), value)


def case(arguments, options, true):
    """Return the case of a list of frequencies, with what `true` returns, or refused.

    `true` takes the meanings and returns each frequency and how far it may be off; an empty
    list means that they are refused, and None that it is too close to call.
    """
    meanings = {name: drawn.meaning for name, drawn in options.items()}
    given = {name: drawn.value for name, drawn in options.items()}
    values = tuple(drawn.value for drawn in arguments)
    if None in [*meanings.values(), *(drawn.meaning for drawn in arguments)]:
        return Case(values, given, None)
    expected = true(*(drawn.meaning for drawn in arguments), **meanings)
    if expected is None:
        return None

    def check(omega):
        assert omega.shape == (len(expected),)
        for made, (exact, bound) in zip(omega, expected, strict=True):
            same(made, exact, bound + mpmath.mpf(5e-324), "frequency")

    return Case(values, given, check if expected else None)


def ladder(head_dim, rope_theta):
    """Return the frequencies of a base; none if float64 cannot hold them."""
    omega = true_frequencies(head_dim, rope_theta)
    return [] if max(omega) > LARGEST else omega


def slowed(omega, factors):
    """Return each frequency divided by its factor, as `case` expects it."""
    result = [w / of(factor) for w, factor in zip(omega, factors, strict=True)]
    if any(abs(w / LARGEST - 1) < 1e-9 for w in result):
        return None
    return [] if any(w > LARGEST for w in result) else [(w, w * 2.0**-50) for w in result]


def linear(rng):
    def true(head_dim, factor, rope_theta):
        omega = ladder(head_dim, rope_theta)
        return slowed(omega, [factor] * len(omega))

    options = {"factor": positive(rng, (1, 4, 0.5, 1.5, 1e-320, 1e300)), "rope_theta": base(rng)}
    return case([width(rng)], options, true)


def default(rng):
    def true(head_dim, rope_theta):
        omega = ladder(head_dim, rope_theta)
        return slowed(omega, [1] * len(omega))

    return case([width(rng)], {"rope_theta": base(rng)}, true)


def of_raised_base(head_dim, growth, rope_theta):
    if head_dim < 4:
        return []
    raising = growth ** (mpmath.mpf(head_dim) / (head_dim - 2))
    raised = of(rope_theta) * raising
    if raised == 1 or max(raised, raising) > 2 * LARGEST:
        return []
    if abs(raised - 1) < 1e-9 or raised < SMALLEST or max(raised, raising) > LARGEST / 2:
        return None
    omega = [raised ** (mpmath.mpf(-2 * i) / head_dim) for i in range(head_dim // 2)]
    return [] if max(omega) > LARGEST else [(w, w * 2.0**-40) for w in omega]


def ntk_aware(rng):
    def true(head_dim, factor, rope_theta):
        return of_raised_base(head_dim, of(factor), rope_theta)

    options = {"factor": positive(rng, (1, 4, 0.5, 8, 1e200)), "rope_theta": base(rng)}
    return case([width(rng)], options, true)


def dynamic_ntk(rng):
    def true(head_dim, factor, sequence_length, max_position_embeddings, rope_theta):
        growth = of(factor) * max(sequence_length, max_position_embeddings)
        growth = growth / max_position_embeddings - (of(factor) - 1)
        return of_raised_base(head_dim, growth, rope_theta)

    options = {
        "factor": positive(rng, (1, 2, 4, 0.5, 1e17)),
        "sequence_length": tokens(rng),
        "max_position_embeddings": tokens(rng, 1),
        "rope_theta": base(rng),
    }
    return case([width(rng)], options, true)


def yarn(rng):
    def true(
        head_dim,
        factor,
        original_max_position_embeddings,
        rope_theta,
        beta_fast,
        beta_slow,
        truncate,
    ):
        if rope_theta < 1 or beta_slow > beta_fast:
            return []
        omega = ladder(head_dim, rope_theta)
        pairs = len(omega)
        low, high = (
            pairs
            * mpmath.log(original_max_position_embeddings / (of(turns) * 2 * mpmath.pi))
            / mpmath.log(of(rope_theta))
            for turns in (beta_fast, beta_slow)
        )
        if truncate:
            if any(abs(end - mpmath.nint(end)) < 1e-9 * max(1, abs(end)) for end in (low, high)):
                return None
            low, high = mpmath.floor(low), mpmath.ceil(high)
        low = max(low, 0)
        high = min(high, head_dim - 1)
        # The authors add a little where the ramp has no length; backwards it would undo the rule.
        length = high - low if high > low else mpmath.mpf(0.001)
        if length < 1e-3:
            return None
        steep = 1e-13 * max(1, abs(low)) / length
        result = []
        for pair, before in enumerate(omega):
            ramp = min(max((pair - low) / length, 0), 1)
            after = before / of(factor)
            bound = (before + after) * (2.0**-48 + steep * (0 < ramp < 1 or abs(pair - low) < 1e-9))
            result.append(((1 - ramp) * before + ramp * after, bound))
        return result

    options = {
        "factor": positive(rng),
        "original_max_position_embeddings": tokens(rng, 1),
        "rope_theta": base(rng),
        "beta_fast": positive(rng, (32, 32, 16, 4, 2.5)),
        "beta_slow": positive(rng, (1, 1, 2, 0.5, 2.5)),
        "truncate": truth_value(rng, rng.random() < 0.7),
    }
    return case([width(rng, 64)], options, true)


def llama3(rng):
    def true(
        head_dim,
        factor,
        low_freq_factor,
        high_freq_factor,
        original_max_position_embeddings,
        rope_theta,
    ):
        if low_freq_factor > high_freq_factor:
            return []
        result = []
        span = of(high_freq_factor) - of(low_freq_factor)
        for before in ladder(head_dim, rope_theta):
            turns = original_max_position_embeddings * before / (2 * mpmath.pi)
            if not span:  # a step
                if abs(turns / of(low_freq_factor) - 1) < 1e-9:
                    return None
                after = before if turns > of(low_freq_factor) else before / of(factor)
                result.append((after, after * 1e-14))
                continue
            kept = min(max((turns - of(low_freq_factor)) / span, 0), 1)
            steep = 2.0**-50 * min(turns, 1e9) / span
            after = before / of(factor)
            result.append((kept * before + (1 - kept) * after, (before + after) * (1e-14 + steep)))
        return result

    options = {
        "factor": positive(rng),
        "low_freq_factor": positive(rng, (1, 1, 2, 0.5)),
        "high_freq_factor": positive(rng, (4, 4, 8, 1, 1.5)),
        "original_max_position_embeddings": tokens(rng, 1),
        "rope_theta": base(rng),
    }
    return case([width(rng, 64)], options, true)


def longrope(rng):
    head_dim = width(rng)
    pairs = (head_dim.meaning or 4) // 2

    def factors():
        count = pairs + rng.choice([0] * 20 + [1, -1])
        numbers = [Fraction(rng.choice([1, 1, 1.5, rng.uniform(0.5, 60)])) for _ in range(count)]
        if numbers and rng.random() < 0.05:
            numbers[rng.randrange(count)] = Fraction(rng.choice([0, -1]))
        drawn = array(rng, (count,), numbers)
        good = drawn.meaning and count == pairs and min(numbers, default=1) > 0
        return Drawn(drawn.value, numbers if good else None)

    def true(head_dim, short_factor, long_factor, sequence_length, **others):
        long = sequence_length > others["original_max_position_embeddings"]
        omega = ladder(head_dim, others["rope_theta"])
        return slowed(omega, (long_factor if long else short_factor)[: len(omega)])

    options = {
        "short_factor": factors(),
        "long_factor": factors(),
        "sequence_length": tokens(rng),
        "original_max_position_embeddings": tokens(rng, 1),
        "rope_theta": base(rng),
    }
    return case([head_dim], options, true)


def p_rope(rng):
    def true(head_dim, partial_rotary_factor, factor, rope_theta):
        columns = of(partial_rotary_factor) * head_dim
        if abs(columns - mpmath.nint(columns)) < 1e-9 and columns != mpmath.nint(columns):
            return None
        if not 0 <= partial_rotary_factor <= 1:
            return []
        omega = ladder(head_dim, rope_theta)
        all_slowed = slowed(omega, [factor] * len(omega))
        turning = math.floor(columns) // 2
        return all_slowed and [
            entry if i < turning else (mpmath.mpf(0), 0) for i, entry in enumerate(all_slowed)
        ]

    options = {
        "partial_rotary_factor": real_number(rng, (0, 0.25, 0.5, 0.75, 1, 0.3, 1.5, -0.1)),
        "factor": positive(rng),
        "rope_theta": base(rng),
    }
    return case([width(rng)], options, true)


def number_case(options, true):
    """Return the case of one number; `true` may return None for what is refused."""
    meanings = {name: drawn.meaning for name, drawn in options.items()}
    given = {name: drawn.value for name, drawn in options.items()}
    exact = None if None in meanings.values() else true(**meanings)

    def check(made):
        assert isinstance(made, float)
        same(made, exact, abs(exact) * 1e-14, "attention factor")

    return Case((), given, None if exact is None else check)


def yarn_attention_factor(rng):
    def true(factor, mscale=0, mscale_all_dim=0):
        size = mpmath.log(max(of(factor), 1)) / 10
        if min(mscale, mscale_all_dim) < 0:
            return None
        if mscale and mscale_all_dim:
            return (of(mscale) * size + 1) / (of(mscale_all_dim) * size + 1)
        return size + 1

    options = {"factor": positive(rng, (1, 4, 40, 0.5, 1e300))}
    for name in ("mscale", "mscale_all_dim"):
        if rng.random() < 0.5:
            options[name] = real_number(rng, (0, 1, 0.707, 2, -1))
            if options[name].value is None:  # as if it were not given
                return None
    return number_case(options, true)


def longrope_attention_factor(rng):
    def true(factor, original_max_position_embeddings):
        longer = mpmath.log(max(of(factor), 1))
        return mpmath.sqrt(1 + longer / mpmath.log(original_max_position_embeddings))

    options = {
        "factor": positive(rng, (1, 4, 32, 0.5, 1e300)),
        "original_max_position_embeddings": tokens(rng, 2),
    }
    return number_case(options, true)


def attention_temperature(rng):
    count = rng.randint(1, 4)
    places = [
        Fraction(rng.choice([0, 1, 8191, 8192, 40_000, rng.uniform(0, 1e6)])) for _ in range(count)
    ]
    if rng.random() < 0.05:
        places[0] = Fraction(-1)
    drawn = array(rng, (count,), places)
    beta = real_number(rng, (0.1, 0.1, 0, 0.25, 3, -0.1))
    length = tokens(rng, 1)

    def check(made):
        assert made.shape == (count,)
        for one, place in zip(made, places, strict=True):
            steps = math.floor(place / length.meaning)
            exact = 1 + of(beta.meaning) * mpmath.log(1 + steps)
            same(one, exact, abs(exact) * 1e-14, "temperature")

    refused = drawn.meaning is None or None in (beta.meaning, length.meaning)
    refused = refused or min(places) < 0 or beta.meaning < 0
    options = {"beta": beta.value, "original_max_position_embeddings": length.value}
    return Case((drawn.value,), options, None if refused else check)


RULES = {
    "default": default,
    "linear": linear,
    "dynamic": dynamic_ntk,
    "yarn": yarn,
    "llama3": llama3,
    "longrope": longrope,
    "proportional": p_rope,
}


def scaled_frequencies(rng):
    """Draw the settings of a rule, as a config writes them, and sometimes spoil them."""
    kind = rng.choice(list(RULES))
    drawn = RULES[kind](rng)
    if drawn is None:
        return None
    head_dim, settings = drawn.arguments[0], dict(drawn.options)
    if any(value is None for value in settings.values()):  # as if it were not given
        return None
    options = {
        name: settings.pop(name)
        for name in ("sequence_length", "max_position_embeddings")
        if name in settings
    }
    name = rng.choice(["rope_type", "type"])
    settings[name] = kind
    check, factor, elsewhere = drawn.check, None, None
    if kind in ("yarn", "longrope"):
        factor = rng.choice([1.0, 1.5])
        settings["attention_factor"] = factor
        if kind == "longrope" and rng.random() < 0.5:
            settings["factor"] = 32.0
    if kind == "default" and rng.random() < 0.5:
        settings[name] = "mrope"
    if check and kind != "proportional" and rng.random() < 0.3:
        settings["partial_rotary_factor"] = 0.5
        head_dim = 2 * int(head_dim)
    draw = rng.random()
    if draw < 0.25:
        check = None
        spoilt = [
            lambda: settings.pop("rope_theta"),
            lambda: settings.update(rope_thta=500_000.0),
            lambda: settings.update({name: rng.choice(["ntk", "", 3, ["yarn"], True])}),
            lambda: settings.update(full_attention={"rope_theta": 10_000.0}),
            lambda: settings.update({3: 4}),
            lambda: settings.update(beta_fats=32),
            lambda: settings.update(rope_type=kind, type="linear" if kind != "linear" else "yarn"),
        ]
        rng.choice(spoilt)()
    elif draw < 0.3:
        wrong = [None, [], "yarn", 3, Decimal(1), [("rope_theta", 1)]]
        return Case((head_dim, rng.choice([*wrong, no_numbers(rng)])), options, None)
    elif draw < 0.4:
        settings["mscale" if kind == "yarn" else "mrope_section"] = None
    elif draw < 0.6:
        settings["mrope_section"] = elsewhere = [1, 2, 3]

    def check_both(result):
        omega, attention_factor = result
        check(omega)
        assert attention_factor == (1.0 if factor is None else factor)
        assert ("mrope_section" in result.elsewhere) == (elsewhere is not None)

    return Case((head_dim, settings), options, check_both if check else None)


def rotary_settings(rng):
    """Draw a config in one of the dialects, and sometimes one that lacks something."""
    heads, width = rng.choice([4, 8]), rng.choice([32, 64])
    theta = rng.choice([1e4, 5e5, 150_000])
    expected = {"head_dim": width, "rope_parameters": {"rope_theta": theta}}
    parameters = expected["rope_parameters"]
    config = {
        rng.choice(config_module.HIDDEN): heads * width,
        rng.choice(config_module.HEADS): heads,
    }
    if rng.random() < 0.3:
        config["head_dim"] = width
    rule = rng.choice([None, {rng.choice(["type", "rope_type"]): "linear", "factor": 4.0}])
    parameters |= rule or {}
    if rng.random() < 0.4:
        config["rope_parameters"] = (rule or {}) | {"rope_theta": theta}
    else:
        config |= {"rope_scaling": rule, rng.choice(config_module.THETA): theta}
    if rng.random() < 0.3:
        config[rng.choice(config_module.PART)] = parameters["partial_rotary_factor"] = 0.5
    if rng.random() < 0.3:
        config["max_position_embeddings"] = rng.choice([4096, 4096.0])
        expected["max_position_embeddings"] = 4096
    if rng.random() < 0.3:
        config = {"text_config": config, "vision_config": {"rope_theta": 100.0}}
    before = repr(config)

    def check(found):
        assert found == expected
        assert repr(config) == before

    draw = rng.random()
    if draw < 0.15:
        return Case((rng.choice([None, [], "config.json", 3, [("rope_theta", 1e4)]]),), {}, None)
    if draw < 0.3:
        return Case(({"hidden_size": 64, "num_attention_heads": 4},), {}, None)
    if draw < 0.4:
        return Case(({"rope_theta": theta},), {}, None)
    if draw < 0.5:
        two = {"full_attention": {"rope_theta": theta}, "sliding_attention": {"rope_theta": 1e4}}
        kind = rng.choice(["full_attention", "sliding_attention", "local", None])
        of_kind = {"head_dim": width, "rope_parameters": two.get(kind)}
        config, expected = {"head_dim": width, "rope_parameters": two}, of_kind
        before = repr(config)
        return Case((config,), {"layers": kind}, check if kind in two else None)
    return Case((config,), {}, check)
