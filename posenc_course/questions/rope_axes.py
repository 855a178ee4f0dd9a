"""The questions of the page `rope-axes`."""

import numpy as np

from posenc.axes import axial_frequencies, grid_positions, mrope_axes
from posenc_course.questions.kinds import blanks, choice, number

rope_axes_1 = number(
    "A head has 64 columns, and half of its pairs are for the row. Two patches are in the same "
    "row. For how many pairs do their angles differ?",
    answer=(axial_frequencies(64, 2)[1] == 1).sum(),
    wrong={
        32: "The head has 32 pairs in all, and 32 columns turn differently. How many pairs are "
        "these columns?",
        64: "Columns come in pairs.",
    },
    because="The 16 pairs of the column turn by different angles; those of the row turn both "
    "patches by the same angle.",
    nudge="How many pairs does the head have, and which of them know the row?",
)

rope_axes_2 = choice(
    "Patches of an image 10 wide are numbered line by line, and a head uses plain RoPE on the "
    "numbers. Which two steps have the same effect on a score?",
    options={
        "one to the right, and one down with nine to the left": "",
        "one down, and one to the right": "One right adds 1 to the number. What does one down add?",
        "one up, and one down": "These are −10 and +10: turns have a direction.",
    },
    because="Both add 1 to the number, and the score knows nothing else.",
    nudge="What does each step add to the patch's number?",
)

rope_axes_4 = blanks(
    "mrope_section is [16, 24, 24], one section after the other. Which coordinate turns each pair? "
    "Time is 0, height 1, width 2.",
    answer=mrope_axes([16, 24, 24])[[15, 20, 40]][np.newaxis],
    rows=["coordinate"],
    columns=["pair 15", "pair 20", "pair 40"],
    because="Time has the pairs 0 to 15, height the 24 from 16 to 39, width the rest.",
    nudge="Count the pairs off, section by section.",
)

rope_axes_3 = number(
    "Base 10 000, 64 columns, two coordinates. By how many degrees has pair 8 of the row turned "
    "between row 0 and row 26? The printout above has the angle for row 13.",
    answer=np.degrees(26 * axial_frequencies(64, 2)[0][8]),
    unit="degrees",
    tolerance=0.3,
    wrong={
        np.degrees(13 * axial_frequencies(64, 2)[0][8]): "That is row 13. Angles grow with the row."
    },
    because="Twice the row is twice the angle.",
    nudge="The angle is row times frequency.",
)

rope_axes_ex_1 = number(
    "An image is 14 patches wide, and patches are numbered line by line from 0. What is the number "
    "of the patch in row 3, column 5? Rows and columns count from 0.",
    answer=3 * 14 + 5,
    wrong={
        2 * 14 + 4: "Rows and columns count from 0.",
        5 * 14 + 3: "Row and column have changed places.",
    },
    because="Three whole rows of 14 come before, and then five patches.",
    nudge="How many patches come before row 3?",
)

rope_axes_ex_2 = number(
    "M-RoPE. Ten words, then a picture of 4 by 6 patches, then a word. At which position is that "
    "word? The first word is at 0.",
    answer=(10 + grid_positions(1, 4, 6)).max() + 1,
    wrong={
        34: "That many tokens come before it. What is the largest coordinate among them?",
        15: "That is the largest coordinate of the picture.",
        14: "That counts on from the rows. Which side is longer?",
    },
    because="The picture begins at 10 and has columns 10 to 15, so the word is at 16.",
    nudge="The picture begins at 10. What is its largest coordinate?",
)
