"""Figures the reader can move: live widgets in Jupyter, self-contained HTML elsewhere."""

from posenc_course.views.arrows import *
from posenc_course.views.hands import *
from posenc_course.views.ladders import *
from posenc_course.views.sentences import *
from posenc_course.views.tables import *
from posenc_course.views.view import View

__all__ = sorted(kind.__name__ for kind in View.__subclasses__())
