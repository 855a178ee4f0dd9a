"""Reorder queries and keys between the two pairings of RoPE, with PyTorch.

    state = converted(state, to_neighbours(d))         # halves to neighbours
    state = converted(state, to_halves(d))             # neighbours to halves
    state = converted(state, to_halves(d, part))       # only `part` of d turn

Three traps: each head is reordered for itself; biases and the norms of q and
k too; columns that do not turn stay. Values and the output projection stay as
well. From the course Where Words Stand. MIT licence.
"""

import torch

# Endings of the names in a state dict. A fused qkv must be split first.
REORDERED = tuple(
    f"{name}.{kind}"
    for name in (
        *("q_proj", "q_norm", "q_layernorm"),
        *("k_proj", "k_norm", "k_layernorm"),
    )
    for kind in ("weight", "bias")
)


def to_halves(head_dim, rotary_dim=None):
    """Return the order of a head's columns that makes neighbours halves."""
    part = rotary_dim or head_dim
    turned = torch.arange(part)
    still = torch.arange(part, head_dim)
    return torch.cat([turned[0::2], turned[1::2], still])


def to_neighbours(head_dim, rotary_dim=None):
    """Return the order that makes halves neighbours: the way back."""
    return torch.argsort(to_halves(head_dim, rotary_dim))


def reordered(tensor, order):
    """Return a weight, a bias or a norm, each head in a new order.

    Heads stand one after the other in the first axis; keys may have fewer.
    """
    heads = tensor.unflatten(0, (-1, len(order)))
    return heads[:, order.to(tensor.device)].flatten(0, 1).contiguous()


def converted(state, order):
    """Return a state dict with queries and keys in a new order."""
    return {
        name: reordered(each, order) if name.endswith(REORDERED) else each
        for name, each in state.items()
    }
