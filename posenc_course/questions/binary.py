"""The questions of the page `binary`."""

from posenc import binary_code
from posenc_course.questions.kinds import blanks, choice, number

eight = binary_code(256, 8)

binary_9 = choice(
    "With eight bits, in which of these pairs do the two rows differ in a single "
    "bit, as rows 0 and 1 do?",
    options={
        "1 and 2": f"Neighbours, but {(eight[1] != eight[2]).sum()} bits flip.",
        "127 and 128": f"Neighbours, but {(eight[127] != eight[128]).sum()} bits flip.",
        "0 and 128": "",
    },
    because="128 is a single 1, in bit 7. In bits, a position 128 tokens away is as near as the "
    "neighbour.",
    nudge="Write each pair in binary. Which pair differs in only one bit?",
)

binary_6 = number(
    "A row has d = 20 numbers. For which base n do the wavelengths double from pair to pair?",
    answer=2 ** (20 / 2),
    tolerance=0.5,
    wrong={
        2: "What is 2 to the power 2/20? It is close to 1.",
        2**20: "What is that number to the power 2/20? Compare it with 2.",
        10_000: "What is 10 000 to the power 2/20? Compare it with 2.",
        256: "That is the base for d = 16. How many pairs are there now?",
        20: "Solve n to the power 2/20 = 2.",
    },
    because="n to the power 2/20 must be 2, so n is 2 to the power 10, which is 1024.",
    nudge="The ratio is n to the power 2/d. Set it to 2 and solve for n.",
)

codes = binary_code(5, 4)
binary_8 = blanks(
    "Rows 0 and 3 become rows 1 and 4; rows 1 and 2 become rows 2 and 3. Add the rows of bits, "
    "entry by entry.",
    answer=[codes[1] + codes[4], codes[2] + codes[3]],
    rows=["rows 1 and 4", "rows 2 and 3"],
    columns=[f"bit {i}" for i in range(4)],
    tolerance=0.1,
    wrong=[
        (
            [codes[1] + codes[4], codes[1] + codes[4]],
            "Did you add 2 + 3 = 5, and write 5 in bits? Add the entries, and carry nothing: a "
            "matrix knows no carry.",
        ),
        (
            [codes[0] + codes[3], codes[1] + codes[2]],
            "These are the sums of rows 0 and 3 and of rows 1 and 2, before the step.",
        ),
    ],
    because="Rows 2 and 3 both use the 2, so their sum has a 2 in bit 1. The two sums differ, and "
    "a matrix and a row would have made them equal.",
    nudge="Look the four rows up in the table of bits above.",
)

binary_1 = number(
    "How many of the eight bits flip from 63 to 64?",
    answer=int((eight[63] != eight[64]).sum()),
    unit="bits",
    tolerance=0.1,
    wrong={
        8: "That is the step from 127 to 128. Is bit 7 a 1 in 63 or in 64?",
        6: "63 is six ones. What does the carry do when it comes out of them?",
        1: "The numbers differ by one. Write both in binary and compare the digits.",
    },
    because="63 is six ones. All six turn to 0, and the carry makes bit 6 a 1.",
    nudge="63 is 32 + 16 + 8 + 4 + 2 + 1. Which bits are those, and what is 64?",
)

binary_ex_1 = number(
    "The period of bit 5, in positions.",
    answer=2 ** (5 + 1),
    unit="positions",
    tolerance=0.1,
    wrong={
        2**5: "After that many positions it has flipped once. When is it back?",
        2 * 5: "The periods double from bit to bit. What is that of bit 0?",
        2**4: "Bits count from 0, and bit 0 has the period 2.",
    },
    because="A run of 32 zeros and a run of 32 ones make one period.",
    nudge="Bit 0 has the period 2. Each next bit takes twice as long.",
)

nineteen = binary_code([19], 5)
binary_ex_2 = blanks(
    "The bits of 19, the fastest first.",
    answer=nineteen,
    rows=["19"],
    columns=[f"bit {i}" for i in range(5)],
    tolerance=0.1,
    wrong=[
        (
            nineteen[:, ::-1],
            "The first column is worth 1 and the last is worth 16. What do your ones add up to?",
        ),
        (1 - nineteen, "A 1 says that its power of 2 is in the sum. What do your ones add up to?"),
    ],
    because="19 is 1 + 2 + 16: bits 0, 1 and 4.",
    nudge="Which powers of 2 add up to 19?",
)
