"""Figures the reader can move: live widgets in Jupyter, self-contained HTML elsewhere."""

from posenc_course.views.kinds import *
from posenc_course.views.view import View

__all__ = sorted(kind.__name__ for kind in View.__subclasses__())
