"""The questions of the page `pytorch`."""

from posenc_course.questions.kinds import choice

pytorch_1 = choice(
    "Some models keep the batch in the second axis. Ten sentences of ten words then have shape "
    "(10, 10, 512). What does words + table[:10] do?",
    options={
        "It fails": "With four sentences it would. Here 10 rows meet an axis of 10.",
        "It gives each word its position": "Broadcasting lines up the last axes. Which axis do the "
        "10 rows of the table meet?",
        "It gives each sentence a position, the same for all its words": "",
    },
    because="The 10 rows meet the second axis, and that is the batch here.",
    nudge="Write the two shapes one under the other, aligned on the right.",
)

pytorch_3 = choice(
    "A large model is built without memory, given empty memory with to_empty(), and its weights "
    "are loaded, strictly. The table is not in the file. What happens?",
    options={
        "Loading fails, the table is missing": "Strict means that the file and the `state_dict` "
        "list the same names. Is the table in the `state_dict`?",
        "It loads, and the table is right": "Who has written numbers into the new memory?",
        "It loads, and the table holds whatever the memory held": "",
    },
    because="A strict load asks for what is in the state_dict, and a buffer with persistent=False "
    "is not in it.",
    nudge="Which names does a strict load compare?",
)

pytorch_2 = choice(
    "A 32-bit float carries about seven digits. At position 30 000, how many does the angle of "
    "pair 1 have left after the decimal point?",
    options={
        "Seven": "Seven in all. How many are before the point?",
        "Five": "Five are before the point.",
        "Two, perhaps three": "",
    },
    because="Five digits come before the point, and those after it are the ones that sine and "
    "cosine need.",
    nudge="Count the digits of 30 000, and take them from seven.",
)
