"""The questions of the page `time-place-pixels`."""

from posenc_course.questions.kinds import number

time_place_pixels_1 = number(
    "The fastest pair turns by 1 radian per unit. Your times run from 0 to 1 in 1000 steps. By "
    "how many radians does this pair turn in one step?",
    answer=1 / 1000,
    unit="radians",
    wrong={
        1: "That is a step of a time that runs from 0 to 1000.",
        1000: "That would be faster, not slower. How long is one step?",
    },
    because="A step is 1/1000 of the unit, and the pair turns by 1 radian per unit.",
    nudge="How long is one step, in the unit in which the pair turns by 1 radian?",
)
