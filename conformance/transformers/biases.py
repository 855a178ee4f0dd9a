"""What Transformers adds to scores: ALiBi and the buckets of T5."""

import math

import numpy as np
import torch

from conformance.rows import compare
from conformance.transformers import modeling
from posenc import alibi_bias


def compare_all():
    for heads in (8, 12):
        ours, bias = f"alibi_bias({heads}, n, n)", alibi_bias(heads, 1, 40)[:, 0]
        shifted = bias - bias[:, :1]
        made = modeling("bloom").build_alibi_tensor(torch.ones(1, 40), heads, torch.float32)
        code = f"BLOOM, {heads} heads, up to a constant of each row"
        short = {"reason": "rounding to float32", "most": 1e-5, "kind": "bias"}
        compare(code, ours, made.numpy().reshape(heads, 40), shifted, **short)
        made = modeling("mpt").build_mpt_alibi_tensor(heads, 40).numpy().reshape(heads, 40)
        compare(f"MPT, {heads} heads", ours, made, bias, **short)
        made = modeling("falcon").build_alibi_tensor(torch.ones(1, 40), heads, torch.float32)
        made = made.numpy().reshape(heads, 40)
        code = f"Falcon, {heads} heads, up to a constant of each row"
        short = {"reason": "their slopes are in bfloat16", "most": 0.4, "kind": "bias"}
        compare(code, ours, made - made[:, :1], shifted, far=40, **short)
    own = modeling("t5").T5Attention._relative_position_bucket
    distance = np.concatenate([np.arange(-3000, 3000), [-100_000, 100_000]])
    for both in (True, False):
        for buckets, most in ((32, 128), (64, 128), (32, 256)):
            found = own(torch.from_numpy(distance), both, buckets, most).numpy()
            expected = t5_bucket(distance, both, buckets, most)
            code = f"T5 buckets, {buckets} to {most}, {'both sides' if both else 'one side'}"
            ours = f"bucket_of(np.maximum(back, 0), {buckets}, {most})"
            if both:  # half of the buckets for each side
                half = buckets // 2
                ours = f"{half} * (back < 0) + bucket_of(abs(back), {half}, {most})"
            compare(code, ours, found, expected, kind="bias")


def t5_bucket(distance, both, buckets, most):
    """Return the bucket of a distance, key minus query, from the T5 paper's description."""
    first = np.zeros_like(distance)
    if both:
        buckets //= 2
        first = np.where(distance > 0, buckets, 0)
        size = np.abs(distance)
    else:
        size = np.maximum(-distance, 0)
    exact = buckets // 2
    steps = np.log(np.maximum(size, 1) / exact, dtype=np.float32) / math.log(most / exact)
    far = np.minimum(exact + (steps * (buckets - exact)).astype(int), buckets - 1)
    return first + np.where(size < exact, size, far)
