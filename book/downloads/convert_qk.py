"""Reorder queries and keys between the two pairings of RoPE.

    order = to_neighbours(d)        # from halves; the way back: to_halves(d)
    order = to_halves(d, part)      # only the first `part` columns of d turn
    state = converted(state, order, heads, key_heads)
    state = converted(state, order, heads, key_heads, "model.layers.")

Three traps: each head is reordered for itself; biases and the norms of q and
k too; columns that do not turn stay. Values and the output projection stay as
well. A name that PERHAPS finds and KNOWN does not is an error: split a fused
qkv, merge LoRA, undo a quantisation first; pass a prefix if there is a vision
tower. A name that neither finds stays as it is, so look through the names of
your model. From the course Where Words Stand. MIT licence.
"""

import re

KNOWN = re.compile(r"(^|\.)(q|k)_(proj|norm|layernorm)\.(weight|bias)\Z")
PERHAPS = re.compile(
    r"(^|[._])(w?(q|k|qk|kv|qkv)(norm|proj)?|(qkv|query|key)[a-z]*"
    r"|c_attn|in_proj|w_pack|att_proj)([._\d]|\Z)"
)


def to_halves(head_dim, rotary_dim=None):
    """Return the order of a head's columns that makes neighbours halves."""
    part = rotary_dim or head_dim
    still = range(part, head_dim)
    return [*range(0, part, 2), *range(1, part, 2), *still]


def to_neighbours(head_dim, rotary_dim=None):
    """Return the order that makes halves neighbours: the way back."""
    halves = to_halves(head_dim, rotary_dim)
    return sorted(range(head_dim), key=halves.__getitem__)


def converted(state, order, heads, key_heads, prefix=""):
    """Return a state dict with the queries and keys below a prefix reordered.

    heads and key_heads: num_attention_heads and num_key_value_heads of the
    config. The length of the order, head_dim, must fit them.
    """
    result, d = dict(state), len(order)
    names = [name for name in state if name.startswith(prefix)]
    found = [name for name in names if PERHAPS.search(name.lower())]
    if not found:
        raise ValueError(f"no queries or keys begin with {prefix!r}")
    for name in found:
        known, tensor = KNOWN.search(name), state[name]
        if not known:
            raise ValueError(
                f"{name} may hold queries or keys in no known order"
            )
        count = heads if known[2] == "q" else key_heads
        allowed = [count * d] if known[3] == "proj" else [d, count * d]
        if tensor.shape[0] not in allowed:
            raise ValueError(
                f"{name} has {tensor.shape[0]} rows, not {count} heads of {d}"
            )
        each = tensor.reshape(-1, d, *tensor.shape[1:])
        result[name] = each[:, order].reshape(tensor.shape)
    return result
