"""Figures of the book: each is drawn into the axes that it is given, and all in one style.

`ax` is one Matplotlib axes, `axes` are several. Numbers that say where a label stands or how thick
a line is were chosen by eye. Limits of axes that are numbers hold all that the book draws there, as
sines from -1 to 1 and percentages from 0 to 100, and leave room for dots, lines and names.
"""

from posenc_course.figures.bugs import *
from posenc_course.figures.clocks import *
from posenc_course.figures.codes import *
from posenc_course.figures.errors import *
from posenc_course.figures.formula import *
from posenc_course.figures.ladders import *
from posenc_course.figures.order import *
from posenc_course.figures.relatives import *
from posenc_course.figures.rotations import *
from posenc_course.figures.settings import *
from posenc_course.figures.similarity import *
from posenc_course.figures.style import *
from posenc_course.figures.tables import *
from posenc_course.figures.training import *
