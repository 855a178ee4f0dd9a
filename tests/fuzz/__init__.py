"""Generated arguments for every public function: `make fuzz` runs 100 000 cases.

Each case knows what its arguments mean before posenc sees them. If they mean something, the result
must agree with a slow reference in exact integers, fractions and 40-digit numbers; if they do not,
a TypeError or a ValueError must repeat what was passed. No argument may change, whatever state the
caller is in, and no case may take seconds. To add a function, write a generator and name it in
`CASES`.
"""

import posenc
from posenc import axes, config, diagnose, scaling
from tests.fuzz import encodings, grids, layers, readings, stretched

CASES = {
    posenc.sinusoidal: encodings.sinusoidal,
    posenc.frequencies: encodings.frequencies,
    posenc.wavelengths: encodings.wavelengths,
    posenc.shift_matrix: encodings.shift_matrix,
    posenc.binary_code: encodings.binary_code,
    posenc.decode_positions: encodings.decode_positions,
    posenc.rotate: layers.rotate,
    posenc.rope: layers.rope,
    posenc.attention: layers.attention,
    posenc.alibi_slopes: layers.alibi_slopes,
    posenc.alibi_bias: layers.alibi_bias,
    posenc.inspect_table: readings.inspect_table,
    posenc.check_rope: readings.check_rope,
    diagnose.compare_rope: readings.compare_rope,
    config.rotary_settings: stretched.rotary_settings,
    scaling.attention_temperature: stretched.attention_temperature,
    scaling.linear: stretched.linear,
    scaling.ntk_aware: stretched.ntk_aware,
    scaling.dynamic_ntk: stretched.dynamic_ntk,
    scaling.yarn: stretched.yarn,
    scaling.yarn_attention_factor: stretched.yarn_attention_factor,
    scaling.llama3: stretched.llama3,
    scaling.longrope: stretched.longrope,
    scaling.longrope_attention_factor: stretched.longrope_attention_factor,
    scaling.p_rope: stretched.p_rope,
    scaling.scaled_frequencies: stretched.scaled_frequencies,
    axes.grid_positions: grids.grid_positions,
    axes.axial_sinusoidal: grids.axial_sinusoidal,
    axes.axial_frequencies: grids.axial_frequencies,
    axes.axial_ladders: grids.axial_ladders,
    axes.mrope_axes: grids.mrope_axes,
    axes.axial_rope: grids.axial_rope,
}
