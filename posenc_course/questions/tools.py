"""The questions of the page `tools`."""

import numpy as np

from posenc import shift_matrix
from posenc_course.questions.kinds import blanks, choice, number

tools_8 = blanks(
    "What is 0.5 · (2, 6) + 2 · (2, −1)?",
    answer=0.5 * np.array([2, 6]) + 2 * np.array([2, -1]),
    columns=["first number", "second number"],
    wrong=[
        ([4, 5], "You added the arrows as they are. Scale each one first."),
        (0.5 * np.array([2, 6]) + 2 * np.array([2, 1]), "Keep the minus sign of −1."),
    ],
    because="(1, 3) + (4, −2) = (5, 1).",
    nudge="Scale both arrows, then add number by number.",
)

arrow = np.array([2, 3, 6])
tools_1 = number(
    "How long is the arrow (2, 3, 6)?",
    answer=np.linalg.norm(arrow),
    wrong={
        arrow.sum(): "You added the entries. Square them first.",
        arrow @ arrow: "That is the length squared.",
    },
    because="4 + 9 + 36 = 49, and the root of 49 is 7.",
    nudge="Square each entry, add, take the root.",
)

one, two = np.array([2, -1, 3]), np.array([4, 2, 1])
tools_2 = number(
    "What is the dot product of (2, −1, 3) and (4, 2, 1)?",
    answer=one @ two,
    wrong={
        np.abs(one) @ two: "Keep the minus sign of −1.",
        one.sum() * two.sum(): "Multiply entry by entry, then add; not the other way round.",
    },
    because="8 − 2 + 3 = 9.",
    nudge="Three products, one for each entry, and their sum.",
)

matrix, point = np.array([[1, 2], [3, 4]]), np.array([5, 6])
tools_4 = blanks(
    "The matrix has the rows (1, 2) and (3, 4). Where does it take the point (5, 6)?",
    answer=matrix @ point,
    columns=["x", "y"],
    wrong=[(matrix.T @ point, "You went down the columns. Take the rows of the matrix.")],
    because="1 · 5 + 2 · 6 = 17, and 3 · 5 + 4 · 6 = 39.",
    nudge="One dot product for each row of the matrix.",
)


def turned(point: list[float], degrees: float) -> np.ndarray:
    """Return the point (x, y) turned clockwise round (0, 0) by so many degrees, shape (2,)."""
    # The matrix of a shift of one hand at 1 radian per token, by as many tokens as radians.
    return shift_matrix(np.radians(degrees), 2) @ point


tools_5 = blanks(
    "Turn the arrow (2, 0) clockwise by 30°. Where is its tip, to two decimals?",
    answer=turned([2, 0], 30),
    columns=["x", "y"],
    tolerance=0.006,
    wrong=[
        (turned([2, 0], -30), "Turn it clockwise: does the tip go up or down?"),
        (turned([2, 0], 60), "Which number is 2 · cos 30°, and which is 2 · sin 30°?"),
        (turned([1, 0], 30), "The arrow has length 2, before the turn and after it."),
        (turned([2, 0], np.degrees(30)), "You took 30 as radians. It is in degrees."),
    ],
    because="The first column of R(30°) is (cos 30°, −sin 30°), and the arrow is twice as long.",
    nudge="Put b = 30° into the matrix above and multiply.",
)

east, north_east = np.array([1, 0]), np.array([3, 3])
dot = east @ north_east
cosine = dot / (np.linalg.norm(east) * np.linalg.norm(north_east))
tools_3 = number(
    "What is the cosine between (1, 0) and (3, 3), to two decimals?",
    answer=cosine,
    tolerance=0.006,
    wrong={
        dot: "That is the dot product. Divide it by both lengths.",
        45: "That is the angle, in degrees. What is its cosine?",
        np.sqrt(18): "That is the length of (3, 3).",
    },
    because="The dot product 3 divided by 1 and by √18 is 0.71: the cosine of 45°.",
    nudge="Dot product first, then divide by the two lengths.",
)

tools_6 = choice(
    "X has shape (3, 8) and W has shape (8, 4). What is the shape of the transpose of X W?",
    options={
        "(3, 4)": "That is X W itself.",
        "(4, 3)": "",
        "(8, 8)": "The inner sizes, 8 and 8, must agree. They do not stay.",
        "X W does not exist": "The inner sizes are 8 and 8, so it does.",
    },
    answer=str((np.ones((3, 8)) @ np.ones((8, 4))).T.shape),
    because="X W has shape (3, 4), and its transpose has rows and columns exchanged.",
    nudge="First the shape of X W, then exchange the two numbers.",
)

order = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
numbers = np.array([7, 8, 9])
tools_7 = blanks(
    "P has the rows (0, 1, 0), (0, 0, 1) and (1, 0, 0). A table X has three rows with one number "
    "each: 7, below it 8, below it 9. What are the rows of P X?",
    answer=order @ numbers,
    columns=["top row", "middle row", "bottom row"],
    wrong=[
        (order.T @ numbers, "Look along the rows of P, not down its columns."),
        (numbers, "The 1 in the top row of P is in the middle. Which row of X does it pick?"),
    ],
    because="The 1 in the top row of P is in the middle, so the middle row of X comes first.",
    nudge="In each row of P, where is the 1? It picks the row of X in that place.",
)
