"""The questions of the page `fine-order`."""

import numpy as np

from posenc_course.questions.kinds import predict

dog, man = np.array([-0.2, -0.2, 2.1, 0.1]), np.array([0.6, -1.1, 0.0, -0.1])
tokens = np.arange(41.0)[:, np.newaxis]
one, two = dog + tokens, man + tokens
lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(two, axis=1)
with_index = (one * two).sum(axis=1) / lengths
fine_order_1 = predict(
    "As they are, the rows of “dog” and “man” have the cosine 0.03: nearly at right angles. What "
    "is it when both have 30 added to every entry?",
    slider=(0, 1, 0.01),
    answer=with_index[30],
    tolerance=0.035,
    wrong={with_index[0].round(2): "Adding the same arrow to both moves both. Draw it."},
    because="30 in every entry is an arrow of length 60. Beside it both words are short.",
    nudge="Compare the length of the word, about 2, with that of (30, 30, 30, 30).",
    x=(tokens.ravel(), "position k (tokens)"),
    y=(with_index, "cosine between dog + k and man + k"),
    at=30,
)
