"""Figures of the book: each is drawn into the axes that it is given, and all in one style."""

from posenc_course.figures.bugs import bug_by_test, differences, harm_by_bug, specimen
from posenc_course.figures.clocks import (
    carried_legs,
    query_and_key,
    same_x,
    school_and_clock,
    turned_sheet,
    turning_hands,
    two_hands,
)
from posenc_course.figures.codes import (
    bits_beside_encoding,
    bits_on_clocks,
    distances_by_gap,
    errors_of_best_matrix,
    periods_in_band,
    rounded_hands,
)
from posenc_course.figures.errors import (
    angle_errors,
    error_by_position,
    errors_of_ports,
    score_errors,
)
from posenc_course.figures.example import (
    lengths_by_width,
    word_and_place,
    worked_entries,
    written_sum,
)
from posenc_course.figures.formula import (
    column_and_row,
    hand_clocks,
    position_clocks,
    rows_over_pairs,
)
from posenc_course.figures.ladders import (
    columns_and_reach,
    curves_by_base,
    ladder,
    ladder_of_hands,
    ladder_with_missing_rung,
    ladders_by_base,
    pair_waves,
)
from posenc_course.figures.order import (
    failed_repairs,
    mean_among_rows,
    rows_of_sentences,
    swapped_scores,
)
from posenc_course.figures.promises import (
    answers_beyond,
    coarse_to_fine,
    distances_with_dip,
    margins_by_width,
    reading_errors,
    returning_hands,
)
from posenc_course.figures.relatives import (
    buckets,
    doors,
    perplexity_by_length,
    reach_of_heads,
)
from posenc_course.figures.rotations import (
    blocks_and_pairs,
    guessed_next,
    shift_blocks,
    two_short_lists,
)
from posenc_course.figures.settings import (
    moved_outputs,
    scores_by_step,
    stretch_by_pair,
    tokens_for_a_turn,
)
from posenc_course.figures.similarity import (
    kernel_and_rises,
    kernel_on_log_axis,
    picture_and_rows,
    scores_at_one_distance,
    scores_through_matrices,
    shares_before_and_after,
    turns_by_pair,
    weights_of_heads,
)
from posenc_course.figures.style import HIGHLIGHT, INK, NEUTRAL, SINE, use_style
from posenc_course.figures.tables import colour_scale, heat_map, numbered_cells
from posenc_course.figures.training import (
    accuracy_by_length,
    answer_by_distance,
    answer_maps,
    learning_curves,
    lost_by_width,
    score_shares,
)
from posenc_course.figures.waves import sampled_waves, wave_anatomy, waves_by_frequency
